"""The engine: takes one input through the table of stages, and saves before anything is answered."""

import logging
import secrets
from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import Literal

from router.cards import Buttons, Card, Option, Progress, Reply, Text
from router.errors import BotError, NotYours, Stale, Unclear
from router.flow import FLOW
from router.machine import Ask, Flow, Work
from router.memory import Decision, Draft, Memory, Step, ThreadKey
from router.store import Store
from router.turn import Filled, Incoming, Opened, Pressed, Said, Tools, Turn

log = logging.getLogger("icc_bot")

Post = Callable[[Reply], None]
Command = Literal["help", "back", "restart", "cancel", "refresh", "done"]

STEPS_BACK = 12
EVENTS_KEPT = 50


class Router:
    """The deterministic core, one for all talks; many threads may call `turn`, each talk once at a time."""

    def __init__(self, store: Store, tools: Tools, flow: Flow = FLOW) -> None:
        self._store, self._tools, self._flow = store, tools, flow
        self._running: dict[ThreadKey, Turn] = {}
        self._lock = Lock()

    def turn(self, incoming: Incoming, post: Post) -> None:
        """Work on one input and post what there is to show; nothing but a bug in the store is ever raised."""
        memory = self._store.load(incoming.key) or Memory()
        if incoming.event and incoming.event in memory.seen:
            return
        if incoming.event:
            memory.seen = [*memory.seen, incoming.event][-EVENTS_KEPT:]
        turn = Turn(incoming, memory, self._tools, post)
        with self._lock:
            self._running[incoming.key] = turn
        try:
            self._take(turn)
        except BotError as error:
            self._repeat(turn, error)
        except Exception:
            self._repeat(turn, BotError(_logged("taking an answer")))
        finally:
            with self._lock:
                del self._running[incoming.key]

    def busy(self, incoming: Incoming) -> Reply:
        """Return what a second message is told while the first is being worked on."""
        return Reply(
            (
                Text(
                    "I am still working on your last message. Press Stop to end that; then tell me this again.", "quiet"
                ),
            )
        )

    def stop(self, incoming: Incoming) -> Reply:
        """Cancel what runs in the thread, and say so."""
        with self._lock:
            running = self._running.get(incoming.key)
        if running is None:
            return Reply((Text("Nothing is running here right now.", "quiet"),))
        if running.owner.id != incoming.user.id:
            return Reply((Text("Only the person who started this conversation can stop it.", "problem"),))
        running.stop()
        return Reply((Progress("Stopping…", stoppable=False),), working=True)

    def is_running(self, key: ThreadKey) -> bool:
        """Tell whether a turn of this thread is under way."""
        return key in self._running

    def memory(self, key: ThreadKey) -> Memory | None:
        """Return what is remembered of a thread, for lists of threads."""
        return self._store.load(key)

    def _take(self, turn: Turn) -> None:
        memory = turn.memory
        row = self._flow[memory.stage]
        if isinstance(row.handler, Work):
            self._resume(turn, row.handler)
            return
        opened = isinstance(turn.incoming.input, Opened)
        if memory.stage == self._flow.end:
            if opened:
                return
            self._begin_again(turn)
            row = self._flow[memory.stage]
        assert isinstance(row.handler, Ask)
        if memory.owner is None:
            memory.owner = turn.user
        row.handler.demand_right(turn)
        if opened:
            self._show(turn)
            return
        _demand_fresh(turn)
        command: Command | None = turn.word("help", "back", "restart", "cancel", "refresh", "done")
        # A stage's own word goes before a command of the same name.
        if command and command not in row.to:
            self._command(turn, command, row.handler)
            return
        stage, number = memory.stage, memory.turn
        word = row.handler.answer(turn)
        if isinstance(turn.incoming.input, Pressed | Filled):
            memory.decided = Decision(number, word, turn.user, self._tools.clock())
        self._advance(turn, word, replace=row.to[word] == stage)

    def _advance(self, turn: Turn, word: str, replace: bool = False) -> None:
        """Follow the table from outcome to outcome until a person is asked."""
        memory = turn.memory
        while True:
            memory.stage = self._flow[memory.stage].to[word]
            handler = self._flow[memory.stage].handler
            if isinstance(handler, Work):
                word = self._work(turn, handler)
            elif isinstance(handler, Ask) and (settled := handler.settle(turn)) is not None:
                word = settled
            else:
                self._show(turn, replace=replace)
                return

    def _work(self, turn: Turn, handler: Work) -> str:
        self._store.save(turn.incoming.key, turn.memory)
        turn.post(Reply((Progress(handler.doing),), working=True))
        try:
            return handler.work(turn)
        except BotError as error:
            turn.note(str(error), "problem")
        except Exception:
            turn.note(_logged(handler.doing), "problem")
        return handler.failed(turn)

    def _resume(self, turn: Turn, handler: Work) -> None:
        """Report a step that a stopped process left behind, and offer it again; it is never repeated unasked."""
        turn.note(
            f"I was interrupted at this step: {handler.doing.rstrip('…')}. "
            "It was not repeated; everything before it is kept.",
            "problem",
        )
        if isinstance(turn.incoming.input, Said):
            turn.note("Please answer once more: I did not take your message as an answer.", "quiet")
        self._advance(turn, handler.failed(turn))

    def _show(self, turn: Turn, replace: bool = False) -> None:
        """Ask the stage's question under a new number, once it is saved."""
        memory = turn.memory
        handler = self._flow[memory.stage].handler
        cards = self._cards(turn, handler)
        memory.turn += 1
        memory.asked = self._tools.clock()
        step = Step(memory.stage, memory.draft, memory.answer)
        if isinstance(handler, Ask) and (not memory.trail or memory.trail[-1].stage != memory.stage):
            memory.trail = [*memory.trail, step][-STEPS_BACK:]
        elif memory.trail:
            memory.trail[-1] = step
        self._store.save(turn.incoming.key, memory)
        turn.post(Reply((*turn.notes, *cards), turn=memory.turn, replace=replace))

    def _cards(self, turn: Turn, handler: object) -> tuple[Card, ...]:
        if not isinstance(handler, Ask):
            return self._flow[self._flow.end].handler.farewell(turn)  # type: ignore[union-attr]
        try:
            return handler.ask(turn)
        except BotError as error:
            turn.note(str(error), "problem")
        except Exception:
            turn.note(_logged("showing the question"), "problem")
        return (Buttons("How shall we go on?", (Option("back", "Back"), Option("restart", "Start over"))),)

    def _repeat(self, turn: Turn, error: BotError) -> None:
        """Say what was wrong and show the question that stands, from what was saved: nothing is lost."""
        if isinstance(error, NotYours):
            turn.post(Reply((Text(str(error), "problem"),)))
            return
        seen = turn.memory.seen
        saved = self._store.load(turn.incoming.key) or Memory(owner=turn.user)
        saved.seen = seen
        again = replace_memory(turn, saved)
        again.note(str(error), "quiet" if isinstance(error, Unclear) else "problem")
        self._show(again)

    def _begin_again(self, turn: Turn) -> None:
        memory = turn.memory
        memory.stage, memory.draft, memory.answer, memory.trail = self._flow.start, Draft(), None, []

    def _command(self, turn: Turn, command: Command, handler: Ask) -> None:
        memory = turn.memory
        match command:
            case "help":
                turn.note(
                    f"{handler.help}\nAnywhere: `back`, `restart`, `cancel`, `refresh` (reads the tables anew), `help`."
                )
            case "back" if len(memory.trail) > 1:
                step = memory.trail[-2]
                memory.trail = memory.trail[:-2]
                memory.stage, memory.draft, memory.answer = step.stage, step.draft, step.answer
            case "back":
                turn.note("This is the first step; there is nothing to go back to.", "quiet")
            case "restart":
                self._begin_again(turn)
                memory.connection, memory.schema, memory.tables = "", "", ()
            case "refresh":
                if memory.connection:
                    self._tools.catalog.refresh(memory.connection)
                turn.note("The tables will be read anew for your next question.", "quiet")
            case "cancel":
                turn.note("Cancelled; nothing was run." if memory.answer is None else "Cancelled.", "quiet")
                memory.stage = self._flow.end
            case "done":
                memory.stage = self._flow.end
        self._show(turn)


def replace_memory(turn: Turn, memory: Memory) -> Turn:
    """Return the turn over another memory, with no sentences yet."""
    return replace(turn, memory=memory, notes=[])


def _demand_fresh(turn: Turn) -> None:
    """Raise Stale where a button belongs to an earlier question; the sentence says who answered it, and when."""
    match turn.incoming.input:
        case Pressed(turn=number) | Filled(turn=number) if number != turn.memory.turn:
            decided = turn.memory.decided
            if decided and decided.turn == number:
                who = "You" if decided.by.id == turn.user.id else decided.by.name or "Somebody else"
                raise Stale(f"{who} answered that already, at {decided.at:%H:%M}. This is where we are:")
            raise Stale("That button belongs to an earlier step. This is where we are:")


def _logged(doing: str) -> str:
    """Log the exception at hand under a new id, and return the sentence that shows the id."""
    number = secrets.token_hex(4)
    log.exception("error %s while %s", number, doing)
    return (
        f"Something went wrong on my side (error {number}). Your question and the SQL are kept; try again, or tell "
        "your administrator the number."
    )
