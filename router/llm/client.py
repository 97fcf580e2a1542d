"""A language model as the project sees it: text in, text or a value out. No LangChain type leaves this file."""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from queue import Empty, Queue
from threading import Condition, Event, Thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import ValidationError

from router.errors import AgentFailed, BotError, Stopped
from router.llm.call import ModelCall, Requester, Shape, complaint, cut, ending, read, said, unmarked
from router.llm.failures import Remedies, explain, late
from router.llm.prompt_log import ModelExchange, PromptLog
from router.observing.tallies import MODEL_FAILURES, MODEL_SECONDS, MODEL_WAIT_SECONDS, TOKENS

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessageChunk


# Warming: the model reads the beginning of a prompt before the question is known, so that its answer comes sooner.


log = logging.getLogger(__name__)

WarmUp = Callable[[str, Callable[[], bool]], None]
"""Reads a system text; raises Stopped once the second argument says so."""


class Warming:
    """At most one thread that warms what was wanted last; displaced by a question, it begins again afterwards."""

    def __init__(self, warm_up: WarmUp) -> None:
        self._warm_up = warm_up
        self._wanted: str | None = None
        self._running = False
        self._lock = threading.Lock()

    def want(self, system: str) -> None:
        """Have this warmed instead of what was wanted before; returns at once."""
        with self._lock:
            self._wanted = system
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, name="warming the model", daemon=True).start()

    def _run(self) -> None:
        while wanted := self._next():
            try:
                self._warm_up(wanted, self._outdated(wanted))
            except Stopped:
                continue
            except BotError as error:
                log.info("The model was not warmed: %s", error)
            except Exception:
                log.exception("The model was not warmed")
            with self._lock:
                if self._wanted == wanted:
                    self._wanted = None

    def _next(self) -> str | None:
        with self._lock:
            if ending():
                self._wanted = None
            self._running = self._wanted is not None
            return self._wanted

    def _outdated(self, wanted: str) -> Callable[[], bool]:
        return lambda: self._wanted != wanted


# The queue in front of a model that answers few questions at a time: fair between people, not between questions.


@dataclass(frozen=True, slots=True, eq=False)
class Ticket:
    """A place in the queue, later in a lane; `key` puts questions before work in the background, then by rounds."""

    asker: str
    key: tuple[bool, int, int]


class FairQueue:
    """Lets `lanes` questions through at once, or any number if None.

    Questions are numbered in rounds: a person's second waiting question belongs to the round after their first, and
    somebody new joins the current round. So nobody waits for more than one question of each other person.
    Work in the background passes only when no question waits or runs.
    """

    def __init__(self, lanes: int | None) -> None:
        self._lanes = lanes
        self._waiting: list[Ticket] = []
        self._inside: list[Ticket] = []
        self._round = 0
        self._joined = 0
        self._changed = Condition()

    @property
    def busy(self) -> bool:
        """True while a question (not work in the background) waits or runs."""
        with self._changed:
            return any(not ticket.key[0] for ticket in self._waiting + self._inside)

    def join(self, asker: str, *, background: bool = False) -> Ticket:
        """Return a new place in the queue."""
        with self._changed:
            mine = [ticket.key[1] for ticket in self._waiting + self._inside if ticket.asker == asker]
            self._joined += 1
            ticket = Ticket(asker, (background, max([self._round, *(number + 1 for number in mine)]), self._joined))
            self._waiting.append(ticket)
            self._admit()
            return ticket

    def wait(self, ticket: Ticket, seconds: float) -> int:
        """Return 0 as soon as it is this ticket's turn, after `seconds` its place among those who wait (1 is next)."""
        with self._changed:
            self._changed.wait_for(lambda: ticket in self._inside, seconds)
            if ticket in self._inside:
                return 0
            return 1 + sum(other.key < ticket.key for other in self._waiting)

    def leave(self, ticket: Ticket) -> None:
        """Free the lane or the place; harmless when repeated; any thread may call it."""
        with self._changed:
            for queue in (self._waiting, self._inside):
                if ticket in queue:
                    queue.remove(ticket)
            self._admit()

    def _admit(self) -> None:
        """Let in whoever may pass; the caller holds the lock."""
        self._waiting.sort(key=lambda ticket: ticket.key)
        while self._waiting and (self._lanes is None or len(self._inside) < self._lanes):
            first = self._waiting[0]
            background, number, _ = first.key
            if background and self._inside:
                break
            self._inside.append(self._waiting.pop(0))
            self._round = self._round if background else max(self._round, number)
        self._changed.notify_all()


