"""Most defects lie between rooms: every estimator is tried with every verb that takes one, by discovery."""

from __future__ import annotations

import csv
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import get_tags

import suffice
from suffice.app.main import suffice as cli
from suffice.core.errors import BadInput
from suffice.estimators.algebras.in_passes import InPasses
from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.faces.probabilistic import Probabilistic
from suffice.evaluation import cross_validate, grid_search
from suffice.sources import Format, Roles, open_rows
from suffice.testing.discovery import public_estimators

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # passes that ran out, few digits: not the question here

rng = np.random.default_rng(0)
N = 90
LABELS = np.array(["no", "yes", "perhaps"])[np.arange(N) % 3]
X = rng.poisson(2.0, (N, 3)) + np.arange(N)[:, None] % 3 * np.array([1, 0, 2])  # whole: codes and counts take them too
NUMBERS = X @ np.array([1.0, -2.0, 0.5]) + rng.normal(size=N)
NAMES = ("a", "b", "c")
AROUND = {
    "OneVsOneClassifier": lambda: suffice.OneVsOneClassifier(suffice.RidgeClassifier()),
    "OneVsRestClassifier": lambda: suffice.OneVsRestClassifier(suffice.LogisticRegression()),
    "Chain": lambda: suffice.Chain(suffice.StandardScaler(), suffice.Ridge()),
    "GaussianMixture": lambda: suffice.GaussianMixture(2, random_state=0),
    "MixedMixture": lambda: suffice.MixedMixture(2, random_state=0),
    "RidgeCV": lambda: suffice.RidgeCV(cv=3),  # leaving out one by one takes a second pass
    "RandomForestClassifier": lambda: suffice.RandomForestClassifier(5, random_state=0),
    "RandomForestRegressor": lambda: suffice.RandomForestRegressor(5, random_state=0),
    "StackingClassifier": lambda: suffice.StackingClassifier(
        [("a", suffice.GaussianNB()), ("b", suffice.DecisionTreeClassifier(max_depth=2))], cv=2
    ),
    "StackingRegressor": lambda: suffice.StackingRegressor(
        [("a", suffice.LinearRegression()), ("b", suffice.DecisionTreeRegressor(max_depth=2))], cv=2
    ),
    "VotingClassifier": lambda: suffice.VotingClassifier(
        [("a", suffice.GaussianNB()), ("b", suffice.DecisionTreeClassifier(max_depth=2))], voting="soft"
    ),
    "VotingRegressor": lambda: suffice.VotingRegressor(
        [("a", suffice.LinearRegression()), ("b", suffice.DecisionTreeRegressor(max_depth=2))]
    ),
    "SVC": lambda: suffice.SVC(probability=True),
    "RadiusNeighborsClassifier": lambda: suffice.RadiusNeighborsClassifier(100.0),
    "RadiusNeighborsRegressor": lambda: suffice.RadiusNeighborsRegressor(100.0),
    "OneHotEncoder": lambda: suffice.OneHotEncoder(handle_unknown="ignore"),
    "TSNE": lambda: suffice.TSNE(max_iter=50, random_state=0),
    "NMF": lambda: suffice.NMF(2, max_iter=20),
    "SelfOrganizingMap": lambda: suffice.SelfOrganizingMap(2, 3, epochs=4),
    "KBinsDiscretizer": lambda: suffice.KBinsDiscretizer(3, encode="ordinal", strategy="uniform"),
    "KMeans": lambda: suffice.KMeans(3, random_state=0),
    "BisectingKMeans": lambda: suffice.BisectingKMeans(3, random_state=0),
    "FuzzyCMeans": lambda: suffice.FuzzyCMeans(3, random_state=0, max_iter=10),
    "LandmarkKernelKMeans": lambda: suffice.LandmarkKernelKMeans(3, random_state=0),
    "DBSCAN": lambda: suffice.DBSCAN(eps=2.0),
    "SelectKBest": lambda: suffice.SelectKBest(k=2),
    "SelectPercentile": lambda: suffice.SelectPercentile(percentile=67),
}
ALL = {cls.__name__: AROUND.get(cls.__name__, cls) for cls in public_estimators()}
FROM_FILES = {name: make for name, make in ALL.items() if isinstance(make(), (OnePass, InPasses))}
PREDICTING = {name: make for name, make in ALL.items() if is_classifier(make()) or is_regressor(make())}
OTHERWISE = {
    "NearestCentroid",  # unless asked for a decision it answers by distance alone, as scikit-learn's does
    "ModelAverage",  # another prior is exchanged in each of its models, where Decide exchanges that of their mean
}
DECIDING = [name for name, make in ALL.items() if isinstance(make(), Probabilistic) and name not in OTHERWISE]
NO_PRIOR = {"BaggingClassifier", "OneVsRestClassifier", "StackingClassifier", "VotingClassifier"}  # they do not know it
ONE_COLUMN = {"KernelRegression"}
OF_TEXTS = {"GroupCategories", "OneHotEncoder", "OrderCategories", "OrdinalEncoder", "TargetEncoder"}


