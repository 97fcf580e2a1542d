"""The kinds of handler, and the table that joins them: checked when it is made, and drawn from the same object."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, ClassVar, Final, Literal, Union, get_args, get_origin, get_type_hints

from router.cards import Card
from router.errors import FlowError, NotYours
from router.memory.stage import Stage
from router.memory.understanding import TypedAt
from router.policy import example_questions
from router.turn import Achieved, Turn


class Ask(ABC):
    """A stage that waits for a person."""

    help: str
    """The text of `help`: what one can do here."""
    begins: ClassVar[bool] = False
    """True if a first question is waited for, so that examples help."""
    accepts_definitions: ClassVar[bool] = False
    """True if questions are taken, so that a sentence which says what a word means is heard, too."""
    skipped_by_back: ClassVar[bool] = False
    """True if `back` never leads: it asks about a sentence that is answered by then."""
    redraws_in_place: ClassVar[bool] = False
    """True if a press that leads back draws the question again in its place, like the next page of a table."""
    card: ClassVar[str] = ""
    """The kind of card, for what sentences mean that are typed at it; empty if they are not told apart."""
    accepts: ClassVar[frozenset[str]] = frozenset()
    """Meanings that a sentence can have here besides those it can have anywhere (see `card_meanings`)."""
    fields: ClassVar[frozenset[str]] = frozenset()
    """The fields that this question takes of a form which was sent with the press that led here."""
    takes_sql: ClassVar[bool] = True
    """False if the card takes SQL in a way of its own; any other one begins again with it."""
    takes_any_text: ClassVar[bool] = False
    """True if the card would take any sentence, for a name, a text or a question: other meanings go first."""
    approves: ClassVar[bool] = False
    """True if a Yes has something run, be written, be sent or repeated: nobody says it in other words."""

    @abstractmethod
    def ask(self, turn: Turn) -> tuple[Card, ...]:
        """Return the question with its buttons."""

    def suggestions(self, turn: Turn) -> tuple[str, ...]:
        """Return questions that the person may go on with: by default examples, if a first one is waited for."""
        return example_questions(turn.services.connections, turn.owner) if self.begins else ()

    @abstractmethod
    def answer(self, turn: Turn) -> str:
        """Take the answer into memory and return the outcome's word.

        The word "unclear" (see `Turn.unclear`) has the question repeated, with nothing of it taken.
        """

    def decide_unasked(self, turn: Turn) -> str | None:
        """Return a word if there is nothing to ask, so that nobody is asked; None to ask."""
        return None

    def is_further(self, turn: Turn) -> bool:
        """Return whether the question is a step of its own, to which `back` leads."""
        last = turn.memory.trail[-1] if turn.memory.trail else None
        return last is None or last.stage != turn.memory.stage

    def only_for(self, turn: Turn) -> str:
        """Return the id of the only person who may see the question; empty for everybody in the thread."""
        return ""

    def label_typed(self, turn: Turn) -> str:
        """Return the word of the button whose label was typed, for labels with a name in them; empty for others."""
        return ""

    def require_right(self, turn: Turn) -> None:
        """Raise NotYours unless this person may answer here; by default only the starter of the thread may."""
        require_owner(turn)


class Work(ABC):
    """A stage that calls a model or a database, then moves on by itself."""

    doing: ClassVar[str]
    """The line that the person reads meanwhile: "Writing the SQL…"."""
    step: ClassVar[int] = 0
    """Its number among the steps from a question to SQL; 0 if it is none of them."""
    achieves: ClassVar[Achieved] = "step"
    """The outcome once it is done."""
    drafts_sql: ClassVar[bool] = False
    """True if it has SQL or the like written and touches nothing, so that it is done again after an interruption."""
    durable: ClassVar[bool] = False
    """True if a job of the ledger does it, so that it is taken up again if it was interrupted."""

    @abstractmethod
    def work(self, turn: Turn) -> str:
        """Do the work and return the outcome's word; Failed leads to the word of `failed`."""

    def failed(self, turn: Turn) -> str:
        """Return the word of the way out after a failure or an interruption."""
        return "failed"


class End(ABC):
    """The stage in which a talk is over."""

    @abstractmethod
    def farewell(self, turn: Turn) -> tuple[Card, ...]:
        """Return the last words."""


Handler = Ask | Work | End

UNCLEAR: Final = "unclear"
"""The word of an input that is no answer: only `answer` says it; it leads nowhere, and no row has it."""


def require_owner(turn: Turn) -> None:
    """Raise NotYours unless the person started the thread."""
    if turn.owner.id != turn.user.id:
        starter = turn.owner.name or "Somebody else"
        raise NotYours(
            f"{starter} started this conversation and answers here. Start your own, and I'll answer you there."
        )


_INHERITED: dict[Any, set[str]] = {Ask.decide_unasked: set(), Work.failed: {"failed"}}
"""The words of methods that a handler need not write."""


def words_of(handler: Handler) -> frozenset[str]:
    """Return every word that the handler's methods declare as `Literal[...]`, but for that of no answer."""
    if isinstance(handler, End):
        return frozenset()
    methods = ("answer", "decide_unasked") if isinstance(handler, Ask) else ("work", "failed")
    declared: set[str] = set()
    for name in methods:
        method = getattr(type(handler), name)
        if method in _INHERITED:
            declared |= _INHERITED[method]
            continue
        said = _literals(get_type_hints(method).get("return"), f"{type(handler).__name__}.{name}")
        declared |= said - {UNCLEAR} if name == "answer" else said
    return frozenset(declared)


