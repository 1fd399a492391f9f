"""Numbers of the sources about densities without a parametric form and about kernel regression."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.model_selection import GridSearchCV

from suffice import KernelDensity, KernelRegression, NaiveBayes
from suffice.core.block import Array
from suffice.core.shares import Shares
from suffice.families.windows.histogram import EqualWidth, Histogram
from suffice.families.windows.ranked import FixedWidth
from suffice.families.windows.window_density import WindowDensity
from suffice.families.windows.windows import GaussianWindow, check_window

X, Y, PLACE = [[0.0], [1.0], [2.0]], [0.0, 1.0, 4.0], [[1.2]]


def two_classes(n: int = 400) -> tuple[Array, Array]:
    """Two columns; one class on a ring-like cross of four heaps, the other spread evenly: no normals."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    heaps = rng.choice([-1.5, 1.5], (n, 2)) + rng.normal(0, 0.2, (n, 2))
    return np.where(y[:, None] == 1, heaps, rng.uniform(-2.6, 2.6, (n, 2))), y


def test_three_points_by_every_formula() -> None:
    """C.R41, C.M06.10, C.M06.11, C.M06.12, C.M06.14: x = 0, 1, 2 with y = 0, 1, 4, bandwidth 1, at 1.2."""
    regression = KernelRegression(bandwidth=1.0).fit(X, Y)
    assert regression.predict(PLACE)[0] == pytest.approx(1.771372, abs=5e-7)
    chao = KernelRegression(bandwidth=1.0, method="priestley-chao").fit(X, Y)
    assert chao.predict(PLACE)[0] == pytest.approx(1.549809, abs=5e-7)
    density = np.exp(KernelDensity(bandwidth=1.0).fit(X).score_samples(PLACE))[0]
    assert density == pytest.approx(0.291640, abs=5e-7)
    assert density == pytest.approx(np.mean([GaussianWindow()(1.2 - x) for (x,) in X]), rel=1e-13)


def test_priestley_chao_of_a_constant() -> None:
    """C.R06, C.M06.12: about 1 inside, whatever the order of the rows; the bare formula on falling rows gives -1."""
    x = np.sort(np.random.default_rng(6).uniform(0, 10, 400))
    h = 0.3
    falling = x[::-1]
    bare = float(np.sum(np.diff(falling) * GaussianWindow()((5 - falling[1:]) / h)) / h)
    assert bare == pytest.approx(-1.0, abs=0.05)
    for rows in (x, falling, np.random.default_rng(7).permutation(x)):
        model = KernelRegression(bandwidth=h, method="priestley-chao").fit(rows[:, None], np.ones(400))
        assert model.predict([[5.0]])[0] == pytest.approx(1.0, abs=0.05)
        assert model.predict([[5.0]])[0] == pytest.approx(np.sum(np.diff(x) * GaussianWindow()((5 - x[1:]) / h)) / h)
        assert model.predict([[0.0], [10.0]]) == pytest.approx(0.5, abs=0.15)  # low at the ends
    mean = KernelRegression(bandwidth=h).fit(x[:, None], np.ones(400))
    assert mean.predict([[5.0], [0.0], [10.0], [99.0]]) == pytest.approx(1.0, abs=1e-13)


def test_the_normaliser_of_a_window_density() -> None:
    """C.E04, C.M06.14: 1 / (N h) sum K integrates to 1; the plain sum of windows integrates to N h."""
    x, h = np.random.default_rng(4).normal(size=50), 0.4
    model = KernelDensity(bandwidth=h).fit(x[:, None])
    area = quad(lambda q: float(np.exp(model.score_samples([[q]]))[0]), -12, 12, limit=200)[0]
    assert area == pytest.approx(1.0, abs=1e-8)
    plain = quad(lambda q: float(GaussianWindow()((q - x) / h).sum()), -12, 12, limit=200)[0]
    assert plain == pytest.approx(50 * h, rel=1e-8)
    at = np.linspace(-3, 3, 7)[:, None]
    np.testing.assert_allclose(
        np.exp(model.score_samples(at)), GaussianWindow()((at - x) / h).sum(axis=1) / (50 * h), rtol=1e-12
    )


def test_the_gaussian_window_keeps_the_contract() -> None:
    """C.M06.09, C.M06.10: K(0) = 1 / sqrt(2 pi), and the three conditions hold."""
    assert GaussianWindow()(0.0) == pytest.approx(1 / np.sqrt(2 * np.pi), rel=1e-15)
    assert GaussianWindow()(-1.3) == GaussianWindow()(1.3)
    assert check_window(GaussianWindow()).holds