def rows_for(name: str) -> Any:
    return X[:, :1] if name in ONE_COLUMN else np.array(list("abcdefghijklmnop"))[X] if name in OF_TEXTS else X


def target_for(model: Any) -> Any:
    if is_regressor(model):
        return NUMBERS
    labelled = is_classifier(model) or (hasattr(model, "transform") and get_tags(model).target_tags.required)
    return LABELS if labelled else None


def fitted(name: str, table: Any = None) -> Any:
    model = ALL[name]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(rows_for(name) if table is None else table, target_for(model))


def answers(model: Any, table: Any) -> Any:
    """What a model says of rows, by the first verb it has."""
    for verb in ("predict_proba", "decision_function", "predict", "transform", "place", "score_samples"):
        if hasattr(model, verb):
            found = getattr(model, verb)(table)
            return np.asarray(found.todense() if hasattr(found, "todense") else found)
    raise AssertionError("it says nothing")


@pytest.mark.parametrize("name", ALL)
def test_it_is_saved_and_loaded_with_equal_answers(name: str, tmp_path: Path) -> None:
    model = fitted(name)
    model.save(tmp_path / "m")
    loaded = suffice.load(tmp_path / "m")
    np.testing.assert_array_equal(answers(loaded, rows_for(name)), answers(model, rows_for(name)))


@pytest.mark.parametrize("name", PREDICTING)
def test_it_is_cross_validated_and_searched(name: str) -> None:
    model = ALL[name]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = cross_validate(model, rows_for(name), target_for(model), cv=3)
        search = grid_search(model, [{}], rows_for(name), target_for(model), cv=3)
    score = "accuracy" if is_classifier(model) else "mean_squared_error"
    assert np.isfinite(found.mean(score))
    assert len(found.scores) == 3
    assert answers(search.estimator, rows_for(name)).shape == answers(fitted(name), rows_for(name)).shape


@pytest.mark.parametrize("name", DECIDING)
def test_trained_it_decides_inside_decide_as_it_does_itself(name: str) -> None:
    rows, some = rows_for(name), (LABELS == "no") | (np.arange(N) < 40)  # shares of the classes differ
    model = ALL[name]().fit(rows[some], LABELS[some])
    inside = suffice.Decide(model)
    for wishes in ({}, {"at_least": 0.7}, {"prior": {"no": 0.2, "yes": 0.7, "perhaps": 0.1}, "reject": 0.3}):
        expected = _answered(model, rows, wishes)
        assert _answered(inside, rows, wishes) == expected
        if name not in NO_PRIOR:
            assert expected is not None


def _answered(model: Any, rows: Any, wishes: dict[str, Any]) -> list[Any] | None:
    """Its answers; None where it knows no class prior."""
    try:
        return list(model.predict(rows, **wishes).tolist())
    except BadInput:
        return None


def written(folder: Path, model: Any, table: Any, labelled: bool = True) -> Path:
    path, target = folder / "rows.csv", target_for(model) if labelled else None
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow([*NAMES[: table.shape[1]], *(["y"] if target is not None else [])])
        for i, row in enumerate(table.tolist()):
            out.writerow([*row, *([target[i]] if target is not None else [])])
    return path


