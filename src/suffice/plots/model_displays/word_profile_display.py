"""WordProfileDisplay: how probable each word, or each 1 of a Boolean column, is in each class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.evaluation.scores.classifier_answers import class_names
from suffice.plots.canvas import need_matplotlib, panels
from suffice.plots.display import Display
from suffice.plots.palette import colour

NAMED = 40  # more columns are not named


@dataclass(kw_only=True, eq=False, repr=False)
class WordProfileDisplay(Display):
    """A panel for each class, with a stem of height p(x_j = 1 | class), or p(word j | class), for each column.

    Parameters
    ----------
    proba : (K, d)
    classes : names of the classes
    names : of the columns

    Attributes
    ----------
    stems_ : the stems of each class, as matplotlib's `stem` draws them
    axes_, ax_ : array of axes (K, 1)
    figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice import BernoulliNB
    >>> from suffice.plots import WordProfileDisplay
    >>> model = BernoulliNB().fit([[1, 0], [1, 1], [0, 1]], ["a", "a", "b"])
    >>> display = WordProfileDisplay.from_estimator(model, ax=Figure().subplots(2))
    >>> display.stems_[0].markerline.get_ydata().round(4).tolist()
    [0.75, 0.5]
    """

    proba: Array
    classes: Sequence[Any]
    names: Sequence[str] | None = None

    def __post_init__(self) -> None:
        """Refuse a table that does not fit the classes."""
        self.proba = np.asarray(self.proba, dtype=np.float64)
        if self.proba.ndim != 2 or len(self.proba) != len(self.classes):
            raise bad(self, "proba", f"of shape ({len(self.classes)}, d)", Said(f"shape {self.proba.shape}"))
        if self.names is not None and len(self.names) != self.proba.shape[1]:
            raise bad(self, "names", f"one for each of {self.proba.shape[1]} columns", Said(str(len(self.names))))

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, names: Sequence[str] | None = None, ax: Any = None, **options: Any
    ) -> Self:
        """Read the probabilities of a fitted naive Bayes classifier, and draw.

        Parameters
        ----------
        estimator : BernoulliNB or MultinomialNB, ours or scikit-learn's
        names : of the columns, such as words; None: those of training
        ax : as many axes as there are classes; None: those of a new figure
        options : as for `plot`
        """
        owner = cls.__name__
        need_matplotlib(owner)
        classes = class_names(owner, estimator, "predict")
        if not hasattr(estimator, "feature_log_prob_"):
            rule = "a naive Bayes classifier of words or Boolean columns, with feature_log_prob_"
            raise bad(owner, "estimator", rule, Said(type(estimator).__name__), "Use BernoulliNB or MultinomialNB.")
        own = getattr(estimator, "feature_names_in_", None) if names is None else names
        told = None if own is None else list(map(str, own))
        return cls(proba=np.exp(estimator.feature_log_prob_), classes=classes, names=told).plot(ax=ax, **options)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : as many axes as there are classes; None: those of a new figure
        """
        K, d = self.proba.shape
        top = 1.08 * float(self.proba.max(initial=0.0)) or 1.0
        with panels(self._owner, ax, (K, 1), (7.0, 1.0 + 1.6 * K)) as axes:
            self.stems_ = []
            for k, one in enumerate(axes[:, 0]):
                stems = one.stem(np.arange(d), self.proba[k], basefmt=" ")
                for part in (stems.markerline, stems.stemlines):
                    part.set_color(colour(k))
                stems.markerline.set_markersize(4)
                one.set(ylim=(0.0, top), xlim=(-0.6, d - 0.4), ylabel=f"p(x | {self.classes[k]})")
                self.stems_.append(stems)
            if self.names is not None and d <= NAMED:
                axes[-1, 0].set_xticks(range(d), self.names, rotation=60 if d > 6 else 0)
            axes[-1, 0].set_xlabel("Column")
            self.axes_ = self.ax_ = axes
            self.figure_ = axes[0, 0].figure
        return self
