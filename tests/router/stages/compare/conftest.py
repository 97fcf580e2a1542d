"""What tests of comparisons share."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.talk import Talk


def model() -> Any:
    raise AssertionError("no model is asked")


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Iterator[Talk]:
    """A talk over two databases in which no model may be asked."""
    talk = Talk(tmp_path, model, ("shop", "backup"))
    yield talk
    talk.close()
