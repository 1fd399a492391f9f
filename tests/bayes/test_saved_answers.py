"""Whatever the room can fit it can save, and what is loaded answers alike."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import suffice
from suffice import Featureless, GaussianNB, JointTable, ModelAverage, NaiveBayes, load, persistence
from suffice.compose.saved_average import SavedAverage
from suffice.core.errors import BadInput, NotASummary
from suffice.estimators.state.old_files import Fitted
from suffice.summaries import pattern_moments

X, Y = load_iris(return_X_y=True)
FRAME = pd.DataFrame(X, columns=list("abcd"))
ROWS = {"word": ["prize", "none", "prize", "none"], "kind": ["spam", "ham", "spam", "ham"]}


def test_a_joint_table_is_loaded_as_it_was(tmp_path: Path) -> None:
    table = JointTable.from_rows(ROWS, values={"kind": ["ham", "spam", "other"]}, alpha=0.5)
    table.save(tmp_path / "table")
    loaded = load(tmp_path / "table")
    assert type(loaded) is JointTable
    assert loaded == table
    assert loaded.found == table.found
    assert loaded.classify("kind", ROWS) == table.classify("kind", ROWS)
    np.testing.assert_array_equal(loaded.table, table.table)
    assert (loaded + table) - table == table


@pytest.mark.parametrize(
    "average",
    [
        ModelAverage(refusal=-1),
        ModelAverage([("a", GaussianNB()), ("b", NaiveBayes()), ("c", Featureless(GaussianNB()))], [0.2, 0.3, 0.5]),
    ],
)
def test_an_average_is_loaded_with_its_models(average: Any, tmp_path: Path) -> None:
    average.fit(FRAME, Y)
    average.save(tmp_path / "average")
    loaded = load(tmp_path / "average")
    for one in (loaded, loaded.estimator()):
        assert one.classes_.dtype == average.classes_.dtype
        np.testing.assert_array_equal(one.weights_, average.weights_)
        for verb in ("predict", "predict_proba", "predict_log_proba"):
            np.testing.assert_array_equal(getattr(one, verb)(FRAME), getattr(average, verb)(FRAME))
        options = {"prior": [0.1, 0.1, 0.8], "at_least": 0.9}
        np.testing.assert_array_equal(one.predict(FRAME, **options), average.predict(FRAME, **options))
        assert (one.posterior_.best, one.evidence_) == (average.posterior_.best, average.evidence_)
    again = loaded.estimator()
    assert again.feature_names_in_.tolist() == list("abcd")
    assert (again.estimators is None) == (average.estimators is None)
    loaded.save(tmp_path / "again")
    np.testing.assert_array_equal(load(tmp_path / "again").predict_proba(FRAME), average.predict_proba(FRAME))
    assert repr(loaded) == "<ModelAverage from a file: 3 classes, 4 columns>"


def test_older_files_of_averages(tmp_path: Path) -> None:
    """They held their models beside how probable these are, and were no fitted value."""
    average = ModelAverage(refusal=-1).fit(FRAME, Y)
    value, model = average._saved(), average._saved().fitted.model
    models = tuple(held.value for held in model.helds)
    parameters = {name: getattr(average, name) for name in ("prior", "evidence", "n_parameters", "refusal")}
    told = models, model.weighed, model.evidence, model.classes, model.prior, value.origin, parameters, False
    persistence.save(SavedAverage(*told), tmp_path / "old")
    loaded = load(tmp_path / "old")
    np.testing.assert_array_equal(loaded.predict(FRAME, at_least=0.99), average.predict(FRAME, at_least=0.99))
    np.testing.assert_array_equal(loaded.estimator().predict_proba(FRAME), average.predict_proba(FRAME))
    assert loaded.estimator().estimators is None


def test_an_average_of_strangers_is_not_saved(tmp_path: Path) -> None:
    average = ModelAverage([("tree", DecisionTreeClassifier())], n_parameters={"tree": 3}).fit(X, Y)
    with pytest.raises(BadInput, match="model 'tree' must be one of suffice's in an average to be saved"):
        average.save(tmp_path / "average")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("density", [None, GaussianNB(), suffice.LinearDiscriminantAnalysis()])
def test_shares_alone_add_and_are_saved(density: Any, tmp_path: Path) -> None:
    whole = Featureless(density).fit(FRAME, Y)
    np.testing.assert_allclose(whole.predict_proba(FRAME), np.tile(np.bincount(Y) / 150, (150, 1)), rtol=1e-15)
    alone = (NaiveBayes() if density is None else density).fit(FRAME, np.zeros(150, dtype=int))
    np.testing.assert_allclose(whole.score_samples(FRAME), alone.score_samples(FRAME), rtol=1e-12)
    halves = Featureless(density).fit(FRAME[::2], Y[::2]) + Featureless(density).fit(FRAME[1::2], Y[1::2])
    np.testing.assert_allclose(halves.score_samples(FRAME), whole.score_samples(FRAME), rtol=1e-12)
    left = halves.forget(FRAME[1::2], Y[1::2])
    expected = Featureless(density).fit(FRAME[::2], Y[::2])
    np.testing.assert_allclose(left.score_samples(FRAME), expected.score_samples(FRAME), rtol=1e-12)
    np.testing.assert_array_equal(left.class_count_, expected.class_count_)
    whole.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.score_samples(FRAME), whole.score_samples(FRAME))
    np.testing.assert_array_equal(loaded.predict(FRAME), whole.predict(FRAME))
    FRAME.assign(y=Y).to_csv(tmp_path / "rows.csv", index=False)
    read = Featureless(density).fit(tmp_path / "rows.csv", target="y")
    np.testing.assert_allclose(read.score_samples(FRAME), whole.score_samples(FRAME), rtol=1e-12)
    assert read.feature_names_in_.tolist() == list("abcd")


@pytest.mark.parametrize("name", ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"])
def test_older_files_of_models_found_in_passes(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They were written as if their moments were a summary, with the number of passes in the plan."""
    monkeypatch.setattr(pattern_moments, "CELLS", 5 * 3 * 16)
    gaps = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
    model = getattr(suffice, name)(missing="marginalise", prior_strength=1.0).fit(gaps, Y)
    value, state = model._saved(), model.fitted_
    old = Fitted(replace(state.plan, passes=11), state.schema, state.model.moments, state.declared)
    object.__setattr__(value, "fitted", old)
    persistence.save(value, tmp_path / "old")
    loaded = load(tmp_path / "old")
    assert loaded._before.state.passes == 11
    np.testing.assert_allclose(loaded.predict_proba(gaps), model.predict_proba(gaps), rtol=0, atol=1e-12)
    assert loaded.estimator().passes_ == 11
    for verb in ("partial_fit", "forget"):
        with pytest.raises(NotASummary, match="must be one whose summary was kept"):
            getattr(loaded, verb)(gaps, Y)


PREDICTS = """
import sys
import numpy as np
from suffice import load
for path in sys.argv[1:]:
    model = load(path)
    model.predict(np.ones((2, 4))) if hasattr(model, "predict") else model.table
assert not {"sklearn", "numba"} & set(sys.modules), sorted(sys.modules)
"""


def test_what_is_loaded_needs_no_scikit_learn(tmp_path: Path) -> None:
    models = [ModelAverage(), Featureless(), suffice.LinearDiscriminantAnalysis(), suffice.GaussianNB()]
    models += [suffice.MultinomialNB(), suffice.CategoricalNB()]
    paths = [str(tmp_path / f"{i}") for i in range(len(models) + 1)]
    for model, path in zip(models, paths, strict=False):
        model.fit(X, Y).save(path)
    JointTable.from_rows(ROWS).save(paths[-1])
    done = subprocess.run([sys.executable, "-c", PREDICTS, *paths], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
