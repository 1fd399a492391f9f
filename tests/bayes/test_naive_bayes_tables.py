"""NaiveBayes takes every kind of table, and lets the user overrule kinds, families, shares and weights."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from scipy import stats
from scipy.integrate import quad

from suffice import NaiveBayes
from suffice.bayes import LearnedPrior
from suffice.core.errors import BadInput
from suffice.core.kinds import Kind
from suffice.datasets import make_clinic
from suffice.families.counts.categorical import Bernoulli, Categorical
from suffice.families.counts.poisson import Poisson
from suffice.families.counts.pseudo_counts import Beta, Dirichlet, MEstimate
from suffice.families.counts.truncated_counts import TruncatedCounts
from suffice.families.family import Reading
from suffice.families.normals.normal import DiagonalNormal
from suffice.families.normals.variance_priors import NormalInverseGamma

COLUMNS: dict[str, list[Any]] = {
    "age": [31, 44, None, 25, 67, 70],
    "height": [1.7, 1.8, 1.65, None, 1.9, 1.75],
    "site": ["north", "south", None, "north", "east", "south"],
    "smokes": [True, False, None, True, False, False],
    "note": ["short cough", "long cough cough", None, "", "fever", "fever fever cough"],
}
Y = ["ill", "well", "ill", "well", "ill", "well"]
KINDS = {"note": "text"}
ASKED: dict[str, list[Any]] = {
    "age": [30, None, 50],
    "height": [None, 1.7, 1.6],
    "site": ["west", "north", None],  # never seen
    "smokes": [None, True, False],
    "note": ["sneeze cough", None, ""],  # an unknown word
}


def arrow(columns: dict[str, list[Any]]) -> Any:
    return pa.table(columns)


class Capsule:
    """Any table that speaks Arrow."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


LIBRARIES = {
    "pandas": pd.DataFrame,
    "pandas nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "polars": pl.DataFrame,
    "Arrow": arrow,
    "mapping of arrays": lambda columns: {name: np.array(cells, dtype=object) for name, cells in columns.items()},
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_library_gives_the_same_model(library: str) -> None:
    """P.M006: features real, binary, or a mixture of discrete and continuous."""
    make = LIBRARIES[library]
    by_mapping = NaiveBayes(kinds=KINDS).fit(COLUMNS, Y)
    model = NaiveBayes(kinds=KINDS).fit(make(COLUMNS), Y)
    np.testing.assert_allclose(
        model.predict_joint_log_proba(make(ASKED)), by_mapping.predict_joint_log_proba(ASKED), rtol=1e-13
    )
    assert [c.kind.storage for c in model.schema_.columns] == [c.kind.storage for c in by_mapping.schema_.columns]
    assert model.feature_names_in_.tolist() == list(COLUMNS)
    assert model.n_features_in_ == 5


def test_any_table_that_speaks_arrow() -> None:
    model = NaiveBayes(kinds=KINDS).fit(Capsule(arrow(COLUMNS)), Y)
    by_mapping = NaiveBayes(kinds=KINDS).fit(COLUMNS, Y)
    np.testing.assert_allclose(model.predict_proba(Capsule(arrow(ASKED))), by_mapping.predict_proba(ASKED), rtol=1e-13)


def test_arrays_and_lists_of_objects() -> None:
    rows = [list(row) for row in zip(*(COLUMNS[name] for name in ("age", "site", "smokes")), strict=True)]
    named = NaiveBayes().fit({f"x{j}": [row[j] for row in rows] for j in range(3)}, Y)
    for X in (rows, np.array(rows, dtype=object)):
        model = NaiveBayes().fit(X, Y)
        assert [c.kind.value for c in model.schema_.columns] == ["count", "categorical", "boolean"]
        np.testing.assert_array_equal(
            model.predict_proba(X), named.predict_proba({f"x{j}": [row[j] for row in rows] for j in range(3)})
        )


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csr_matrix, sp.csc_array, sp.coo_array, sp.dok_array])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_matrices_are_counts_of_words(kind: Any, index: Any) -> None:
    counts = np.array([[2, 0, 1], [0, 3, 0], [1, 1, 0], [0, 0, 4]])
    M = kind(counts)
    if hasattr(M, "indptr"):
        M.indices, M.indptr = M.indices.astype(index), M.indptr.astype(index)
    model = NaiveBayes().fit(M, [0, 1, 0, 1])
    theta = np.array([[4.0, 2.0, 2.0], [1.0, 4.0, 5.0]]) / np.array([[8.0], [10.0]])  # one pseudo-count a column
    x = np.array([1, 0, 2])
    likelihood = 3 * np.prod(theta**x, axis=1)  # three orders of the words
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba(kind(x[None])))[0], likelihood / 2, rtol=1e-13)
    np.testing.assert_allclose(model.predict_joint_log_proba(x[None]), model.predict_joint_log_proba(kind(x[None])))
    assert model.n_features_in_ == 3


