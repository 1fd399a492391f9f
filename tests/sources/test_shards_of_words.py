"""Every estimator that merges takes yes/no in one file and yes/no/maybe in another for one column of three words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from suffice.core.errors import BadInput, NotASummary
from suffice.sources import Roles, open_rows
from suffice.testing.discovery import public_estimators

WORDS = ["yes", "no", "maybe"]
TABLE = {"x": [0.1, 0.5, -1.0], "s": WORDS}
CHOSEN = {"RidgeCV", "LassoCV", "ElasticNetCV"}  # penalties chosen from different rows, or folds, do not merge
HELD = {"Chain", "Decide"}  # what they hold is asked itself
ROOM = [cls for cls in public_estimators() if hasattr(cls, "merge") and cls.__name__ not in HELD]


@pytest.fixture
def shards(tmp_path: Path) -> list[str]:
    rng = np.random.default_rng(0)
    for name, k in (("a", 2), ("b", 3)):
        rows = [f"{rng.normal():.3f},{WORDS[i % k]},{i // 2 % 2}\n" for i in range(12)]
        (tmp_path / f"{name}.csv").write_text("x,s,y\n" + "".join(rows))
    return [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]


def fitted(cls: Any, paths: list[str]) -> Any:
    """A model of files; a transformer that learns without a target learns the words alone."""
    alone = not hasattr(cls, "predict")
    for roles in (
        [Roles(target="y"), Roles(ignore=("x", "y"))] if not alone else [Roles(ignore=("x", "y")), Roles(target="y")]
    ):
        try:
            return cls().fit(open_rows(paths, roles))
        except BadInput:
            continue
    return None


def answers(model: Any) -> Any:
    how = next(getattr(model, verb) for verb in ("predict_proba", "transform", "predict") if hasattr(model, verb))
    table = {name: TABLE[name] for name in model.feature_names_in_}
    found = how(table)
    return np.asarray(found.toarray() if hasattr(found, "toarray") else found)


@pytest.mark.filterwarnings("ignore")
def test_words_that_one_file_lacks_join_as_they_were_written(shards: list[str]) -> None:
    taken = []
    for cls in ROOM:
        whole = fitted(cls, shards)
        if whole is None:  # it takes numbers alone
            continue
        taken.append(cls.__name__)
        if cls.__name__ in CHOSEN:
            with pytest.raises(NotASummary):
                fitted(cls, shards[:1]) + fitted(cls, shards[1:])
            continue
        models = [fitted(cls, shards[::-1]), fitted(cls, shards[:1]) + fitted(cls, shards[1:])]
        for model in models:
            found, wanted = answers(model), answers(whole)
            if wanted.dtype == object:  # symbols
                assert found.tolist() == wanted.tolist(), cls.__name__
            else:
                np.testing.assert_allclose(found, wanted, atol=1e-9, err_msg=cls.__name__)
    assert len(taken) >= 18
    assert {"LinearRegression", "OneHotEncoder", "Calibrate", "NaiveBayes", "TableEncoder"} <= set(taken)
