"""Numbers of the sources about linear maps, principal components, factorisations, maps of distances, grids."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.decomposition import TruncatedSVD as TheirTruncatedSVD

from suffice import NMF, PCA, TSNE, Isomap, MatrixCompletion, PolynomialRegression, SelfOrganizingMap
from suffice.core.shares import Shares
from suffice.families import entropy
from suffice.projections import (
    LatentSemanticIndex,
    LinearMap,
    LowRank,
    UnitGrid,
    boolean_factors,
    boolean_product,
    classical_scaling,
    conditional_probabilities,
    greatest_directions,
    joint_probabilities,
    kullback_leibler,
    low_rank,
    map_probabilities,
    principal_axes,
    weighted_topics,
)
from suffice.sources import Analyzer
from suffice.summaries import FullMoments

FILMS = np.array([[1, 0, 1, 0], [0, 2, 2, 2], [0, 0, 0, 1], [1, 2, 3, 2], [1, 0, 1, 1], [0, 2, 2, 3]])
PEOPLE = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]])
GENRES = np.array([[1, 0, 1, 0], [0, 1, 1, 1], [0, 0, 0, 1]])
SCATTER = np.array(
    [
        [110.10604771, 39.91266264, 52.3183266],
        [39.91266264, 80.68947748, 34.48293948],
        [52.3183266, 34.48293948, 97.58136923],
    ]
)
VECTORS = np.array(
    [
        [0.66718409, 0.45619248, 0.58885805],
        [0.72273622, -0.20507368, -0.65999783],
        [0.18032676, -0.8659291, 0.46652873],
    ]
)  # one a row, for 183.57, 51.00 and 53.80
TABLE = np.random.default_rng(10).normal(size=(12, 4)) @ np.diag([4.0, 2.0, 1.0, 0.3]) + [5.0, -3.0, 0.0, 1e3]
COLOURS = {
    "black": (0.0, 0.0, 0.0),
    "blue": (0.0, 0.0, 1.0),
    "darkblue": (0.0, 0.0, 0.5),
    "skyblue": (0.125, 0.529, 1.0),
    "greyblue": (0.33, 0.4, 0.67),
    "lilac": (0.6, 0.5, 1.0),
    "green": (0.0, 1.0, 0.0),
    "red": (1.0, 0.0, 0.0),
    "cyan": (0.0, 1.0, 1.0),
    "violet": (1.0, 0.0, 1.0),
    "yellow": (1.0, 1.0, 0.0),
    "white": (1.0, 1.0, 1.0),
    "darkgrey": (0.33, 0.33, 0.33),
    "mediumgrey": (0.5, 0.5, 0.5),
    "lightgrey": (0.66, 0.66, 0.66),
}


def test_linear_maps_and_their_compositions() -> None:
    """P.M169: scaling, selection, rotation, and one after the other, are one matrix."""
    turn, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(4, 4)))
    centre = TABLE.mean(axis=0)
    whole = (
        LinearMap.of(np.eye(4), centre)
        .then(LinearMap.scaling([1, 2, 3, 4]))
        .then(LinearMap.rotation(turn))
        .then(LinearMap.selection([2, 0], 4))
    )
    expected = ((TABLE - centre) * [1, 2, 3, 4] @ turn)[:, [2, 0]]
    np.testing.assert_allclose(whole.rows(TABLE), expected, atol=1e-12 * 1e3)
    rigid = LinearMap.rotation(turn)
    np.testing.assert_allclose(rigid.inverse(rigid.rows(TABLE)), TABLE, atol=1e-10)


def test_the_film_matrix_is_found() -> None:
    """P.W89, P.M175: people by genre, genre weight, genre by film; the search finds the printed factors."""
    found = weighted_topics(FILMS, 3)
    np.testing.assert_array_equal(found.matrix(), FILMS)
    assert found.error == 0.0
    order = [next(k for k in range(3) if (found.right[k] == genre).all()) for genre in GENRES]
    np.testing.assert_array_equal(found.left[:, order], PEOPLE)
    np.testing.assert_array_equal(found.weights[order], [1, 2, 1])


def test_the_film_matrix_is_a_sum_of_hidden_variables() -> None:
    """P.W90, P.M174: three matrices of rank 1, one a genre."""
    terms = LowRank(PEOPLE.astype(float), np.array([1.0, 2.0, 1.0]), GENRES.astype(float)).terms()
    assert [np.linalg.matrix_rank(term) for term in terms] == [1, 1, 1]
    np.testing.assert_array_equal(terms[1], 2 * np.outer([0, 1, 0, 1, 0, 1], [0, 1, 1, 1]))
    np.testing.assert_array_equal(terms.sum(axis=0), FILMS)


def test_the_film_factors_are_not_the_singular_vectors() -> None:
    """P.W91: the factors are not orthogonal, and the rank is 3 although there are 4 columns."""
    assert (PEOPLE.T @ PEOPLE - np.diag(np.diag(PEOPLE.T @ PEOPLE)) == 1).sum() == 6
    kept = low_rank(FILMS, 4)
    assert kept.weights == pytest.approx([6.9232, 1.9302, 1.1593, 0.0], abs=5e-5)
    assert low_rank(FILMS, 3).error == pytest.approx(0.0, abs=1e-24)
    np.testing.assert_array_equal(FILMS[:, 2], FILMS[:, 0] + FILMS[:, 1])


def test_three_routes_to_principal_components() -> None:
    """P.W92, P.M170, P.M171, P.M172, P.M173: the rows, their scatter and their Gram matrix say the same."""
    svd, scatter, gram = (principal_axes(TABLE, route) for route in ("svd", "scatter", "gram"))
    Z = TABLE - TABLE.mean(axis=0)
    pca = PCA().fit(TABLE)
    for other in (scatter, gram):
        np.testing.assert_allclose(other.singular_values, svd.singular_values, rtol=1e-10)
        np.testing.assert_allclose(other.axes, svd.axes, atol=1e-10)
    np.testing.assert_allclose(pca.singular_values_, svd.singular_values, rtol=1e-12)
    np.testing.assert_allclose(pca.components_, svd.axes, atol=1e-12)
    np.testing.assert_allclose(pca.transform(TABLE), svd.scores, atol=1e-11)
    np.testing.assert_allclose(np.linalg.eigvalsh(Z @ Z.T)[::-1][:4], svd.singular_values**2, rtol=1e-10)
    kept = low_rank(Z, 2)
    assert kept.error == pytest.approx((svd.singular_values[2:] ** 2).sum())
    assert kept.error == pytest.approx(((Z - kept.matrix()) ** 2).sum())
    rng = np.random.default_rng(1)
    for _ in range(50):  # no other matrix of rank 2 is nearer
        other = (kept.left + rng.normal(0, 0.1, kept.left.shape)) * kept.weights @ (kept.right + 0.1)
        assert ((Z - other) ** 2).sum() > kept.error


def test_components_are_columns() -> None:
    """P.W93: the columns of U S are the components, of falling variance; its rows are the instances."""
    scores = principal_axes(TABLE).scores
    assert scores.shape == (12, 4)
    assert (np.diff(scores.var(axis=0)) < 0).all()
    np.testing.assert_allclose(scores.var(axis=0, ddof=1), PCA().fit(TABLE).explained_variance_, rtol=1e-12)
    np.testing.assert_allclose(np.corrcoef(scores.T), np.eye(4), atol=1e-12)  # rows would not be


def _rows_of_scatter() -> np.ndarray:
    """Rows whose scatter is the printed one, far from 0."""
    Z, _ = np.linalg.qr(np.random.default_rng(3).normal(size=(40, 3)) - 0.0)
    Z -= Z.mean(axis=0)
    Z, _ = np.linalg.qr(Z)
    return Z @ np.linalg.cholesky(SCATTER).T + [1.0, 2.0, 3.0]


def test_the_printed_scatter_matrix() -> None:
    """C.W30, C.W31, C.W32, C.M16.01: eigenvalues, eigenvectors and shares; the scatter over N gives the same axes."""
    pca = PCA().fit(_rows_of_scatter())
    np.testing.assert_allclose(pca.singular_values_**2, [183.57291364, 53.79974343, 51.00423735], atol=2e-8)
    np.testing.assert_allclose(np.abs(pca.components_), np.abs(VECTORS[[0, 2, 1]]), atol=2e-7)
    np.testing.assert_allclose(VECTORS @ VECTORS.T, np.eye(3), atol=2e-8)
    np.testing.assert_allclose(np.cumsum(pca.explained_variance_ratio_)[:2], [0.6366, 0.8231], atol=5e-5)
    assert np.trace(SCATTER) == pytest.approx(288.376894, abs=5e-7)
    X = _rows_of_scatter()
    kept = FullMoments.of(X, Shares.hard(np.zeros(len(X), dtype=np.int32), 1))
    np.testing.assert_allclose(np.linalg.eigh(kept.covariance[0])[1][:, ::-1].T ** 2, pca.components_**2, atol=1e-10)


def test_rows_are_centred_before_they_are_projected() -> None:
    """C.E14: without the mean taken away, the projection is moved by the projected mean."""
    X = _rows_of_scatter()
    pca = PCA(2).fit(X)
    here = pca.transform(X)
    assert np.abs(here.mean(axis=0)).max() < 1e-12
    uncentred = X @ pca.components_.T
    np.testing.assert_allclose(uncentred - here, np.tile(pca.components_ @ X.mean(axis=0), (40, 1)), atol=1e-12)
    assert np.abs(uncentred.mean(axis=0)).max() > 1.0


def test_one_direction_after_the_other() -> None:
    """C.M16.02: the direction of greatest variance, then the greatest orthogonal to it, and so on."""
    sizes, directions = greatest_directions(SCATTER, 3)
    np.testing.assert_allclose(sizes, [183.57291364, 53.79974343, 51.00423735], atol=2e-8)
    np.testing.assert_allclose(directions @ directions.T, np.eye(3), atol=1e-12)
    rng = np.random.default_rng(0)
    for _ in range(200):
        v = rng.normal(size=3)
        assert v @ SCATTER @ v / (v @ v) <= sizes[0] + 1e-9
        v -= directions[0] * (directions[0] @ v)
        assert v @ SCATTER @ v / (v @ v) <= sizes[1] + 1e-9


def test_randomised_components_are_projections_of_all_rows() -> None:
    """C.E27, C.M16.03: a direction that one row of 300 has is found under any seed; a sample of rows would miss it."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 700)) * 0.01
    X[123] += 50.0 * np.eye(700)[7]
    full = PCA(3, svd_solver="full").fit(X)
    for seed in range(5):
        pca = PCA(3, svd_solver="randomized", random_state=seed, iterated_power=7).fit(X)
        assert abs(pca.components_[0, 7]) > 0.999
        np.testing.assert_allclose(pca.explained_variance_[0], full.explained_variance_[0], rtol=1e-9)