def test_kinds_are_overruled_by_column() -> None:
    as_number = NaiveBayes().fit({"grade": [1, 2, 3, 1]}, Y[:4])
    as_symbol = NaiveBayes(kinds={"grade": "categorical"}).fit({"grade": [1, 2, 3, 1]}, Y[:4])
    ordered = NaiveBayes(kinds={"grade": [1, 2, 3, 4]}).fit({"grade": [1, 2, 3, 1]}, Y[:4])
    assert [str(m.schema_).split("\n")[1].split(maxsplit=1)[1] for m in (as_number, as_symbol, ordered)] == [
        "count",
        "categorical",
        "ordinal: 1 < 2 < 3 < 4",
    ]
    # "ill" has grades 1 and 3: one pseudo-count for each of 3 labels seen and all unseen, or for each of 4 declared
    assert np.exp(as_symbol.predict_joint_log_proba({"grade": [3]})[0, 0]) == pytest.approx(0.5 * 2 / 6, rel=1e-14)
    assert np.exp(ordered.predict_joint_log_proba({"grade": [4]})[0, 0]) == pytest.approx(0.5 * 1 / 6, rel=1e-14)


def test_ordinals_are_treated_as_categories() -> None:
    """P.M111: ordinal is handled as categorical; quantitative is given a parametric density."""
    cells = {"pain": ["none", "mild", "none", "severe"], "fever": [36.5, 38.0, 37.0, 39.5]}
    ordinal = NaiveBayes(kinds={"pain": ["none", "mild", "severe"]}).fit(cells, Y[:4])
    families = [type(group.family).__name__ for group in ordinal.fitted_.model.factors.groups]
    assert families == ["DiagonalNormal", "Categorical"]
    closed = Categorical(vocabulary=("none", "mild", "severe"))
    declared = NaiveBayes(families={"pain": closed}).fit(cells, Y[:4])
    np.testing.assert_array_equal(ordinal.predict_proba(cells), declared.predict_proba(cells))


def test_a_declared_order_keeps_the_family_of_the_user() -> None:
    cells = {"pain": ["none", "mild", "none", "severe"]}
    order = ["none", "mild", "severe"]
    model = NaiveBayes(kinds={"pain": order}, by_kind={"ordinal": Categorical(Dirichlet(0.5))}).fit(cells, Y[:4])
    p = np.exp(model.predict_joint_log_proba({"pain": ["severe"]})[0])
    np.testing.assert_allclose(p, [0.5 * 0.5 / 3.5, 0.5 * 1.5 / 3.5], rtol=1e-14)


@pytest.mark.parametrize("kind", ["count", Kind.COUNT])
def test_families_are_overruled_by_kind_and_by_column(kind: Any) -> None:
    """P.M202: Poisson counts, by one word."""
    cells = {"visits": [0, 2, 1, 5], "falls": [1, 0, 0, 3]}
    normal = NaiveBayes().fit(cells, Y[:4])
    by_kind = NaiveBayes(by_kind={kind: Poisson()}).fit(cells, Y[:4])
    by_column = NaiveBayes(families={"visits": Poisson()}).fit(cells, Y[:4])
    both = NaiveBayes(by_kind={kind: Poisson()}, families={"falls": DiagonalNormal()}).fit(cells, Y[:4])

    def families(model: NaiveBayes) -> list[tuple[str, Any]]:
        return [(type(g.family).__name__, g.columns) for g in model.fitted_.model.factors.groups]

    assert families(normal) == [("DiagonalNormal", None)]
    assert families(by_kind) == [("Poisson", None)]
    assert families(by_column) == families(both) == [("Poisson", (0,)), ("DiagonalNormal", (1,))]
    np.testing.assert_array_equal(by_column.predict_proba(cells), both.predict_proba(cells))
    alone = [
        NaiveBayes(prior="uniform", families=f).fit({n: cells[n]}, Y[:4])
        for n, f in (("visits", {"visits": Poisson()}), ("falls", {}))
    ]
    product = [m.predict_joint_log_proba({n: cells[n]}) for m, n in zip(alone, cells, strict=True)]
    np.testing.assert_allclose(
        by_column.set_params(prior="uniform").predict_joint_log_proba(cells), sum(product) + np.log(2), rtol=1e-13
    )


