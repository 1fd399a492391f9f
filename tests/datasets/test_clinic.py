"""The clinic: its posterior is the true one, and its risks are exact."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from suffice.core.errors import BadInput
from suffice.datasets import make_clinic
from suffice.datasets.population import CLASSES, NOTES, PRIOR, SIGNS
from tests.datasets.cells import KINDS, unseen

BY_NAME = {name: sign for sign in SIGNS for name in sign.names}
PAIR, LINKED = BY_NAME["temperature"], BY_NAME["cough"]
ZERO_ONE = 1.0 - np.eye(3)
PATTERNS = tuple(itertools.product((False, True, None), repeat=3))


@pytest.fixture(scope="module")
def large():
    """Enough patients for frequencies to speak."""
    return make_clinic(200_000, 7, text=False)


@pytest.fixture(scope="module")
def small():
    """A few patients with notes and many missing cells."""
    return make_clinic(300, 11, missing=0.3)


# ---------------------------------------------------------------- the posterior, written again, one patient at a time


def pair_density(k, temperature, systolic):
    """The bivariate normal, integrated numerically over a missing cell."""
    (m1, m2), (s1, s2), r = PAIR.mean[k], PAIR.sd[k], PAIR.correlation[k]
    joint = stats.multivariate_normal([m1, m2], [[s1 * s1, r * s1 * s2], [r * s1 * s2, s2 * s2]])
    if math.isnan(temperature) and math.isnan(systolic):
        return 1.0
    if math.isnan(temperature):
        return integrate.quad(lambda t: joint.pdf([t, systolic]), m1 - 12 * s1, m1 + 12 * s1, points=[m1], epsabs=0)[0]
    if math.isnan(systolic):
        return integrate.quad(lambda x: joint.pdf([temperature, x]), m2 - 12 * s2, m2 + 12 * s2, points=[m2], epsabs=0)[
            0
        ]
    return joint.pdf([temperature, systolic])


def linked_probability(k, answers):
    """Sum over the hidden factor and over every way to fill the missing answers."""
    total = 0.0
    for filled in itertools.product((False, True), repeat=len(answers)):
        if all(seen is None or seen == value for seen, value in zip(answers, filled, strict=True)):
            for h in (0, 1):
                factors = [LINKED.given[j, h] if yes else 1.0 - LINKED.given[j, h] for j, yes in enumerate(filled)]
                total += LINKED.hidden[k, h] * math.prod(factors)
    return total


def log_marginal(name, k):
    """Log density of one column by itself, given the class."""
    sign = BY_NAME[name]
    j = sign.names.index(name)
    tables = {
        "age": lambda: stats.beta(sign.a[k], sign.b[k], loc=18, scale=95 - 18).logpdf,
        "crp": lambda: stats.lognorm(sign.sd[k], scale=math.exp(sign.mean[k])).logpdf,
        "temperature": lambda: stats.norm(PAIR.mean[k, j], PAIR.sd[k, j]).logpdf,
        "systolic": lambda: stats.norm(PAIR.mean[k, j], PAIR.sd[k, j]).logpdf,
        "visits": lambda: stats.poisson(sign.rate[k]).logpmf,
        "medicines": lambda: stats.poisson(sign.rate[k]).logpmf,
        "admitted": lambda: lambda day: np.full(len(day), -math.log(366)),
    }
    if name in tables:
        return tables[name]()
    yes = LINKED.hidden[k] @ LINKED.given[j]
    chances = {False: 1 - yes, True: yes} if sign is LINKED else dict(zip(sign.labels, sign.table[k], strict=True))
    return lambda cells: np.array([math.log(chances[cell]) for cell in cells])


def log_marginals(clinic, names):
    """Sum of the columns' own log densities (n, K); a missing cell adds nothing."""
    total = np.zeros(clinic.posterior.shape)
    for name in names:
        seen = ~unseen(clinic.data[name])
        for k in range(3):
            total[seen, k] += log_marginal(name, k)(clinic.data[name][seen])
    return total


def notes_probability(k, note):
    """Multinomial probability of the words, given their number."""
    if note is None:
        return 1.0
    counts = [note.split().count(word) for word in NOTES.words]
    return stats.multinomial(sum(counts), NOTES.table[k]).pmf(counts)