def test_histograms_depend_on_their_bins() -> None:
    """P.M061, C.M06.13: bins of one width, heights scaled to unit area; they jump and depend on the bins."""
    x = np.random.default_rng(5).normal(size=20)[:, None]
    R = Shares.hard(np.zeros(20, dtype=np.int32), 1)
    at = np.linspace(x.min(), x.max(), 3001)[:, None]
    heights = []
    for bins in (4, 9):
        family = Histogram(EqualWidth(bins), strength=0.0)
        logs = family.estimate(family.summarize(x, R)).log_cells(at, 0)[:, 0]
        heights.append(np.exp(logs))
        assert len(np.unique(np.round(heights[-1], 12))) <= bins
        assert heights[-1].mean() * (x.max() - x.min()) == pytest.approx(1.0, abs=5e-3)
    assert np.abs(heights[0] - heights[1]).max() > 0.1
    smooth = np.exp(KernelDensity(bandwidth=0.4).fit(x).score_samples(at))
    assert np.abs(np.diff(smooth)).max() < 0.01 * np.abs(np.diff(heights[0])).max()


def test_windows_follow_a_uniform_better_than_a_normal_does() -> None:
    """P.M062, P.M060: draws from U[-2, 2]: the mean error of the density is well below that of a normal."""
    rng = np.random.default_rng(0)
    at = np.linspace(-3, 3, 601)[:, None]
    truth = np.where(np.abs(at[:, 0]) <= 2, 0.25, 0.0)
    for n in (200, 2000):
        x = rng.uniform(-2, 2, (n, 1))
        windows = np.exp(KernelDensity(bandwidth="sheather-jones").fit(x).score_samples(at))
        normal = np.exp(-0.5 * ((at[:, 0] - x.mean()) / x.std()) ** 2) / (x.std() * np.sqrt(2 * np.pi))
        assert np.abs(windows - truth).mean() < 0.6 * np.abs(normal - truth).mean()


def test_naive_bayes_with_densities_of_any_shape() -> None:
    """P.M060, C.M07.06, C.M07.07: histograms or windows per class and column, where normals see no difference."""
    x, y = two_classes()
    train, test = slice(0, 250), slice(250, 400)
    scores = {
        name: NaiveBayes(by_kind={"quantitative": family}).fit(x[train], y[train]).score(x[test], y[test])
        for name, family in {
            "windows": WindowDensity(0.2),
            "wide windows": WindowDensity(20.0),
            "histogram": Histogram(FixedWidth(0.4)),
        }.items()
    }
    normal = NaiveBayes().fit(x[train], y[train]).score(x[test], y[test])
    assert min(scores["windows"], scores["histogram"]) > normal + 0.15
    assert scores["wide windows"] < scores["windows"] - 0.15  # the bandwidth changes the boundary


def test_naive_bayes_with_windows_is_the_product_of_window_densities() -> None:
    """C.M07.07: log p(class) + sum over the columns of the log density of each."""
    x, y = two_classes(120)
    model = NaiveBayes(by_kind={"quantitative": WindowDensity(0.3)}).fit(x, y)
    expected = [
        np.log(np.mean(y == k))
        + sum(KernelDensity(bandwidth=0.3).fit(x[y == k][:, [j]]).score_samples(x[:, [j]]) for j in range(2))
        for k in (0, 1)
    ]
    np.testing.assert_allclose(model.predict_joint_log_proba(x), np.stack(expected, axis=1), rtol=1e-12)


def test_bandwidth_by_ten_folds_then_all_rows() -> None:
    """C.M07.08: ten folds over a grid of bandwidths, and the best one learned from all training rows."""
    x, y = two_classes()
    grid = [{"quantitative": WindowDensity(h)} for h in (0.02, 0.2, 0.6, 1.8, 10.0)]
    search = GridSearchCV(NaiveBayes(), {"by_kind": grid}, cv=10).fit(x, y)
    chosen = search.best_params_["by_kind"]["quantitative"].bandwidth
    errors = 1 - search.cv_results_["mean_test_score"]
    assert chosen == (0.02, 0.2, 0.6, 1.8, 10.0)[int(np.argmin(errors))] < 1.8
    assert errors[-1] > errors.min() + 0.1
    again = NaiveBayes(by_kind=search.best_params_["by_kind"]).fit(x, y)
    np.testing.assert_array_equal(search.best_estimator_.predict_proba(x), again.predict_proba(x))


def test_the_folds_need_no_refits() -> None:
    """C.M07.08: the same choice from the summaries of the folds, added and read by every bandwidth."""
    x, y = two_classes(200)
    folds = np.arange(200) % 10
    shards = [
        NaiveBayes(by_kind={"quantitative": WindowDensity(1.0)}).fit(x[folds == k], y[folds == k]) for k in range(10)
    ]
    for h in (0.1, 0.5, 3.0):
        by_kind = {"quantitative": WindowDensity(h)}
        for k in (0, 9):
            rest = NaiveBayes(by_kind={"quantitative": WindowDensity(1.0)}).fit(
                x[folds == (k + 1) % 10], y[folds == (k + 1) % 10]
            )
            rest.merge(*(shard for i, shard in enumerate(shards) if i not in (k, (k + 1) % 10))).set_params(
                by_kind=by_kind
            )
            refit = NaiveBayes(by_kind=by_kind).fit(x[folds != k], y[folds != k])
            held = x[folds == k]
            np.testing.assert_allclose(rest.predict_proba(held), refit.predict_proba(held), rtol=0, atol=1e-12)
