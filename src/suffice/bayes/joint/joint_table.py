"""The full joint distribution of a few discrete variables: every marginal and conditional follows from it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from os import PathLike
from typing import Any

import numpy as np

from suffice.bayes.joint.saved_table import SavedTable
from suffice.bayes.joint.table_answers import CLOSE, Conditional, Independence, TablePosterior, grid, impossible
from suffice.bayes.joint.table_axes import MAX_CELLS, Axes, Variables, guard, pseudo, summed, union, weights
from suffice.bayes.joint.table_rows import MISSING, UNSEEN, cells_of, codes_of, columns_of, heavy, met
from suffice.core.block import Array
from suffice.core.errors import NeverAdded, NotASummary, Said, bad, refusal, shown
from suffice.core.summary import spread

Names = str | Sequence[str]

NOTHING = 2.0**-40  # a cell left with less than this share of its weight holds only rounding error
NONE: frozenset[str] = frozenset()
SHOWN = 20  # values along an axis up to which a table is printed


@dataclass(frozen=True, init=False, eq=False, repr=False)
class JointTable:
    """The joint distribution of a few discrete variables, one cell for each combination of their values.

    p(x, y, ...) = (counts[x, y, ...] + alpha) / (the same, summed over all cells). Counts are kept, not probabilities,
    so tables of different rows add and subtract; `alpha` enters only when a probability is read. Whole counts are
    exact; with fractional weights, a cell that `-` leaves with less than 2^-40 of its weight is empty.

    Parameters: `variables` maps names to values; `table` holds non-negative probabilities that sum to 1, with one axis
    for each variable; `max_cells` refuses a table that is too large before it is allocated.

    >>> table = JointTable.from_rows({"word": ["prize", "none", "prize"], "kind": ["spam", "ham", "spam"]})
    >>> table.given(word="prize").probability(kind="spam")
    1.0
    >>> (table + table) - table == table
    True
    """

    axes: Axes
    counts: Array  # one axis for each variable
    alpha: float  # pseudo-count of every cell
    found: frozenset[str]  # variables whose values were met in rows, not declared: a value leaves with its last row

    def __init__(self, variables: Variables, table: Any, *, max_cells: int = MAX_CELLS) -> None:
        """From probabilities; `from_counts`, `from_rows` and `from_conditionals` are the other ways in."""
        axes = Axes.of(variables, max_cells)
        counts = weights(self, "table", table, axes.shape)
        if abs(counts.sum() - 1.0) > CLOSE:
            remedy = "Use JointTable.from_counts to normalise."
            raise bad(self, "table", "probabilities that sum to 1", float(counts.sum()), remedy)
        self._fill(axes, counts, 0.0, NONE)

    def _fill(self, axes: Axes, counts: Array, alpha: float, found: frozenset[str]) -> JointTable:
        counts.setflags(write=False)
        fields = {"axes": axes, "counts": counts, "alpha": alpha, "found": found.intersection(axes.names)}
        for field, value in fields.items():
            object.__setattr__(self, field, value)
        return self

    @classmethod
    def _of(cls, axes: Axes, counts: Array, alpha: float = 0.0, found: frozenset[str] = NONE) -> JointTable:
        return cls.__new__(cls)._fill(axes, counts, alpha, found)

    # Construction

    @staticmethod
    def cells(variables: Variables) -> int:
        """How many cells the table of these variables has, without making it."""
        return math.prod(len(values) for values in variables.values())

    @classmethod
    def from_counts(
        cls, variables: Variables, counts: Any, *, alpha: float = 0.0, max_cells: int = MAX_CELLS
    ) -> JointTable:
        """From non-negative counts or weights; `alpha` is a pseudo-count for every cell."""
        axes = Axes.of(variables, max_cells)
        return cls._of(axes, weights("JointTable", "counts", counts, axes.shape), pseudo(alpha))

    @classmethod
    def from_rows(
        cls,
        rows: Any,
        *,
        weights: Any = None,
        values: Variables | None = None,
        alpha: float = 0.0,
        max_cells: int = MAX_CELLS,
    ) -> JointTable:
        """Count rows: columns by name, a list of dicts, or a data frame; each row with its weight.

        `values` declares the values of some variables: exactly these, met or not. The others take the values they
        meet, and such tables add by union. A row of weight 0 brings nothing in.
        """
        known = {} if values is None else dict(zip(*Axes.of(values, max_cells), strict=True))
        columns = columns_of(rows, tuple(known))
        if not known.keys() <= columns.keys():
            raise bad("JointTable", "values", f"about columns among {shown(tuple(columns))}", tuple(known))
        columns, w = heavy(columns, weights)
        axes = Axes(tuple(columns), tuple(known.get(name) or met(name, columns[name]) for name in columns))
        guard(axes.shape, max_cells)
        flat = cells_of(columns, dict(zip(*axes, strict=True)))
        counts = np.bincount(flat, weights=w, minlength=math.prod(axes.shape)).astype(np.float64)
        return cls._of(axes, counts.reshape(axes.shape), pseudo(alpha), frozenset(columns) - frozenset(known))

    @classmethod
    def from_conditionals(cls, prior: JointTable, likelihood: Conditional, *, max_cells: int = MAX_CELLS) -> JointTable:
        """The product rule p(Y, X) = p(Y) p(X | Y).

        Variables of the prior that the likelihood is not given are taken as independent of X, given those that it is.
        """
        if not isinstance(prior, JointTable) or not isinstance(likelihood, Conditional):
            raise bad("JointTable", "prior and likelihood", "a JointTable and a Conditional", (prior, likelihood))
        given, of = likelihood.given, likelihood.of
        if prior.axes.pick(given.names) != given:
            raise bad("JointTable", "the prior", f"over the values {shown(given.values)} of {given.names}", prior)
        if set(of.names) & set(prior.axes.names):
            raise bad("JointTable", "the variables of the likelihood", "new to the prior", of.names)
        axes = Axes(prior.axes.names + of.names, prior.axes.values + of.values)
        guard(axes.shape, max_cells)
        mass = prior._mass.reshape(*prior.axes.shape, *(1 for _ in of.names))
        counts = np.where(mass > 0, mass * likelihood.along(prior.axes), 0.0)
        if np.isnan(counts).any():
            cell = axes.cell(np.argwhere(np.isnan(counts))[0])
            raise bad("JointTable", "the likelihood", "defined wherever the prior is above 0", cell)
        return cls._of(axes, counts)

    # Reading

    @property
    def variables(self) -> dict[str, tuple[Any, ...]]:
        """Names and values, in the order of the axes."""
        return dict(zip(*self.axes, strict=True))

    @property
    def weight(self) -> float:
        """Total weight of the rows, without pseudo-counts."""
        return float(self.counts.sum())

    @cached_property
    def table(self) -> Array:
        """The probabilities, one axis for each variable."""
        mass = self._mass
        table: Array = mass / mass.sum()
        table.setflags(write=False)
        return table

    @property
    def _mass(self) -> Array:
        """What the probabilities are proportional to."""
        mass: Array = self.counts + self.alpha
        if not 0 < mass.sum() < math.inf:
            raise bad(self, "weight", "above 0 and finite to read a probability", float(mass.sum()), "Add rows first.")
        return mass

    def _over(self, names: Sequence[str]) -> Array:
        """The mass of these variables, axes in this order: the sum rule."""
        return summed(self._mass, [self.axes.place(name) for name in names])

    def _names(self, what: str, names: Names, apart: Sequence[str] = ()) -> tuple[str, ...]:
        """Names as a tuple: known, each once, and none of those to keep apart."""
        listed = (names,) if isinstance(names, str) else tuple(names)
        places = {self.axes.place(name) for name in listed}
        if len(places) < len(listed) or set(apart) & set(listed):
            raise bad(self, what, "variables that are each named once", (*listed, *apart))
        return listed

    def _slice(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        """The index of the cells where variables have these values."""
        codes = {name: self.axes.code(name, value) for name, value in values.items()}
        return tuple(codes.get(name, slice(None)) for name in self.axes.names)

    def marginal(self, *names: str) -> JointTable:
        """The sum rule p(names) = sum over the other variables of p(all)."""
        if not self._names("names", names):
            raise bad(self, "names", "at least one variable", names)
        counts = summed(self.counts, [self.axes.place(name) for name in names])
        others = math.prod(len(values) for name, values in self.variables.items() if name not in names)
        return self._of(self.axes.pick(names), counts, self.alpha * others, self.found)

    def given(self, /, **values: Any) -> JointTable:
        """The other variables where these have the given values: p(rest | values) = p(rest, values) / p(values)."""
        index = self._slice(values)
        rest = tuple(name for name in self.axes.names if name not in values)
        if not rest:
            raise bad(self, "the condition", "on fewer than all variables", values, "Ask for its probability instead.")
        part = self._of(self.axes.pick(rest), self.counts[index].copy(), self.alpha, self.found)
        if not self._mass[index].sum() > 0:
            raise impossible(values)
        return part

    def probability(self, /, **values: Any) -> float:
        """p(values), the other variables summed out."""
        mass = self._mass
        return float(mass[self._slice(values)].sum() / mass.sum())

    def conditional(self, of: Names, given: Names) -> Conditional:
        """Every p(of | given) at once; combinations of probability 0 are rows of NaN, listed in `undefined`."""
        above = self._names("given", given)
        below = self._names("of and given", of, above)
        mass = self._over((*above, *below))
        total = mass.sum(axis=tuple(range(len(above), mass.ndim)), keepdims=True)
        table = np.divide(mass, total, out=np.full(mass.shape, np.nan), where=total > 0)
        first, second = ({name: self.variables[name] for name in side} for side in (above, below))
        return Conditional(first, second, table, max_cells=mass.size)

    def bayes(self, hypothesis: Names, /, **evidence: Any) -> JointTable:
        """Bayes' rule p(Y | x) = p(Y) p(x | Y) / p(x), where p(x) = sum over y of p(y) p(x | y). Its weight is 1."""
        names = self._names("hypothesis and evidence", hypothesis, tuple(evidence))
        at: tuple[Any, ...] = (..., *(self.axes.code(name, value) for name, value in evidence.items()))
        mass, joint = self._over(names), self._over((*names, *evidence))[at]
        prior = mass / mass.sum()
        likelihood = np.divide(joint, mass, out=np.zeros_like(mass), where=mass > 0)
        p_x = (prior * likelihood).sum()
        if not p_x > 0:
            raise impossible(evidence)
        return self._of(self.axes.pick(names), prior * likelihood / p_x)

    def independent(self, a: Names, b: Names, given: Names = (), *, tolerance: float = 1e-12) -> Independence:
        """Whether p(a, b | given) = p(a | given) p(b | given) wherever p(given) > 0.

        Each of `a`, `b` and `given` is a name or several; without `given`, independence is unconditional.
        """
        above = self._names("given", given)
        left = self._names("a and given", a, above)
        right = self._names("b, a and given", b, (*left, *above))
        if not left or not right:
            raise bad(self, "a and b", "at least one variable each", (a, b))
        axes = self.axes.pick((*above, *left, *right))
        sizes = (math.prod(self.axes.pick(side).shape) for side in (above, left, right))
        joint = self._over(axes.names).reshape(*sizes)  # (C, A, B)
        total = joint.sum(axis=(1, 2), keepdims=True)
        p = np.divide(joint, total, out=np.zeros_like(joint), where=total > 0)
        gap = np.abs(p - p.sum(axis=2, keepdims=True) * p.sum(axis=1, keepdims=True))
        return Independence(float(gap.max()), axes.cell(np.unravel_index(gap.argmax(), axes.shape)), tolerance)

    def mode(self) -> dict[str, Any]:
        """The most probable cell; of equals, the first."""
        return self.axes.cell(np.unravel_index(self._mass.argmax(), self.axes.shape))

    def sample(self, n: int, random_state: Any = None) -> dict[str, tuple[Any, ...]]:
        """Draw n rows, as columns that `from_rows` reads."""
        if not isinstance(n, int | np.integer) or n < 0:
            raise bad(self, "n", "a whole number of rows, 0 or more", n)
        drawn = np.random.default_rng(random_state).choice(self.table.size, size=n, p=self.table.ravel())
        codes = np.unravel_index(drawn, self.axes.shape)
        return {name: tuple(map(v.__getitem__, code)) for name, v, code in zip(*self.axes, codes, strict=True)}

    # The Bayes classifier

    def classify(self, target: str, rows: Any) -> tuple[Any, ...]:
        """The value c of the target with the largest p(c, x) for each row x; of equals, the first.

        Missing cells and columns are summed out. A row that the table gives no probability gets the most probable
        value of the target before anything is known; `posterior(target, rows).seen` says which rows these are.
        """
        mass, _ = self._joint_rows(target, rows)
        return tuple(map(self.variables[target].__getitem__, mass.argmax(axis=1).tolist()))

    def posterior(self, target: str, rows: Any) -> TablePosterior:
        """p(target | x) for each row x, the prior where x has probability 0."""
        mass, seen = self._joint_rows(target, rows)
        prior = self._over((target,))
        proba = mass / mass.sum(axis=1, keepdims=True)
        return TablePosterior(proba, prior / prior.sum(), seen, self.variables[target])

    def _joint_rows(self, target: str, rows: Any) -> tuple[Array, Array]:
        """The mass of each value of the target with each row, and where the row has any; one look for each pattern."""
        prior = self._over((target,))
        columns = {name: column for name, column in columns_of(rows, self.axes.names).items() if name != target}
        names = self._names("the columns of rows", tuple(columns))
        if not names:
            raise bad(self, "rows", f"columns besides the target {target!r}", ())
        codes = np.stack([codes_of(columns[name], self.variables[name]) for name in names], axis=1)
        mass, seen = np.zeros((len(codes), len(prior))), (codes != UNSEEN).all(axis=1)
        present = codes != MISSING
        key = present @ (1 << np.arange(len(names)))  # one number for each pattern of present cells
        for i in np.unique(key, return_index=True)[1]:
            here, pattern = seen & (key == key[i]), present[i]
            mass[here] = self._over((*compress(names, pattern), target))[tuple(codes[here][:, pattern].T)]
        seen = mass.sum(axis=1) > 0
        return np.where(seen[:, None], mass, prior), seen

    # The algebra

    @classmethod
    def sum(cls, parts: Sequence[JointTable], *, max_cells: int = MAX_CELLS) -> JointTable:
        """The table of all rows together: values align by union, counts add; what one part declares stays declared."""
        if not parts:
            raise bad("JointTable", "parts", "at least one table", parts)
        first = parts[0]
        values = [union([first._alike(part).variables[name] for part in parts]) for name in first.axes.names]
        axes = Axes(first.axes.names, tuple(values))
        guard(axes.shape, max(max_cells, *(part.counts.size for part in parts)))
        counts = np.zeros(axes.shape)
        for part in parts:
            counts += part._along(axes)
        return cls._of(axes, counts, first.alpha, first.found.intersection(*(part.found for part in parts)))

    def __add__(self, other: JointTable) -> JointTable:
        """The table of both sets of rows."""
        return self.sum([self, other])

    def __sub__(self, other: JointTable) -> JointTable:
        """The table without the rows of the other; raises if they were never added."""
        taken = self._taken(other)
        left = self.counts - taken
        left[np.abs(left) <= NOTHING * self.counts] = 0.0
        if (left < 0).any():
            cell = self.axes.cell(np.argwhere(left < 0)[0])
            raise never(f"more of {shown(cell)} than there was")
        return self._of(self.axes, left, self.alpha, self.found)._swept()

    def scale(self, factor: float) -> JointTable:
        """The table if every row weighed `factor` times as much: forgetting by decay."""
        if not 0 < factor < math.inf:
            raise bad(self, "factor", "above 0 and finite", factor)
        return self._of(self.axes, self.counts * factor, self.alpha, self.found)

    def _alike(self, other: object) -> JointTable:
        """The other, if it is about the same variables with the same pseudo-count."""
        if not isinstance(other, JointTable) or set(self.axes.names) != set(other.axes.names):
            raise refusal(
                NotASummary, "JointTable", "", f"a table of {self.axes.names}", other, "", "can only be added to"
            )
        if self.alpha != other.alpha:
            raise bad(self, "alpha", f"the same in both tables, {self.alpha!r}", other.alpha)
        return other

    def _along(self, axes: Axes) -> Array:
        """The counts along other axes: values it lacks are empty, values not listed are dropped."""
        counts = summed(self.counts, [self.axes.place(name) for name in axes.names])
        for axis, (name, values) in enumerate(zip(*axes, strict=True)):
            if values != self.variables[name]:
                index = codes_of(self.variables[name], values)
                counts = np.moveaxis(spread(np.moveaxis(counts, axis, 0), index, len(values)), 0, axis)
        return counts

    def _taken(self, other: JointTable) -> Array:
        """The counts of the other along the axes of this table, none of them lost."""
        taken = self._alike(other)._along(self.axes)
        if np.count_nonzero(taken) < np.count_nonzero(other.counts):
            theirs = ((name, v) for name, values in other.variables.items() for v in values)
            strange = [f"{name}={v!r}" for name, v in theirs if v not in self.variables[name]]
            raise never(f"{strange[0]}, which was never seen")
        return taken

    def _swept(self) -> JointTable:
        """Without the values met in rows of which none are left."""
        counts, kept = self.counts, dict(self.variables)
        for axis, name in enumerate(self.axes.names):
            if name in self.found:
                live = summed(self.counts, [axis]) > 0
                counts, kept[name] = counts.compress(live, axis=axis), tuple(compress(kept[name], live))
        return self._of(Axes(self.axes.names, tuple(kept.values())), counts, self.alpha, self.found)

    # As a value

    def save(self, path: str | PathLike[str]) -> None:
        """Write the table to a file: numbers and a description, never code. `suffice.load` reads it."""
        from suffice.persistence import save

        save(SavedTable(*self.axes, self.counts, self.alpha, tuple(sorted(self.found))), path)

    def __eq__(self, other: object) -> bool:
        """The same variables, values, counts and pseudo-count."""
        if not isinstance(other, JointTable):
            return NotImplemented
        same = self.axes == other.axes and self.alpha == other.alpha
        return same and np.array_equal(self.counts, other.counts)

    def __hash__(self) -> int:
        """Equal tables have equal axes."""
        return hash(self.axes)

    def __repr__(self) -> str:
        """The variables, how many values each has, and the weight."""
        sizes = ", ".join(f"{name}: {len(values)} values" for name, values in self.variables.items())
        return f"JointTable({sizes}; weight {self.weight:g})"

    def __str__(self) -> str:
        """One or two variables as a table of probabilities."""
        small = len(self.axes.names) <= 2 and 0 < max(self.axes.shape) <= SHOWN
        return grid(self.axes, self.table) if small and (self.counts + self.alpha).sum() > 0 else repr(self)


def never(what: str) -> NeverAdded:
    """The error for taking away what was never added."""
    rule, remedy = "added before", "Nothing was changed; take away only rows that this table was learned from."
    return refusal(NeverAdded, "JointTable", "the rows taken away", rule, Said(what), remedy, "must have been")
