"""The glossary's file: read entry by entry, reread when it changes, changed so that all else in it stays."""

import os
import sqlite3
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from router.catalog.connection import Connection, Connections
from router.errors import JobFailed
from router.knowledge.glossary import Glossary, TaughtKnowledge, condition_problem, edited, read_glossary
from router.knowledge.glossary_changes import (
    PROPOSAL_LIFETIME,
    WAITING_PROPOSALS_PER_PERSON,
    GlossaryChanges,
    Proposals,
    ProposalState,
)
from router.knowledge.knowledge import Example, Known, Term
from router.memory.draft import User
from router.sql.dialect import DIALECTS
from router.storage.database import home_database
from tests.support.hypothesis_examples import examples
from tests.support.trade import trade

ANA, BOB = User("test:ana", "Ana"), User("test:bob", "Bob")
CONNECTIONS = Connections(
    [
        Connection("shop", 1, "Shop", DIALECTS["sqlite"], "sqlite://"),
        Connection("SALES", 2, "Sales", DIALECTS["oracle"], ""),
    ]
)
NOW = datetime(2026, 3, 15, 9, 0, tzinfo=UTC)

FILE = """\
# What our words mean.

[shop.churned]   # as decided in March
# nobody counts visits
meaning = "no order in 90 days"  # ninety
synonyms = ["lost", "gone"]

# Money.
[shop."net revenue"]
meaning = "total of paid orders"
filter = "status = 'paid'"

[SALES]
VIP = "more than ten orders"  # short
"""


def read(text: str) -> tuple[dict[str, list[str]], list[str]]:
    """Return the names of the terms by connection, and the problems."""
    found = read_glossary("glossary.toml", text, {"shop": "sqlite", "sales": "oracle"})
    return {name: [term.name for term in terms] for name, terms in found.terms.items()}, found.problems


def test_a_sound_file_is_read() -> None:
    """Terms stand in a table of their own, or as a text when there is nothing but a meaning."""
    found = read_glossary("glossary.toml", FILE, {"shop": "sqlite", "sales": "oracle"})

    assert found.problems == []
    assert found.terms == {
        "shop": (
            Term("churned", "no order in 90 days", ("lost", "gone")),
            Term("net revenue", "total of paid orders", (), "status = 'paid'"),
        ),
        "sales": (Term("VIP", "more than ten orders"),),
    }


@pytest.mark.parametrize(
    ("entry", "line", "words"),
    [
        ("[shop.bad]\nmeaning = 7", 4, "a term is a text"),
        ("[shop.bad]\nmeaning = ''", 4, "1 to 300 characters"),
        (f"[shop.bad]\nmeaning = '{'x' * 301}'", 4, "1 to 300 characters"),
        (f"[shop.{'x' * 61}]\nmeaning = 'x'", 4, "1 to 60 characters"),
        ("[shop.'?!']\nmeaning = 'x'", 4, "a letter or digit"),
        ("[shop.bad]\nmeaning = 'x'\nsynonyms = 'y'", 4, "a list of texts"),
        ("[shop]\nbad = 7", 5, "must be a text, or a table"),
        ("[other.bad]\nmeaning = 'x'", 4, "no connection of this name"),
        ("[shop.bad]\nmeaning = 'x'\nnote = 'y'", 4, "nothing else"),
        ("[shop.bad]\nmeaning = 'x'\nfilter = 'total >'", 4, "not SQL of SQLite"),
    ],
)
def test_what_is_wrong_takes_nothing_with_it(entry: str, line: int, words: str) -> None:
    """An entry that cannot be used is told with its line; those before and after it are used."""
    terms, problems = read(f"[shop.good]\nmeaning = 'a'\n\n{entry}\n\n[shop.last]\nmeaning = 'z'\n")

    assert terms == {"shop": ["good", "last"]}
    assert len(problems) == 1
    assert problems[0].startswith(f"glossary.toml, line {line}:")
    assert words in problems[0]


def test_a_file_that_is_no_toml() -> None:
    """It is told with its line, and what it says now is not used."""
    terms, problems = read("[shop.a]\nmeaning = 'x'\n\n[shop.bad\n")
    assert terms == {}
    assert len(problems) == 1
    assert problems[0].startswith(
        "glossary.toml, line 4: this is not TOML, and what it says now is not used: expected ']'"
    )