def test_class_shares_in_every_form() -> None:
    """P.M194, P.M195, C.M07.11: counted, smoothed, given by label, uniform."""
    cells, y = {"x": [1.0] * 10}, ["a"] * 3 + ["c"] * 7
    forms: list[tuple[Any, list[float]]] = [
        (None, [0.3, 0.7]),
        ("uniform", [0.5, 0.5]),
        ({"a": 0.1, "c": 0.9}, [0.1, 0.9]),
        ({"a": 0.1, "b": 0.8, "c": 0.1}, [0.5, 0.5]),  # a class without rows leaves its share to the others
        (Dirichlet(1.0), [4 / 12, 8 / 12]),
        (MEstimate(2.0, {"a": 0.75, "c": 0.25}), [4.5 / 12, 7.5 / 12]),
        (LearnedPrior(Dirichlet(2.0), Reading.MODE), [4 / 12, 8 / 12]),
    ]
    for prior, shares in forms:
        model = NaiveBayes(prior=prior).fit(cells, y)
        np.testing.assert_allclose(model.predict_proba({"x": [1.0]})[0], shares, rtol=1e-14)
        np.testing.assert_allclose(np.exp(model.predict_joint_log_proba({"x": [1.0]})[0]), shares, rtol=1e-14)


def test_ties_go_to_the_first_class() -> None:
    """C.M07.11: ties go to the first class."""
    model = NaiveBayes(prior="uniform").fit({"x": ["p", "p", "q", "q"]}, ["b", "a", "b", "a"])
    assert model.predict({"x": ["p", None, "never"]}).tolist() == ["a", "a", "a"]


def test_the_answer_is_the_first_of_the_most_probable() -> None:
    """Rows that rounding alone tells apart are ties, and where no class is possible the prior answers."""
    rng = np.random.default_rng(1)
    a = rng.random((40, 6)) < rng.random(6)
    X = np.concatenate([a, a[:, ::-1]])  # the classes mirror one another: so do the logs that are added
    model = NaiveBayes(prior="uniform").fit(X, np.repeat(["second", "first"], 40))
    asked = np.array(list(product([False, True], repeat=6)))
    p = model.predict_proba(asked)
    assert model.predict(asked).tolist() == model.classes_[p.argmax(axis=1)].tolist()
    mirrored = (asked == asked[:, ::-1]).all(axis=1)
    assert mirrored.sum() == 8
    np.testing.assert_allclose(p[mirrored], 0.5, rtol=1e-14)
    certain = NaiveBayes(by_kind={"categorical": Categorical(Dirichlet(0.0))})
    certain.fit({"x": ["u", "v", "v"], "y": ["r", "s", "s"]}, ["a", "b", "b"])
    odd = {"x": ["u", "v", "u"], "y": ["s", "r", "r"]}
    np.testing.assert_allclose(certain.predict_proba(odd), [[1 / 3, 2 / 3], [1 / 3, 2 / 3], [1, 0]], rtol=1e-14)
    assert certain.predict(odd).tolist() == ["b", "b", "a"]


