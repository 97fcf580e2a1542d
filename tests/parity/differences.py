"""The differences of platforms from the golden talks that are by design, each with its reason."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from adapters.chat.delivery import SENT_PRIVATELY
from bot.models.choice import MODEL_AWAY
from router.handoff.handoff import OPEN_CONVERSATION
from router.interactions.commands import EXAMPLES_PRIVATELY, PREVIEW_PRIVATELY, SCHEDULES_PRIVATELY
from router.schedules.listing import ASK_SCHEDULE, NOTHING_REPEATED
from tests.support.transcript import Step

Platform = Literal["slack", "teams", "web"]
ALL: tuple[Platform, ...] = ("slack", "teams", "web")
CHAT: tuple[Platform, ...] = ("slack", "teams")


@dataclass(frozen=True)
class Difference:
    """On these platforms, a step is another one, or none."""

    reason: str
    where: tuple[Platform, ...]
    change: Callable[[Step, str], Step | None]
    """Given the step and the row of buttons that stands before it."""


def expected_on(
    platform: Platform, steps: Iterable[Step], differences: Iterable[Difference] | None = None
) -> list[Step]:
    """Return the steps of a talk as they are on a platform."""
    out, row = [], ""
    for step in steps:
        changed: Step | None = step
        for difference in DIFFERENCES if differences is None else differences:
            if changed is not None and platform in difference.where:
                changed = difference.change(changed, row)
        out += [changed] if changed is not None else []
        rows = re.findall(r"\[[^\n]*\]$|^  - ", step.shown, re.MULTILINE)
        row = rows[-1] if rows else row
    return out


def _blocks(shown: str) -> list[str]:
    """Return the paragraphs; what stands in brackets is one, however many paragraphs it has."""
    blocks: list[str] = []
    open_ = False
    for part in shown.split("\n\n"):
        if open_:
            blocks[-1] += f"\n\n{part}"
        else:
            blocks.append(part)
        open_ = blocks[-1].startswith("(") and blocks[-1].count("(") > blocks[-1].count(")")
    return blocks


def _without_progress(step: Step, row: str) -> Step:
    blocks = [each for each in _blocks(step.shown) if not re.fullmatch(r"\([^\n()]*…\)", each)]
    return replace(step, shown="\n\n".join(blocks))


def _without_brackets(step: Step, row: str) -> Step:
    blocks = [each[1:-1] if each.startswith("(") else each for each in _blocks(step.shown)]
    return replace(step, shown="\n\n".join(blocks))


def _without_path(step: Step, row: str) -> Step:
    return replace(step, shown=re.sub(r"^(result-\S+): \S+$", r"\1", step.shown, flags=re.MULTILINE))


def _not_opened(step: Step, row: str) -> Step | None:
    return None if step.word == "opened" else step


LABELS = {
    "yes": "Run|Start|Use",
    "database": "Other database",
    "done": "Done",
    "share": "Share in channel",
    "back": "Back",
}
TYPED = {"database": "change database", "done": "done", "share": "share", "back": "back"}


def _link_named(step: Step, row: str) -> Step:
    return replace(step, shown=re.sub(rf"^({OPEN_CONVERSATION}): [^\s)]+", r"\1", step.shown, flags=re.MULTILINE))


def _undrawn(step: Step, row: str) -> Step:
    if step.word != "press" or step.rest not in LABELS or re.search(LABELS[step.rest], row):
        return step
    return Step(">", TYPED[step.rest], step.shown) if step.rest in TYPED else Step("undrawn", step.rest)


def _closed(step: Step, row: str) -> Step:
    late = step.rest.startswith("glossary:") and re.fullmatch(r"\w+ \w+ that already\.", step.shown)
    return Step("undrawn", step.rest) if late else step


def _file_named(step: Step, row: str) -> Step:
    nothing = r"^(result-\S+)\n\n((?:There's nothing to draw|About the file: ).*)$"
    return replace(step, shown=re.sub(nothing, r"\2\n\n\1", step.shown, flags=re.MULTILINE))


def _sort_typed(step: Step, row: str) -> Step:
    return replace(step, word=">", rest="sort by squared descending") if step.rest == "sort:1:down" else step


def _went_home(step: Step, row: str) -> Step:
    if "Only you can see this." not in step.shown:
        return step
    blocks = _blocks(step.shown)
    first = next(n for n, block in enumerate(blocks) if not block.startswith("("))
    return replace(step, shown="\n\n".join([*blocks[:first], SENT_PRIVATELY, *blocks[first:]]))


def _gone_home(step: Step, row: str) -> Step:
    return replace(step, shown=f"{step.shown}\n\n{SENT_PRIVATELY}") if "Only you can see this." in step.shown else step


LINE = "\n"


def _to_me(step: Step, row: str) -> Step:
    shown = re.sub(r"^(Where to: \*?Here\*?)(?! / To me)", r"\1 / To me alone", step.shown, flags=re.MULTILINE)
    if re.match(r"(send|show) me ", step.rest):
        shown = shown.replace("and put the rows here", "and send the rows to you alone")
    return replace(step, shown=shown)


def _to_channel(step: Step, row: str) -> Step:
    here = r"^(Where to: \*?Here\*? / \*?To me alone\*?)(.*)$"
    there = r"\1 / Another channel\2\nWhich channel:"
    return replace(step, shown=re.sub(here, there, step.shown, flags=re.MULTILINE))


def _listed_at_home(step: Step, row: str) -> Step:
    if SCHEDULES_PRIVATELY in step.shown or not (ASK_SCHEDULE in step.shown or NOTHING_REPEATED in step.shown):
        return step
    last = rf"({re.escape(NOTHING_REPEATED)}|  - [^\n]*(?:\n\n(?!  - )|\Z))"
    listed, line, rest = re.split(last, step.shown, maxsplit=1)
    return replace(step, shown=f"{listed}{line.rstrip()}\n\n{SCHEDULES_PRIVATELY}\n\n{rest.lstrip(LINE)}".rstrip())


KEPT = re.compile(
    r"(?:There are no examples for[^\n]*|Examples for .*?  - Remove[^\n]*(?=\n\n|\Z)|.*?\[Save\]"
    r"|I don't know which question[^\n]*|That is an example[^\n]*)",
    re.DOTALL,
)
"""Lines shown to people who keep an example, or look at those that are kept."""


def _kept_at_home(step: Step, row: str) -> Step:
    found = KEPT.match(step.shown) if step.word == ">" else None
    if found is None:
        return step
    note = EXAMPLES_PRIVATELY if step.rest == "examples" else PREVIEW_PRIVATELY
    return replace(step, shown=f"{found[0]}\n\n{note}{step.shown[found.end() :]}")


def _told_twice(step: Step, row: str) -> Step:
    if step.word != "fill":
        return step
    wrong = re.search(r"^(?:    .*|.+:(?: .* / .*)?)\n\((.+)\)$", step.shown, re.MULTILINE)
    # Where the form stands once more, the sentence above it says why.
    wrong = wrong or re.match(
        r"(?!The columns|Write )(.+)\n\n(?s:.*)(Which columns? |Rows are|Edit the SQL|Write its rows|Name of the job)",
        step.shown,
    )
    return replace(step, shown=f"{wrong[1]}\n\n{step.shown}") if wrong else step


def _discreet(step: Step, row: str) -> Step:
    away = re.compile(r"^(\*What went wrong:\* |)\S+ answered with an error: .*", re.MULTILINE)
    return replace(step, shown=away.sub(lambda found: found[1] + MODEL_AWAY, step.shown))


def _served_by(step: Step, row: str) -> Step:
    return replace(step, shown=step.shown.replace(" answered with an error", " on Ollama answered with an error"))


def _lone_number(step: Step, row: str) -> Step:
    return replace(step, shown=LONE.sub(lambda found: _left(found[0]), step.shown))


LONE = re.compile(r"^ *\w+\n(-+)\n((?: *\d+\n)+)(?=\()", re.MULTILINE)
"""A table of one column of numbers."""


def _left(table: str) -> str:
    return "\n".join(line.strip() for line in table.split("\n"))


BUTTONS_MAX = 6
LABEL_MAX_CHARS = 40
"""Entries of a menu of Teams, and characters of each, up to which they are buttons."""

SHORT_ID = re.compile(r"\bT-\d+\b")
"""The number of what is repeated, as the written talks have it: what a chat draws is longer."""


def _pressed(step: Step, row: str) -> Step:
    def changed(found: re.Match[str]) -> str:
        labels = [line.removeprefix("  - ") for line in found[2].splitlines()]
        fits = (
            len(labels) <= BUTTONS_MAX
            and max(len(SHORT_ID.sub("T-7F3K2Q4M", label)) for label in labels) <= LABEL_MAX_CHARS
            and not found[1].endswith("(several, with commas)")
        )
        return f"{found[1]} [{' / '.join(labels)}]{LINE if found[2].endswith(LINE) else ''}" if fits else found[0]

    return replace(
        step, shown=re.sub(r"^(\S.*)\n((?:  - .*(?:\n|$))+)(?!  …)", changed, step.shown, flags=re.MULTILINE)
    )


def _mentioned(step: Step, row: str) -> Step:
    return replace(
        step, shown=step.shown.replace("Ask me again whenever you like.", "Mention me for your next question.")
    )


def _close(step: Step, row: str) -> Step:
    asked = "\n\nWhat would you like to know?"
    quiet = step.shown.startswith("Nothing of it was done.")  # small print is drawn in a card
    close = step.shown.count("\n\n") == 1 and step.shown.endswith(asked) and not quiet
    return replace(step, shown=step.shown.replace(asked, asked[1:])) if close else step


def _beside(step: Step, row: str) -> Step:
    return replace(step, shown=re.sub(r"(not counted here[^\n]*\.)\n\n\[", r"\1 [", step.shown))


DIFFERENCES = (
    Difference("In a chat, what is said of rows stands in the message of their buttons.", CHAT, _beside),
    Difference("Among others, the bot is mentioned by whoever asks something.", CHAT, _mentioned),
    Difference("In Teams, sentences without a card are one message, whose lines stand close.", ("teams",), _close),
    Difference("What is being done is gone from the screen once it is done.", ALL, _without_progress),
    Difference("What is for one person alone goes to their direct messages.", ("slack",), _went_home),
    Difference("In Teams, where it went is said once it is there.", ("teams",), _gone_home),
    Difference("Where others read along, what is repeated for one is told to them alone.", CHAT, _listed_at_home),
    Difference("Where others read along, examples are kept and looked at alone.", CHAT, _kept_at_home),
    Difference("Where others read along, rows can go to oneself alone.", CHAT, _to_me),
    Difference("A card of the glossary that was answered cannot be pressed any more.", CHAT, _closed),
    Difference("In Slack, a channel can be picked.", ("slack",), _to_channel),
    Difference("The brackets stand for: this asks nothing.", ALL, _without_brackets),
    Difference("Where a file lies on the bot's disk is nobody's business.", ALL, _without_path),
    Difference("An address stands behind the words that open it.", CHAT, _link_named),
    Difference("A platform does not say that somebody looks at a thread.", ALL, _not_opened),
    Difference("What is not drawn cannot be pressed; it is typed, where that says the same.", ALL, _undrawn),
    Difference("A head of a table cannot be pressed in a chat; the same is typed.", CHAT, _sort_typed),
    Difference("In Slack, a file hangs below what was said with it.", ("slack",), _file_named),
    Difference("In Teams, the entries of a short menu are buttons.", ("teams",), _pressed),
    Difference("Teams tells whoever sends a form what is wrong, where they pressed, too.", ("teams",), _told_twice),
    Difference("In a chat, what the administrator must mend is not told to whoever asks.", CHAT, _discreet),
    Difference("The name of the model says who serves it.", ("web",), _served_by),
    Difference("In Teams, numbers without a column beside them stand to the left.", ("teams",), _lone_number),
)
