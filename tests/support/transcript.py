"""The language of the golden talks in `tests/conversations`.

A file begins with a title. A line `> text` is typed by Ana. Lines that begin with `@` direct the talk:
    @connections shop, archive      which databases there are (before the first line)
    @model SQL                      what the model will answer next; `@model !500` has its server fail
    @press answer                   a button, or a menu (several answers with commas)
    @fill name=text & name=text     a form; its other fields are sent as they stand in it
    @opened                         the person looks at the thread
    @as Bob                         who acts from here on
    @killed STAGE                   the process was killed in this stage of work, and another one goes on
    @killed STAGE again             the same, for the second time in a row
    @gone NAME / @there NAME        a database's file is taken away, and put back; without a name, the shop's
    @later DAYS                     time goes by
    @at 2026-03-16 08:00            the time is this, in UTC
    @due                            what is due by now is run
    @mail                           (before the first line) there is a mail server
    @mail STEP answer / @mail STEP  what it answers at a step from here on, or where it dies; `@mail` alone: it is well
    @private                        (before the first line) results are for the asker alone
    @glossary TEXT                  somebody writes this into the glossary's file
    @humans channel / @humans email   people can be asked there from here on; `@humans` alone: nobody
    @channel                        others can read the thread from here on
Everything else is the structure of what the bot answered; see `structure.py`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

ACTS = (">", "press", "fill", "opened", "due")
"""What a person does, and the bot answers; everything else is a direction."""


@dataclass(frozen=True)
class Step:
    """A line of a person (its word is `>`) or a direction, and what the bot showed for it."""

    word: str
    rest: str
    shown: str = ""

    @property
    def line(self) -> str:
        """The line as it stands in the file."""
        return f"> {self.rest}" if self.word == ">" else f"@{self.word} {self.rest}".rstrip()


class Player(Protocol):
    """A player of a talk; each act returns what was shown for it."""

    def say(self, text: str) -> str:
        """Type a line."""

    def press(self, answers: list[str]) -> str:
        """Press a button, or choose in a menu."""

    def fill(self, values: dict[str, str]) -> str:
        """Put these values into fields of a form, and send it."""

    def look(self) -> str:
        """Look at the thread."""

    def due(self) -> str:
        """Have run what is due."""

    def direct(self, word: str, rest: str) -> None:
        """Change what is around the talk."""


def read(text: str) -> tuple[str, list[Step]]:
    """Return the title of a file and its steps."""
    title, *lines = text.splitlines()
    steps: list[tuple[str, str, list[str]]] = []
    for line in lines:
        if line.startswith("> "):
            steps.append((">", line[2:], []))
        elif line.startswith("@"):
            word, _, rest = line[1:].partition(" ")
            steps.append((word, rest, []))
        elif steps:
            steps[-1][2].append(line)
    return title, [Step(word, rest, "\n".join(shown).strip("\n")) for word, rest, shown in steps]


def write(title: str, steps: Iterable[Step]) -> str:
    """Return the text of a file."""
    out, directed = [title], False
    for step in steps:
        # A direction that shows nothing belongs to the line after it.
        out += [*([] if directed else [""]), step.line, *([step.shown] if step.shown else [])]
        directed = step.word not in ACTS
    return "\n".join(out) + "\n"


def play(steps: Iterable[Step], player: Player) -> list[Step]:
    """Return the steps with what is shown for them today."""
    return [replace(step, shown=_shown(step, player)) for step in steps]


def _shown(step: Step, player: Player) -> str:
    match step.word:
        case ">":
            return player.say(step.rest.replace("\\n", "\n"))
        case "press":
            return player.press([answer.strip() for answer in step.rest.split(",")])
        case "fill":
            values = (each.partition("=") for each in step.rest.split(" & "))
            return player.fill({name: value.replace("\\n", "\n") for name, _, value in values})
        case "opened":
            return player.look()
        case "due":
            return player.due()
        case _:
            player.direct(step.word, step.rest)
            return ""
