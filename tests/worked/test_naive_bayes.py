"""The sources' worked numbers of naive Bayes, through the estimators. Each test names its rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from suffice import BernoulliNB, CategoricalNB, MultinomialNB, NaiveBayes
from suffice.bayes import LearnedPrior
from suffice.core.errors import BadInput
from suffice.families import Dirichlet, MEstimate, Multinomial, Reading, TruncatedCounts

MAILS = ["bdebbde", "bcebbddecc", "adadeaee", "badbedab", "abababaed", "acacacaed", "eaedaea", "deded"]
Y = ["+"] * 4 + ["-"] * 4  # spam and ham; classes sort as +, -
COUNTS = np.array([[mail.count(word) for word in "abc"] for mail in MAILS])  # d and e are stop words
BITS = np.minimum(COUNTS, 1)
PLUS, MINUS = 0, 1


def bernoulli(**parameters: Any) -> NaiveBayes:
    cells = {word: (BITS[:, j] > 0).tolist() for j, word in enumerate("abc")}
    return NaiveBayes(**parameters).fit(cells, Y)


def yes_no(a: bool, b: bool, c: bool) -> dict[str, list[bool]]:
    return {"a": [a], "b": [b], "c": [c]}


def likelihoods(model: Any, X: Any) -> Any:
    """p(x | class) of the one row asked."""
    return np.exp(model.predict_joint_log_proba(X)[0] - model.fitted_.model.log_prior)


def test_multinomial_estimates_of_the_mails() -> None:
    """P.W28, P.M045: sums (5, 9, 3) and (11, 3, 3); theta+ = (0.3, 0.5, 0.2), theta- = (0.6, 0.2, 0.2)."""
    model = MultinomialNB().fit(COUNTS, Y)
    assert model.feature_count_.tolist() == [[5, 9, 3], [11, 3, 3]]
    np.testing.assert_allclose(np.exp(model.feature_log_prob_), [[0.3, 0.5, 0.2], [0.6, 0.2, 0.2]], rtol=1e-14)


def test_bernoulli_estimates_of_the_mails() -> None:
    """P.W29, P.M044: sums (2, 3, 1) and (3, 1, 1); theta+ = (3/6, 4/6, 2/6), theta- = (4/6, 2/6, 2/6)."""
    model = BernoulliNB().fit(COUNTS, Y)
    assert model.feature_count_.tolist() == [[2, 3, 1], [3, 1, 1]]
    np.testing.assert_allclose(np.exp(model.feature_log_prob_) * 6, [[3, 4, 2], [4, 2, 2]], rtol=1e-14)
    assert model.class_count_.tolist() == [4, 4]  # e8 has no words, but is a document


def test_bernoulli_likelihoods() -> None:
    """P.W24, P.M197: p(x | +) = 2/9 and p(x | -) = 4/27 for x = (1, 1, 0)."""
    expected = {PLUS: 2 / 9, MINUS: 4 / 27}
    for model, x in ((bernoulli(), yes_no(True, True, False)), (BernoulliNB().fit(BITS, Y), [[1, 1, 0]])):
        p = likelihoods(model, x)
        assert p[PLUS] == pytest.approx(expected[PLUS], rel=1e-14)
        assert p[MINUS] == pytest.approx(expected[MINUS], rel=1e-14)


def test_likelihood_ratio_and_decisions() -> None:
    """P.W25: LR 3/2; with shares 1/3 and 2/3 the posterior odds are 3/4: ML says spam, MAP says ham."""
    model = bernoulli(prior={"+": 1 / 3, "-": 2 / 3})
    x = yes_no(True, True, False)
    p = model.predict_proba(x)[0]
    assert p[PLUS] / p[MINUS] == pytest.approx(3 / 4, rel=1e-14)
    assert model.predict(x).tolist() == ["-"]
    assert model.predict(x, prior="uniform").tolist() == ["+"]


def test_multinomial_likelihoods() -> None:
    """P.W26: 0.054 and 0.1728 for x = (3, 1, 0); LR = 5/16: ML says ham."""
    model = NaiveBayes(kinds={"mail": "text"}, families={"mail": Multinomial(Dirichlet({"aa": 1, "bb": 1, "cc": 1}))})
    model.fit({"mail": [" ".join(2 * word for word in mail if word in "abc") for mail in MAILS]}, Y)
    p = likelihoods(model, {"mail": ["aa aa aa bb"]})
    assert p[PLUS] == pytest.approx(0.054, rel=1e-13)
    assert p[MINUS] == pytest.approx(0.1728, rel=1e-13)
    odds = MultinomialNB(class_prior=[0.5, 0.5]).fit(COUNTS, Y).predict_proba([[3, 1, 0]])[0]
    assert odds[PLUS] / odds[MINUS] == pytest.approx(5 / 16, rel=1e-13)


def test_presence_doubles_and_absence_halves() -> None:
    """P.W27, P.M046: word b present doubles the odds, absent it contributes 1/2."""
    model = bernoulli()
    j = 1
    present = model.explain(yes_no(True, True, False), target="+", versus="-").contributions[0, j]
    absent = model.explain(yes_no(True, False, False), target="+", versus="-").contributions[0, j]
    assert math.exp(present) == pytest.approx(2.0, rel=1e-14)
    assert math.exp(absent) == pytest.approx(0.5, rel=1e-14)


def test_a_word_listed_twice() -> None:
    """P.W31, P.M055: LR 3 instead of 3/2; posterior 0.75 instead of 0.6 at even shares."""
    twice = BernoulliNB(class_prior=[0.5, 0.5]).fit(BITS[:, [0, 1, 1, 2]], Y)
    once = BernoulliNB(class_prior=[0.5, 0.5]).fit(BITS, Y)
    assert once.predict_proba([[1, 1, 0]])[0, PLUS] == pytest.approx(0.6, rel=1e-14)
    assert twice.predict_proba([[1, 1, 1, 0]])[0, PLUS] == pytest.approx(0.75, rel=1e-14)


def test_estimates_with_m_virtual_rows() -> None:
    """P.W30: (d + p m) / (n + m) with d = 5, n = 17: 3/10 for m = 3, 6/19 for m = 2 and p = 1/2, 5/17 for m = 0."""
    yes = [[1, 0]] * 5 + [[0, 1]] * 12

    def share(prior: Any) -> float:
        cells = {"x": ["hit" if row[0] else "miss" for row in yes]}
        from suffice.families.counts.categorical import Categorical

        family = Categorical(prior, vocabulary=("hit", "miss", "other"))
        model = NaiveBayes(families={"x": family}).fit(cells, ["only"] * 17)
        return math.exp(float(model.predict_joint_log_proba({"x": ["hit"]})[0, 0]))

    assert share(MEstimate(3.0)) == pytest.approx(3 / 10, rel=1e-14)
    assert share(MEstimate(2.0, {"hit": 0.5, "miss": 0.5})) == pytest.approx(6 / 19, rel=1e-14)
    assert share(MEstimate(0.0)) == pytest.approx(5 / 17, rel=1e-14)


def test_the_mails_as_texts_of_a_fixed_vocabulary() -> None:
    """P.W28, P.M041: the words a, b, c of the mails themselves; d and e are outside and ignored, none is unknown."""
    words = CountVectorizer(analyzer="char", vocabulary=list("abc"))
    model = NaiveBayes(kinds={"mail": "text"}, analyzer=words).fit({"mail": MAILS}, Y)
    asked = ["aaab", "abc", "dedde", "aaabfgh"]
    theta = np.array([[0.3, 0.5, 0.2], [0.6, 0.2, 0.2]])
    counts = np.array([[mail.count(word) for word in "abc"] for mail in asked])
    odds = counts @ np.log(theta[PLUS] / theta[MINUS])
    logs = model.predict_log_proba({"mail": asked})
    np.testing.assert_allclose(logs[:, PLUS] - logs[:, MINUS], odds, rtol=1e-12, atol=1e-14)


def test_class_shares() -> None:
    """P.W95, P.M194, P.M195: counts (3, 0, 7) of 3 classes give (4/13, 1/13, 8/13) with one pseudo-count each."""
    y = [0] * 3 + [2] * 7
    model = MultinomialNB().partial_fit(np.ones((10, 1)), y, classes=[0, 1, 2])
    np.testing.assert_allclose(np.exp(model.class_log_prior_), [0.3, 0.0, 0.7], rtol=1e-14)
    smoothed = NaiveBayes(prior=Dirichlet(1.0)).fit({"x": [1.0] * 10}, y)
    np.testing.assert_allclose(smoothed.predict_proba({"x": [1.0]})[0], [4 / 12, 8 / 12], rtol=1e-14)  # 1 has no rows
    declared = NaiveBayes(prior=Dirichlet(1.0), classes=[0, 1, 2]).fit({"x": [1.0] * 10}, y)
    np.testing.assert_allclose(declared.predict_proba({"x": [1.0]})[0], [4 / 13, 1 / 13, 8 / 13], rtol=1e-14)


@pytest.mark.parametrize("counts", [(3, 0, 7), (1, 1, 1), (0, 0, 5), (2, 9, 4)])
@pytest.mark.parametrize("alpha", [1.0, 2.0, 3.5, {0: 1.0, 1: 4.0, 2: 2.5}])
def test_class_shares_as_posterior_mean_and_as_mode(counts: tuple[int, ...], alpha: Any) -> None:
    """P.M195: (N_c + a_c) / (N + sum a) and (N_c + a_c - 1) / (N + sum a - C); 1 for the mean is 2 for the mode."""
    y, C = np.repeat([0, 1, 2], counts).tolist(), 3
    N, a = len(y), [alpha[c] if isinstance(alpha, dict) else alpha for c in range(C)]

    def shares(prior: Any) -> Any:
        model = NaiveBayes(prior=prior, classes=list(range(C))).fit({"x": [1.0] * N}, y)
        return model.predict_proba({"x": [None]})[0]

    mean = [(n + a_c) / (N + sum(a)) for n, a_c in zip(counts, a, strict=True)]
    mode = [(n + a_c - 1) / (N + sum(a) - C) for n, a_c in zip(counts, a, strict=True)]
    np.testing.assert_allclose(shares(Dirichlet(alpha)), mean, rtol=1e-14)
    np.testing.assert_allclose(shares(LearnedPrior(Dirichlet(alpha), Reading.MEAN)), mean, rtol=1e-14)
    np.testing.assert_allclose(shares(LearnedPrior(Dirichlet(alpha), Reading.MODE)), mode, rtol=1e-14)
    laplace = [(n + 1) / (N + C) for n in counts]
    np.testing.assert_allclose(shares(Dirichlet(1.0)), laplace, rtol=1e-14)
    np.testing.assert_allclose(shares(LearnedPrior(Dirichlet(2.0), Reading.MODE)), laplace, rtol=1e-14)


def test_a_mode_needs_a_whole_row_in_every_class() -> None:
    """P.M195: N_c + a_c of at least 1; a declared class without rows has a_c alone."""
    prior, rows, y = LearnedPrior(Dirichlet(0.5), Reading.MODE), {"x": [1.0] * 4}, ["a", "a", "b", "b"]
    NaiveBayes(prior=prior).fit(rows, y)
    with pytest.raises(
        BadInput, match=r"every count plus its pseudo-count is at least 1 for the mode, got 0\.5\. Raise"
    ):
        NaiveBayes(prior=prior, classes=["a", "b", "c"]).fit(rows, y)


def test_predictive_of_the_word_counts() -> None:
    """P.W98, P.M198, P.M199: predictive 0.0632 and 0.1644 against plug-in 0.054 and 0.1728; Bernoulli is the same."""
    text = {"mail": [" ".join(2 * word for word in mail if word in "abc") for mail in MAILS]}
    prior = Dirichlet({"aa": 1, "bb": 1, "cc": 1})

    def asked(reading: Reading) -> Any:
        family = Multinomial(prior, reading)
        model = NaiveBayes(kinds={"mail": "text"}, families={"mail": family}).fit(text, Y)
        return likelihoods(model, {"mail": ["aa aa aa bb"]})

    whole, plug_in = asked(Reading.PREDICTIVE), asked(Reading.MEAN)
    assert (round(whole[PLUS], 4), round(whole[MINUS], 4)) == (0.0632, 0.1644)
    assert round(whole[PLUS] / whole[MINUS], 4) == 0.3846
    np.testing.assert_allclose(plug_in, [0.054, 0.1728], rtol=1e-13)


def test_truncated_counts_of_the_mails() -> None:
    """P.W99, P.M200, P.M201: N of word b in spam (1, 0, 3); likelihoods 0.034985 and 0.046647; LR 0.75."""
    text = {"mail": [" ".join(2 * word for word in mail if word in "abc") for mail in MAILS]}
    model = NaiveBayes(kinds={"mail": "text"}, families={"mail": TruncatedCounts(3)}).fit(text, Y)
    counts = model.summary_.summary.parts[0].parts[1]  # type: ignore[attr-defined]
    found = dict(zip(counts.labels[0], counts.rows[PLUS].tolist(), strict=True))
    assert (found.get(("bb", 1), 0), found["bb", 2]) == (0, 3)
    p = likelihoods(model, {"mail": ["aa aa aa bb"]})
    assert (round(p[PLUS], 6), round(p[MINUS], 6)) == (0.034985, 0.046647)
    assert p[PLUS] / p[MINUS] == pytest.approx(0.75, rel=1e-13)


def test_posterior_as_softmax_and_sigmoid() -> None:
    """P.W100, P.M203, P.M204, P.M205: softmax (0.6, 0.4), sigmoid 0.6, Bayes' rule 0.6."""
    model = bernoulli(prior="uniform")
    x = yes_no(True, True, False)
    linear = model.coefficients()
    assert linear.predict_proba(x)[0, PLUS] == pytest.approx(0.6, rel=1e-14)
    bias, w = linear.weights("+", "-")
    assert 1 / (1 + math.exp(-bias - w @ linear.design(x)[0])) == pytest.approx(0.6, rel=1e-14)
    assert model.predict_proba(x)[0, PLUS] == pytest.approx(0.6, rel=1e-14)


