"""An API of each test's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.api.house import House, Program, house


@pytest.fixture(name="api")
def _api(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path) as served:
        yield served


@pytest.fixture(name="ana")
def _ana(api: House) -> Program:
    """A program of Ana's, who may read the shop, and read and write the backup."""
    return api.client()
