"""Decisions as users write them: by label in any order, and one clear sentence for everything that is wrong."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from suffice.core.errors import BadInput
from suffice.decision import Decision, Posterior, read_costs, read_prior, uniform

CLASSES = ("cat", "dog", "owl")
NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    "prior",
    [
        [0.5, 0.25, 0.25],
        (Fraction(1, 2), Fraction(1, 4), Decimal("0.25")),
        np.array([0.5, 0.25, 0.25], dtype=np.float32),
        {"owl": 0.25, "cat": 0.5, "dog": 0.25},
        pd.Series({"owl": 0.25, "dog": 0.25, "cat": 0.5}),
    ],
)
def test_ways_to_write_a_prior(prior: Any) -> None:
    """Labels are honoured wherever there are any, a pandas column included."""
    assert read_prior("Model", prior, CLASSES).tolist() == [0.5, 0.25, 0.25]
    assert read_prior("Model", prior, np.array(CLASSES)).tolist() == [0.5, 0.25, 0.25]


def test_uniform_is_maximum_likelihood() -> None:
    """P.M047: the name is looked up once and becomes numbers."""
    assert Decision.read("Model", CLASSES, prior="uniform") == Decision.maximum_likelihood(3)
    assert Decision.read("Model", CLASSES) == Decision.maximum_a_posteriori() == Decision()


def test_a_prior_a_hair_off_is_made_to_sum_to_one() -> None:
    """1e-9 is forgiven and removed, not kept."""
    prior = read_prior("Model", [0.5 + 4e-10, 0.25, 0.25], CLASSES)
    assert abs(prior.sum() - 1.0) <= 2.3e-16
    np.testing.assert_allclose(prior, [0.5, 0.25, 0.25], rtol=1e-9)


def test_a_prior_that_sums_to_one_is_kept_to_the_last_digit() -> None:
    """Seven sevenths sum to 1 - 1e-16 in floats: reading them, once or twice, changes nothing."""
    sevenths = [1 / 7] * 7
    once = read_prior("Model", sevenths, range(7))
    assert once.tolist() == sevenths
    assert read_prior("Model", once, range(7)).tolist() == sevenths


FRAME = pd.DataFrame([[0, 2, 0], [0, 0, 0], [5, 0, -1]], index=["dog", "cat", "owl"], columns=["owl", "cat", "dog"])


@pytest.mark.parametrize(
    "costs",
    [
        [[0, 0, 0], [2, 0, 0], [0, -1, 5]],
        np.array([[0, 0, 0], [2, 0, 0], [0, -1, 5]]),
        {(true, action): FRAME[action][true] for true in CLASSES for action in CLASSES},
        {true: {action: FRAME[action][true] for action in CLASSES} for true in CLASSES},
        {true: FRAME.loc[true] for true in CLASSES},
        FRAME,
    ],
)
def test_ways_to_write_costs(costs: Any) -> None:
    """Rows are true classes and columns actions, in a data frame too; a whole table is taken as it is."""
    assert read_costs("Model", costs, CLASSES).tolist() == [[0, 0, 0], [2, 0, 0], [0, -1, 5]]


@pytest.mark.parametrize(
    "costs",
    [
        {("dog", "cat"): 2, ("owl", "dog"): -1.0, ("owl", "owl"): np.float32(5)},
        {"dog": {"cat": 2}, "owl": {"dog": -1, "owl": 5}},
        {"dog": pd.Series({"cat": 2}), "owl": {"dog": -1, "owl": 5}, "cat": {}},
        FRAME.drop(index="cat").replace(0, 1),
    ],
)
def test_what_is_not_named_costs_1_if_wrong(costs: Any) -> None:
    """Some costs by label start from 0 for right and 1 for wrong, as no costs do."""
    wanted = np.array([[0, 1, 1], [2, 0, 1], [1, -1, 5]])
    if isinstance(costs, pd.DataFrame):  # which names a whole row of the dog
        wanted[1, 1] = 1
    assert read_costs("Model", costs, CLASSES).tolist() == wanted.tolist()


def test_an_action_that_is_free_whatever_the_truth_is_refused_by_name() -> None:
    """It would answer every row; where another action can be a benefit, or there is but one class, it would not."""
    dog = [[0, 0, 1], [3, 0, 1], [1, 0, 0]]
    told = "costs must be a table in which no action is free whatever the truth, got 0 for every true class where {} is"
    remedy = "answered. Every row would be answered so; say what its mistakes cost."
    by_label = {true: dict(zip(CLASSES, row, strict=True)) for true, row in zip(CLASSES, dog, strict=True)}
    for costs in (dog, by_label, {("cat", "dog"): 0, ("owl", "dog"): 0}):
        with pytest.raises(BadInput) as caught:
            Decision.read("Model", CLASSES, costs=costs, reject=0.1)
        assert str(caught.value) == f"Model: {told.format(repr('dog'))} {remedy}"
    with pytest.raises(BadInput) as caught:
        Decision(costs=dog)
    assert str(caught.value) == f"Decision: {told.format('class number 1')} {remedy}"
    mail = Decision.read("Model", ("no", "yes"), costs={"no": {"yes": 1}, "yes": {"no": 0, "yes": -20}})
    rows = Posterior(np.array([[0.99, 0.01], [0.5, 0.5]]), uniform(2))
    assert mail.decide(rows).tolist() == [0, 1]
    assert Decision.read("Model", ("one",), costs=[[0.0]]).decide(Posterior([[1.0]], [1.0])).tolist() == [0]


def test_labels_that_are_tuples_numbers_and_booleans() -> None:
    """A pair of labels is a pair, whatever the labels are."""
    pairs = ((0, "a"), (1, "b"))
    assert read_costs("Model", {(pairs[0], pairs[1]): 3}, pairs).tolist() == [[0, 3], [1, 0]]
    assert read_costs("Model", {(False, True): 3}, (False, True)).tolist() == [[0, 3], [1, 0]]
    assert read_prior("Model", {np.int64(2): 0.25, 1: 0.75}, (1, 2)).tolist() == [0.75, 0.25]


def test_read_puts_everything_together() -> None:
    """The same decision by labels and by position."""
    read = Decision.read(
        "Model",
        CLASSES,
        prior={"owl": 0.5, "cat": 0.25, "dog": 0.25},
        costs={("owl", "cat"): 3},
        reject=Fraction(1, 2),
        at_least=np.float32(0.5),
    )
    assert read == Decision([0.25, 0.25, 0.5], [[0, 1, 1], [1, 0, 1], [3, 1, 0]], 0.5, 0.5)


PRIOR = "Model: prior must be one probability per class"
TABLE = "Model: costs must be a table of finite costs, a row for each true class and a column for each action"
PAIRS = (
    "Model: costs must be a mapping of (true class, action) to cost, or of true class to a mapping of action to cost"
)
REJECT = "Model: reject must be None or a finite cost, in the unit of `costs`"
AT_LEAST = "Model: at_least must be None or a probability from 0 to 1"
KNOWN = "given for the classes ('cat', 'dog', 'owl')"
SQUARE = "An action is to answer one of the classes."
NEVER = "For an action that must never be taken, a cost of 1e9 will do."

BAD = [
    # prior
    ({"prior": "flat"}, "Model: prior must be None, one of ('uniform',), or one probability per class, got 'flat'."),
    ({"prior": [0.5, 0.5]}, f"{PRIOR}, 3 of them, got [0.5, 0.5]."),
    ({"prior": [1e308] * 3}, f"{PRIOR}, summing to 1, got [1e+308, 1e+308, 1e+308]. Give shares of 1."),
    ({"prior": []}, f"{PRIOR}, 3 of them, got []."),
    ({"prior": 0.5}, f"{PRIOR}, 3 of them, got 0.5."),
    ({"prior": [[0.5, 0.25, 0.25]]}, f"{PRIOR}, 3 of them, got [[0.5, 0.25, 0.25]]."),
    ({"prior": [0.5, -0.1, 0.6]}, f"{PRIOR}, none of them negative, infinite or NaN, got [0.5, -0.1, 0.6]."),
    ({"prior": [0.5, NAN, 0.5]}, f"{PRIOR}, none of them negative, infinite or NaN, got [0.5, nan, 0.5]."),
    ({"prior": [0.5, INF, 0.5]}, f"{PRIOR}, none of them negative, infinite or NaN, got [0.5, inf, 0.5]."),
    ({"prior": [1, 1, 2]}, f"{PRIOR}, summing to 1, got [1, 1, 2]. They sum to 4; divide them by that."),
    (
        {"prior": [0.5, 0.25, 0.25 + 2e-9]},
        f"{PRIOR}, summing to 1, got [0.5, 0.25, 0.250000002]. They sum to 1.000000002; divide them by that.",
    ),
    ({"prior": [0, 0, 0]}, f"{PRIOR}, summing to 1, got [0, 0, 0]. They sum to 0; divide them by that."),
    ({"prior": ["0.5", "0.25", "0.25"]}, f"{PRIOR}, got ['0.5', '0.25', '0.25']."),
    ({"prior": [0.5, None, 0.5]}, f"{PRIOR}, none of them negative, infinite or NaN, got [0.5, None, 0.5]."),
    ({"prior": [0.5, [0.25], 0.25]}, f"{PRIOR}, got [0.5, [0.25], 0.25]."),
    ({"prior": [True, False, False]}, f"{PRIOR}, got [True, False, False]."),
    ({"prior": [0.5, 0.5j, 0]}, f"{PRIOR}, got [0.5, 0.5j, 0]."),
    ({"prior": [10**400, 0, 0]}, f"{PRIOR}, got [{'1' + '0' * 55}...."),
    (
        {"prior": {"cat": 0.5, "dog": 0.5}},
        f"{PRIOR}, got {{'cat': 0.5, 'dog': 0.5}}. "
        "Class 'owl' is absent; give every class its probability, 0 included.",
    ),
    (
        {"prior": {"cat": 0.5, "dog": 0.25, "owl": 0.25, "emu": 0}},
        f"Model: prior must be {KNOWN}, got 'emu'. There is no such class.",
    ),
    ({"prior": {"cat": 0.5, "dog": "x", "owl": 0.5}}, f"{PRIOR}, got [0.5, 'x', 0.5]."),
    # costs
    ({"costs": [[0, 1], [1, 0]]}, f"{TABLE}, of shape (3, 3), got (2, 2). {SQUARE}"),
    ({"costs": [0, 1, 2]}, f"{TABLE}, of shape (3, 3), got (3,). {SQUARE}"),
    ({"costs": np.zeros((3, 4))}, f"{TABLE}, of shape (3, 3), got (3, 4). {SQUARE}"),
    ({"costs": np.zeros((3, 3, 1))}, f"{TABLE}, of shape (n, 3, 3), got (3, 3, 1). {SQUARE}"),
    ({"costs": 1.0}, f"{TABLE}, of shape (3, 3), got (). {SQUARE}"),
    ({"costs": [[0, 1], [1]]}, f"{TABLE}, got [[0, 1], [1]]."),
    ({"costs": "zero-one"}, f"{TABLE}, got 'zero-one'."),
    (
        {"costs": [[0, 1, 1], [1, NAN, 1], [1, 1, 0]]},
        f"{TABLE}, none of them NaN or above 1e+300, got [[0, 1, 1], [1, nan, 1], [1, 1, 0]]. {NEVER}",
    ),
    (
        {"costs": [[0, 1, 1], [1, 0, 1], [-INF, 1, 0]]},
        f"{TABLE}, none of them NaN or above 1e+300, got [[0, 1, 1], [1, 0, 1], [-inf, 1, 0]]. {NEVER}",
    ),
    (
        {"costs": [[0, 1, 1], [1, 0, 1], [1e301, 1, 0]]},
        f"{TABLE}, none of them NaN or above 1e+300, got [[0, 1, 1], [1, 0, 1], [1e+301, 1, 0]]. {NEVER}",
    ),
    ({"costs": {}}, f"{PAIRS}, got {{}}. Name at least one cost, or leave `costs` out."),
    ({"costs": {"cat": 1}}, f"{PAIRS}, got 'cat'."),
    ({"costs": {("cat", "dog", "owl"): 1}}, f"{PAIRS}, got ('cat', 'dog', 'owl')."),
    ({"costs": {"cat": {"dog": 1}, "dog": 2}}, f"{PAIRS}, got 'cat'."),
    ({"costs": {("cat", "emu"): 1}}, f"Model: costs must be {KNOWN}, got 'emu'. There is no such class."),
    ({"costs": {"emu": {"cat": 1}}}, f"Model: costs must be {KNOWN}, got 'emu'. There is no such class."),
    ({"costs": {("cat", "dog"): NAN}}, "Model: costs must be finite numbers, got nan."),
    ({"costs": {("cat", "dog"): "much"}}, "Model: costs must be finite numbers, got 'much'."),
    # limits
    ({"reject": NAN}, f"{REJECT}, got nan."),
    ({"reject": -INF}, f"{REJECT}, got -inf."),
    ({"reject": "cheap"}, f"{REJECT}, got 'cheap'."),
    ({"reject": True}, f"{REJECT}, got True."),
    ({"reject": [0.1]}, f"{REJECT}, got [0.1]."),
    ({"reject": 10**400}, f"{REJECT}, got 1{'0' * 56}...."),
    ({"at_least": 1.5}, f"{AT_LEAST}, got 1.5."),
    ({"at_least": -0.01}, f"{AT_LEAST}, got -0.01."),
    ({"at_least": NAN}, f"{AT_LEAST}, got nan."),
    ({"at_least": False}, f"{AT_LEAST}, got False."),
    ({"at_least": "0.5"}, f"{AT_LEAST}, got '0.5'."),
]


@pytest.mark.parametrize(("given", "message"), BAD)
def test_bad_input_gets_one_clear_sentence(given: dict[str, Any], message: str) -> None:
    """Owner, name, rule, value, and what to do, to the letter."""
    with pytest.raises(BadInput) as caught:
        Decision.read("Model", CLASSES, **given)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"prior": "uniform"}, "Decision: prior must be one probability per class, got 'uniform'."),
        ({"prior": {"a": 1.0}}, "Decision: prior must be one probability per class, got {'a': 1.0}."),
        ({"prior": []}, "Decision: prior must be one probability per class, got []."),
        ({"costs": [[0, 1]]}, f"{TABLE.replace('Model', 'Decision')}, that is square, got (1, 2). {SQUARE}"),
        ({"costs": np.zeros((0, 0))}, f"{TABLE.replace('Model', 'Decision')}, that is square, got (0, 0). {SQUARE}"),
        (
            {"prior": [0.5, 0.5], "costs": np.eye(3)},
            f"{TABLE.replace('Model', 'Decision')}, of shape (2, 2), got (3, 3). {SQUARE}",
        ),
        ({"reject": INF}, f"{REJECT.replace('Model', 'Decision')}, got inf."),
        ({"at_least": 2}, f"{AT_LEAST.replace('Model', 'Decision')}, got 2."),
    ],
)
def test_the_constructor_refuses_too(given: dict[str, Any], message: str) -> None:
    """Written directly, a decision takes arrays in class order, under the same rules."""
    with pytest.raises(BadInput, match=f"^{re.escape(message)}$"):
        Decision(**given)


@pytest.mark.parametrize("K", [0, -1, 2.0, True, "3", None])
def test_the_number_of_classes(K: Any) -> None:
    """Maximum likelihood needs to know over how many classes."""
    with pytest.raises(BadInput, match=r"^Decision: the number of classes must be a whole number of at least 1, got "):
        Decision.maximum_likelihood(K)


def test_the_owner_may_be_an_object_and_shift_checks_its_prior() -> None:
    """Whoever asks is named."""
    with pytest.raises(BadInput, match=r"^Thing: reject must be"):
        Decision.read(type("Thing", (), {})(), CLASSES, reject="x")
    with pytest.raises(BadInput, match=r"^Posterior: prior must be one probability per class, 2 of them, got "):
        Posterior(np.array([[0.5, 0.5]]), uniform(2)).shift(uniform(3))
