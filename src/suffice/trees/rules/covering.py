"""Rules learned by covering: the best conjunction by beam search, then what it covers is taken away, and again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from suffice.core.block import Array
from suffice.trees.conditions import Condition
from suffice.trees.growth.bins import ColumnBins
from suffice.trees.rules.conjunction import ConjunctiveRule

NEAR = 1e-12
Quality = Callable[[Array, Array, int], Array]  # class weights covered (m, K), of all (K,), the head -> (m,)


def laplace_precision(covered: Array, everyone: Array, head: int) -> Array:
    """(p + 1) / (n + K): precision that trusts small coverage less."""
    return np.asarray((covered[:, head] + 1.0) / (covered.sum(axis=1) + covered.shape[1]))


def chi_square(covered: Array, everyone: Array, head: int) -> Array:
    """How far coverage and class are from independence; negative where the rule speaks against its head."""
    p, n = covered[:, head], covered.sum(axis=1) - covered[:, head]
    P, N = everyone[head], everyone.sum() - everyone[head]
    all_, other = P + N, (P + N) - (p + n)
    bottom = (p + n) * other * P * N
    gap = p * (N - n) - n * (P - p)
    return np.asarray(np.divide(all_ * gap * np.abs(gap), bottom, out=np.full(len(p), -1.0), where=bottom > 0))


def weighted_relative_accuracy(covered: Array, everyone: Array, head: int) -> Array:
    """Share of the rows covered times how much more often the head is there than among all."""
    total, n = everyone.sum(), covered.sum(axis=1)
    return np.asarray(covered[:, head] / total - n / total * (everyone[head] / total))


def information_gain(covered: Array, everyone: Array, head: int) -> Array:
    """Bits about the head that coverage tells; negative where the rule speaks against it."""
    inside = np.column_stack([covered[:, head], covered.sum(axis=1) - covered[:, head]])
    whole = np.array([everyone[head], everyone.sum() - everyone[head]])
    n, total = inside.sum(axis=1), whole.sum()
    left = (n * _entropy(inside) + (total - n) * _entropy(whole - inside)) / total
    return np.asarray((_entropy(whole[None]) - left) * np.sign(inside[:, 0] * whole[1] - inside[:, 1] * whole[0]))


def _entropy(weights: Array) -> Array:
    total = weights.sum(axis=1, keepdims=True)
    shares = weights / np.where(total > 0, total, 1.0)
    return np.asarray(-(shares * np.log2(np.where(shares > 0, shares, 1.0))).sum(axis=1))


QUALITIES: Mapping[str, Quality] = {"laplace": laplace_precision, "chi_square": chi_square}
SUBGROUP_QUALITIES: Mapping[str, Quality] = {
    "weighted_relative_accuracy": weighted_relative_accuracy,
    "chi_square": chi_square,
    "information_gain": information_gain,
}


@dataclass(frozen=True)
class Candidates:
    """Conditions on single cells, and for which rows they hold."""

    conditions: tuple[Condition, ...]
    holds: Array  # (n, m) bool

    @classmethod
    def of(cls, X: Array, bins: tuple[ColumnBins, ...], most: int) -> Candidates:
        """Both sides of thresholds between values, of at most `most` a column; each symbol."""
        found: list[Condition] = []
        for j, one in enumerate(bins):
            if one.symbols:
                found += [Condition(j, symbols=(code,)) for code in range(one.B)]
                continue
            cuts = np.arange(one.B - 1)
            if len(cuts) > most:
                cuts = cuts[np.unique(np.linspace(0, len(cuts) - 1, most).round().astype(int))]
            for cut in cuts.tolist():
                at = one.between(cut, cut + 1)
                found += [Condition(j, high=at), Condition(j, low=at)]
        holds = np.column_stack([c.holds(X) for c in found]) if found else np.zeros((len(X), 0), dtype=bool)
        return cls(tuple(found), holds)


@dataclass(frozen=True)
class RuleSearch:
    """Beam search for one conjunction."""

    quality: Quality
    beam: int = 5
    most: int = 3  # conditions a rule
    rows: int = 1  # least number of rows a rule covers

    def best(
        self, candidates: Candidates, W: Array, alive: Array, heads: tuple[int, ...]
    ) -> tuple[ConjunctiveRule, Array, float] | None:
        """The best rule for one of these heads, what it covers, and its quality; `alive` (n,) are the rows to cover."""
        everyone = W[alive].sum(axis=0)
        best: tuple[float, tuple[int, ...], int, Array] | None = None
        for head in heads:
            beam: list[tuple[tuple[int, ...], Array]] = [((), alive)]
            for _ in range(self.most):
                grown = self._grow(candidates, W, beam, everyone, head)
                if not grown:
                    break
                top = grown[0]
                if best is None or top[0] > best[0] + NEAR:
                    best = (top[0], top[1], head, top[2])
                beam = [(chosen, cover) for _, chosen, cover in grown[: self.beam]]
        if best is None:
            return None
        score, chosen, head, cover = best
        weights = W[cover].sum(axis=0)
        rule = ConjunctiveRule(tuple(candidates.conditions[c] for c in chosen), head, weights)
        return rule, cover, score

    def several(self, candidates: Candidates, W: Array, head: int, k: int) -> list[tuple[ConjunctiveRule, float]]:
        """The k best rules for a head, and their qualities; of rules that cover the same rows the shortest."""
        alive = W.sum(axis=1) > 0
        everyone = W[alive].sum(axis=0)
        beam: list[tuple[tuple[int, ...], Array]] = [((), alive)]
        met: dict[bytes, tuple[float, tuple[int, ...], Array]] = {}
        for _ in range(self.most):
            grown = self._grow(candidates, W, beam, everyone, head)
            for one in grown:
                met.setdefault(one[2].tobytes(), one)
            beam = [(chosen, cover) for _, chosen, cover in grown[: self.beam]]
        best = sorted(met.values(), key=lambda one: (-round(one[0], 12), len(one[1]), one[1]))[:k]
        conditions = candidates.conditions
        return [
            (ConjunctiveRule(tuple(conditions[c] for c in chosen), head, W[cover].sum(axis=0)), score)
            for score, chosen, cover in best
            if score > NEAR
        ]

    def _grow(
        self,
        candidates: Candidates,
        W: Array,
        beam: list[tuple[tuple[int, ...], Array]],
        everyone: Array,
        head: int,
    ) -> list[tuple[float, tuple[int, ...], Array]]:
        """Rules with one condition more, best first."""
        found: dict[bytes, tuple[float, tuple[int, ...], Array]] = {}
        for chosen, cover in beam:
            held = candidates.holds[cover]
            weights = held.T.astype(np.float64) @ W[cover]
            counts = held.sum(axis=0)
            allowed = (counts >= self.rows) & (counts < int(cover.sum())) & (weights[:, head] > 0)
            scores = np.where(allowed, self.quality(weights, everyone, head), -np.inf)
            for c in np.argsort(-scores, kind="stable")[: self.beam].tolist():
                if np.isfinite(scores[c]):
                    now = cover & candidates.holds[:, c]
                    found.setdefault(now.tobytes(), (float(scores[c]), (*chosen, c), now))
        return sorted(found.values(), key=lambda one: (-round(one[0], 12), one[1]))


def cover_in_order(
    candidates: Candidates, W: Array, search: RuleSearch, most: int | None
) -> tuple[list[ConjunctiveRule], Array]:
    """An ordered list: each rule for the rows that those before it left; then the class weights of the rest."""
    alive, heads = W.sum(axis=1) > 0, tuple(range(W.shape[1]))
    rules: list[ConjunctiveRule] = []
    while (most is None or len(rules) < most) and alive.any():
        rest = W[alive].sum(axis=0)
        if (rest > 0).sum() < 2:
            break
        found = search.best(candidates, W, alive, heads)
        if found is None or found[2] <= float(search.quality(rest[None], rest, int(rest.argmax()))[0]) + NEAR:
            break
        rules.append(found[0])
        alive = alive & ~found[1]
    return rules, np.asarray(W[alive].sum(axis=0) if alive.any() else W.sum(axis=0))


def cover_by_class(
    candidates: Candidates, W: Array, search: RuleSearch, most: int | None
) -> tuple[list[ConjunctiveRule], Array]:
    """An unordered set: rules for each class in turn, until its rows are covered; rows of others stay."""
    live = W.sum(axis=1) > 0
    rules: list[ConjunctiveRule] = []
    for head in range(W.shape[1]):
        mine, made = live & (W[:, head] > 0), 0
        while mine.any() and (most is None or made < most):
            alive = live & (mine | (W[:, head] == 0))
            found = search.best(candidates, W, alive, (head,))
            rest = W[alive].sum(axis=0)
            if found is None or found[2] <= float(search.quality(rest[None], rest, head)[0]) + NEAR:
                break
            rule = found[0]
            held = live & _held(candidates, rule)
            rules.append(replace(rule, weights=W[held].sum(axis=0)))  # of all rows: rules may overlap
            mine, made = mine & ~held, made + 1
    return rules, np.asarray(W[live].sum(axis=0))


def _held(candidates: Candidates, rule: ConjunctiveRule) -> Array:
    """The rows that fulfil all conditions of a rule."""
    at = [candidates.conditions.index(one) for one in rule.conditions]
    return np.asarray(candidates.holds[:, at].all(axis=1))


LISTS = {True: cover_in_order, False: cover_by_class}
