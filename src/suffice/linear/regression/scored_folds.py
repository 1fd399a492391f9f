"""Ridge regression judged by any scorer: what models of the other rows answer to rows left out, penalty by penalty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.double_double import exact
from suffice.core.errors import Said, bad
from suffice.core.learner import Source, learn
from suffice.estimators.folds.any_scorer import NumberAnswers, score_answers
from suffice.estimators.folds.routed_params import Routed
from suffice.estimators.folds.split_sources import parts_of
from suffice.linear.regression.leave_one_out import shrunken
from suffice.linear.regression.linear_learner import LinearModel, means_of, problem_of


def fold_scores(owner: str, scoring: Any, plan: Any, source: Source, cv: Any, alphas: Array, routed: Routed) -> Array:
    """The score of each fold and penalty (K, m); a fold whose rows weigh nothing is no fold."""
    out = []
    for split in parts_of(owner, source, cv, routed.split.get("groups")):
        schema, total = learn(plan, split.learned)
        learner = plan.learner(schema)
        means = means_of(learner.design, total)
        problem = problem_of(total.filled(means), learner.design.choose(total.terms), learner.intercept)
        held = split.held.read_as(schema)
        y, w = truth_and_weights(held)
        if not len(y) or problem.weight <= 0.0 or (w is not None and not w.any()):
            continue
        params = {} if split.tested is None else routed.to_score(split.tested, source_rows(source))
        t = problem.width[1]
        coef = np.stack([shrunken(problem, alphas, j) for j in range(t)], axis=2)  # (m, p, t)
        found = [LinearModel.of(learner.design, problem, exact(each), means) for each in coef]
        answers = np.stack([held.map(model.predict) for model in found], axis=2)  # (n, t, m)
        out.append(scores_of(owner, scoring, answers, y, w if routed.weighed else None, params))
    if not out:
        rule = "such that rows of some weight are learned from and tested in a split"
        raise bad(owner, "cv", rule, Said("rows of weight 0 alone"), "Use other folds, or leave these rows out.")
    return np.stack(out)


def scores_of(
    owner: str, scoring: Any, answers: Array, y: Array, w: Array | None, params: Mapping[str, Any] | None = None
) -> Array:
    """The score of each penalty (m,) for answers (n, t, m) to rows whose truth (n, t) is known."""

    def flat(values: Array) -> Array:
        return values[:, 0] if values.shape[1] == 1 else values

    each = range(answers.shape[2])
    scores = [score_answers(owner, scoring, NumberAnswers(flat(answers[..., i])), flat(y), w, params) for i in each]
    return np.array(scores)


def truth_and_weights(source: Source) -> tuple[Array, Array | None]:
    """Targets (n, t) and weights of all rows, in their order."""
    some = np.asarray(source.map(_truth))
    return some[:, :-1], None if np.isnan(some[:, -1]).all() else some[:, -1]


def source_rows(source: Source) -> int:
    """Rows of a table in memory."""
    table: Any = getattr(source, "table", None)
    return 0 if table is None else int(table.n)


def _truth(block: Block) -> Array:
    assert isinstance(block.y, np.ndarray)
    return np.column_stack([block.y, np.full(block.n, np.nan) if block.w is None else block.w])