@pytest.mark.parametrize(
    "condition",
    [
        "total >",
        "total > 1; DROP TABLE orders",
        "1 = 1) OR (1 = 1",
        "total > 1 -- and more",
        "total > 1 ORDER BY 1",
        "total > 1 GROUP BY id",
        "SELECT 1",
        "total > 1 UNION SELECT 1",
        "/* x */ total > 1",
        "total > 1 --",
    ],
)
def test_a_filter_is_one_condition(condition: str) -> None:
    """A filter that is no condition of the dialect is told, and the term is not used."""
    found = read_glossary("g", f"[shop.x]\nmeaning = 'm'\nfilter = '''{condition}'''", {"shop": "sqlite"})

    assert found.terms == {"shop": ()}
    assert len(found.problems) == 1


def test_comments_are_those_of_the_dialect() -> None:
    """What begins a comment on one database is a sign or a text like any other elsewhere."""
    assert condition_problem("a = 1 # x", "mysql").startswith("filter holds a comment")
    assert [condition_problem("a = '#1 -- x'", name) for name in DIALECTS] == [""] * len(DIALECTS)


def test_the_file_is_read_anew_when_it_changes(tmp_path: Path) -> None:
    """What somebody writes into the file, or takes away, holds for the next question."""
    path = tmp_path / "glossary.toml"
    glossary = Glossary(path, CONNECTIONS)
    assert glossary.used_in("shop", "who churned?") == ()

    path.write_text(FILE)
    assert [term.name for term in glossary.used_in("SHOP", "who churned?")] == ["churned"]
    path.write_text(FILE.replace("churned", "leavers"))
    os.utime(path, ns=(1, 1))
    assert glossary.used_in("shop", "who churned?") == ()
    assert [term.name for term in glossary.used_in("shop", "a leaver")] == ["leavers"]
    path.write_text("[shop")
    assert [term.name for term in glossary.used_in("shop", "a leaver")] == ["leavers"]
    assert "not TOML" in glossary.problems()[0]
    path.write_bytes(b"\xff\xfe")
    assert glossary.terms("shop") == ()
    assert "UTF-8" in glossary.problems()[0]
    path.unlink()
    assert glossary.problems() == ()


def test_what_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    """A question is answered without what was taught where that fails."""

    def failing(connection: str, question: str, schema: object) -> tuple[()]:
        raise sqlite3.OperationalError("disk I/O error")

    def near(connection: str, question: str, schema: object) -> tuple[Example, ...]:
        return (Example(question, "SELECT 1"),)

    class Broken(Glossary):
        def used_in(self, connection: str, question: str) -> tuple[Term, ...]:
            raise OSError("Stale file handle")

    glossary = Glossary(tmp_path / "glossary.toml", CONNECTIONS)
    (tmp_path / "glossary.toml").write_text(FILE)
    (churned,) = TaughtKnowledge(glossary).about("shop", "who churned?", trade()).terms
    assert churned.name == "churned"
    assert TaughtKnowledge(glossary, failing).about("shop", "who churned?", trade()) == Known((churned,))
    found = TaughtKnowledge(Broken(glossary.path, CONNECTIONS), near).about("shop", "who churned?", trade())
    assert found == Known((), (Example("who churned?", "SELECT 1"),))


def test_what_cannot_be_changed_is_refused() -> None:
    """A way of writing that would not be changed to exactly what was to be said is left to people."""
    with pytest.raises(JobFailed, match="by hand"):
        edited('shop = {a = {meaning = "1"}}\n', "shop", "c", Term("c", "3"))