# Streaming in a thread of its own, so that whoever waits for the answer can stop waiting at any moment.


T = TypeVar("T")


class AnswerStream(Generic[T]):
    """Runs the iterator that `start` returns, and calls `ended` when it is exhausted, has failed, or was closed."""

    def __init__(self, start: Callable[[], Iterator[T]], ended: Callable[[], None]) -> None:
        self._start = start
        self._ended = ended
        self._arrived: Queue[list[T] | BaseException | None] = Queue()
        self._abandoned = Event()
        self.over = False
        """True once everything has been taken."""
        # A daemon: a server that hangs must not keep the process from ending.
        Thread(target=self._run, name="model answer", daemon=True).start()

    def take(self, seconds: float) -> list[T]:
        """Return the next piece in a list, empty after `seconds` or at the end; raises what the iterator raised."""
        try:
            arrived = self._arrived.get(timeout=seconds)
        except Empty:
            return []
        if isinstance(arrived, BaseException):
            self.over = True
            raise arrived
        self.over = arrived is None
        return arrived or []

    def abandon(self) -> None:
        """Have the iterator closed as soon as it gives a sign of life; does not wait for it."""
        self._abandoned.set()

    def _run(self) -> None:
        last: BaseException | None = None
        try:
            self._pump()
        except BaseException as error:
            last = error
        finally:
            self._ended()
            self._arrived.put(last)

    def _pump(self) -> None:
        pieces = self._start()
        try:
            for piece in pieces:
                if self._abandoned.is_set():
                    return
                self._arrived.put([piece])
        finally:
            close = getattr(pieces, "close", None)
            if close is not None:
                close()


STOP_POLL_SECONDS = 0.1
"""Seconds between two looks at the Stop button."""

_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}


Context = Callable[[int], Mapping[str, Any]]
"""Takes the tokens of prompt and answer, returns fields to set on the chat model; raises AgentFailed if too many."""


def tokens(text: str) -> int:
    """Return a careful guess (rather too many) at the tokens of `text`: three bytes each, and every digit its own."""
    digits = sum(letter.isdigit() for letter in text)
    return digits + (len(text.encode()) - digits + 2) // 3


