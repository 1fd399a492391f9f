"""`suffice train`: the model of the library, scored on rows that depend on their number and the seed alone."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from suffice import NaiveBayes, load
from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.selection.hold_out import held_out, stratified_hold_out
from tests.app.conftest import Cli
from tests.app.tables import PLAY, clinic_rows, titanic, write, write_rows

KINDS = "notes=text,severity=mild<moderate<severe"
DECLARED = {"notes": "text", "severity": ["mild", "moderate", "severe"], "patient": "identifier"}
OPTIONS = ("--target", "diagnosis", "--kinds", KINDS, "--identifier", "patient")
CELLS = 1e-12


def columns(names: list[str], rows: list[tuple[object, ...]]) -> tuple[dict[str, list[object]], list[object]]:
    """The rows as columns, as a library user would pass them: dates as dates, the target apart."""
    table = {name: [row[j] for row in rows] for j, name in enumerate(names)}
    return table, table.pop("diagnosis")


@pytest.fixture(scope="module")
def clinic() -> tuple[list[str], list[tuple[object, ...]]]:
    return clinic_rows(1500)


def test_the_saved_model_is_that_of_all_rows(cli: Cli, tmp_path: Path, clinic) -> None:  # type: ignore[no-untyped-def]
    names, rows = clinic
    path = write_rows(tmp_path / "clinic.csv", names, rows)
    assert cli("train", path, *OPTIONS, "--out", "m.suffice").code == 0
    X, y = columns(names, rows)
    expected = NaiveBayes(kinds=DECLARED).fit(X, y)
    model = load(tmp_path / "m.suffice")
    assert model.target == "diagnosis"
    assert model.classes_.tolist() == expected.classes_.tolist()
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(X), atol=CELLS)


def test_without_refit_it_is_that_of_the_training_part(cli: Cli, tmp_path: Path, clinic) -> None:  # type: ignore[no-untyped-def]
    names, rows = clinic
    path = write_rows(tmp_path / "clinic.csv", names, rows)
    options = (*OPTIONS, "--no-refit", "--seed", "7", "--test-size", "0.3")
    assert cli("train", path, *options, "--out", "m.suffice").code == 0
    held = held_out(0, len(rows), 0.3, 7)
    X, y = columns(names, [row for row, out in zip(rows, held, strict=True) if not out])
    expected = NaiveBayes(kinds=DECLARED).fit(X, y)
    model = load(tmp_path / "m.suffice")
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(X), atol=CELLS)
    assert int(model.summary_.tally.rows.sum()) == int((~held).sum())


def test_the_scores_are_those_of_the_training_part_on_the_other(cli: Cli, tmp_path: Path, clinic) -> None:  # type: ignore[no-untyped-def]
    names, rows = clinic
    path = write_rows(tmp_path / "clinic.csv", names, rows)
    told = json.loads(cli("train", path, *OPTIONS, "--format", "json").out)
    held = held_out(0, len(rows), 0.2, 0)
    parts = [
        columns(names, [row for row, out in zip(rows, held, strict=True) if out == part]) for part in (False, True)
    ]
    model = NaiveBayes(kinds=DECLARED).fit(*parts[0])
    scores = Scores.of(parts[1][1], model.predict_proba(parts[1][0]), model.classes_)
    found = {line["score"]: line for line in told["scores"]}
    for name, estimate in (("accuracy", scores.accuracy), ("log loss", scores.log_loss), ("Brier score", scores.brier)):
        assert [found[name][key] for key in ("value", "low", "high")] == pytest.approx(list(estimate[:3]), rel=1e-9)
        assert found[name]["rows"] == held.sum()
    confusion = [[line[c] for c in ("cold", "flu", "pneumonia")] for line in told["confusion"]]
    assert confusion == scores.confusion.table.tolist()
    assert (told["rows"], told["learned_from"], told["held_out"]) == (len(rows), (~held).sum(), held.sum())
    majority = max(set(parts[0][1]), key=parts[0][1].count)
    assert found[f"always {majority}"]["value"] == pytest.approx(np.mean([y == majority for y in parts[1][1]]))
    assert found["gained over that"]["value"] == pytest.approx(
        scores.accuracy.value - found[f"always {majority}"]["value"], abs=1e-12
    )


def test_shards_hold_out_the_same_rows_as_the_whole(cli: Cli, tmp_path: Path, clinic) -> None:  # type: ignore[no-untyped-def]
    names, rows = clinic
    whole = write_rows(tmp_path / "whole.csv", names, rows)
    cuts = (0, 1, 400, 1500)
    shards = [write_rows(tmp_path / f"part{a}.csv", names, rows[a:b]) for a, b in pairwise(cuts)]
    first = json.loads(cli("train", whole, *OPTIONS, "--format", "json").out)
    second = json.loads(cli("train", *shards, *OPTIONS, "--format", "json").out)
    assert first["confusion"] == second["confusion"]
    assert first["held_out"] == second["held_out"]


def test_the_seed_decides(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "play.csv", PLAY)
    told = [cli("train", path, "--target", "play", "--seed", seed, "--format", "json").out for seed in (3, 3, 4)]
    assert told[0] == told[1]
    assert json.loads(told[0])["confusion"] != json.loads(told[2])["confusion"]


def test_a_ship_needs_no_option_but_the_target(cli: Cli, tmp_path: Path) -> None:
    path = titanic(tmp_path / "titanic.csv")
    result = cli("train", path, "--target", "Survived", "--out", "ship.suffice", "--format", "json")
    assert result.code == 0
    assert result.err == ""
    told = json.loads(result.out)
    kinds = {line["column"]: line["kind"] for line in told["columns"]}
    assert kinds["Name"] == kinds["Sex"] == kinds["Ticket"] == kinds["Cabin"] == kinds["Embarked"] == "categorical"
    assert kinds["Age"] == kinds["Fare"] == "quantitative"
    assert kinds["Pclass"] == kinds["SibSp"] == "count"
    missing = {line["column"]: line["missing"] for line in told["columns"]}
    assert missing["Cabin"] > 600
    assert 100 < missing["Age"] < 250
    assert missing["Name"] == 0
    scores = {line["score"]: line for line in told["scores"]}
    assert scores["gained over that"]["low"] > 0  # sex and class tell who was saved
    assert load(tmp_path / "ship.suffice").classes_.tolist() == [0, 1]
    assert any("--identifier Name" in note for note in told["notes"])


def test_weights_count_as_copies(cli: Cli, tmp_path: Path) -> None:
    names, *lines = [line.split(",") for line in PLAY.split()]
    times = [i % 4 for i in range(len(lines))]
    weighted = write_rows(
        tmp_path / "w.csv", [*names, "times"], [[*line, t] for line, t in zip(lines, times, strict=True)]
    )
    copies = [line for line, t in zip(lines, times, strict=True) for _ in range(t)]
    copied = write_rows(tmp_path / "c.csv", names, copies)
    options = ("--target", "play", "--test-size", 0)
    assert cli("train", weighted, *options, "--weights", "times", "--out", "w.suffice").code == 0
    assert cli("train", copied, *options, "--out", "c.suffice").code == 0
    X = {name: [line[j] for line in lines] for j, name in enumerate(names[:3])}
    X["temperature"] = [float(cell) for cell in X["temperature"]]
    X["windy"] = [cell == "yes" for cell in X["windy"]]
    a, b = (load(tmp_path / name).predict_proba(X) for name in ("w.suffice", "c.suffice"))
    np.testing.assert_allclose(a, b, atol=CELLS)


def test_rows_without_a_target_are_left_out_and_counted(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "play.csv", PLAY + "sunny,20,no,\nrainy,,yes,NA\n")
    whole = write(tmp_path / "whole.csv", PLAY)
    result = cli("train", path, "--target", "play", "--out", "a.suffice")
    assert result.code == 0
    assert "Rows without a target, left out: 2." in result.out
    assert cli("train", whole, "--target", "play", "--out", "b.suffice").code == 0
    X = {"outlook": ["sunny", "snow"], "temperature": [20.0, None], "windy": [True, None]}
    a, b = (load(tmp_path / name).predict_proba(X) for name in ("a.suffice", "b.suffice"))
    np.testing.assert_allclose(a, b, atol=CELLS)


def test_labels_keep_their_type(cli: Cli, tmp_path: Path) -> None:
    for cells, labels in ((["0", "1"], [0, 1]), (["True", "false"], [False, True]), (["a", "1"], ["1", "a"])):
        rows = [[i % 7, cells[i % 2]] for i in range(30)]
        path = write_rows(tmp_path / "t.csv", ["x", "y"], rows)
        assert cli("train", path, "--target", "y", "--out", "t.suffice").code == 0
        assert load(tmp_path / "t.suffice").classes_.tolist() == labels


def test_one_class_is_learned_for_merging(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "one.csv", "x,y\n1,a\n2,a\n")
    result = cli("train", path, "--target", "y", "--test-size", "0", "--out", "one.suffice")
    assert result.code == 0
    assert "All rows are of one class, 'a': merge this model with others to predict." in result.out


def test_everything_held_out_gives_no_scores(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "one.csv", "x,y\n1,a\n")
    for share in ("0", "0.999999"):
        result = cli("train", path, "--target", "y", "--test-size", share, "--out", "one.suffice")
        assert result.code == 0
        assert "there are no scores" in result.out
        assert load(tmp_path / "one.suffice").classes_.tolist() == ["a"]


def test_a_class_of_the_held_out_rows_alone_makes_the_log_loss_infinite(cli: Cli, tmp_path: Path) -> None:
    held = np.flatnonzero(held_out(0, 40, 0.2, 0))
    path = write_rows(tmp_path / "t.csv", ["x", "y"], [[i, "rare" if i == held[0] else "ab"[i % 2]] for i in range(40)])
    told = json.loads(cli("train", path, "--target", "y", "--format", "json", "--out", "t.suffice").out)
    assert next(line for line in told["scores"] if line["score"] == "log loss")["value"] is None
    assert any(note.startswith("1 rows had a true class of probability 0") for note in told["notes"])
    assert load(tmp_path / "t.suffice").classes_.tolist() == ["a", "b", "rare"]


def test_a_trained_model_becomes_an_estimator_again(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "play.csv", PLAY)
    assert cli("train", path, "--target", "play", "--kinds", "windy=boolean", "--out", "m.suffice").code == 0
    X = {"outlook": ["sunny"], "temperature": [20.0], "windy": [True]}
    model = load(tmp_path / "m.suffice")
    np.testing.assert_array_equal(model.estimator().predict_proba(X), model.predict_proba(X))


def test_every_class_is_held_out_by_the_same_share(cli: Cli, tmp_path: Path) -> None:
    """C.M07.12: stratified, from a file, the rows of `stratified_hold_out`."""
    y = ["rare" if i % 50 == 0 else "common" for i in range(1000)]
    path = write_rows(tmp_path / "t.csv", ["x", "y"], [(i % 7, label) for i, label in enumerate(y)])
    options = ("--target", "y", "--stratify", "--test-size", "0.25", "--no-refit")
    assert cli("train", path, *options, "--out", "m.suffice").code == 0
    held = stratified_hold_out(y, 0.25)
    left = [label for label, out in zip(y, held, strict=True) if not out]
    model = load(tmp_path / "m.suffice")
    assert dict(zip(model.classes_.tolist(), model.summary_.tally.rows.tolist(), strict=True)) == {
        "common": left.count("common"),
        "rare": left.count("rare"),
    }
    assert left.count("rare") == 15


def test_a_question_mark_may_be_one_more_value(cli: Cli, tmp_path: Path) -> None:
    """C.M07.10: the marker of a missing cell as one more value of every feature."""
    rows = [("?", "x", "e"), ("b", "?", "p"), ("b", "y", "e"), ("?", "y", "p")]
    path = write_rows(tmp_path / "t.csv", ["root", "odor", "class"], rows)
    asked = ("train", path, "--target", "class", "--test-size", "0", "--out", "m.suffice")
    assert cli(*asked).code == 0
    assert load(tmp_path / "m.suffice").summary_.summary.parts[0].labels == (("b",), ("x", "y"))
    assert cli(*asked, "--present", "?").code == 0
    counts = load(tmp_path / "m.suffice").summary_.summary.parts[0]
    assert [set(labels) for labels in counts.labels] == [{"?", "b"}, {"x", "?", "y"}]


DRAWS = {
    "forest": ("train", "--target", "ill", "--model", "RandomForestClassifier", "--set", "n_estimators=5"),
    "net": ("train", "--target", "ill", "--model", "MLPClassifier", "--set", "max_iter=200"),
    "bagging": ("train", "--target", "ill", "--model", "BaggingClassifier"),
    "clusters": ("cluster", "--ignore", "ill", "--clusters", "4"),
    "factors": ("transform", "--ignore", "ill", "--model", "NMF", "--set", "init=random", "--set", "n_components=1"),
}


@pytest.mark.filterwarnings("ignore:.*max_iter")
@pytest.mark.parametrize("way", DRAWS.values(), ids=DRAWS)
def test_what_is_drawn_goes_by_the_seed(way: tuple[str, ...], cli: Cli, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    cells = rng.normal(size=(60, 3))
    rows = [(f"{abs(a):.3f}", f"{abs(b):.3f}", "yes" if a + b + c > 0 else "no") for a, b, c in cells]
    path = write_rows(tmp_path / "rows.csv", ["a", "b", "ill"], rows)
    command, *options = way
    saved = []
    for seed in ("0", "0", "1"):
        np.random.random()  # a process that has drawn before
        out = ("--out", "m.suffice") if command == "train" else ("--save", "m.suffice")
        assert cli(command, path, *options, "--seed", seed, *out).code == 0
        saved.append((tmp_path / "m.suffice").read_bytes())
    assert saved[0] == saved[1] != saved[2]


def test_models_are_compared_and_tested_anew_alike(cli: Cli, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = [(f"{a:.3f}", f"{b:.3f}", "yes" if a + b + c > 0 else "no") for a, b, c in rng.normal(size=(60, 3))]
    path = write_rows(tmp_path / "rows.csv", ["a", "b", "ill"], rows)
    forest = ("--model", "RandomForestClassifier", "--set", "n_estimators=3")
    assert cli("train", path, "--target", "ill", *forest, "--out", "m.suffice").code == 0
    told = []
    for _ in range(2):
        np.random.random()  # a process that has drawn before
        compared = json.loads(cli("compare", path, "--target", "ill", *forest, "--folds", "3", "--format", "json").out)
        scores = [{name: cell for name, cell in line.items() if name != "seconds"} for line in compared["models"]]
        anew = cli("evaluate", "m.suffice", path, "--folds", "3", "--format", "json")
        assert anew.code == 0
        told.append((scores, anew.out))
    assert told[0] == told[1]
