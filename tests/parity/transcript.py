"""A transcript of what a person sees, in the form of the golden talks: every platform's messages become one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from adapters.rendering.plain_text import text_of_card
from router.cards import Chart, Choice, Code, Field, Form, Head, Option, Table
from router.schedules.listing import ASK_SCHEDULE
from router.teaching.glossary_chat import ASK_TERM
from router.teaching.save_example import ASK_EXAMPLE

MORE = re.compile(r"Type to find one of ([\d,]+)")
DECIDED = re.compile(r"(Answered in the (thread|chat)|(:heavy_check_mark:|✓|✔️?) .+) · .+")
LASTING = {"Stop repeating", "Resume", "Save"}
"""Labels of buttons that stay, whatever is asked."""
LASTING_MENUS = {ASK_SCHEDULE, ASK_EXAMPLE, ASK_TERM}
"""Questions of menus that stay, too."""
DECIDING = {"Save", "Propose", "Accept", "Decline", "Don't save", "Don't propose"}
"""Labels of such buttons below a question of their own."""
TYPED = "Or just type it."


@dataclass
class Transcript:
    """The lines from top to bottom; `frame` is what the platform puts around the bot's cards."""

    parts: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    """The kind of each part."""
    frame: list[str] = field(default_factory=list)
    asks: bool = False
    """True if anything can be pressed or filled in."""
    steps: list[str] = field(default_factory=list)
    """Sentences on the steps of the source text that comes next."""
    order: list[str] = field(default_factory=list)
    """The answers of buttons, in the order in which the bot offers them."""
    decided: str = ""
    """The answer to the question, by whom and when."""
    sql: list[str] = field(default_factory=list)
    """The source texts that are read."""
    folded: list[str] = field(default_factory=list)
    """The SQL of an earlier card, folded below what came of it."""

    @property
    def text(self) -> str:
        """The golden text."""
        text = "\n\n".join(part for part in self.parts if part)
        return re.sub(r"[ \t]+$", "", re.sub(r"\d+\.\d s\b", "0.0 s", text), flags=re.MULTILINE)

    @property
    def answered(self) -> list[str]:
        """The parts that are left once the question is answered: of what asked, the words that end in no colon."""
        left = []
        for part, kind in zip(self.parts, self.kinds, strict=True):
            if kind == "buttons":
                part = re.sub(r" ?\[[^\n]*\]$", "", part)
            elif kind in ("menu", "form"):
                part = part.partition("\n")[0].removesuffix(" (several, with commas)")
            if kind == "waiting":  # nobody is waited for any more
                continue
            left += [] if kind in ("buttons", "menu", "form") and (not part or part.endswith(":")) else [part]
        return left

    def say(self, text: str, small: bool = False) -> None:
        """Read a paragraph; what counts the rows of the table above it is put below that. Buttons answer no `small`."""
        small = small or text.strip().startswith("⚠️ ")
        text = text.strip().removeprefix("⚠️ ")
        if DECIDED.fullmatch(text):
            self.decided = text
        elif self._last == "table":
            # What a query found says how long it took; other tables tell of the bot's own plans.
            self._replace(f"{self.parts[-1]}\n({text})", "rows" if text.endswith(" s") else "lines")
        elif text != TYPED:
            self._add(text, "waiting" if text.startswith("Waiting for ") else "small" if small else "text")

    def go_on(self, text: str) -> None:
        """Read a further line of a paragraph."""
        self._replace(f"{self.parts[-1]}\n{text}", self._last)

    def code(self, caption: str, body: str, steps: Sequence[str] = ()) -> None:
        """Read source text, and what is said of its steps; its kind stands behind the caption."""
        caption, _, kind = caption.rpartition(" — ")
        assert kind in ("", "SQL"), kind
        self.sql.append(body)
        self._add(text_of_card(Code(body, caption, steps=tuple(steps))), "code")

    def table(self, heads: Sequence[Head], rows: Sequence[Sequence[str]], title: str = "", source: str = "") -> None:
        """Read a page of rows below what they are; the line that counts them comes next."""
        drawn = text_of_card(Table(tuple(heads), tuple(map(tuple, rows)), len(rows), title=title, source=source))
        self._add(drawn.rpartition("\n")[0], "table")

    def chart(self, chart: Chart) -> None:
        """Read a chart."""
        self._add(text_of_card(chart), "chart")

    def file(self, name: str) -> None:
        """Read a file that can be had."""
        self._add(name, "file")

    def buttons(self, labels: Sequence[str]) -> None:
        """Read a row of buttons; a paragraph right above it is what they answer."""
        if self._last == "text" and self.parts[-1] in LASTING_MENUS:
            self._replace(f"{self.parts[-1]} [{' / '.join(labels)}]", "lasting")
            return
        if set(labels) <= LASTING:
            self._add(f"[{' / '.join(labels)}]", "lasting")
            return
        self.asks = self.asks or not set(labels) <= DECIDING
        row = f"[{' / '.join(labels)}]"
        if self._last == "text":
            self._replace(f"{self.parts[-1]} {row}", "buttons")
        else:
            self._add(row, "buttons")

    def more(self, labels: Sequence[str]) -> None:
        """Read the menu of the buttons that found no room in the row above."""
        self._replace(f"{self.parts[-1].removesuffix(']')} / {' / '.join(labels)}]", "buttons")

    def menu(self, labels: Sequence[str], hint: str, many: bool) -> None:
        """Read a menu, below the paragraph that it answers; `hint` says how many entries it has in all."""
        lasts = self.parts[-1] in LASTING_MENUS
        self.asks = self.asks or not lasts
        more = MORE.search(hint)
        options = [*labels[:20], *[""] * (int(more[1].replace(",", "")) - 20)] if more else labels
        card = Choice(self.parts[-1], tuple(Option("", label) for label in options), many)
        self._replace(text_of_card(card), "lasting" if lasts else "menu")

    def form(self, title: str, fields: Sequence[Field]) -> None:
        """Read a form."""
        self.asks = True
        self._add(text_of_card(Form(title, tuple(fields))), "form")

    def drop(self, text: str) -> None:
        """Forget a paragraph that is read elsewhere, or that belongs to the frame."""
        place = self.parts.index(text)
        del self.parts[place], self.kinds[place]

    @property
    def _last(self) -> str:
        return self.kinds[-1] if self.kinds else ""

    def _add(self, part: str, kind: str) -> None:
        self.parts.append(part)
        self.kinds.append(kind)

    def _replace(self, part: str, kind: str) -> None:
        self.parts[-1], self.kinds[-1] = part, kind
