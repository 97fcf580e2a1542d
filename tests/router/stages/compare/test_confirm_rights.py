"""Who says Yes to what a comparison reads, and what that Yes is for."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from router.memory.draft import User
from router.memory.stage import Stage
from tests.support.shop import BLOCKS, build_shop
from tests.support.talk import ANA, BOB, Talk

CARLA = User("test:carla", "Carla", "carla@example.com")
VAULT = BLOCKS["vault"].replace('"bob@example.com"', '"bob@example.com", "carla@example.com"')
SQL = "SELECT id, status FROM orders"


def model() -> Any:
    raise AssertionError("no model is asked")


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Iterator[Talk]:
    """A talk over a shop whose rows Ana may read as she likes, and a vault where Bob and Carla approve."""
    for name in ("shop", "vault"):
        build_shop(tmp_path / f"{name}.sqlite")
    (tmp_path / "connections.toml").write_text(BLOCKS["shop"] + VAULT)
    talk = Talk(tmp_path, model)
    talk.shared = True
    yield talk
    talk.close()


def press(talk: Talk, by: User, *answers: str) -> str:
    """Have somebody press buttons, one after the other; returns what is shown last."""
    talk.user = by
    return [talk.press(answer) for answer in answers][-1]


def planned(talk: Talk) -> str:
    """Get as far as the card of a comparison of both, with Bob's Yes to the query of the vault."""
    talk.say(SQL)
    press(talk, ANA, "menu:shop", "yes", "compare", "same", "menu:vault")
    press(talk, BOB, "yes")
    talk.user = ANA
    return talk.say("summary")


def approvals(talk: Talk) -> list[str]:
    """Return who said Yes to a comparison, by the trail."""
    lines = map(json.loads, (talk.folder / "audit.jsonl").read_text(encoding="utf-8").splitlines())
    return [each["approver"] for each in lines if (each["event"], each.get("target")) == ("approved", "comparison")]


def run(talk: Talk, kind: str) -> list[Any]:
    """Return the payloads of all jobs of a kind, the latest first."""
    return [entry.request.payload for entry in talk.services.jobs.ledger.latest() if entry.request.kind == kind]


def test_a_yes_to_a_run_is_not_for_a_comparison(talk: Talk) -> None:
    """What Bob approved for one run is read by no look before he says Yes again."""
    talk.say(SQL)
    press(talk, ANA, "menu:vault")
    press(talk, BOB, "yes")
    asked = press(talk, ANA, "compare", "same", "menu:shop", "yes")
    assert "this query needs a new Yes" in asked
    assert (Stage.CONFIRM_FIRST_USER_SQL, []) == (talk.stage, run(talk, "match_sql"))
    press(talk, BOB, "yes")
    assert (Stage.CONFIRM_COMPARE_SQL, 1) == (talk.stage, len(run(talk, "match_sql")))


def test_an_old_yes_is_not_for_a_look(talk: Talk) -> None:
    """Where the second query was long in coming, the first one is asked for again."""
    talk.say(SQL)
    press(talk, ANA, "menu:shop", "yes", "compare", "same")
    talk.clock.now += timedelta(days=8)
    press(talk, ANA, "menu:vault")
    asked = press(talk, BOB, "yes")
    assert "this query needs a new Yes" in asked
    assert [] == run(talk, "match_sql")
    press(talk, ANA, "yes")
    assert Stage.CONFIRM_COMPARE_SQL == talk.stage


def test_a_yes_is_for_one_run(talk: Talk) -> None:
    """To compare again, the query of the vault is confirmed by Bob as any other query is; Ana's own is by her press."""
    planned(talk)
    press(talk, ANA, "yes", "again")
    asked = press(talk, ANA, "compare")
    assert "this query needs a new Yes" in asked
    assert (Stage.CONFIRM_SECOND_USER_SQL, 1) == (talk.stage, len(run(talk, "compare_sql")))
    assert "You can't approve SQL for Vault." in talk.press("yes")
    press(talk, BOB, "yes")
    assert (Stage.CONFIRM_COMPARE_SQL, "columns") == (talk.stage, comparing(talk, "columns").reporting)
    press(talk, ANA, "compare")
    assert 2 == len(run(talk, "compare_sql"))
    assert [ANA.id, ANA.id] == approvals(talk)


def comparing(talk: Talk, report: str) -> Any:
    """Have another report be made; returns the comparison at hand."""
    press(talk, ANA, "change")
    talk.fill(reporting=report)
    return talk.memory.tasks.comparing


def test_nobody_else_presses_compare(talk: Talk) -> None:
    """Bob approves the query of the vault; what is done with both is up to Ana."""
    planned(talk)
    press(talk, BOB, "compare")
    assert [] == run(talk, "compare_sql")


def test_a_changed_query_needs_a_new_yes(talk: Talk) -> None:
    """What Bob approved is that text, and no other one."""
    planned(talk)
    press(talk, ANA, "second")
    talk.say("SELECT id FROM orders")
    assert Stage.CONFIRM_SECOND_USER_SQL == talk.stage
    assert "You can't approve SQL for Vault." in press(talk, ANA, "yes")
    press(talk, BOB, "yes")
    press(talk, ANA, "accept", "compare")
    assert [BOB.id] == [job["right"]["approver"]["id"] for job in run(talk, "compare_sql")]


def test_a_failed_comparison_is_tried_again(talk: Talk) -> None:
    """By the same Yes it is the same job, which is done once the database is back."""
    planned(talk)
    file = talk.folder / "vault.sqlite"
    away = file.rename(file.with_suffix(".away"))
    talk.services.catalog.refresh("vault")
    press(talk, ANA, "yes", "yes")
    assert Stage.CONFIRM_COMPARE_SQL == talk.stage
    away.rename(file)
    press(talk, ANA, "yes")
    assert Stage.SHOW_RESULTS == talk.stage
    assert {BOB.id} == {job["right"]["approver"]["id"] for job in run(talk, "compare_sql")}
