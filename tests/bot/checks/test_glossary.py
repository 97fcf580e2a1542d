"""The doctor's findings about the glossary, and the place of its file."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from adapters.check_finding import Finding
from bot.checks.doctor import check_glossary
from bot.wiring.knowledge import glossary_file
from router.catalog.connection import Connection, Connections
from router.knowledge.glossary import read_glossary
from router.knowledge.glossary_changes import Proposals, ProposalState
from router.knowledge.knowledge import Term
from router.memory.draft import User
from router.sql.dialect import DIALECTS
from router.storage.database import home_database
from tests.support.bot_settings import settings_of
from tests.support.documents import PAGES, blocks

CONNECTIONS = Connections([Connection("shop", 1, "Shop", DIALECTS["sqlite"], "sqlite://")])


def environment(folder: Path) -> dict[str, str]:
    """Return the settings of a bot in this folder."""
    return {"ICC_BOT_HOME": str(folder / "home"), "ICC_BOT_CONNECTIONS": str(folder / "connections.toml")}


def test_the_doctor_names_what_is_wrong(tmp_path: Path) -> None:
    """Each entry that cannot be used is named with its line; the others are counted, and so is what waits."""
    settings = settings_of(environment(tmp_path))
    assert list(check_glossary(settings, CONNECTIONS)) == []

    (tmp_path / "glossary.toml").write_text("[shop.a]\nmeaning = 'x'\nfilter = 'total >'\n\n[shop.b]\nmeaning = 7\n")
    with closing(home_database(settings.home)) as database:
        proposals = Proposals(database, lambda: datetime(2026, 3, 15, tzinfo=UTC))
        ana = User("test:ana", "Ana")
        proposals.decide(proposals.add("shop", "c", None, Term("c", "y"), ana).id, ProposalState.WAITING, ana)

    assert list(check_glossary(settings, CONNECTIONS)) == [
        Finding(
            "warning",
            "glossary",
            "glossary.toml, line 1: [shop.a] filter is not SQL of SQLite; it must be one condition, such as "
            "status = 'paid'. It is not used.",
        ),
        Finding(
            "warning",
            "glossary",
            'glossary.toml, line 5: [shop.b] "meaning" is not as it should be: a term is a text, or has meaning and '
            "filter as texts, synonyms as a list of texts, and nothing else. It is not used.",
        ),
        Finding("ok", "glossary", "1 proposal waits for shop; `glossary`, typed in a talk, shows them."),
    ]


def test_where_the_glossary_lies(tmp_path: Path) -> None:
    """It lies beside the file of connections; in the bot's home for the sample, and where others do the jobs."""
    named = settings_of(environment(tmp_path))

    assert glossary_file(named) == tmp_path / "glossary.toml"
    assert glossary_file(named, demo=True) == named.home / "glossary.toml"
    assert (
        glossary_file(settings_of({**environment(tmp_path), "BASE_URL": "http://127.0.0.1:1"}))
        == named.home / "glossary.toml"
    )


def test_the_example_is_good() -> None:
    """The example at the root is read without a problem, for the connections of the other example."""
    text = (Path(__file__).parents[3] / "glossary.example.toml").read_text(encoding="utf-8")
    found = read_glossary("glossary.example.toml", text, {"SALES": "oracle", "WAREHOUSE": "postgres"})

    assert found.problems == []
    assert {name: len(terms) for name, terms in found.terms.items()} == {"sales": 2, "warehouse": 1}


def test_the_docs_are_good() -> None:
    """The file as the docs show it is read without a problem."""
    (shown,) = [block for page in PAGES for block in blocks(page, "toml") if "meaning" in block]

    assert read_glossary("glossary.toml", shown, {"sales": "oracle"}).problems == []
