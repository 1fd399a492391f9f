"""Models from files: every verb of the estimator, without scikit-learn or numba; and back to the estimator."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer

import suffice
from suffice import NaiveBayes, load, persistence
from suffice.core.errors import BadFile, BadInput, NeverAdded, NotASummary
from suffice.datasets import make_clinic
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.loaded_faces import LoadedProbabilistic
from suffice.families.counts.poisson import Poisson
from suffice.families.counts.pseudo_counts import Dirichlet

KINDS = {"patient": "identifier", "notes": "text"}
CLINIC = make_clinic(200, random_state=2)
TABLE, Y = CLINIC.frame("pandas"), CLINIC.target
X = np.random.default_rng(0).poisson(1.5, size=(60, 4))
LABELS = np.arange(60) % 3
DROP_INS: list[tuple[str, dict[str, Any]]] = [
    ("BernoulliNB", {"alpha": [0.5, 1.0, 1.5, 2.0], "binarize": 1.0}),
    ("CategoricalNB", {"min_categories": np.array([9, 9, 9, 9]), "class_prior": [0.2, 0.3, 0.5]}),
    ("ComplementNB", {"norm": True}),
    ("GaussianNB", {"priors": np.array([0.2, 0.3, 0.5]), "var_smoothing": np.float64(1e-3)}),
    ("MultinomialNB", {"fit_prior": False, "refusal": -1}),
]


def reloaded(model: Any, folder: Path) -> Any:
    model.save(folder / "model")
    return load(folder / "model")


def test_a_loaded_model_offers_the_verbs_of_the_estimator(tmp_path: Path) -> None:
    model = NaiveBayes(kinds=KINDS, refusal="ask").fit(TABLE, Y)
    loaded = reloaded(model, tmp_path)
    assert type(loaded) is LoadedProbabilistic
    for verb in ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba", "score_samples"):
        np.testing.assert_array_equal(getattr(loaded, verb)(TABLE), getattr(model, verb)(TABLE))
    options = {
        "prior": "uniform",
        "costs": {("flu", "cold"): 3.0, ("cold", "flu"): 1.0},
        "reject": 0.2,
        "at_least": 0.6,
    }
    np.testing.assert_array_equal(loaded.predict(TABLE, **options), model.predict(TABLE, **options))
    assert "ask" in loaded.predict(TABLE, at_least=0.9).tolist()
    np.testing.assert_array_equal(loaded.posterior(TABLE).prior, model.posterior(TABLE).prior)
    np.testing.assert_array_equal(loaded.explain(TABLE).contributions, model.explain(TABLE).contributions)
    assert loaded.duplicate_features(TABLE, 0.2) == model.duplicate_features(TABLE, 0.2)
    np.testing.assert_array_equal(loaded.coefficients().coefficients, model.coefficients().coefficients)
    pd.testing.assert_frame_equal(loaded.sample(5, 0)[0], model.sample(5, 0)[0])
    assert str(loaded) == str(model)
    assert repr(loaded) == "<NaiveBayes from a file: 3 classes, 17 columns>"
    assert loaded.schema_ == model.schema_
    assert loaded.classes_.tolist() == model.classes_.tolist()


def test_a_loaded_model_learns_on_merges_and_forgets(tmp_path: Path) -> None:
    whole = NaiveBayes(kinds=KINDS).fit(TABLE, Y)
    first = NaiveBayes(kinds=KINDS).fit(TABLE[:120], Y[:120])
    rest = NaiveBayes(kinds=KINDS).fit(TABLE[120:], Y[120:])
    loaded = reloaded(first, tmp_path)
    results = [
        reloaded(first, tmp_path).partial_fit(TABLE[120:], Y[120:]),
        reloaded(first, tmp_path).merge(rest),  # an estimator
        reloaded(first, tmp_path).merge(reloaded(rest, tmp_path)),
        first + reloaded(rest, tmp_path),
        loaded + rest,
    ]
    for result in results:
        np.testing.assert_allclose(result.predict_proba(TABLE), whole.predict_proba(TABLE), rtol=0, atol=1e-12)
    assert loaded.summary_.tally.rows.sum() == 120  # + makes a new model
    back = results[0].forget(TABLE[120:], Y[120:])
    np.testing.assert_allclose(back.predict_proba(TABLE), first.predict_proba(TABLE), rtol=0, atol=1e-12)
    before = loaded.predict_proba(TABLE)
    with pytest.raises(NeverAdded):
        loaded.forget(TABLE, Y)
    with pytest.raises(NotASummary, match="NaiveBayes: models to merge must be of its own kind, got GaussianNB"):
        loaded.merge(suffice.GaussianNB().fit(X, LABELS))
    np.testing.assert_array_equal(loaded.predict_proba(TABLE), before)
    again = reloaded(loaded, tmp_path)
    np.testing.assert_array_equal(again.predict_proba(TABLE), before)


def test_back_to_the_estimator(tmp_path: Path) -> None:
    parameters: dict[str, Any] = {
        "kinds": KINDS,
        "families": {"visits": Poisson()},
        "prior": Dirichlet(2.0),
        "feature_weights": {"age": 0.5},
        "analyzer": CountVectorizer(ngram_range=(1, 2)),
        "refusal": "ask",
        "threads": 1,
    }
    model = NaiveBayes(**parameters).fit(TABLE, Y)
    again = reloaded(model, tmp_path).estimator()
    assert type(again) is NaiveBayes
    saved, given = again.get_params(deep=False), model.get_params(deep=False)
    assert {k: v for k, v in saved.items() if k != "analyzer"} == {k: v for k, v in given.items() if k != "analyzer"}
    assert saved["analyzer"].ngrams == (1, 2)  # the options of a vectorizer, not the vectorizer
    np.testing.assert_array_equal(again.predict_proba(TABLE), model.predict_proba(TABLE))
    assert again.feature_names_in_.tolist() == model.feature_names_in_.tolist()
    again.forget(TABLE[:5], Y[:5]).set_params(prior="uniform")
    expected = NaiveBayes(**{**parameters, "prior": "uniform"}).fit(TABLE[5:], Y[5:])
    np.testing.assert_allclose(again.predict_proba(TABLE), expected.predict_proba(TABLE), rtol=0, atol=1e-12)


@pytest.mark.parametrize(("name", "parameters"), DROP_INS)
def test_drop_ins(name: str, parameters: dict[str, Any], tmp_path: Path) -> None:
    model = getattr(suffice, name)(**parameters).fit(X, LABELS.astype(np.int16))
    loaded = reloaded(model, tmp_path)
    assert type(loaded) is LoadedProbabilistic
    assert hasattr(loaded, "sample") == (name != "ComplementNB")
    assert loaded.classes_.dtype == np.int16
    for rows in (X, X.tolist(), pd.DataFrame(X), X.astype(np.float64)):
        np.testing.assert_array_equal(loaded.predict_joint_log_proba(rows), model.predict_joint_log_proba(X))
    again = loaded.estimator()
    for parameter, value in parameters.items():
        np.testing.assert_array_equal(again.get_params()[parameter], value)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert (again.n_features_in_, again.classes_.dtype) == (4, np.int16)
    np.testing.assert_array_equal(again.class_count_, model.class_count_)
    more = loaded.partial_fit(X, LABELS)
    np.testing.assert_allclose(more.predict_proba(X), model.partial_fit(X, LABELS).predict_proba(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["BernoulliNB", "ComplementNB", "MultinomialNB"])
def test_drop_ins_of_sparse_matrices(name: str, tmp_path: Path) -> None:
    model = getattr(suffice, name)().fit(sp.csr_array(X), LABELS)
    loaded = reloaded(model, tmp_path)
    for make in (sp.csr_array, sp.csr_matrix, sp.coo_array):
        np.testing.assert_array_equal(loaded.predict_proba(make(X)), model.predict_proba(sp.csr_array(X)))


def test_drop_ins_find_the_columns_of_a_table_by_name(tmp_path: Path) -> None:
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = suffice.GaussianNB().fit(frame, LABELS)
    loaded = reloaded(model, tmp_path)
    np.testing.assert_array_equal(loaded.predict_proba(frame[list("dcba")]), model.predict_proba(frame))
    with pytest.raises(BadInput, match="'b' among them"):
        loaded.predict(frame[["a", "c", "d"]])
    assert list(loaded.sample(2, 0)[0].columns) == list("abcd")
    assert loaded.explain(frame[:1]).features == tuple("abcd")


def test_declared_classes_and_types_are_kept(tmp_path: Path) -> None:
    model = suffice.GaussianNB().partial_fit(X.astype(np.float32), LABELS, classes=[0, 1, 2, 3])
    loaded = reloaded(model, tmp_path)
    assert loaded.classes_.tolist() == [0, 1, 2, 3]
    with pytest.raises(BadInput, match="do not exist in the initial classes"):
        loaded.partial_fit(X, LABELS + 7)
    again = loaded.estimator()
    assert again.theta_.dtype == np.float32
    with pytest.raises(BadInput, match="is not the same as on last call"):
        again.partial_fit(X, LABELS, classes=[0, 1, 2])


def test_a_loaded_drop_in_refuses_what_the_estimator_refuses(tmp_path: Path) -> None:
    for name, _ in DROP_INS:
        loaded = reloaded(getattr(suffice, name)().fit(X, LABELS), tmp_path)
        with pytest.raises(BadInput, match=f"{name}: the number of columns must be 4, as in training, got 3"):
            loaded.predict(X[:, :3])
    gaussian = reloaded(suffice.GaussianNB().fit(X, LABELS), tmp_path)
    holed = X.astype(float)
    holed[0, 0] = np.nan
    with pytest.raises(BadInput, match="GaussianNB: every cell must be present and finite"):
        gaussian.predict(holed)
    categorical = reloaded(suffice.CategoricalNB().fit(X, LABELS), tmp_path)
    with pytest.raises(BadInput, match="CategoricalNB: every cell must be present"):
        categorical.predict(holed)
    with pytest.raises(BadInput, match="Negative values in data passed to CategoricalNB"):
        categorical.predict(-X)
    with pytest.raises(BadInput, match="cells must be numbers"):
        gaussian.predict(np.full((2, 4), "text", dtype=object))


def test_summaries_and_schemas_load_as_themselves(tmp_path: Path) -> None:
    model = NaiveBayes(kinds=KINDS).fit(TABLE, Y)
    persistence.save(model.schema_, tmp_path / "schema")
    persistence.save(model.summary_, tmp_path / "summary")
    assert load(tmp_path / "schema") == model.schema_
    assert load(tmp_path / "summary").tally.rows.tolist() == model.summary_.tally.rows.tolist()


def test_pieces_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    value = NaiveBayes(kinds=KINDS).fit(TABLE, Y)._saved()
    other = suffice.GaussianNB().fit(X, LABELS)._saved()
    mixed = SavedModel("NaiveBayes", value.holding(other.fitted).fitted, value.origin, {})
    object.__setattr__(mixed.fitted, "schema", value.fitted.schema)
    object.__setattr__(mixed.fitted, "plan", value.fitted.plan)
    persistence.save(mixed, tmp_path / "mixed")
    with pytest.raises(BadFile, match="no model can be made of its pieces"):
        load(tmp_path / "mixed")
    for bad in (
        SavedModel("JointTable", value.fitted, value.origin, {}),
        SavedModel("os", value.fitted, value.origin, {}),
    ):
        persistence.save(bad, tmp_path / "bad")
        with pytest.raises(BadFile, match="of an estimator of suffice"):
            load(tmp_path / "bad").estimator()
    persistence.save(SavedModel("NaiveBayes", value.fitted, value.origin, {"strange": 1}), tmp_path / "bad")
    with pytest.raises(BadFile, match="parameters of NaiveBayes, got others"):
        load(tmp_path / "bad").estimator()
    with pytest.raises(BadFile, match="its name is no str"):
        SavedModel(7, value.fitted, value.origin, {})  # type: ignore[arg-type]


def test_what_cannot_be_saved_says_which_parameter(tmp_path: Path) -> None:
    model = NaiveBayes(refusal=object()).fit({"x": [1.0, 2.0]}, [0, 1])
    with pytest.raises(BadInput, match=r"value\.parameters\['refusal'\] must be"):
        model.save(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


PREDICTS = """
import sys
from suffice import load
model = load(sys.argv[1])
asked = {"x": [1.0, None], "s": ["a", "new"], "note": ["red wine", None]}
print(model.predict(asked).tolist(), model.predict(asked, prior="uniform", at_least=0.9).tolist())
model.explain(asked), model.sample(3, 0), model.score_samples(asked), str(model)
model.partial_fit({"x": [2.0], "s": ["b"], "note": ["blue"]}, ["out"])
model.forget({"x": [2.0], "s": ["b"], "note": ["blue"]}, ["out"])
heavy = {"sklearn", "numba", "pandas", "polars", "pyarrow", "joblib"} & set(sys.modules)
assert not heavy, heavy
"""
TRAINS = """
import sys
from suffice import NaiveBayes
model = NaiveBayes(kinds={"note": "text"}).fit({"x": [1.0, 2.0], "note": ["red", "blue"]}, ["in", "out"])
print(model.predict({"x": [1.5], "note": ["red"]}))
heavy = {"numba", "polars", "matplotlib"} & set(sys.modules)  # scikit-learn imports pandas where it is installed
assert not heavy, heavy
"""


def test_loading_and_predicting_import_neither_scikit_learn_nor_numba(tmp_path: Path) -> None:
    cells = {"x": [1.0, 2.0, 3.0], "s": ["a", "b", "a"], "note": ["red red", "blue", None]}
    model = NaiveBayes(kinds={"note": "text"}).fit(cells, ["in", "out", "in"])
    model.save(tmp_path / "model")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PREDICTS, str(tmp_path / "model")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    asked = {"x": [1.0, None], "s": ["a", "new"], "note": ["red wine", None]}
    assert done.stdout.startswith(str(model.predict(asked).tolist()))


def test_small_models_are_trained_without_numba() -> None:
    done = subprocess.run([sys.executable, "-c", TRAINS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
