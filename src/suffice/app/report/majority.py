"""The distance to the majority rule: what is gained over always answering one class, row by row."""

from __future__ import annotations

from typing import Any

from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.scores.estimate import Estimate, mean


def gain_over(scores: Scores, label: Any) -> Estimate:
    """Accuracy minus the accuracy of always answering `label`, over the same rows, with its interval.

        mean of ([the answer is right] - [the true class is the label]), from -1 to 1

    The interval is that of paired rows, and so narrower than the two accuracies' intervals suggest: rows that both get
    right, or both get wrong, do not count. A refused row was not answered rightly.

    Parameters
    ----------
    scores : of the predictions
    label : the class that is always answered, for example the most frequent one in training

    >>> scores = Scores.of(["a", "b", "b"], [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]], ["a", "b"])
    >>> print(gain_over(scores, "b"))
    0.3333 (-0.3200 to 0.9867)
    """
    labels, table, refused = scores.confusion
    n = float(table.sum() + refused.sum())
    better = sum(float(table[i, i]) for i, true in enumerate(labels) if true != label)
    worse = sum(float(table[i].sum() + refused[i] - table[i, i]) for i, true in enumerate(labels) if true == label)
    value = (better - worse) / n if n else 0.0
    return mean(value, better + worse - n * value * value, n, -1.0, 1.0)
