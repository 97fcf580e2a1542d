"""Reading one sentence: where a result shall be written to, or to whom it shall be e-mailed.

Rules read first, and a model is asked only where they found no place or nobody, and words are left that could be one.
What it says is believed where the sentence has it; and what was read is a wish: whoever uses it checks it against what
there is, and asks for the rest.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from router.agents.call import never, silent
from router.agents.params.asking import Ask, Reader, Shape, ask_mailing, ask_writing
from router.agents.params.known import unknown_words
from router.agents.params.mailing import rules_of_mailing
from router.agents.params.rest import Rest
from router.agents.params.wishes import MailingWish, WritingWish
from router.agents.params.writing import rules_of_writing
from router.errors import AgentFailed

__all__ = ["MailingWish", "Reader", "WritingWish", "read_mailing", "read_writing"]

LONGEST = 1000
"""Characters of a sentence: of a longer text nothing is read."""

Wish = TypeVar("Wish", WritingWish, MailingWish)


def read_writing(
    sentence: str,
    reader: Callable[[], Reader],
    *,
    asker: str,
    connections: Mapping[str, str],
    progress: Callable[[str], None] = silent,
    stopped: Callable[[], bool] = never,
) -> WritingWish:
    """Return where the sentence wants rows written; `connections` are the labels, by name, of those it may name.

    `reader` gives the model, or raises AgentAway; without a model, what rules read is returned. Raises Stopped.
    """
    rest = Rest(sentence if len(sentence) <= LONGEST else "")
    wish = rules_of_writing(rest, connections)
    if (wish.table and (wish.schema or wish.connection)) or not unknown_words(rest.left):
        return wish
    ask = _asking(reader, asker, progress, stopped)
    return _completed(wish, lambda: ask_writing(rest, connections, ask))


def read_mailing(
    sentence: str,
    reader: Callable[[], Reader],
    *,
    asker: str,
    progress: Callable[[str], None] = silent,
    stopped: Callable[[], bool] = never,
) -> MailingWish:
    """Return to whom the sentence wants the result sent, and with what words; `reader` is as in `read_writing`."""
    rest = Rest(sentence if len(sentence) <= LONGEST else "")
    wish = rules_of_mailing(rest)
    if wish.recipients or not unknown_words(rest.left):
        return wish
    ask = _asking(reader, asker, progress, stopped)
    return _completed(wish, lambda: ask_mailing(rest, ask))


def _asking(
    reader: Callable[[], Reader], asker: str, progress: Callable[[str], None], stopped: Callable[[], bool]
) -> Ask:
    def ask(shape: type[Shape], system: str, user: str) -> Shape:
        return reader().fill(
            shape, system, user, asker=asker, progress=progress, stopped=stopped, agent="params", temperature=0.0
        )

    return ask


def _completed(wish: Wish, said: Callable[[], Wish]) -> Wish:
    """Return the wish with what the model says for its empty fields; as it is where the model says nothing usable."""
    try:
        more = said()
    except AgentFailed:
        return wish
    return replace(wish, **{name: getattr(more, name) for name in wish.__slots__ if not getattr(wish, name)})