def test_posteriors_far_below_the_smallest_float() -> None:
    """P.M206, C.M07.03: logs against underflow: 2,000 columns, each halving the density."""
    X = np.random.default_rng(0).normal(size=(40, 2000))
    model = NaiveBayes().fit(X, np.arange(40) % 2)
    joint = model.predict_joint_log_proba(X)
    assert joint.max() < -1200
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0, rtol=1e-14)


def test_a_declared_value_never_seen() -> None:
    """C.M07.09, C.R55: count 0 of 10, 4 declared values, alpha 1: 1/14."""
    model = CategoricalNB(min_categories=4).fit([[i % 3] for i in range(10)], [0] * 10)
    assert math.exp(model.feature_log_prob_[0][0, 3]) == pytest.approx(1 / 14, rel=1e-14)
    declared = NaiveBayes(kinds={"x": list("abcd")}).fit({"x": list("abcabcabca")}, [0] * 10)
    assert math.exp(declared.predict_joint_log_proba({"x": ["d"]})[0, 0]) == pytest.approx(1 / 14, rel=1e-14)


def test_gaussian_naive_bayes_with_zero_variance() -> None:
    """P.M059, C.M07.05, P.M196: one mean and sd per class and feature; a column constant in a class stays finite."""
    X, y = [[1.0, 5.0], [1.0, 7.0], [2.0, 1.0], [4.0, 3.0]], [0, 0, 1, 1]
    model = NaiveBayes().fit(X, y)
    normal = model.fitted_.model.factors.distributions[0]
    np.testing.assert_allclose(normal.mean.value, [[1.0, 6.0], [3.0, 2.0]], rtol=1e-15)
    spread = np.var(X, axis=0)  # one virtual row as spread out as the whole column
    np.testing.assert_allclose(normal.variance, (spread + 2 * np.array([[0.0, 1.0], [1.0, 1.0]])) / 3, rtol=1e-14)
    assert np.isfinite(model.predict_log_proba([[1.0, 6.0], [50.0, -50.0]])).all()