WORD = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=12)


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.tuples(WORD, st.one_of(st.none(), st.builds(Term, WORD, WORD, st.tuples(WORD), WORD))), max_size=6))
def test_any_changes_are_what_they_say(changes: list[tuple[str, Term | None]]) -> None:
    """After any changes, the file has exactly the terms that were put into it last, and the other connection's."""
    text = "# top\n[other.x]\nmeaning = 'y'  # kept\n# end\n"
    expected: dict[str, tuple[str, object]] = {}
    for name, term in changes:
        text = edited(text, "shop", name, Term(name, term.meaning, term.synonyms, term.filter) if term else None)
        known = expected.get(name.casefold(), (name, None))[0]
        expected.pop(name.casefold(), None) if term is None else expected.update({name.casefold(): (known, term)})

    data = tomllib.loads(text)
    assert {name.casefold() for name in data.get("shop", {})} == set(expected)
    assert data["other"] == {"x": {"meaning": "y"}}
    assert "# kept" in text
    assert text.startswith("# top\n")


@pytest.fixture(name="lessons")
def _lessons(tmp_path: Path) -> Iterator[Callable[..., GlossaryChanges]]:
    """Return what another process has over the same folder."""
    with ExitStack() as stack:

        def lessons(clock: datetime = NOW) -> GlossaryChanges:
            database = stack.enter_context(closing(home_database(tmp_path)))
            return GlossaryChanges(
                Glossary(tmp_path / "glossary.toml", CONNECTIONS), Proposals(database, lambda: clock)
            )

        yield lessons


def test_two_changes_of_one_term_lose_nothing(tmp_path: Path, lessons: Callable[..., GlossaryChanges]) -> None:
    """Of two processes, the one that is later is told of the change, and the file has the first."""
    here, there = lessons(), lessons()
    first = here.propose("shop", "sqlite", "churned", Term("churned", "one"), ANA)
    second = there.propose("shop", "sqlite", "Churned", Term("Churned", "two"), BOB)

    assert here.save(first.id, ANA)
    with pytest.raises(JobFailed, match="changed meanwhile"):
        there.save(second.id, BOB)
    assert there.glossary.term("shop", "churned") == Term("churned", "one")
    assert here.proposals.get(second.id).standing == ProposalState.SHOWN
    assert tomllib.loads((tmp_path / "glossary.toml").read_text())["shop"]["churned"] == {"meaning": "one"}


def test_a_kill_between_file_and_mark(lessons: Callable[..., GlossaryChanges]) -> None:
    """What was written and not marked as saved is marked when it is pressed again."""
    here = lessons()
    proposal = here.propose("shop", "sqlite", "a", Term("a", "one"), ANA)
    here.glossary.change("shop", "a", proposal.after)
    assert here.save(proposal.id, ANA)


def test_what_cannot_be_written_stays_open(tmp_path: Path, lessons: Callable[..., GlossaryChanges]) -> None:
    """A file that is no TOML just now, or that others write only, keeps its text, and the proposal waits."""
    here = lessons()
    proposal = here.propose("shop", "sqlite", "a", Term("a", "one"), ANA)
    (tmp_path / "glossary.toml").write_text("[shop")
    with pytest.raises(JobFailed, match="Nothing was changed"):
        here.save(proposal.id, ANA)
    assert (tmp_path / "glossary.toml").read_text() == "[shop"
    assert here.proposals.get(proposal.id).standing == ProposalState.SHOWN
    assert sorted(each.name for each in tmp_path.iterdir() if each.name.startswith(".")) == []


def test_proposals_are_bounded_and_expire(lessons: Callable[..., GlossaryChanges]) -> None:
    """Nobody has too many waiting; what was only shown is deleted in time, what waits is not."""
    here = lessons()
    for n in range(WAITING_PROPOSALS_PER_PERSON + 1):
        shown = here.propose("shop", "sqlite", f"t{n}", Term(f"t{n}", "x"), BOB)
        if n < WAITING_PROPOSALS_PER_PERSON:
            here.proposals.decide(shown.id, ProposalState.WAITING, BOB)
    with pytest.raises(JobFailed, match="20 changes that wait"):
        here.proposals.decide(shown.id, ProposalState.WAITING, BOB)
    later = lessons(NOW + PROPOSAL_LIFETIME + timedelta(days=1))
    later.propose("shop", "sqlite", "new", Term("new", "x"), BOB)
    assert len(later.proposals.waiting("shop")) == WAITING_PROPOSALS_PER_PERSON
    with pytest.raises(JobFailed, match="not kept any more"):
        later.proposals.get(shown.id)