class Llm:
    """One model, shared by everybody in the process; every method may be called by any thread.

    `lanes` is the number of questions it answers at once (None: any), or the fair queue that it shares with another;
    `timeout` is in seconds, from the moment a question gets its lane; `answer_tokens` is room kept in the context;
    `context` is None where the server knows its own size and says so;
    `warm_fields` are set on the chat model to read a prompt without answering; None: `warm` is not worth while.
    """

    def __init__(
        self,
        chat: "BaseChatModel",
        name: str,
        *,
        lanes: int | FairQueue | None = None,
        timeout: float = 180.0,
        context: Context | None = None,
        log: PromptLog | None = None,
        remedies: Remedies | None = None,
        answer_tokens: int = 2048,
        warm_fields: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = name
        self._chat = chat
        self._fair_queue = lanes if isinstance(lanes, FairQueue) else FairQueue(lanes)
        self._timeout = timeout
        self._context = context
        self._listeners: list[Callable[[ModelExchange], object]] = [log.write] if log else []
        self._remedies = remedies or Remedies()
        self._answer_tokens = answer_tokens
        self._warm_fields = warm_fields
        self._warming = Warming(self._warm_up)

    def text(self, call: ModelCall) -> str:
        """Return the answer without the model's thoughts; raises AgentFailed, or Stopped once nobody waits."""
        answer = self._answer(call)
        if not answer:
            raise AgentFailed(f"{self.name} gave an empty answer. Ask again in other words.")
        return answer

    def fill(self, shape: type[Shape], call: ModelCall) -> Shape:
        """Return a valid `shape`, filled in by the model; it is told once what is wrong, then AgentFailed is raised."""
        call = replace(call, shape=shape)
        answer = self._answer(call)
        try:
            return read(shape, answer)
        except ValidationError as error:
            again = f"{call.user}\n\nYour last answer was:\n{answer}\n\nIt is wrong: {complaint(error)}\nAnswer again."
        try:
            return read(shape, self._answer(replace(call, user=again)))
        except ValidationError as error:
            raise AgentFailed(
                f"{self.name} gave an answer that does not fit: {complaint(error)} Say it in other words."
            ) from error

    @contextmanager
    def heard(self, listener: Callable[[ModelExchange], object]) -> Iterator[None]:
        """Have every call told to `listener` until the end of the block."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    def warm(self, system: str) -> None:
        """Have the model read the beginning of a prompt in the background, after all questions; the newest wins."""
        if self._warm_fields is not None:
            self._warming.want(system)

    def _warm_up(self, system: str, outdated: Callable[[], bool]) -> None:
        def displaced() -> bool:
            return self._fair_queue.busy or outdated()

        self._answer(ModelCall(system, "", Requester("", stopped=displaced), "warm", background=True))

    def _answer(self, call: ModelCall) -> str:
        changes: dict[str, Any] = {}
        if self._context:
            changes |= self._context(tokens(call.system) + tokens(call.user) + self._answer_tokens)
        if call.temperature is not None:
            changes["temperature"] = call.temperature
        if call.background:
            changes |= self._warm_fields or {}
        ticket = self._fair_queue.join(call.requester.id, background=call.background)
        joined = time.monotonic()
        try:
            self._queue(ticket, call)
        except BaseException:
            self._fair_queue.leave(ticket)
            raise
        began = time.monotonic()
        MODEL_WAIT_SECONDS.add(began - joined, call.agent)
        leave = partial(self._fair_queue.leave, ticket)
        try:
            pieces = self._collect(AnswerStream(lambda: self._stream(call, changes), leave), call)
        except BaseException:
            MODEL_FAILURES.add(call.agent)
            raise
        answer = _THOUGHT.sub("", "".join(said(piece) for piece in pieces)).strip()
        self._record(call, answer, time.monotonic() - began, pieces)
        if not call.background and any(cut(piece) for piece in pieces):
            raise AgentFailed(
                f"The answer of {self.name} was cut off at {self._answer_tokens} tokens and is not used. Ask for less."
            )
        return answer

    def _queue(self, ticket: Ticket, call: ModelCall) -> None:
        """Wait for the lane; the person is told their place whenever it changes."""
        told = 0
        while place := self._fair_queue.wait(ticket, STOP_POLL_SECONDS):
            call.check()
            if place != told and not call.background:
                # The first in line may be waiting for nobody: for a model that is just getting ready.
                rank = "" if place == 1 else f": you are {_ORDINALS.get(place, f'{place}th')} in line"
                call.requester.progress(f"Waiting for the model{rank}…")
                told = place

    def _stream(self, call: ModelCall, changes: Mapping[str, Any]) -> "Iterator[AIMessageChunk]":
        # Prompts hold table names and samples: whatever the environment says, they are not sent to a tracing service.
        from langsmith import tracing_context

        chat: Any = self._chat.model_copy(update=dict(changes)) if changes else self._chat
        if call.shape is not None:
            structured: Any = chat.with_structured_output(call.shape.model_json_schema(), method="json_schema")
            chat = getattr(structured, "first", structured)  # the model before LangChain's parser: the parsing is ours
        with tracing_context(enabled=False):
            yield from chat.stream([("system", unmarked(call.system)), ("human", unmarked(call.user))])

    def _collect(self, stream: "AnswerStream[AIMessageChunk]", call: ModelCall) -> "list[AIMessageChunk]":
        deadline = time.monotonic() + self._timeout
        pieces: list[AIMessageChunk] = []
        told = ""
        try:
            while not stream.over:
                for piece in stream.take(STOP_POLL_SECONDS):
                    notice = piece.additional_kwargs.get("notice", "")
                    if notice not in ("", told):
                        call.requester.progress(notice)
                        told = notice
                    pieces.append(piece)
                call.check()
                if time.monotonic() > deadline:
                    raise AgentFailed(late(self.name, self._timeout))
        except BotError:
            raise
        except Exception as error:
            log.warning("%s failed", self.name, exc_info=True)
            raise explain(error, self.name, self._remedies) from error
        finally:
            stream.abandon()
        return pieces

    def _record(self, call: ModelCall, answer: str, seconds: float, pieces: "list[AIMessageChunk]") -> None:
        usage: Any = next((piece.usage_metadata for piece in reversed(pieces) if piece.usage_metadata), None) or {}
        read, written = usage.get("input_tokens"), usage.get("output_tokens")
        log.info("%s for %s: %.1f s, %s tokens read, %s written", self.name, call.agent, seconds, read, written)
        MODEL_SECONDS.add(seconds, call.agent)
        TOKENS.add(call.agent, "read", by=read or 0)
        TOKENS.add(call.agent, "written", by=written or 0)
        if call.background:
            return
        cached = (usage.get("input_token_details") or {}).get("cache_read") or 0
        exchange = ModelExchange(call.agent, self.name, call.system, call.user, answer, seconds, read, written, cached)
        for listener in tuple(self._listeners):
            listener(exchange)
