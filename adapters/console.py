"""The bot in a terminal: a line from standard input is a message, a card is plain text."""

import sys
from collections.abc import Iterable
from typing import TextIO

from adapters.rendering.plain_text import text_of
from router.cards import Progress, Reply
from router.engine import Router
from router.language.wording import counted, verb
from router.memory.draft import User
from router.memory.stage import Stage
from router.memory.thread import ThreadKey
from router.observing.spans import span
from router.observing.talk import work_on
from router.turn import Incoming, Input, Opened, Said
from router.understanding.button_words import word_of


def hold_talk(router: Router, user: User, thread: str, lines: Iterable[str], out: TextIO, err: TextIO) -> bool:
    """Hold a talk, line by line, until it is over or the input ends; returns whether it came to its end.

    Lines that end in a backslash go on in the next line; progress goes to `err` if that is a terminal.
    """
    key = ThreadKey("console", "", "", thread)

    def post(reply: Reply) -> None:
        target = err if all(isinstance(card, Progress) for card in reply.cards) else out
        if target is out or err.isatty():
            print(text_of(reply), end="\n\n" if target is out else "\n", file=target, flush=True)

    def take(given: Input) -> None:
        with work_on(str(key)), span("event", key.platform, input=type(given).__name__.lower()):
            router.turn(Incoming(key, user, given), post)

    take(Opened())
    rest = iter(join_lines(lines))
    for line in rest:
        if not sys.stdin.isatty():
            print(f"> {line}\n", file=out, flush=True)
        take(Said(line))
        memory = router.memory(key)
        # After `cancel`, a next question may follow.
        if memory and memory.stage == Stage.DONE and word_of(line, ("cancel",)) is None:
            # A person who types sees that it is over; of a file, lines may be left.
            if left := 0 if sys.stdin.isatty() else sum(1 for _ in rest):
                what = f"{counted(left, 'more line')} {verb(left, 'was', 'were')}"
                print(f"The conversation is over; {what} not read.", file=err, flush=True)
            return True
    return False


def join_lines(lines: Iterable[str]) -> Iterable[str]:
    """Yield what was typed: blank lines left out, lines that end in a backslash joined with the next."""
    held: list[str] = []
    for line in lines:
        text = line.rstrip("\r\n")
        if text.endswith("\\"):
            held.append(text[:-1])
            continue
        whole = "\n".join([*held, text]).strip()
        held = []
        if whole:
            yield whole
    if held:
        yield "\n".join(held)
