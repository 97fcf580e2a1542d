"""An API of each test's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.api.api_server import ApiServer, Program, api_server


@pytest.fixture(name="api")
def _api(tmp_path: Path) -> Iterator[ApiServer]:
    with api_server(tmp_path) as served:
        yield served


@pytest.fixture(name="ana")
def _ana(api: ApiServer) -> Program:
    """A program of Ana's, who may read the shop, and read and write the backup."""
    return api.client()