def test_boolean_products_use_or() -> None:
    """P.M176: 1 + 1 = 1, so that a topic that says nothing new adds nothing."""
    seen = FILMS > 0
    found = boolean_factors(seen, 3, exact=True)
    assert found.error == 0
    np.testing.assert_array_equal(found.product(), seen)
    np.testing.assert_array_equal(boolean_product(PEOPLE, GENRES), seen)
    more = boolean_product(np.hstack([PEOPLE, PEOPLE[:, :1]]), np.vstack([GENRES, GENRES[:1]]))
    np.testing.assert_array_equal(more, seen)
    assert boolean_factors(seen, 1).error > 0


def test_non_negative_factors_of_the_films() -> None:
    """P.M177: three parts explain the film matrix, and none is negative."""
    model = NMF(3, random_state=0, max_iter=5000, tol=1e-10).fit(FILMS)
    back = model.inverse_transform(model.transform(FILMS))
    np.testing.assert_allclose(back, FILMS, atol=0.02)
    assert (model.components_ >= 0).all()
    assert model.reconstruction_err_ < 0.02


def test_latent_semantic_indexing() -> None:
    """P.M178: documents without a common word meet in a topic; the plain route is scikit-learn's on the same counts."""
    texts = ["ship boat ocean", "boat ocean", "ship ocean wave", "tree wood forest", "wood forest", "tree leaf forest"]
    index = LatentSemanticIndex.of(texts, 2, tf_idf=False)
    places = index.fold(["wave", "leaf"])
    near = [{where for where, _ in index.nearest_documents(text, 3)} for text in ("wave", "leaf")]
    assert near == [{0, 1, 2}, {3, 4, 5}]
    assert abs(places[0] @ places[1]) < 1e-12
    words = sorted({word for text in texts for word in text.split()})
    counts = np.array([[Analyzer()(text).count(word) for word in words] for text in texts], dtype=float)
    theirs = TheirTruncatedSVD(2, algorithm="arpack", random_state=0).fit(counts)
    np.testing.assert_allclose(index.values, theirs.singular_values_, rtol=1e-10)
    assert {word for word, _ in index.nearest_words("boat", 4)} == {"ship", "boat", "ocean", "wave"}


