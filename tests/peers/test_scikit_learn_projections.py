"""scikit-learn's own tests of its decompositions and maps pass with the import replaced, less named lists with reasons.

Tests of their files that do not name an estimator of ours are left out: they are about private functions.
"""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.peers.their_tests import run_theirs


class Theirs(NamedTuple):
    """One of their files."""

    module: str
    ours: tuple[str, ...]  # names that are replaced
    failing: dict[str, str]  # test -> why
    passing: int
    fewer: tuple[tuple[str, str], ...] = ()  # lists of cases that are cut, for the time they take
    called: tuple[tuple[str, str], ...] = ()  # how their estimators are called where not by name alone
    either: dict[str, str] = {}  # noqa: RUF012 (tuples share nothing that is changed): test -> why a machine decides


FILES = [
    Theirs(
        "sklearn.decomposition.tests.test_pca",
        ("PCA",),
        {
            "test_n_components_none": "arpack leaves out one component; ours finds all",
            "test_pca_score": "wants the density of a whitened model to be another; whitening changes no rows",
            "test_pca_svd_solver_auto": "reads a private attribute",
        },
        150,
        (("[0.01, 0.1, 0.30]", "[0.1]"), ('"scale", [1, 10, 100]', '"scale", [10]')),
    ),
    Theirs(
        "sklearn.decomposition.tests.test_incremental_pca",
        ("IncrementalPCA",),
        {
            "test_incremental_pca_sparse": "wants sparse batches to be refused; ours are taken",
            "test_incremental_pca_validation": "wants its own words",
            "test_incremental_pca_set_params": "wants another number of components to be refused; ours is read anew",
            "test_incremental_pca_partial_fit_float_division": "sets the number of rows seen by hand",
        },
        18,
    ),
    Theirs("sklearn.decomposition.tests.test_truncated_svd", ("TruncatedSVD",), {}, 40),
    Theirs(
        "sklearn.decomposition.tests.test_nmf",
        ("NMF",),
        {
            "test_parameter_checking": "wants its own words for factors to begin with",
            "test_nmf_custom_init_dtype_error": "wants factors of another precision to be refused",
            "test_nmf_n_components_auto": "reads a private attribute",
            "test_nmf_custom_init_shape_error": "wants its own words",
        },
        40,
    ),
    Theirs(
        "sklearn.manifold.tests.test_classical_mds",
        ("ClassicalMDS",),
        {},
        4,
    ),
    Theirs(
        "sklearn.manifold.tests.test_mds",
        ("MDS",),
        {
            "test_normalized_stress_auto": "uses a deprecated parameter",
            "test_future_warning_init_and_metric": "is about deprecated parameters",
            "test_returned_stress": "compares stresses of 1e-16 and less by a share",
        },
        12,
        called=(("mds.MDS(", "MDS("),),
    ),
    Theirs(
        "sklearn.manifold.tests.test_isomap",
        ("Isomap",),
        {
            "test_isomap_clone_bug": "reads the estimator of neighbours inside",
            "test_multiple_connected_components_metric_precomputed": "distances that are sparse are read as a table",
            "test_pipeline_with_nearest_neighbors_transformer": "the same",
        },
        20,
        called=(("manifold.Isomap(", "Isomap("),),
    ),
    Theirs(
        "sklearn.manifold.tests.test_t_sne",
        ("TSNE",),
        {
            "test_exact_no_precomputed_sparse": "distances that are sparse are read as a table, not as a graph",
            "test_high_perplexity_precomputed_sparse_distances": "the same",
            "test_verbose": "wants what it prints",
            "test_n_iter_without_progress": "wants what it prints",
            "test_accessible_kl_divergence": "reads what it prints",
            "test_tsne_with_different_distance_metrics": "cosine distances differ in a last digit, which maps magnify",
            "test_tsne_with_mahalanobis_distance": "wants a covariance to be asked for; ours takes that of the rows",
        },
        25,
        either={
            "test_sparse_precomputed_distance": "distances of two functions differ in a last digit on some machines"
        },
    ),
]


@pytest.mark.parametrize("theirs", FILES, ids=lambda theirs: theirs.module.rpartition(".")[2])
def test_only_the_named_tests_fail(theirs: Theirs, tmp_path: Path) -> None:
    path = Path(str(find_spec(theirs.module).origin))  # type: ignore[union-attr]  # not imported: it has marks of its own
    text = path.read_text(encoding="utf-8")
    replaced = text
    for long, short in theirs.called:
        assert long in replaced
        replaced = replaced.replace(long, short)
    replaced = only_ours(replaced, theirs)
    for more, fewer in theirs.fewer:
        assert more in replaced
        replaced = replaced.replace(more, fewer)
    done = run_theirs(tmp_path, path.name, text, replaced)
    assert set(done.failed) - set(theirs.either) == set(theirs.failing), done.told[-4000:]
    assert done.passed >= theirs.passing, done.passed


def only_ours(text: str, theirs: Theirs) -> str:
    """Their file without the tests that name none of ours, and with ours imported after all else is."""
    tree, lines = ast.parse(text), text.splitlines()
    drop: set[int] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            if not names & {*theirs.ours, *_built_on(tree, theirs.ours)}:
                first = min([node.lineno] + [d.lineno for d in node.decorator_list])
                drop.update(range(first - 1, int(node.end_lineno or node.lineno)))
    last = max(int(node.end_lineno or 0) for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)))
    kept = [line for number, line in enumerate(lines) if number not in drop and number < last]
    rest = [line for number, line in enumerate(lines) if number not in drop and number >= last]
    return "\n".join([*kept, f"from suffice import {', '.join(theirs.ours)}", *rest])


def _built_on(tree: ast.Module, ours: tuple[str, ...]) -> set[str]:
    """Functions of their file that name one of ours."""
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} & set(ours)
    }
