"""Sentences that are tried on the real path: what is right, asked back, wrong and harmful."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from router.errors import SettingsError
from router.memory.stage import Stage
from tests.sentences.cases import Case, alike, judge, measure, read_cases
from tests.sentences.real_path import CARDS, RealPath, Standing, real_path
from tests.support.bot_settings import settings_of
from tests.support.samples import put_at_home

SENTENCES = Path(__file__).parent

STAGES = {
    "open": Stage.START,
    "rows": Stage.SHOW_RESULTS,
    "sql": Stage.CONFIRM_GENERATED_SQL,
    "own_sql": Stage.CONFIRM_USER_SQL,
    "asked_back": Stage.UNDERSTAND_QUERY,
    "plan": Stage.CONFIRM_PLAN,
    "write_table": Stage.CHOOSE_TARGET,
    "write_mode": Stage.CHOOSE_TARGET,
    "write_columns": Stage.MAP_COLUMNS,
    "write_confirm": Stage.CONFIRM_WRITE,
    "job_name": Stage.CHOOSE_TARGET,
    "email_form": Stage.NEED_EMAIL_DETAILS,
    "email_confirm": Stage.CONFIRM_EMAIL,
    "schedule_form": Stage.SCHEDULE,
    "schedule_confirm": Stage.CONFIRM_SCHEDULE,
    "compare_setup": Stage.ASK_SECOND_SQL_METHOD,
    "compare_columns": Stage.ASK_AUTO_MATCH,
    "compare_confirm": Stage.CONFIRM_COMPARE_SQL,
}


@pytest.fixture(name="walk", scope="module")
def _walk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealPath]:
    folder = tmp_path_factory.mktemp("path")
    put_at_home(folder / "settings", tmp_path_factory)
    with real_path(settings_of({"ICC_BOT_HOME": str(folder / "settings")}), folder) as walk:
        yield walk


def standing(card: Any, before: str = "revenue per country") -> Standing:
    """Return a place of this kind."""
    return Standing(card, before, ("revenue per month", "orders per month"), ("email", "chart"))


@pytest.mark.thorough
def test_every_kind_of_card_is_reached(walk: RealPath) -> None:
    """Each kind stands where its name says."""
    assert STAGES == {card: walk.typed("qwrtz fghjk", standing(card)).before.stage for card in CARDS}


@pytest.mark.parametrize(
    ("say", "card", "right", "verdict"),
    [
        ("how many customers are there?", "open", {"means": "ask", "question": "how many customers"}, "right"),
        ("last year", "plan", {"means": "refine", "question": "revenue per country last year"}, "right"),
        (
            "returns last month",
            "open",
            {"means": "ask", "question": "returns in July 2026", "from": "2026-07-01", "to": "2026-08-01"},
            "right",
        ),
        (
            "returns last month",
            "open",
            {"means": "ask", "question": "returns last month", "from": "2025-07-01", "to": "2025-08-01"},
            "wrong",
        ),
        ("how many customers are there?", "open", {"means": "ask", "question": "how many stores"}, "wrong"),
        ("send it away", "email_confirm", {"means": "button", "button": "yes"}, "right"),
        ("send it away", "email_confirm", {"means": "small_talk"}, "wrong"),
        ("add bob@firma.de", "email_confirm", {"means": "correct", "add_to": ["bob@firma.de"]}, "right"),
        ("add bob@firma.de", "email_confirm", {"means": "correct", "add_to": ["eve@firma.de"]}, "wrong"),
        ("qwrtz fghjk", "write_confirm", {"means": "correct", "table": "copies"}, "asked back"),
        ("the second one", "asked_back", {"means": "choice", "number": 2}, "right"),
        ("the second one", "asked_back", {"means": "choice", "number": 1}, "wrong"),
        ("copies_2026", "write_table", {"means": "name", "value": "copies_2026"}, "right"),
        ("thank you", "rows", {"means": "small_talk"}, "right"),
    ],
)
def test_an_outcome_is_judged(walk: RealPath, say: str, card: str, right: dict[str, Any], verdict: str) -> None:
    """By what the talk came to, not by what a recogniser said."""
    case = Case(say, standing(card), (right,))
    assert verdict == judge(case, walk.typed(say, case.at), walk)


def test_what_must_never_be_is_harmful(walk: RealPath) -> None:
    """Even where something right came of it as well."""
    case = Case("yes", standing("write_confirm"), ({"means": "ask_back"},), ({"means": "button", "button": "yes"},))
    assert "harmful" == judge(case, walk.typed(case.say, case.at), walk)


def test_nothing_is_done_on_the_path(walk: RealPath) -> None:
    """A Yes is read, and its work is cut off: the table is not made, no mail goes."""
    assert Stage.WRITE_DATA == walk.typed("yes", standing("write_confirm")).after.stage
    assert Stage.SEND_EMAIL == walk.typed("send", standing("email_confirm")).after.stage
    assert not list(
        walk.services.jobs.latest(
            walk.typed("yes", standing("write_confirm")).before.owner,
            50,
        )
    )[50:]


def test_questions_are_alike_by_their_words() -> None:
    """Another number is another question; small words and endings are not."""
    assert alike("orders per store in 2024", "the order of each stores in 2024, please")
    assert not alike("orders per store in 2024", "orders per store in 2025")
    assert not alike("orders per store", "customers without an order")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"say": "hi"}, 'it needs "say" and "right"'),
        ({"say": "hi", "right": [{"means": "help"}], "at": "moon"}, "moon is no card"),
        ({"say": "hi", "right": [{"kind": "help"}]}, 'each meaning needs "means"'),
    ],
)
def test_a_wrong_line_is_told(tmp_path: Path, line: dict[str, Any], why: str) -> None:
    """With its number."""
    file = tmp_path / "sentences.jsonl"
    file.write_text(json.dumps({"say": "x", "right": [{"means": "help"}]}) + "\n" + json.dumps(line), encoding="utf-8")
    with pytest.raises(SettingsError, match=f"sentences.jsonl, line 2: .*{why}"):
        read_cases(file)


def test_the_kept_sentences_are_whole() -> None:
    """Every line is read, every card has at least forty."""
    cases = [case for path in sorted(SENTENCES.glob("*.jsonl")) for case in read_cases(path)]
    assert len(cases) > 1200
    few = {card for card in CARDS if sum(case.at.card == card for case in cases) < 40} - {"own_sql"}
    assert set() == few


@pytest.mark.thorough
def test_strangers_sentences_are_understood(tmp_path: Path) -> None:
    """A floor below which it may not fall, tried on every tenth of them: most are right."""
    told: list[str] = []
    for path in sorted(SENTENCES.glob("*.jsonl")):
        some = tmp_path / path.name
        some.write_text("\n".join(path.read_text("utf-8").splitlines()[::10]), "utf-8")
        measure(settings_of({"ICC_BOT_HOME": str(tmp_path)}), told.append, some)
    shares = [float(line.split(" % right")[0].rsplit(" ", 1)[-1]) for line in told if " % right" in line]
    assert min(shares) > 60, told