def _literals(annotation: Any, where: str) -> set[str]:
    if annotation is NoneType:
        return set()
    if get_origin(annotation) is Literal:
        return set(get_args(annotation))
    if get_origin(annotation) in (Union, UnionType):
        return set().union(*(_literals(part, where) for part in get_args(annotation)))
    raise FlowError(f"{where} must return Literal words, not {annotation!r}.")


@dataclass(frozen=True, slots=True)
class Row:
    """One stage: who handles it, and where each outcome leads."""

    handler: Handler
    to: Mapping[str, Stage]


class Flow:
    """The table of all stages. Raises FlowError, with every fault, when the table is unsound."""

    def __init__(
        self,
        rows: Mapping[Stage, tuple[Handler, Mapping[str, Stage]]],
        start: Stage,
        end: Stage,
        typed_at: Mapping[Stage, TypedAt] | None = None,
        parts: Mapping[str, Stage] | None = None,
    ) -> None:
        """Take the rows.

        `typed_at` names the stages at which a sentence is understood in a way of its own, `parts` the stage that each
        part begins with which is drawn by itself, in the order of the rows.
        """
        self.rows = {stage: Row(handler, to) for stage, (handler, to) in rows.items()}
        self.start, self.end, self.typed_at = start, end, dict(typed_at or {})
        self.parts = dict(parts or {})
        if faults := self._faults():
            raise FlowError(" ".join(faults))

    def __getitem__(self, stage: Stage) -> Row:
        return self.rows[stage]

    def edges(self) -> tuple[tuple[Stage, str, Stage], ...]:
        """Return every edge as (from, word, to), in the order of the table."""
        return tuple((stage, word, to) for stage, row in self.rows.items() for word, to in row.to.items())

    def part_of(self) -> dict[Stage, str]:
        """Return the part of each stage but the last one: the part that began last in the order of the table."""
        begins = {stage: name for name, stage in self.parts.items()}
        found, part = {}, ""
        for stage in self.rows:
            part = begins.get(stage, part)
            if stage != self.end:
                found[stage] = part
        return found

    def mermaid(self) -> str:
        """Return the diagram of all stages as Mermaid text."""
        lines = ["stateDiagram-v2", f"    [*] --> {self.start}"]
        for stage, row in self.rows.items():
            lines += _arrows(stage, ((to, word) for word, to in row.to.items()))
        return "\n".join([*lines, f"    {self.end} --> [*]"])

    def mermaid_of(self, part: str, direction: Literal["TB", "LR"] = "TB") -> str:
        """Return the diagram of one part; another part is one dotted node, and a start is where others lead in."""
        if part not in self.parts:
            raise FlowError(f"There is no part {part!r}.")
        parts = self.part_of()
        inside = [stage for stage, name in parts.items() if name == part]
        leads_in = {to for stage, _, to in self.edges() if parts[stage] != part} | {self.start}
        number = {name: f"part{number}" for number, name in enumerate(self.parts)}
        nodes = {stage: str(stage) if stage in inside else number[name] for stage, name in parts.items()}
        nodes[self.end] = "[*]"
        arrows = [
            line for stage in inside for line in _arrows(stage, ((nodes[to], w) for w, to in self[stage].to.items()))
        ]
        reached = {parts[to] for stage in inside for to in self[stage].to.values() if to != self.end} - {part}
        others = [(number[name], name) for name in self.parts if name in reached]
        return "\n".join(
            [
                "stateDiagram-v2",
                f"    direction {direction}",
                *(f'    state "{name}" as {node}' for node, name in others),
                *(f"    [*] --> {stage}" for stage in inside if stage in leads_in),
                *arrows,
                "    classDef elsewhere stroke-dasharray: 4",
                *(f"    class {node} elsewhere" for node, _ in others),
            ]
        )

    def _faults(self) -> list[str]:
        missing = [stage for stage in Stage if stage not in self.rows]
        faults = [f"No row for {stage}." for stage in missing]
        for stage, row in self.rows.items():
            says, knows = words_of(row.handler), set(row.to)
            if says != knows:
                faults.append(f"{stage}: the handler says {sorted(says)}, the table says {sorted(knows)}.")
        if missing:
            return faults
        ends = [stage for stage, row in self.rows.items() if isinstance(row.handler, End)]
        if ends != [self.end]:
            faults.append(f"{self.end} alone must have an End as its handler, not {ends}.")
        forward = {stage: set(row.to.values()) for stage, row in self.rows.items()}
        backward = {stage: {other for other in forward if stage in forward[other]} for stage in forward}
        faults += [f"{stage} is never reached." for stage in forward if stage not in _reach(self.start, forward)]
        faults += [f"{stage} cannot end." for stage in forward if stage not in _reach(self.end, backward)]
        work = {stage for stage, row in self.rows.items() if isinstance(row.handler, Work)}
        among = {stage: forward[stage] & work for stage in work}
        faults += [f"{s} can loop without a person." for s in work if any(s in _reach(n, among) for n in among[s])]
        return faults


def _arrows(stage: Stage, ways: Iterable[tuple[str, str]]) -> list[str]:
    """Return the lines of a diagram for what leads from a stage, one for each node, with all its words."""
    words: dict[str, list[str]] = {}
    for to, word in ways:
        words.setdefault(to, []).append(word)
    return [f"    {stage} --> {to}: {', '.join(labels)}" for to, labels in words.items()]


def _reach(start: Stage, ways: Mapping[Stage, set[Stage]]) -> set[Stage]:
    found, todo = {start}, [start]
    while todo:
        for stage in ways[todo.pop()] - found:
            found.add(stage)
            todo.append(stage)
    return found