def test_missing_entries_of_a_matrix_of_low_rank() -> None:
    """P.M179: entries that were left out are read off factors that fit the others."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(40, 2)) @ rng.normal(size=(2, 25))
    X = np.where(rng.random(truth.shape) < 0.3, np.nan, truth)
    model = MatrixCompletion(2, penalty=1e-4, max_iter=400, tol=1e-9).fit(X)
    gaps = np.argwhere(np.isnan(X))
    np.testing.assert_allclose(model.predict_cells(*gaps.T), truth[np.isnan(X)], atol=0.05)
    np.testing.assert_allclose(model.transform(X)[np.isnan(X)], truth[np.isnan(X)], atol=0.05)


def test_probabilities_of_neighbours_sum_to_one() -> None:
    """C.E21, C.M20.04: joint probabilities are halves over n; the printed ones sum to n. Each row has its own sums."""
    D = ((TABLE[:, None] - TABLE[None]) ** 2).sum(axis=2)
    others = ~np.eye(12, dtype=bool)
    P = np.zeros((12, 12))
    P[others] = conditional_probabilities(D[others].reshape(12, 11), 4.0).ravel()
    np.testing.assert_allclose(P.sum(axis=1), 1.0, rtol=1e-12)
    entropies = -(np.where(P > 0, P * np.log2(np.where(P > 0, P, 1.0)), 0.0)).sum(axis=1)
    np.testing.assert_allclose(2**entropies, 4.0, rtol=1e-8)
    joint = joint_probabilities(P)
    assert joint.sum() == pytest.approx(1.0)
    assert ((P + P.T) / 2).sum() == pytest.approx(12.0)
    np.testing.assert_array_equal(joint, joint.T)


def test_the_map_measures_squared_distances() -> None:
    """C.E22: q is of squared distances, over all ordered pairs; of plain ones, point by point, it would be another."""
    Y = np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]])
    q = map_probabilities(Y)
    raw = np.array([1 / 26, 1 / 2, 1 / 19])  # squared distances 25, 1, 18
    assert q.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(q[[0, 0, 1], [1, 2, 2]], raw / (2 * raw.sum()))


def test_the_divergence_that_the_map_lessens() -> None:
    """C.M20.05, C.M20.04: sum p log(p / q), at least 0, 0 for equals; that of the fitted map is what it tells."""
    assert kullback_leibler([0.9, 0.1], [0.9, 0.1]) == 0.0
    assert kullback_leibler([0.5, 0.5], [1.0, 0.0]) == np.inf
    model = TSNE(perplexity=4, max_iter=400, random_state=0).fit(TABLE)
    D = ((TABLE[:, None] - TABLE[None]) ** 2).sum(axis=2)
    others = ~np.eye(12, dtype=bool)
    P = np.zeros((12, 12))
    P[others] = conditional_probabilities(D[others].reshape(12, 11), 4.0).ravel()
    told = kullback_leibler(joint_probabilities(P)[others], map_probabilities(model.fitted_.model.embedding)[others])
    assert model.kl_divergence_ == pytest.approx(told, rel=1e-6)


def test_isomap_of_a_half_circle() -> None:
    """C.R52, C.M20.06: 40 points, two neighbours, one dimension: the polygon, whose ends skip a neighbour."""
    t = np.linspace(0.0, np.pi, 40)
    X = np.column_stack([np.cos(t), np.sin(t)])
    model = Isomap(n_neighbors=2, n_components=1).fit(X)
    polygon = np.sqrt((np.diff(X, axis=0) ** 2).sum(axis=1)).sum()
    assert polygon == pytest.approx(3.140743, abs=5e-7)
    assert np.ptp(model.embedding_) == pytest.approx(3.140481, abs=2e-6)
    assert (np.diff(model.embedding_[:, 0]) > 0).all() or (np.diff(model.embedding_[:, 0]) < 0).all()
    np.testing.assert_allclose(model.transform(X), model.embedding_, atol=1e-6)


def test_scaling_matches_given_distances() -> None:
    """C.M20.07: coordinates whose distances are those given; of Euclidean ones, the principal components."""
    D = np.sqrt(((TABLE[:, None] - TABLE[None]) ** 2).sum(axis=2))
    found = classical_scaling(D, 4)
    again = np.sqrt(((found.places[:, None] - found.places[None]) ** 2).sum(axis=2))
    np.testing.assert_allclose(again, D, atol=1e-9)
    np.testing.assert_allclose(np.abs(found.places), np.abs(principal_axes(TABLE).scores), atol=1e-8)


def test_the_colour_map() -> None:
    """C.M16.04, C.M16.05, C.M16.06, C.M16.07, C.W33: 15 colours on 20 x 30 units, row after row from rows."""
    X = np.array(list(COLOURS.values()))
    som = SelfOrganizingMap(20, 30, rule="online", steps=4000, sigma=2.0, learning_rate=0.5, init="rows").fit(X)
    assert (som.weights_.shape, len(X)) == ((20, 30, 3), 15)
    assert som.weights_[:, :, 0].size == 600
    assert UnitGrid(30, 45).K == 1350
    grid = som.label_grid(X, COLOURS)
    named = [name for row in grid for name in row if name is not None]
    assert sorted(named) == sorted(COLOURS)  # each colour has a unit of its own
    assert som.quantization_error(X) < 0.05
    i, j = np.argwhere(np.array(grid, dtype=object) == "red")[0]
    assert som.weights_[i, j] == pytest.approx([1.0, 0.0, 0.0], abs=0.1)
    weights, near = som.weights_, [(0, 1), (1, 0), (1, 1)]
    corner = np.mean([np.linalg.norm(weights[0, 0] - weights[at]) for at in near])
    assert som.distance_map()[0, 0] == pytest.approx(corner)  # borders have fewer neighbours


def test_cubics_of_four_series() -> None:
    """C.W33: four indicators with a cubic each are 16 numbers a case."""
    t = np.linspace(0.0, 1.0, 9)
    series = [t, t**2, 1.0 - t**3, np.sin(t)]
    models = [PolynomialRegression(3).fit(t[:, None], y) for y in series]
    assert sum(1 + np.asarray(model.coef_).size for model in models) == 16


def test_colours_of_few_bits() -> None:
    """C.W34: 6 bits are 64 colours, 3 bits 8: a grid of so many units leaves so many colours of a picture."""
    picture = np.random.default_rng(0).random((600, 3))
    for bits, shape in ((6, (8, 8)), (3, (2, 4))):
        som = SelfOrganizingMap(*shape, epochs=8).fit(picture)
        colours = som.inverse_transform(som.transform(picture))
        assert 2**bits == UnitGrid(*shape).K
        assert len(np.unique(colours, axis=0)) == 2**bits
        assert som.quantization_error(picture) < 0.35


def test_impurities_of_nine_to_one() -> None:
    """C.R49: entropy .325083 nat = .468996 bit, by way of the divergence from the even split; error .1, Gini .18."""
    p = np.array([0.9, 0.1])
    assert entropy(p) == pytest.approx(0.468996, abs=5e-7)
    assert np.log(2.0) - kullback_leibler(p, [0.5, 0.5]) == pytest.approx(0.325083, abs=5e-7)
    assert 1.0 - p.max() == pytest.approx(0.1)
    assert 1.0 - p @ p == pytest.approx(0.18)
