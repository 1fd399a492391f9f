"""One cluster of Dask for all tests that need it."""

from __future__ import annotations

import dask
import pytest
from distributed import Client, LocalCluster


@pytest.fixture(scope="session")
def client():
    """Two worker processes of one thread each."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 5, "distributed.admin.low-level-log-length": 0}),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client