def test_accuracy_of_the_mushroom_table() -> None:
    """C.W12: predicted edible 2089 edible and 221 poisonous, predicted poisonous 15 and 1737, of 4062 rows.

    The rows are made to have that table: the data set itself is not shipped.
    """
    odour = ["none"] * (2089 + 221) + ["foul"] * (15 + 1737)
    truth = np.array(["edible"] * 2089 + ["poisonous"] * 221 + ["edible"] * 15 + ["poisonous"] * 1737)
    model = NaiveBayes().fit({"odour": odour}, truth)
    predicted = model.predict({"odour": odour})
    table = {(p, t): int(((predicted == p) & (truth == t)).sum()) for p in model.classes_ for t in model.classes_}
    assert table == {
        ("edible", "edible"): 2089,
        ("edible", "poisonous"): 221,
        ("poisonous", "edible"): 15,
        ("poisonous", "poisonous"): 1737,
    }
    assert sum(table.values()) == 4062
    assert model.summary_.tally.rows.tolist() == [2104, 1958]
    assert model.score({"odour": odour}, truth) == 3826 / 4062
    np.testing.assert_allclose(np.exp(model.fitted_.model.log_prior), [2104 / 4062, 1958 / 4062], rtol=1e-15)
    shares = model.predict_proba({"odour": ["none", "foul"]})  # one pseudo-count for each odour and for unseen ones
    joint = np.array([[2090 / 2107 * 2104, 222 / 1961 * 1958], [16 / 2107 * 2104, 1738 / 1961 * 1958]])
    np.testing.assert_allclose(shares, joint / joint.sum(axis=1, keepdims=True), rtol=1e-13)
    cautious = {("poisonous", "edible"): 9.0, ("edible", "poisonous"): 1.0}
    assert model.predict({"odour": ["none"]}, costs=cautious).tolist() == ["edible"]  # 9 * 0.096 < 0.904 < 10 * 0.096
    cautious["poisonous", "edible"] = 10.0
    assert model.predict({"odour": ["none"]}, costs=cautious).tolist() == ["poisonous"]
