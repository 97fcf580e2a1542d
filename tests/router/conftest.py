"""A talk about a shop, the server of its model, and one for e-mails."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.platforms.ollama import Ollama
from tests.support.mail_servers import PostOffice, post_office
from tests.support.talk import Talk, llm_at


@pytest.fixture(name="server")
def _server() -> Iterator[Ollama]:
    with Ollama() as server:
        yield server


@pytest.fixture(name="post")
def _post() -> Iterator[PostOffice]:
    with post_office() as post:
        yield post


@pytest.fixture(name="talk")
def _talk(tmp_path: Path, server: Ollama) -> Iterator[Talk]:
    talk = Talk(tmp_path, partial(llm_at, server.url))
    yield talk
    talk.close()