@pytest.mark.parametrize("K", [1, 2, 7, 150])
def test_any_number_of_classes(K: int) -> None:
    """C.M07.03, C.M11.01: argmax of ln p(class) + sum of ln p(x_j | class), for any number of classes, unchanged."""
    rng = np.random.default_rng(K)
    y = rng.permutation(np.concatenate([np.arange(K), np.arange(K), rng.integers(0, (K + 1) // 2, 600 - 2 * K)]))
    X = rng.normal(size=(600, 2)) * (1.0 + y[:, None] % 3) + np.column_stack([y, -y])
    n = np.bincount(y)
    one = (y[:, None] == np.arange(K)).T / n[:, None]
    mean = one @ X
    scatter = n[:, None] * (one @ X**2 - mean**2)
    variance = (X.var(axis=0) + scatter) / (1 + n[:, None])  # one virtual row, as spread out as the column
    far = (X[:, None] - mean) ** 2 / variance + np.log(2 * np.pi * variance)
    joint = np.log(n / 600) - far.sum(axis=2) / 2
    names = np.array([f"class {k:03}" for k in range(K)])
    model = NaiveBayes().fit(X, names[y])
    np.testing.assert_allclose(model.predict_joint_log_proba(X), joint, rtol=1e-9)
    np.testing.assert_allclose(
        model.predict_log_proba(X), joint - np.logaddexp.reduce(joint, axis=1)[:, None], rtol=1e-9, atol=1e-12
    )
    best = joint.argmax(axis=1)
    assert model.predict(X).tolist() == names[best].tolist()
    assert len(set(best)) > K // 4


@pytest.mark.parametrize("name", list(COLUMNS))
def test_weight_0_leaves_a_column_out_and_weight_2_lists_it_twice(name: str) -> None:
    """P.M055: evidence of a column that is listed twice counts twice."""
    fewer = {other: cells for other, cells in COLUMNS.items() if other != name}
    kinds = {other: kind for other, kind in KINDS.items() if other != name}
    none = NaiveBayes(kinds=KINDS, feature_weights={name: 0.0}).fit(COLUMNS, Y)
    without = NaiveBayes(kinds=kinds).fit(fewer, Y)
    np.testing.assert_allclose(
        none.predict_proba(ASKED), without.predict_proba({o: c for o, c in ASKED.items() if o != name}), rtol=1e-12
    )
    twice = NaiveBayes(kinds=KINDS, feature_weights={name: 2}).fit(COLUMNS, Y)
    listed = NaiveBayes(kinds={**KINDS, **({"again": "text"} if name == "note" else {})})
    listed.fit({**COLUMNS, "again": COLUMNS[name]}, Y)
    np.testing.assert_allclose(
        twice.predict_proba(ASKED), listed.predict_proba({**ASKED, "again": ASKED[name]}), rtol=1e-12
    )


def test_weights_between() -> None:
    model = NaiveBayes(feature_weights={"x": 0.25}, prior="uniform").fit({"x": [True, False, True, True]}, Y[:4])
    p = model.predict_proba({"x": [True]})[0]
    assert p[0] / p[1] == pytest.approx(((3 / 4) / (2 / 4)) ** 0.25, rel=1e-14)


def test_unseen_never_raises() -> None:
    model = NaiveBayes(kinds=KINDS).fit(COLUMNS, Y)
    strange: dict[str, list[Any]] = {
        "age": [1e300, -5],
        "height": [-1e9, 0.0],
        "site": ["atlantis", 17],
        "smokes": ["perhaps", 3],
        "note": ["unheard of words only", " !? "],
    }
    p = model.predict_proba(strange)
    assert np.isfinite(p).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0, rtol=1e-14)
    model.partial_fit({name: cells[:1] for name, cells in COLUMNS.items()}, ["new label"])
    assert model.classes_.tolist() == ["ill", "new label", "well"]


def test_a_cell_outside_a_declared_vocabulary_is_refused_in_training_and_missing_in_prediction() -> None:
    with pytest.raises(BadInput, match="among"):
        NaiveBayes(kinds={"pain": ["none", "mild"]}).fit({"pain": ["none", "severe"]}, Y[:2])
    model = NaiveBayes(kinds={"pain": ["none", "mild"]}).fit({"pain": ["none", "mild"]}, Y[:2])
    np.testing.assert_allclose(model.predict_proba({"pain": ["severe"]}), [[0.5, 0.5]], rtol=1e-15)


def test_columns_of_tables_are_found_by_name_in_a_mapping_and_extra_ones_ignored() -> None:
    model = NaiveBayes(kinds=KINDS).fit(COLUMNS, Y)
    turned = dict(reversed(list({**ASKED, "other": [1, 2, 3]}.items())))
    np.testing.assert_array_equal(model.predict_proba(turned), model.predict_proba(ASKED))


def test_identifiers_are_no_features() -> None:
    clinic = make_clinic(200, random_state=0)
    table = clinic.frame("pandas")
    kinds = {"patient": "identifier", "notes": "text"}
    model = NaiveBayes(kinds=kinds).fit(table, clinic.target)
    renamed = table.assign(patient="somebody else")
    np.testing.assert_array_equal(model.predict_proba(table), model.predict_proba(renamed))
    assert "patient" not in model.explain(table[:1]).features


def over_the_chance(yes: int, no: int, cell: Any) -> float:
    """The mean of p(cell | theta) over the posterior of theta, Beta(1 + yes, 1 + no), by quadrature."""
    posterior = stats.beta(1 + yes, 1 + no)
    return float(quad(lambda t: (t if cell else 1 - t) * posterior.pdf(t), 0, 1, epsabs=1e-13)[0])


def test_fully_bayesian() -> None:
    """P.M064, P.M198, P.M199: p(class | x) by integrals over all parameters; of categories, the plug-in is the same."""
    smokes = [True, False, True, True, False, False, True]
    y = np.array(["ill", "ill", "ill", "well", "well", "well", "well"])
    counts = {"ill": (2, 1), "well": (2, 2)}
    whole = np.array(
        [
            [(3 + 1) / 9 * over_the_chance(*counts["ill"], cell), (4 + 1) / 9 * over_the_chance(*counts["well"], cell)]
            for cell in (True, False)
        ]
    )
    whole /= whole.sum(axis=1, keepdims=True)
    for reading in (Reading.PREDICTIVE, Reading.MEAN):
        model = NaiveBayes(
            prior=LearnedPrior(Dirichlet(1.0), reading), by_kind={"boolean": Bernoulli(Beta(1.0, 1.0), reading=reading)}
        )
        model.fit({"smokes": smokes}, y)
        np.testing.assert_allclose(model.predict_proba({"smokes": [True, False]}), whole, rtol=1e-12)


def test_fully_bayesian_normals_are_not_the_plug_in() -> None:
    """P.M198, P.M199: mean and variance integrated out by quadrature; the plug-in of their estimates is too sure."""
    x, y, asked = np.array([0.0, 1.0, 2.5, 4.0, 7.0]), np.array([0, 0, 1, 1, 1]), 5.0
    prior = {"strength": 4.0, "variance": 2.0, "mean_strength": 2.0, "mean": 1.0}

    def predictive(rows: Any) -> float:
        n, m = len(rows), rows.mean()
        centre, spread = (2.0 + n * m) / (2 + n), 8.0 + ((rows - m) ** 2).sum() + 2 * n / (2 + n) * (m - 1) ** 2
        of_precision = stats.gamma((4 + n) / 2, scale=2 / spread)  # and the mean given it is normal

        def integrand(precision: float) -> float:
            width = np.sqrt((1 + 1 / (2 + n)) / precision)
            return float(stats.norm.pdf(asked, centre, width) * of_precision.pdf(precision))

        return float(quad(integrand, 0, np.inf, epsabs=1e-13)[0])

    joint = np.log([2 / 5 * predictive(x[y == 0]), 3 / 5 * predictive(x[y == 1])])
    found = {}
    for reading in (Reading.PREDICTIVE, Reading.MEAN):
        family = DiagonalNormal(NormalInverseGamma(**prior, reading=reading))
        found[reading] = (
            NaiveBayes(by_kind={"quantitative": family}).fit(x[:, None], y).predict_joint_log_proba([[asked]])[0]
        )
    np.testing.assert_allclose(found[Reading.PREDICTIVE], joint, rtol=1e-9)
    assert found[Reading.PREDICTIVE][0] - found[Reading.MEAN][0] > 0.1


def test_truncated_counts_of_texts() -> None:
    """P.M200, P.M201: a word's count, cut at K - 1, is a categorical variable of its own."""
    notes = {"note": ["a1 a1 a1", "a1 b1", "b1 b1", "b1"]}
    model = NaiveBayes(kinds=KINDS, families={"note": TruncatedCounts(3)}, prior="uniform").fit(notes, [0, 0, 1, 1])
    # documents of class 0 by level of a1: 0, 1, 1 of levels 0, 1, 2; of b1: 1, 1, 0; one pseudo-count each
    assert np.exp(model.predict_joint_log_proba({"note": ["a1 a1 a1 a1 b1"]})[0, 0]) == pytest.approx(
        0.5 * (2 / 5) * (2 / 5), rel=1e-14
    )
