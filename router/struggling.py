"""Notices that a question gets nowhere: offers to ask people, and asks them itself after the second try that failed."""

from typing import Final

from router.cards import Option, Text
from router.handoff import hand_off, reachable
from router.knowledge.vocabulary import words_of
from router.memory import Stage
from router.pleas import about
from router.policy import may_read
from router.struggle import Struggle
from router.turn import Turn

FAILURES: Final = 2
"""Tries of one wording that failed, after which people are asked unasked."""

WORDINGS: Final = 3
"""The same of wordings, where each of them failed. Another wording of a question whose SQL was sound is no failure."""

WRITING: Final = (Stage.WRITE_SQL, Stage.WRITE_FIRST_SQL, Stage.WRITE_SECOND_SQL)

SMALL: Final = frozenset(
    words_of(
        "a an the of in on at by for to from with and or not no is are was were be been am do does did have has had "
        "there this that these those it its i we you me my our us what which who whose when where why how many much "
        "show list give tell find get please can could would only"
    )
)
"""Words that say nothing of what is asked about."""

ASK_HUMAN: Final = Option("human", "Ask a human", aside=True)


def note_try(turn: Turn, word: str) -> None:
    """Note what came of a stage of work, by its outcome's word; people are asked where it was once too often."""
    memory, stage, tried = turn.memory, turn.memory.stage, about(turn, "")
    if stage == Stage.EXECUTE_SQL and word == "done":
        memory.struggle = memory.struggle.over()
    if turn.stopped() or stage not in (*WRITING, Stage.EXECUTE_SQL) or word == "done":
        return
    before = memory.struggle
    if before.wordings and not _alike(tried, before.wordings[-1]):
        before = before.over()
    error = memory.draft.problem if word == "written" else _said(turn)
    memory.struggle = before.tried(tried, error)
    connection = turn.tools.connections.get(memory.place.connection)
    if not _too_often(memory.struggle, tried) or memory.struggle.about(memory.struggle.wordings):
        return
    if connection and may_read(turn.owner, connection) and reachable(turn):
        hand_off(turn, unasked=True)


def way_to_people(turn: Turn) -> tuple[Option, ...]:
    """Return the button that asks people, where the question at hand failed, and nobody was asked about it yet."""
    struggle, tried = turn.memory.struggle, about(turn, "")
    failed = struggle.failed.count(tried)
    stuck = failed >= FAILURES or (failed and struggle.error)
    return (ASK_HUMAN,) if stuck and not struggle.about((tried,)) and reachable(turn) else ()


def _too_often(struggle: Struggle, tried: str) -> bool:
    return struggle.failed.count(tried) >= FAILURES or len(set(struggle.failed)) >= WORDINGS


def _alike(one: str, other: str) -> bool:
    """Tell whether a question may be another wording of one: half of the words of the shorter one are in both."""
    first, second = (set(words_of(text)) - SMALL for text in (one, other))
    return one == other or 2 * len(first & second) >= max(1, min(len(first), len(second)))


def _said(turn: Turn) -> str:
    """Return what the person is told of a failure."""
    said = [card.body for card in turn.notes if isinstance(card, Text) and card.tone == "problem"]
    return said[-1] if said else "It failed."