@pytest.mark.parametrize("name", FROM_FILES)
def test_files_and_streams_give_the_model_of_memory(name: str, tmp_path: Path) -> None:
    model, table = ALL[name](), rows_for(name)
    target = target_for(model)
    frame = {column: table[:, j] for j, column in enumerate(NAMES[: table.shape[1]])}
    here = fitted(name, _frame(frame))
    roles = Roles(target="y" if target is not None else None)
    small = Format(block=600)  # bytes: several chunks
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        there = ALL[name]().fit(open_rows(written(tmp_path, model, table), roles, format=small))
    gap = 1e-12 if isinstance(model, OnePass) else 1e-9
    _same(answers(there, _frame(frame)), answers(here, _frame(frame)), gap)
    if isinstance(model, OnePass):
        whole = pa.table({**frame, **({} if target is None else {"y": target})})
        stream = iter(whole.to_batches(max_chunksize=40))
        _same(answers(ALL[name]().fit(open_rows(stream, roles)), _frame(frame)), answers(here, _frame(frame)), gap)


def _frame(columns: Any) -> Any:
    import pandas as pd

    return pd.DataFrame(columns)


def _same(a: Any, b: Any, gap: float) -> None:
    np.testing.assert_allclose(a.astype(float), b.astype(float), rtol=gap, atol=gap * max(1.0, np.abs(b).max()))


def _maps(model: Any) -> bool:
    return hasattr(model, "transform") or hasattr(model, "place")


SET = {  # what the command line is told of parameters
    "OneVsOneClassifier": ["estimator=RidgeClassifier"],
    "OneVsRestClassifier": ["estimator=NaiveBayes"],
    "StackingClassifier": ["estimators=NaiveBayes+Tree", "cv=2"],
    "StackingRegressor": ["estimators=LinearRegression+RegressionTree", "cv=2"],
    "VotingClassifier": ["estimators=NaiveBayes+Tree", "voting=soft"],
    "VotingRegressor": ["estimators=Ridge+RegressionTree"],
    "RandomForestClassifier": ["n_estimators=3"],
    "RandomForestRegressor": ["n_estimators=3"],
    "Forest": ["n_trees=3"],
    "RegressionForest": ["n_trees=3"],
    "SVC": ["probability=true"],
    "RadiusNeighborsClassifier": ["radius=100"],
    "RadiusNeighborsRegressor": ["radius=100"],
    "BaggingClassifier": ["n_estimators=2"],
    "BaggingRegressor": ["n_estimators=2"],
    "AdaBoostClassifier": ["n_estimators=3"],
    "MLPClassifier": ["max_iter=20"],
    "MLPRegressor": ["max_iter=20"],
    "LogisticNeuron": ["max_iter=5"],
    "RidgeCV": ["cv=3"],
    "LogisticRegressionCV": ["Cs=2", "cv=2"],
    "KernelPerceptron": ["max_iter=2"],
    "LassoCV": ["cv=2"],
    "ElasticNetCV": ["cv=2"],
}


