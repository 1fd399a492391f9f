"""Chains: one pass where steps are linear, the numbers of fitting step by step, and passes that are told."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.discriminant_analysis
import sklearn.linear_model
import sklearn.naive_bayes
from sklearn.base import clone, is_classifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler as TheirScaler
from sklearn.utils.estimator_checks import check_estimator

from suffice import (
    SVC,
    CalibratedClassifier,
    Chain,
    Decide,
    ElasticNet,
    GaussianNB,
    Lasso,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    LinearRegression,
    LogisticRegression,
    ModelAverage,
    NaiveBayes,
    OneHotEncoder,
    PolynomialRegression,
    QuadraticDiscriminantAnalysis,
    Ridge,
    RidgeClassifier,
    RidgeCV,
    StandardScaler,
    Tree,
    VotingClassifier,
    load,
)
from suffice.core.errors import BadInput, NotASummary
from suffice.evaluation import cross_val_predict, cross_validate, grid_search

RNG = np.random.default_rng(7)
N = 240
PLAIN = RNG.normal(size=(N, 4)) @ RNG.normal(size=(4, 4)) * [1.0, 40.0, 1e-3, 5.0] + [0.0, 9.0, 0.0, -2.0]
TABLES = {"plain": PLAIN, "offset": PLAIN + 1e8 * np.array([1.0, 1.0, 0.0, 1.0]), "constant": PLAIN.copy()}
TABLES["constant"][:, 2] = 3.25
Y = PLAIN[:, 0] + PLAIN[:, 1] / 20.0 - PLAIN[:, 3] + RNG.normal(size=N)
C = np.array(["ash", "birch", "cedar"])[np.digitize(PLAIN[:, 0] + RNG.normal(size=N), [-0.7, 0.7])]
WEIGHTS = np.where(RNG.random(N) < 0.2, 0.0, RNG.integers(1, 4, N)).astype(float)
REGRESSORS = [
    Ridge(alpha=2.0),
    LinearRegression(),
    Lasso(alpha=0.05, tol=1e-12),
    ElasticNet(alpha=0.05, tol=1e-12),
    Ridge(alpha=2.0, fit_intercept=False),
]
CLASSIFIERS = [
    GaussianNB(),
    LinearDiscriminantAnalysis(),
    LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.3),
    QuadraticDiscriminantAnalysis(reg_param=0.1),
    RidgeClassifier(),
    LeastSquaresClassifier(),
]
LASTS = [*REGRESSORS, *CLASSIFIERS]
TIGHT = 1e-9


def named(last: Any) -> str:
    return repr(last)


def target(last: Any) -> Any:
    return Y if any(last is one for one in REGRESSORS) else C


def answers(model: Any, X: Any) -> Any:
    if hasattr(model, "predict_proba"):
        return model.predict_proba(X)
    return model.decision_function(X) if hasattr(model, "decision_function") else model.predict(X)


def chain(last: Any) -> Any:
    return Chain(StandardScaler(), clone(last))


def two_fits(last: Any, X: Any, y: Any, w: Any = None) -> tuple[Any, Any]:
    """Our own scaler, then our own last, one after the other."""
    scaler = StandardScaler().fit(X, sample_weight=w)
    return scaler, clone(last).fit(scaler.transform(X), y, w)


def near(a: Any, b: Any, tolerance: float = TIGHT) -> None:
    size = max(1.0, float(np.abs(b).max()))
    np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * size)


@pytest.mark.parametrize("w", [None, WEIGHTS], ids=["alike", "weighed"])
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("last", LASTS, ids=named)
@pytest.mark.filterwarnings("ignore:Variables are collinear")
def test_one_pass_gives_what_two_fits_do(last: Any, name: str, w: Any) -> None:
    if name == "constant" and isinstance(last, QuadraticDiscriminantAnalysis):
        return  # which has no inverse there, in a chain or not
    X, y = TABLES[name], target(last)
    one = chain(last).fit(X, y, w)
    assert one.passes_ == 1
    scaler, model = two_fits(last, X, y, w)
    near(answers(one, X), answers(model, scaler.transform(X)))


PEERS = [
    (Ridge(alpha=2.0), sklearn.linear_model.Ridge(alpha=2.0)),
    (LinearRegression(), sklearn.linear_model.LinearRegression()),
    (Lasso(alpha=0.05, tol=1e-12), sklearn.linear_model.Lasso(alpha=0.05, tol=1e-14, max_iter=10**5)),
    (GaussianNB(), sklearn.naive_bayes.GaussianNB()),
    (LinearDiscriminantAnalysis(), sklearn.discriminant_analysis.LinearDiscriminantAnalysis()),
    (RidgeClassifier(), sklearn.linear_model.RidgeClassifier()),
]


@pytest.mark.parametrize(("last", "peer"), PEERS, ids=map(repr, range(len(PEERS))))
def test_one_pass_gives_what_a_pipeline_of_scikit_learn_does(last: Any, peer: Any) -> None:
    y = C if hasattr(peer, "classes_") or "Classif" in named(peer) or not hasattr(peer, "fit_intercept") else Y
    other = make_pipeline(TheirScaler(), peer).fit(PLAIN, y)
    near(answers(chain(last).fit(PLAIN, y), PLAIN), answers(other, PLAIN))


@pytest.mark.parametrize("name", ["plain", "offset"])
@pytest.mark.parametrize("last", LASTS, ids=named)
def test_it_merges_learns_on_and_forgets(last: Any, name: str) -> None:
    X, y = TABLES[name], target(last)
    a, b = slice(0, 90), slice(90, N)
    whole = answers(chain(last).fit(X, y), X)
    first, rest = chain(last).fit(X[a], y[a]), chain(last).fit(X[b], y[b])
    near(answers(first + rest, X), whole)
    near(answers(chain(last).partial_fit(X[a], y[a]).partial_fit(X[b], y[b]), X), whole)
    scaler, model = two_fits(last, X[b], y[b])
    left = (first + rest).forget(X[a], y[a])
    near(answers(left, X[b]), answers(model, scaler.transform(X[b])))
    near(left[0].mean_, scaler.mean_, 1e-14)


@pytest.mark.parametrize("last", LASTS, ids=named)
def test_folds_add_and_their_steps_come_from_the_other_folds(last: Any) -> None:
    X, y = TABLES["offset"], target(last)
    folds = StratifiedKFold(4).split(X, C)
    method = "predict_proba" if hasattr(last, "predict_proba") else "predict"
    pairs = list(folds)
    mine = cross_val_predict(chain(last), X, y, cv=pairs, method=method)
    for train, test in pairs:
        scaler, model = two_fits(last, X[train], y[train])
        expected = getattr(model, method)(scaler.transform(X[test]))
        if expected.dtype.kind == "f":
            near(mine[test], expected)
        else:
            assert np.array_equal(mine[test], expected)
    assert cross_validate(chain(last), X, y, cv=4).path == "folds added"


def test_a_grid_is_read_from_one_pass() -> None:
    grid = {"ridge__alpha": [0.1, 10.0, 1000.0]}
    found = grid_search(Chain(StandardScaler(), Ridge()), grid, PLAIN, Y, cv=4)
    assert {one.path for one in found.results} == {"folds added"}
    assert found.reads == 2
    one = chain(Ridge(**{"alpha": found.parameters["ridge__alpha"]})).fit(PLAIN, Y)
    near(found.estimator.predict(PLAIN), one.predict(PLAIN))
    theirs = GridSearchCV(Chain(StandardScaler(), Ridge()), grid, cv=4).fit(PLAIN, Y)
    assert (
        theirs.best_params_
        == GridSearchCV(make_pipeline(TheirScaler(), Ridge()), grid, cv=4).fit(PLAIN, Y).best_params_
    )


def test_the_fitted_steps_can_be_looked_at() -> None:
    model = Chain(StandardScaler(), Ridge(alpha=2.0)).fit(PLAIN, Y)
    scaler, ridge = two_fits(Ridge(alpha=2.0), PLAIN, Y)
    near(model[0].scale_, scaler.scale_, 1e-15)
    near(model[-1].coef_, ridge.coef_)
    assert isinstance(model[1], Ridge)
    assert len(model) == 2
    assert list(model.named_steps) == ["standardscaler", "ridge"]


def test_parameters_by_name_and_by_place() -> None:
    model = Chain(StandardScaler(), Ridge(alpha=2.0)).fit(PLAIN, Y)
    inside = model.steps[1]
    assert model.get_params()["ridge__alpha"] == 2.0
    for changed in (model.set_params(ridge__alpha=30.0), clone(model).set_params(**{"1__alpha": 30.0}).fit(PLAIN, Y)):
        assert changed.steps[1].alpha == 30.0
        scaler, ridge = two_fits(Ridge(alpha=30.0), PLAIN, Y)
        near(changed.predict(PLAIN), ridge.predict(scaler.transform(PLAIN)))
    assert inside.alpha == 2.0  # whoever else holds it keeps it
    near(
        model.set_params(ridge=LinearRegression()).predict(PLAIN),
        chain(LinearRegression()).fit(PLAIN, Y).predict(PLAIN),
    )
    near(
        model.set_params(standardscaler__with_std=False).predict(PLAIN),
        Chain(StandardScaler(with_std=False), LinearRegression()).fit(PLAIN, Y).predict(PLAIN),
    )
    with pytest.raises(BadInput, match="Invalid parameter 'lasso'"):
        model.set_params(lasso__alpha=1.0)
    with pytest.raises(BadInput, match="the last step must be one that answers what LinearRegression does"):
        model.set_params(linearregression=GaussianNB())


def test_clones_copies_and_pickles() -> None:
    model = Chain(StandardScaler(), GaussianNB()).fit(PLAIN, C)
    fresh = clone(model)
    assert repr(fresh) == "Chain(StandardScaler(), GaussianNB())"
    assert not hasattr(fresh, "fitted_")
    assert fresh.steps[0] is not model.steps[0]
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(PLAIN), model.predict_proba(PLAIN))


def test_two_scalers_are_one_pass_too() -> None:
    model = Chain(StandardScaler(with_std=False), StandardScaler(), Ridge()).fit(TABLES["offset"], Y)
    assert model.passes_ == 1
    assert list(model.get_params(deep=False)) == ["standardscaler-1", "standardscaler-2", "ridge"]
    near(model.predict(TABLES["offset"]), chain(Ridge()).fit(TABLES["offset"], Y).predict(TABLES["offset"]))


IN_PASSES = [
    (LogisticRegression(tol=1e-8), C, "what LogisticRegression learns from rows can't be pushed through a step"),
    (SVC(), C, "what SVC learns from rows can't be pushed through a step"),
    (RidgeCV(), Y, "RidgeCV chooses a parameter from the rows"),
    (PolynomialRegression(2), Y, "what PolynomialRegression learns from rows can't be pushed through a step"),
]


@pytest.mark.parametrize(("last", "y", "reason"), IN_PASSES, ids=lambda value: named(value)[:30])
def test_others_take_a_pass_for_each_step(last: Any, y: Any, reason: str, tmp_path: Path) -> None:
    model = Chain(StandardScaler(), clone(last)).fit(PLAIN, y, WEIGHTS + 1.0)
    scaler, alone = two_fits(last, PLAIN, y, WEIGHTS + 1.0)
    near(answers(model, PLAIN), answers(alone, scaler.transform(PLAIN)), 1e-12)
    assert model.reason_ == reason
    own = 1 if alone.fitted_.adds else max(alone.fitted_.state.passes, 1)
    assert model.passes_ == 1 + own
    assert not hasattr(model, "partial_fit")
    for verb in (lambda: model.merge(model), lambda: model.forget(PLAIN, y), lambda: model + model):
        with pytest.raises(NotASummary, match="found in"):
            verb()
    model.save(tmp_path / "m.suffice")
    loaded = load(tmp_path / "m.suffice")
    assert np.array_equal(answers(loaded, PLAIN), answers(model, PLAIN))
    assert loaded.passes_ == model.passes_
    assert loaded.reason_ == reason
    assert cross_validate(Chain(StandardScaler(), clone(last)), PLAIN, y, cv=3).path == "refitted"


SYMBOLS = RNG.choice(np.array(["oak", "elm", "fir", None], dtype=object), (N, 3))
SYMBOLS[:, 2] = RNG.integers(0, 5, N)
TALL = (SYMBOLS[:, 0] == "oak") * 2.0 - (SYMBOLS[:, 2] == 3) + RNG.normal(size=N)
KIND = np.where(TALL > 0.5, "tall", "short")
ENCODED = [
    (steps, last, TALL if isinstance(last, (Ridge, LinearRegression, Lasso)) else KIND)
    for steps in ((OneHotEncoder(),), (OneHotEncoder(drop="first"), StandardScaler()))
    for last in (Ridge(), LinearRegression(), Lasso(alpha=0.01, tol=1e-12), RidgeClassifier(), LeastSquaresClassifier())
]


def encoded(steps: Any, last: Any, X: Any, y: Any) -> Any:
    """What the steps and the last give of rows, one fitted after the other."""
    fitted, rows = [], X
    for step in steps:
        fitted.append(clone(step).fit(rows))
        rows = fitted[-1].transform(rows)
        rows = rows.toarray() if hasattr(rows, "toarray") else rows
    model = clone(last).fit(rows, y)

    def answer(new: Any) -> Any:
        for step in fitted:
            new = step.transform(new)
            new = new.toarray() if hasattr(new, "toarray") else new
        return answers(model, new)

    return answer


@pytest.mark.parametrize(("steps", "last", "y"), ENCODED, ids=lambda value: named(value)[:40])
def test_indicators_are_linear(steps: Any, last: Any, y: Any, tmp_path: Path) -> None:
    """Categories that one shard lacks, and missing cells, which are a category."""
    made = Chain(*map(clone, (*steps, last)))
    model = clone(made).fit(SYMBOLS, y)
    assert (model.passes_, model.fitted_.adds) == (1, True)
    near(answers(model, SYMBOLS), encoded(steps, last, SYMBOLS, y)(SYMBOLS))
    few = np.flatnonzero(SYMBOLS[:, 0] != "oak")[:60]
    rest = np.setdiff1d(np.arange(N), few)
    parts = [clone(made).fit(SYMBOLS[rows], y[rows]) for rows in (few, rest)]
    both = parts[0] + parts[1]
    near(answers(both, SYMBOLS), answers(model, SYMBOLS))
    left = both.forget(SYMBOLS[rest], y[rest])
    near(answers(left, SYMBOLS[few]), encoded(steps, last, SYMBOLS[few], y[few])(SYMBOLS[few]))
    assert "oak" not in left[0].categories_[0]
    model.save(tmp_path / "m.suffice")
    loaded = load(tmp_path / "m.suffice")
    assert np.array_equal(answers(loaded, SYMBOLS), answers(model, SYMBOLS))
    near(answers(loaded.forget(SYMBOLS[few], y[few]), SYMBOLS), answers(parts[1], SYMBOLS))


def test_indicators_in_folds_and_from_files(tmp_path: Path) -> None:
    made = Chain(OneHotEncoder(), StandardScaler(), Ridge())
    pairs = list(StratifiedKFold(4).split(SYMBOLS, KIND))
    mine = cross_val_predict(made, SYMBOLS, TALL, cv=pairs)
    for train, test in pairs:
        near(mine[test], encoded(made.steps[:-1], made.steps[-1], SYMBOLS[train], TALL[train])(SYMBOLS[test]))
    assert cross_validate(made, SYMBOLS, TALL, cv=4).path == "folds added"
    table = pd.DataFrame(SYMBOLS[:, :2], columns=["a", "b"])
    table.assign(y=TALL).to_csv(tmp_path / "x.csv", index=False)
    files = clone(made).fit(str(tmp_path / "x.csv"), target="y")
    near(files.predict(table), clone(made).fit(table, TALL).predict(table), 1e-12)
    changed = files.set_params(onehotencoder__drop="first").predict(table)
    near(changed, Chain(OneHotEncoder(drop="first"), StandardScaler(), Ridge()).fit(table, TALL).predict(table))


def test_where_indicators_take_passes() -> None:
    X = RNG.integers(0, 3, (N, 2)) * 1.0
    later = Chain(StandardScaler(), OneHotEncoder(), Ridge()).fit(X, Y)
    assert (later.passes_, later.reason_) == (3, "OneHotEncoder is not linear behind another step")
    normal = Chain(OneHotEncoder(), GaussianNB()).fit(X, C)
    assert (normal.passes_, normal.reason_) == (2, "GaussianNB can't keep symbols before they are encoded")


def test_steps_one_after_another_in_passes() -> None:
    X = RNG.integers(0, 4, (N, 2))
    model = Chain(OneHotEncoder(), StandardScaler(), LogisticRegression()).fit(X, C)
    encoder = OneHotEncoder(sparse_output=False).fit(X)
    scaler = StandardScaler().fit(encoder.transform(X))
    last = LogisticRegression().fit(scaler.transform(encoder.transform(X)), C)
    near(model.predict_proba(X), last.predict_proba(scaler.transform(encoder.transform(X))), 1e-12)
    assert model.passes_ == 2 + last.fitted_.state.passes


@pytest.mark.parametrize(
    ("last", "y", "tolerance"),
    [(Ridge(), Y, 1e-12), (GaussianNB(), C, 1e-12), (RidgeClassifier(), C, 1e-12), (LogisticRegression(), C, 1e-9)],
    ids=["Ridge", "GaussianNB", "RidgeClassifier", "LogisticRegression"],
)
def test_files_give_the_same(last: Any, y: Any, tolerance: float, tmp_path: Path) -> None:
    table = pd.DataFrame(PLAIN, columns=list("abcd"))
    table.assign(y=y, w=WEIGHTS).to_csv(tmp_path / "x.csv", index=False)
    mine = chain(last).fit(str(tmp_path / "x.csv"), target="y", sample_weight="w")
    memory = chain(last).fit(table, y, WEIGHTS)
    near(answers(mine, table), answers(memory, table), tolerance)
    assert mine.passes_ == memory.passes_


def test_a_stream_is_read_once_or_refused() -> None:
    def tables() -> Any:
        for a in range(0, N, 60):
            yield pd.DataFrame(PLAIN[a : a + 60], columns=list("abcd")).assign(y=Y[a : a + 60])

    memory = chain(Ridge()).fit(PLAIN, Y)
    streamed = chain(Ridge()).fit(tables(), target="y")
    near(streamed.predict(pd.DataFrame(PLAIN, columns=list("abcd"))), memory.predict(PLAIN), 1e-12)
    with pytest.raises(BadInput, match="one that can be read again"):
        chain(LogisticRegression()).fit(tables(), target="y")


@pytest.mark.parametrize("last", LASTS, ids=named)
def test_a_saved_chain_goes_on(last: Any, tmp_path: Path) -> None:
    y = target(last)
    model = chain(last).fit(PLAIN[:100], y[:100])
    model.save(tmp_path / "m.suffice")
    loaded = load(tmp_path / "m.suffice")
    assert np.array_equal(answers(loaded, PLAIN), answers(model, PLAIN))
    loaded.partial_fit(PLAIN[100:], y[100:])
    near(answers(loaded, PLAIN), answers(chain(last).fit(PLAIN, y), PLAIN))
    again = loaded.estimator()
    assert repr(again) == repr(model)
    near(answers(again.forget(PLAIN[100:], y[100:]), PLAIN), answers(model, PLAIN))


def test_a_loaded_chain_says_how_it_was_learned(tmp_path: Path) -> None:
    for last, told in ((Ridge(), "passes  1 (every step is linear"), (RidgeCV(), "passes  2 (RidgeCV chooses")):
        chain(last).fit(PLAIN, Y).save(tmp_path / "m.suffice")
        assert str(load(tmp_path / "m.suffice")).startswith(f"StandardScaler -> {type(last).__name__}\n{told}")


def test_chains_inside_others_and_folds_of_files(tmp_path: Path) -> None:
    inner = Chain(StandardScaler(), GaussianNB())
    decided = Decide(inner, at_least=0.7, refusal="?").fit(PLAIN, C)
    assert np.array_equal(decided.predict(PLAIN, at_least=0.0), clone(inner).fit(PLAIN, C).predict(PLAIN))
    calibrated = CalibratedClassifier(Chain(StandardScaler(), RidgeClassifier())).fit(PLAIN, C)
    assert calibrated.predict_proba(PLAIN).shape == (N, 3)
    assert np.isfinite(cross_val_score(inner, PLAIN, C, cv=3)).all()
    pd.DataFrame(PLAIN, columns=list("abcd")).assign(y=C).to_csv(tmp_path / "x.csv", index=False)
    files = cross_validate(inner, str(tmp_path / "x.csv"), target="y", cv=4)
    memory = cross_validate(inner, PLAIN, C, cv=4)
    assert files.mean("accuracy") == pytest.approx(memory.mean("accuracy"), abs=1e-12)


def test_missing_cells_go_as_far_as_the_last_lets_them() -> None:
    X = PLAIN.copy()
    X[3, 1] = np.nan
    for last in (Ridge(), GaussianNB(), LinearDiscriminantAnalysis(), LogisticRegression()):
        with pytest.raises(ValueError, match="NaN"):
            chain(last).fit(X, Y if isinstance(last, Ridge) else C)
    last = LinearDiscriminantAnalysis(missing="marginalise")
    model = chain(last).fit(X, C)
    scaler, alone = two_fits(last, X, C)
    near(model.predict_proba(X), alone.predict_proba(scaler.transform(X)), 1e-7)  # found in iterations


def test_it_decides_as_its_last_does() -> None:
    model = Chain(StandardScaler(), GaussianNB(refusal="?")).fit(PLAIN, C)
    scaler, alone = two_fits(GaussianNB(refusal="?"), PLAIN, C)
    Z = scaler.transform(PLAIN)
    assert np.array_equal(model.predict(PLAIN, at_least=0.8), alone.predict(Z, at_least=0.8))
    assert "?" in model.predict(PLAIN, at_least=0.8)
    near(model.posterior(PLAIN).prior, alone.posterior(Z).prior, 1e-14)


def test_scikit_learn_pipelines_work_as_ever() -> None:
    model = make_pipeline(StandardScaler(), Ridge()).fit(PLAIN, Y)
    near(model.predict(PLAIN), chain(Ridge()).fit(PLAIN, Y).predict(PLAIN))
    inside = make_pipeline(TheirScaler(), Chain(StandardScaler(), Ridge())).fit(PLAIN, Y)
    near(inside.predict(PLAIN), model.predict(PLAIN))


EXCUSED = {  # steps are positional, so that they are no parameters of __init__ by name, and are named for their class
    "check_set_params",  # a step that is no estimator is refused at once
    "check_no_attributes_set_in_init",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_array_api_input",  # skipped unless SciPy's array API is switched on
}


@pytest.mark.parametrize("last", [Ridge(), GaussianNB(), RidgeClassifier(), LogisticRegression()], ids=named)
def test_check_estimator(last: Any) -> None:
    results = check_estimator(chain(last), on_fail=None, on_skip=None)
    odd = {result["check_name"]: result["exception"] for result in results if result["status"] != "passed"}
    assert set(odd) <= EXCUSED, odd


def test_what_is_refused() -> None:
    assert not is_classifier(Chain())  # tags of a chain without steps are told; fitting it is refused
    with pytest.raises(BadInput, match="the steps must be a transformer and a model at least, got 0"):
        Chain().fit(PLAIN, Y)
    with pytest.raises(BadInput, match="a step before the last must be a transformer of suffice, got StandardScaler"):
        Chain(TheirScaler(), Ridge()).fit(PLAIN, Y)
    with pytest.raises(BadInput, match="the last step must be an estimator of suffice, got Ridge"):
        Chain(StandardScaler(), sklearn.linear_model.Ridge())
    own = VotingClassifier([("a", GaussianNB())])
    with pytest.raises(BadInput, match="got VotingClassifier, which is scikit-learn's own class underneath"):
        Chain(StandardScaler(), own)
    with pytest.raises(BadInput, match="the steps must be a transformer and a model at least, got 1"):
        Chain(Ridge()).fit(PLAIN, Y)
    with pytest.raises(NotASummary):
        chain(Ridge()).fit(PLAIN, Y).merge(Chain(StandardScaler(), PolynomialRegression(2)).fit(PLAIN, Y))


def test_the_weights_of_classes_inside_a_chain_are_known() -> None:
    """A classifier by scores tells no prior: it is that of its rows, as its class weights count them."""
    last = RidgeClassifier(class_weight="balanced")
    calibrated = CalibratedClassifier(chain(last), cv=3).fit(PLAIN, C)
    scaled = StandardScaler().fit_transform(PLAIN)
    alone = CalibratedClassifier(last, cv=3).fit(scaled, C)
    near(calibrated.prior_, alone.prior_, 1e-12)


@pytest.mark.parametrize(
    "last",
    [Decide(NaiveBayes()), ModelAverage([("a", NaiveBayes()), ("b", GaussianNB())]), CalibratedClassifier(Tree())],
    ids=lambda last: type(last).__name__,
)
def test_a_chain_around_other_estimators_is_saved_and_reads_no_files(last, tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 2))
    y = np.where(X[:, 0] > 0.0, "p", "q")
    chain = Chain(StandardScaler(), last).fit(X, y)
    chain.save(tmp_path / "m")
    loaded = load(tmp_path / "m")
    assert (loaded.predict_proba(X) == chain.predict_proba(X)).all()
    assert (loaded.estimator().fit(X, y).predict_proba(X) == chain.predict_proba(X)).all()
    (tmp_path / "rows.csv").write_text("a,y\n1,0\n2,1\n3,0\n")
    with pytest.raises(BadInput, match=f"in memory where a chain ends in {type(last).__name__}"):
        Chain(StandardScaler(), last).fit(tmp_path / "rows.csv", target="y")
