"""A talk below whose results queries are repeated, in which no model is asked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.shop import build_shop
from tests.support.talk import Talk


def model() -> Any:
    raise AssertionError("no model is asked")


@pytest.fixture(name="rights")
def _rights() -> str:
    """What the connection says of people; a test may say otherwise."""
    return ""


@pytest.fixture(name="talk")
def _talk(tmp_path: Path, rights: str) -> Iterator[Talk]:
    build_shop(tmp_path / "shop.sqlite")
    block = f'[connections.shop]\nid = 1\nlabel = "Shop"\nurl = "sqlite:///shop.sqlite"\n{rights}'
    (tmp_path / "connections.toml").write_text(block)
    talk = Talk(tmp_path, model)
    yield talk
    talk.close()