def ask(*words: Any) -> Any:
    """A command line, in this process; what it writes as data."""
    done = CliRunner().invoke(cli, [*map(str, words), "--format", "json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", PREDICTING)
def test_the_command_trains_and_uses_it(name: str, tmp_path: Path) -> None:
    model = ALL[name]()
    rows, out = written(tmp_path, model, rows_for(name)), tmp_path / "m"
    kind = "StandardScaler+Ridge" if name == "Chain" else name
    settings = [word for setting in SET.get(name, ()) for word in ("--set", setting)]
    told = ask("train", rows, "--target", "y", "--model", kind, *settings, "--out", out)
    assert told["learned_from"] + told["held_out"] == N
    assert told["scores"][0]["rows"] == told["held_out"] > 0
    assert ask("info", out)["kind"] == name
    assert len(ask("predict", out, rows)) == N
    scored = ask("evaluate", out, rows)
    assert scored["scored"] == N
    assert np.isfinite(scored["scores"][0]["value"])
    if suffice.load(out)._fitted.adds:
        both = ask("merge", out, out, "--out", tmp_path / "both")
        left = ask("forget", tmp_path / "both", rows, "--out", tmp_path / "left")
        assert both["rows"] == 2 * N
        assert left["rows"] == left["forgotten"] == N
        a, b = (ask("predict", tmp_path / which, rows) for which in ("m", "left"))
        assert [row["prediction"] for row in a] == [row["prediction"] for row in b] or is_regressor(model)


GROUPING = {name: make for name, make in ALL.items() if hasattr(make(), "fit_predict")}
MAPPING = {name: make for name, make in ALL.items() if name not in {*PREDICTING, *GROUPING} and _maps(make())}
GROUPS = {
    "AffinityPropagation": ["max_iter=20"],
    "DBSCAN": ["eps=2"],
    "FuzzyCMeans": ["max_iter=10"],
    "MixedMixture": ["max_iter=10"],
}
MAPS = {
    "TSNE": ["max_iter=20"],
    "NMF": ["n_components=2", "max_iter=20"],
    "SelfOrganizingMap": ["epochs=4", "rows=2", "columns=3"],
    "KBinsDiscretizer": ["n_bins=3", "encode=ordinal", "strategy=uniform"],
    "MDS": ["max_iter=20"],
    "Autoassociator": ["max_iter=5"],
    "SelectKBest": ["k=2"],
    "SelectPercentile": ["percentile=67"],
    "OneHotEncoder": ["handle_unknown=ignore"],
}


@pytest.mark.parametrize("name", GROUPING)
def test_the_command_finds_groups(name: str, tmp_path: Path) -> None:
    table, out = rows_for(name), tmp_path / "m"
    rows = written(tmp_path, ALL[name](), table)
    settings = [word for setting in GROUPS.get(name, ()) for word in ("--set", setting)]
    told = {"n_clusters", "n_components"} & set(ALL[name]().get_params())
    number = ["--clusters", 3] if told else []
    found = ask("cluster", rows, "--model", name, *number, *settings, "--save", out)
    assert [row["row"] for row in found] == list(range(N))
    assert ask("info", out)["kind"] == name
    assert len(ask("predict", out, rows)) == N


DRAWING = [name for name, make in ALL.items() if hasattr(make(), "sample")]


@pytest.mark.parametrize("name", DRAWING)
def test_the_command_draws_rows(name: str, tmp_path: Path) -> None:
    table = rows_for(name)
    fitted(name, _frame({column: table[:, j] for j, column in enumerate(NAMES)})).save(tmp_path / "m")
    drawn = ask("sample", tmp_path / "m", "--rows", 7, "--seed", 3)
    assert len(drawn) == 7
    assert set(NAMES) <= set(drawn[0])
    assert drawn == ask("sample", tmp_path / "m", "--rows", 7, "--seed", 3)
    assert drawn != ask("sample", tmp_path / "m", "--rows", 7, "--seed", 4)


@pytest.mark.parametrize("name", MAPPING)
def test_the_command_maps_rows(name: str, tmp_path: Path) -> None:
    model, table, out = ALL[name](), rows_for(name), tmp_path / "m"
    rows = written(tmp_path, model, table)
    target = ["--target", "y"] if target_for(model) is not None else []
    settings = [word for setting in MAPS.get(name, ()) for word in ("--set", setting)]
    found = ask("transform", rows, "--model", name, *target, *settings, "--save", out)
    assert [row["row"] for row in found] == list(range(N))
    assert len(found[0]) > 1
    assert ask("info", out)["kind"] == name
    if hasattr(suffice.load(out), "transform"):
        assert ask("transform", rows, "--use", out) == found


@pytest.mark.parametrize("name", PREDICTING)
def test_the_command_tells_and_predicts(name: str, tmp_path: Path) -> None:
    table = rows_for(name)
    fitted(name, _frame({column: table[:, j] for j, column in enumerate(NAMES[: table.shape[1]])})).save(tmp_path / "m")
    path = written(tmp_path, ALL[name](), table, labelled=False)
    assert ask("info", tmp_path / "m")["kind"] == name
    assert len(ask("predict", tmp_path / "m", path)) == N
