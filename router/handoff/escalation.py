"""Notices that a question gets nowhere: offers to ask people, and asks them itself after the second try that failed."""

from typing import Final

from router.cards import Option, Text
from router.handoff.handoff import hand_off, reachable
from router.knowledge.glossary_file import words_of
from router.memory.thread import Attempts
from router.policy import may_read
from router.turn import Achieved, Turn

FAILED_TRIES_MAX: Final = 2
"""Tries of one wording that failed, after which people are asked unasked."""

FAILED_WORDINGS_MAX: Final = 3
"""The same of wordings, where each of them failed. Another wording of a question whose SQL was sound is no failure."""

STOP_WORDS: Final = frozenset(
    words_of(
        "a an the of in on at by for to from with and or not no is are was were be been am do does did have has had "
        "there this that these those it its i we you me my our us what which who whose when where why how many much "
        "show list give tell find get please can could would only"
    )
)
"""Words that say nothing of what is asked about."""

ASK_HUMAN: Final = Option("human", "Ask a human", aside=True)


def note_try(turn: Turn, achieves: Achieved, word: str) -> None:
    """Note what came of a stage of work, by its outcome's word; people are asked where it was once too often."""
    memory, tried = turn.memory, turn.memory.draft.subject
    if achieves == "rows" and word == "done":
        memory.struggle = memory.struggle.over()
    if turn.stopped() or achieves == "step" or word == "done":
        return
    before = memory.struggle
    if before.wordings and not _alike(tried, before.wordings[-1]):
        before = before.over()
    error = memory.draft.problem if word == "written" else _said(turn)
    memory.struggle = before.tried(tried, error)
    connection = turn.services.connections.get(memory.place.connection)
    if not _too_often(memory.struggle, tried) or memory.struggle.about(memory.struggle.wordings):
        return
    if connection and may_read(turn.owner, connection) and reachable(turn):
        hand_off(turn, unasked=True)


def way_to_people(turn: Turn) -> tuple[Option, ...]:
    """Return the button that asks people, where the question at hand failed, and nobody was asked about it yet."""
    struggle, tried = turn.memory.struggle, turn.memory.draft.subject
    failed = struggle.failed.count(tried)
    stuck = failed >= FAILED_TRIES_MAX or (failed and struggle.error)
    return (ASK_HUMAN,) if stuck and not struggle.about((tried,)) and reachable(turn) else ()


def _too_often(struggle: Attempts, tried: str) -> bool:
    return struggle.failed.count(tried) >= FAILED_TRIES_MAX or len(set(struggle.failed)) >= FAILED_WORDINGS_MAX


def _alike(one: str, other: str) -> bool:
    """Tell whether a question may be another wording of one: half of the words of the shorter one are in both."""
    first, second = (set(words_of(text)) - STOP_WORDS for text in (one, other))
    return one == other or 2 * len(first & second) >= max(1, min(len(first), len(second)))


def _said(turn: Turn) -> str:
    """Return what the person is told of a failure."""
    said = [card.body for card in turn.notes if isinstance(card, Text) and card.tone == "problem"]
    return said[-1] if said else "It failed."
