"""The kinds of handler, and the table that joins them: checked when it is made, and drawn from the same object."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

from router.cards import Card
from router.errors import FlowError, NotYours
from router.memory import Stage
from router.turn import Turn


class Ask(ABC):
    """A stage that waits for a person."""

    help: str
    """What one can do here, for `help`."""
    begins: ClassVar[bool] = False
    """Whether a first question is waited for, so that examples help."""
    learns: ClassVar[bool] = False
    """Whether questions are taken here, so that a sentence which says what a word means is heard, too."""
    passing: ClassVar[bool] = False
    """Whether `back` never leads here: it asks about a sentence that is answered by then."""
    replaces: ClassVar[bool] = False
    """Whether a press that leads back here draws the question anew in its place, like the next page of a table."""

    @abstractmethod
    def ask(self, turn: Turn) -> tuple[Card, ...]:
        """Return the question with its buttons."""

    @abstractmethod
    def answer(self, turn: Turn) -> str:
        """Take the answer into memory and return the outcome's word; raises Unclear to have the question repeated."""

    def settle(self, turn: Turn) -> str | None:
        """Return a word where there is nothing to ask, so that nobody is asked; None to ask."""
        return None

    def only_for(self, turn: Turn) -> str:
        """Return the id of the only person who may see the question; empty for everybody in the thread."""
        return ""

    def demand_right(self, turn: Turn) -> None:
        """Raise NotYours unless this person may answer here; by default only the starter of the thread may."""
        demand_owner(turn)


class Work(ABC):
    """A stage that calls a model or a database, then moves on by itself."""

    doing: ClassVar[str]
    """What the person reads meanwhile: "Writing the SQL…"."""
    durable: ClassVar[bool] = False
    """Whether a job of the ledger does it, so that it is taken up again where it was interrupted."""

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


def demand_owner(turn: Turn) -> None:
    """Raise NotYours unless the person started the thread."""
    if turn.owner.id != turn.user.id:
        starter = turn.owner.name or "Somebody else"
        raise NotYours(
            f"{starter} started this conversation and answers here. Start your own, and I will answer you there."
        )


_INHERITED: dict[Any, set[str]] = {Ask.settle: set(), Work.failed: {"failed"}}
"""What the methods say that a handler need not write."""


def words_of(handler: Handler) -> frozenset[str]:
    """Return every word that the handler's methods declare as `Literal[...]`."""
    if isinstance(handler, End):
        return frozenset()
    methods = ("answer", "settle") if isinstance(handler, Ask) else ("work", "failed")
    declared: set[str] = set()
    for name in methods:
        method = getattr(type(handler), name)
        if method in _INHERITED:
            declared |= _INHERITED[method]
            continue
        declared |= _literals(get_type_hints(method).get("return"), f"{type(handler).__name__}.{name}")
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

    def __init__(self, rows: Mapping[Stage, tuple[Handler, Mapping[str, Stage]]], start: Stage, end: Stage) -> None:
        self.rows = {stage: Row(handler, to) for stage, (handler, to) in rows.items()}
        self.start, self.end = start, end
        if faults := self._faults():
            raise FlowError(" ".join(faults))

    def __getitem__(self, stage: Stage) -> Row:
        return self.rows[stage]

    def edges(self) -> tuple[tuple[Stage, str, Stage], ...]:
        """Return every edge as (from, word, to), in the order of the table."""
        return tuple((stage, word, to) for stage, row in self.rows.items() for word, to in row.to.items())

    def mermaid(self) -> str:
        """Return the diagram as Mermaid text."""
        lines = ["stateDiagram-v2", f"    [*] --> {self.start}"]
        for stage, row in self.rows.items():
            words: dict[Stage, list[str]] = {}
            for word, to in row.to.items():
                words.setdefault(to, []).append(word)
            lines += [f"    {stage} --> {to}: {', '.join(labels)}" for to, labels in words.items()]
        return "\n".join([*lines, f"    {self.end} --> [*]"])

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


def _reach(start: Stage, ways: Mapping[Stage, set[Stage]]) -> set[Stage]:
    found, todo = {start}, [start]
    while todo:
        for stage in ways[todo.pop()] - found:
            found.add(stage)
            todo.append(stage)
    return found