def brute_force(clinic, rows):
    """Bayes' rule, row by row, class by class."""
    alone = log_marginals(clinic, [name for name, sign in BY_NAME.items() if sign is not PAIR and sign is not LINKED])
    weights = np.empty((rows, 3))
    for i, k in itertools.product(range(rows), range(3)):
        pair = pair_density(k, *(clinic.data[name][i] for name in PAIR.names))
        linked = linked_probability(k, [clinic.data[name][i] for name in LINKED.names])
        notes = notes_probability(k, clinic.data["notes"][i])
        weights[i, k] = clinic.prior[k] * math.exp(alone[i, k]) * pair * linked * notes
    return weights / weights.sum(axis=1, keepdims=True)


def test_posterior_is_bayes_rule(small):
    """Every kind of column is missing somewhere among the rows compared, and each pair of linked ones too."""
    for name in set(KINDS) - {"patient"}:
        assert 0 < unseen(small.data[name])[:50].sum() < 50
    both = [unseen(small.data[name])[:50] for name in ("temperature", "systolic")]
    assert {(bool(a), bool(b)) for a, b in zip(*both, strict=True)} == set(itertools.product((False, True), repeat=2))
    np.testing.assert_allclose(small.posterior[:50], brute_force(small, 50), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("prior", [(0.2, 0.5, 0.3), {"pneumonia": 0.98, "flu": 0.01, "cold": 0.01}])
def test_posterior_follows_the_given_prior(prior):
    clinic = make_clinic(20, 5, prior=prior)
    shares = [prior[c] for c in CLASSES] if isinstance(prior, dict) else prior
    np.testing.assert_allclose(clinic.prior, shares, rtol=1e-15)
    np.testing.assert_allclose(clinic.posterior, brute_force(clinic, 20), rtol=1e-9, atol=1e-12)


def test_rows_sum_to_one(large, small):
    for clinic in (large, small):
        assert np.abs(clinic.posterior.sum(axis=1) - 1.0).max() < 1e-12
        assert (clinic.posterior >= 0).all()


def test_without_any_cell_the_posterior_is_the_prior():
    clinic = make_clinic(4000, 3, missing=0.99)
    blank = np.all([unseen(clinic.data[name]) for name in set(KINDS) - {"patient"}], axis=0)
    assert blank.sum() > 3000
    np.testing.assert_allclose(clinic.posterior[blank], np.tile(PRIOR, (blank.sum(), 1)), rtol=1e-14)


# ---------------------------------------------------------------------- the posterior against what was actually drawn


def off_by(clinic, rows):
    """How far the class frequencies of some rows are from the mean posterior, in standard errors."""
    p = clinic.posterior[rows]
    hits = clinic.target[rows][:, None] == np.array(CLASSES)
    return np.abs((hits - p).sum(axis=0)) / np.sqrt((p * (1 - p)).sum(axis=0))


def test_calibrated_in_groups_of_the_posterior(large):
    for k in range(3):
        groups = np.digitize(large.posterior[:, k], np.linspace(0, 1, 21)[1:-1])
        for g in range(20):
            assert off_by(large, groups == g)[k] < 4


@pytest.mark.parametrize("name", sorted(set(KINDS) - {"patient", "notes"}))
def test_calibrated_in_groups_of_a_column(large, name):
    column = large.data[name]
    gone = unseen(column)
    assert off_by(large, gone).max() < 4
    if KINDS[name] in ("quantitative", "date"):
        rank = column[~gone].astype(np.float64)
        groups = np.searchsorted(np.quantile(rank, np.arange(1, 10) / 10), column.astype(np.float64))
    else:
        groups = np.array([-1 if lost else cell for cell, lost in zip(column, gone, strict=True)], dtype=object)
    for g in set(groups[~gone].tolist()):
        rows = (groups == g) & ~gone
        if rows.sum() >= 200:
            assert off_by(large, rows).max() < 4


def test_calibrated_in_groups_of_linked_columns(large):
    """The joint answers, missing ones included, and the side of the pair's diagonal on which a patient lies."""
    answers = [large.data[name] for name in LINKED.names]
    for pattern in PATTERNS:
        rows = np.all([[cell is a for cell in column] for a, column in zip(pattern, answers, strict=True)], axis=0)
        if rows.sum() >= 200:
            assert off_by(large, rows).max() < 4
    warm, high = large.data["temperature"] > 38, large.data["systolic"] > 120
    alone = np.isnan(large.data["temperature"]) ^ np.isnan(large.data["systolic"])
    corners = [a & b for a in (warm, ~warm) for b in (high, ~high)]
    groups = [rows & part for rows in corners for part in (alone, ~alone)]
    for rows in groups[1:]:  # nobody is above both limits with one cell alone
        assert off_by(large, rows).max() < 4
    assert not groups[0].any()


def test_calibrated_with_notes():
    clinic = make_clinic(30_000, 13)
    notes = [set((note or "").split()) for note in clinic.data["notes"]]
    for word in NOTES.words:
        assert off_by(clinic, np.array([word in note for note in notes])).max() < 4
    for k in range(3):
        groups = np.digitize(clinic.posterior[:, k], np.linspace(0, 1, 11)[1:-1])
        for g in range(10):
            assert off_by(clinic, groups == g)[k] < 4


@pytest.mark.parametrize("prior", [None, (0.2, 0.3, 0.5), {"cold": 0.0, "flu": 0.75, "pneumonia": 0.25}])
def test_class_frequencies_match_the_prior(prior):
    clinic = make_clinic(50_000, 1, prior=prior, text=False)
    for label, share in zip(CLASSES, clinic.prior, strict=True):
        off = np.mean(clinic.target == label) - share
        assert abs(off) <= 4 * math.sqrt(share * (1 - share) / 50_000)


def test_a_class_of_prior_zero_never_comes():
    for prior in itertools.permutations((0.0, 0.3, 0.7)):
        clinic = make_clinic(500, 2, prior=prior)
        k = prior.index(0.0)
        assert CLASSES[k] not in clinic.target
        assert (clinic.posterior[:, k] == 0.0).all()


@pytest.mark.parametrize("missing", [0.0, 0.05, 0.5])
def test_share_of_missing_cells(missing):
    clinic = make_clinic(20_000, 4, missing=missing)
    lost = {name: unseen(column) for name, column in clinic.data.items()}
    assert not lost.pop("patient").any()
    assert set(clinic.target) == set(CLASSES)
    for name, gone in lost.items():
        assert abs(gone.mean() - missing) <= 4 * math.sqrt(missing * (1 - missing) / 20_000), name
    for a, b in itertools.combinations(lost.values(), 2):  # one cell's absence tells nothing about another's
        assert abs((a & b).mean() - missing**2) <= 5 * math.sqrt(missing**2 * (1 - missing**2) / 20_000)


# ----------------------------------------------------------------------------------------------------- risk and regret


def best_of(clinic):
    """The answers of the Bayes-optimal rule."""
    return np.array(CLASSES)[clinic.posterior.argmax(axis=1)]


def naive_of(clinic):
    """The answers of naive Bayes that knows the true prior and the true distribution of each column."""
    return np.array(CLASSES)[(np.log(PRIOR) + log_marginals(clinic, BY_NAME)).argmax(axis=1)]


def test_distance_from_the_optimum_is_an_experiment(large):
    """P.M007: draw from a chosen distribution and report how far the risk of a rule is from the Bayes-optimal risk."""
    optimum = large.bayes_risk()
    best, naive, common = best_of(large), naive_of(large), np.full(200_000, "cold")
    assert large.regret(best) == 0.0
    assert optimum == pytest.approx(1 - large.posterior.max(axis=1).mean(), abs=1e-12)
    # The dependence is real: even with nothing left to learn, naive Bayes stays percents above the optimum.
    assert 0.02 < large.regret(naive) < large.regret(common)
    assert large.risk(naive) == pytest.approx(optimum + large.regret(naive), abs=1e-12)
    # The errors actually made scatter about the risk, which is free of that scatter.
    for answers in (best, naive, common):
        chance = 1 - large.posterior[np.arange(200_000), np.searchsorted(CLASSES, answers)]
        error = np.mean(answers != large.target) - large.risk(answers)
        assert abs(error) <= 4 * math.sqrt(np.sum(chance * (1 - chance))) / 200_000


def test_notes_help():
    with_notes, without = (make_clinic(20_000, 5, text=text) for text in (True, False))
    assert with_notes.bayes_risk() < without.bayes_risk() - 0.01


def test_the_latent_factor_and_the_correlation_each_matter(large):
    """Taking only one of the two dependences into account leaves regret as well."""
    log_true, log_naive = np.log(large.posterior), np.log(PRIOR) + log_marginals(large, BY_NAME)
    own = log_marginals(large, LINKED.names)
    joint = np.log([[linked_probability(k, list(p)) for k in range(3)] for p in PATTERNS])
    place = {pattern: i for i, pattern in enumerate(PATTERNS)}
    rows = [place[cells] for cells in zip(*(large.data[name].tolist() for name in LINKED.names), strict=True)]
    change = joint[rows] - own
    for partly in (log_naive + change, log_true - change):
        assert 0.001 < large.regret(np.array(CLASSES)[partly.argmax(axis=1)]) < large.regret(naive_of(large))


answers = st.lists(st.sampled_from([*CLASSES, None, "measles", 3, math.nan]), min_size=8, max_size=8)
costs = st.lists(st.floats(-100, 100), min_size=9, max_size=9)


@settings(max_examples=200, deadline=None)
@given(answers=answers, costs=st.none() | costs, reject=st.floats(-10, 10), seed=st.integers(0, 5))
def test_regret_is_never_negative(answers, costs, reject, seed):
    """And it is the risk less the Bayes risk, for any answers, costs and price of refusing."""
    clinic = make_clinic(8, seed)
    costs = None if costs is None else np.reshape(costs, (3, 3))
    regret = clinic.regret(answers, costs, reject)
    assert regret >= 0.0
    assert regret == pytest.approx(clinic.risk(answers, costs, reject) - clinic.bayes_risk(costs, reject), abs=1e-12)


def test_costs_and_refusals_by_hand(small):
    """Expected costs summed in plain Python; the cheapest answer has no regret, refusing included."""
    table = [[0, 5, 1], [2, 0, 3], [40, 10, 0]]
    price = [
        [math.fsum(p * row[a] for p, row in zip(post, table, strict=True)) for a in range(3)] + [1.5]
        for post in small.posterior.tolist()
    ]
    labels = [*CLASSES, None]
    cheapest = [labels[row.index(min(row))] for row in price]
    assert set(cheapest) == set(labels)
    assert small.regret(cheapest, table, 1.5) == pytest.approx(0.0, abs=1e-12)
    assert small.bayes_risk(table, 1.5) == pytest.approx(np.mean([min(row) for row in price]), abs=1e-12)
    assert small.bayes_risk(table) == pytest.approx(np.mean([min(row[:3]) for row in price]), abs=1e-12)
    assert small.risk(["flu"] * 299 + ["no idea"], table, 1.5) == pytest.approx(
        np.mean([row[1] for row in price[:299]] + [1.5]), abs=1e-12
    )
    assert small.risk([None] * 300, reject=0.25) == 0.25
    assert small.risk(small.target, ZERO_ONE) == pytest.approx(small.risk(small.target), abs=1e-12)
    assert small.bayes_risk(ZERO_ONE) == pytest.approx(small.bayes_risk(), abs=1e-12)


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_predictions_may_be_a_column_of_any_table(small, backend):
    column = small.frame(backend, target=True)["diagnosis"]
    assert small.risk(column) == small.risk(small.target) == small.risk(small.target.tolist())


@pytest.mark.parametrize("method", ["risk", "regret"])
@pytest.mark.parametrize(
    ("predictions", "options", "message"),
    [
        (["cold"] * 4, {}, r"predictions must be one label for each of the 5 rows, got \(4,\)"),
        ([["cold"]] * 5, {}, "predictions must be one label for each of the 5 rows"),
        ("cold", {}, "predictions must be one label for each of the 5 rows"),
        (["cold"] * 4 + [None], {}, r"predictions must be labels out of .*, got None. Give reject= to price refusals"),
        (["flu", "measles", *["cold"] * 3], {}, "predictions must be labels out of .*, got 'measles'"),
        ([0, 1, 2, 0, 1], {}, "predictions must be labels out of .*, got 0"),
        (["cold"] * 5, {"costs": [1, 2, 3]}, "costs must be a 3 x 3 table of finite numbers"),
        (["cold"] * 5, {"costs": np.full((3, 3), np.inf)}, "costs must be a 3 x 3 table of finite numbers"),
        (["cold"] * 5, {"costs": "dear"}, "costs must be a 3 x 3 table of finite numbers"),
        (["cold"] * 5, {"reject": math.nan}, "reject must be a finite cost, got nan"),
        (["cold"] * 5, {"reject": "cheap"}, "reject must be a finite cost, got 'cheap'"),
    ],
)
def test_bad_answers(method, predictions, options, message):
    with pytest.raises(BadInput, match=r"^Clinic: " + message):
        getattr(make_clinic(5, 0), method)(predictions, **options)


def test_no_risk_without_rows():
    with pytest.raises(BadInput, match=r"^Clinic: data must be a table with at least one row, got 0"):
        make_clinic(0).bayes_risk()
