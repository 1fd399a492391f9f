"""Tables of components filled by several threads: the same numbers, and impossible levels noted once."""

import numpy as np
import pytest
import scipy.sparse as sp

from suffice import BernoulliNB
from suffice.numerics import components
from suffice.numerics.components import LARGE, by_components

pytestmark = pytest.mark.filterwarnings("error")  # a thread's settings of NumPy's errors are its own


def test_each_run_of_components_is_worked_on_once_whoever_works(monkeypatch):
    """A large table asks for threads, a small one does not."""
    asked, table = [], np.zeros((7, 3))
    monkeypatch.setattr(components, "threads_of_ours", lambda: asked.append(True) or 2)

    def work(some):
        table[some] += 1

    cuts = [slice(k, k + 1) for k in range(7)]
    by_components(work, cuts, LARGE)
    assert asked == [True]
    by_components(work, cuts, LARGE - 1)
    assert asked == [True]
    assert (table == 2).all()


@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_words_in_threads_are_those_of_one(monkeypatch, alpha):
    """With alpha 0, words that a class never has are impossible there: each thread notes its own."""
    rng = np.random.default_rng(0)
    words, K = 40_000, 8
    X = sp.random_array((400, words), density=0.02, format="csr", rng=rng)
    y = np.arange(400) % K
    answers = []
    for threads in (1, 2):
        monkeypatch.setattr(components, "threads_of_ours", lambda threads=threads: threads)
        model = BernoulliNB(alpha=alpha, force_alpha=True).fit(X, y)
        answers.append(model.predict_joint_log_proba(X))
    assert K * words >= LARGE
    assert np.isneginf(answers[0]).any() == (alpha == 0)
    np.testing.assert_array_equal(*answers)
