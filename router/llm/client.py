"""A language model as the project sees it: text in, text or a value out. No LangChain type leaves this file."""

import logging
import math
import random
import re
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from queue import Empty, Queue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import ValidationError

from router.errors import AgentFailed, AnswerCut, BotError, Stopped
from router.llm.call import (
    ModelAnswer,
    ModelCall,
    Requester,
    Shape,
    chunk_text,
    complaint,
    is_ending,
    read,
    unmarked,
    was_cut,
    weighed,
)
from router.llm.failures import TRANSIENT_FAILURES, Remedies, ServerRefused, explain, late
from router.llm.fair_queue import FairQueue, Ticket
from router.llm.prompt_log import ModelExchange, PromptLog
from router.observing.metrics import (
    MODEL_FAILURES,
    MODEL_RETRIES,
    MODEL_SECONDS,
    MODEL_WAIT_SECONDS,
    MODELS_AWAY,
    TOKENS,
)
from router.observing.spans import UNSEEN, Span, span

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessageChunk


log = logging.getLogger(__name__)

T = TypeVar("T")

STOP_POLL_SECONDS = 0.1
"""Seconds between two looks at the Stop button."""


class AnswerStream(Generic[T]):
    """Takes what `start` yields in a thread of its own, so that nobody who waits for it has to wait on.

    `leave` is called once it is neither running nor waited for.
    """

    def __init__(self, start: Callable[[], Generator[T]], leave: Callable[[], None]) -> None:
        self._start, self._leave = start, leave
        self._arrived: Queue[T | BaseException | None] = Queue()
        self._abandoned, self._finished = Event(), Event()
        # A daemon: a server that hangs must not keep the process from ending.
        Thread(target=self._run, name="model answer", daemon=True).start()

    def pieces(self, look: Callable[[], None]) -> Iterator[T]:
        """Yield what arrives, and raise what was raised; `look` is called meanwhile, and may end it by raising."""
        while True:
            look()
            try:
                arrived = self._arrived.get(timeout=STOP_POLL_SECONDS)
            except Empty:
                continue
            if isinstance(arrived, BaseException):
                raise arrived
            if arrived is None:
                return
            yield arrived

    def close(self) -> None:
        """Have the iterator closed as soon as it gives a sign of life; does not wait for it."""
        self._abandoned.set()
        if self._finished.is_set():
            self._leave()

    def _run(self) -> None:
        end: BaseException | None = None
        try:
            with closing(self._start()) as pieces:
                for piece in pieces:
                    if self._abandoned.is_set():
                        break
                    self._arrived.put(piece)
        except BaseException as error:
            end = error
        self._finished.set()
        if self._abandoned.is_set():
            self._leave()
        self._arrived.put(end)


_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)


RETRY_JITTER = 0.25
"""The share of a wait that chance adds: processes that were refused together come back one by one."""

_CHANCE = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds between two tries, which double from `first` to `longest`; and in all, for a server that is `away`.

    It is never waited for longer than an answer may take.
    """

    first: float = 1.0
    longest: float = 8.0
    away: float = 120.0


Context = Callable[[int], Mapping[str, Any]]
"""Takes the tokens of prompt and answer, returns fields to set on the chat model; raises AgentFailed if too many."""


def tokens(text: str) -> int:
    """Return a careful guess (rather too many) at the tokens of `text`: three bytes each, and every digit its own."""
    digits = sum(letter.isdigit() for letter in text)
    return digits + (len(text.encode()) - digits + 2) // 3


class Llm:
    """One model, shared by everybody in the process; every method may be called by any thread.

    `lanes` is the number of questions it answers at once (None: any), or the fair queue that it shares with another;
    `timeout` is in seconds, from the moment a question first gets its lane, and has the waiting for a server in it
    that is busy; one that is away is waited for as long besides, at most; `answer_tokens` is room kept in the context;
    `context` is None if the server knows its own size and says so;
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
        patience: Patience | None = None,
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
        self._warmed = ""
        self._patience = patience or Patience()
        self._away_since: float | None = None

    def answer(self, call: ModelCall) -> ModelAnswer:
        """Return the answer without the model's thoughts; raises AgentFailed, or Stopped once nobody waits."""
        answer = self._answer(call)
        if not answer.text:
            raise AgentFailed(f"{self.name} gave an empty answer. Ask again in other words.")
        return answer

    def fill(self, shape: type[Shape], call: ModelCall) -> Shape:
        """Return a valid `shape`, filled in by the model; it is told once what is wrong, then AgentFailed is raised."""
        call = replace(call, shape=shape)
        answer = self._answer(call).text
        try:
            return read(shape, answer)
        except ValidationError as error:
            again = f"{call.user}\n\nYour last answer was:\n{answer}\n\nIt is wrong: {complaint(error)}\nAnswer again."
        try:
            return read(shape, self._answer(replace(call, user=again)).text)
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
        """Have the model read the beginning of a prompt in the background, after all questions; the newest wins.

        It is known then before the question is, so that the answer comes sooner.
        """
        if self._warm_fields is not None and self._warmed != system:
            self._warmed = system
            Thread(target=self._warm, args=(system,), name="warming the model", daemon=True).start()

    def _warm(self, system: str) -> None:
        """Read it, again and again if questions go before it, until another one is wanted."""

        def displaced() -> bool:
            return self._fair_queue.busy or self._warmed != system

        while self._warmed == system and not is_ending():
            try:
                self._answer(ModelCall(system, "", Requester("", stopped=displaced), "warm", background=True))
            except Stopped:
                continue
            except Exception:
                log.info("The model was not warmed", exc_info=True)
            if self._warmed == system:
                self._warmed = ""

    def _answer(self, call: ModelCall) -> ModelAnswer:
        changes: dict[str, Any] = {}
        if self._context:
            changes |= self._context(tokens(call.system) + tokens(call.user) + self._answer_tokens)
        if call.temperature is not None:
            changes["temperature"] = call.temperature
        if call.background:
            changes |= self._warm_fields or {}
        # Work in the background gives way again and again, which is nobody's input.
        with UNSEEN if call.background else span("model", call.agent, model=self.name) as seen:
            return self._answered(call, changes, seen)

    def _answered(self, call: ModelCall, changes: Mapping[str, Any], seen: Span) -> ModelAnswer:
        ticket = self._fair_queue.join(call.requester.id, background=call.background)
        pieces, seconds = self._pieces(call, ticket, changes)
        answer = _THOUGHT.sub("", "".join(chunk_text(piece) for piece in pieces)).strip()
        self._record(call, answer, seconds, pieces, seen)
        if not call.background and any(was_cut(piece) for piece in pieces):
            raise AnswerCut(
                f"The answer of {self.name} was cut off at {self._answer_tokens} tokens and is not used. Ask for less."
            )
        return ModelAnswer(answer, tuple(token for piece in pieces for token in weighed(piece)))

    def _pieces(
        self, call: ModelCall, ticket: Ticket, changes: Mapping[str, Any]
    ) -> "tuple[list[AIMessageChunk], float]":
        """Return the answer with the seconds that it took, once the server took the question.

        Nothing else asks again: the clients of the models are told not to.
        """
        joined, tries, waits = time.monotonic(), 0, False
        stream: AnswerStream[AIMessageChunk] | None = None
        leave = partial(self._fair_queue.leave, ticket)
        try:
            self._queue(ticket, call)
            deadline = time.monotonic() + self._timeout
            while True:
                began = time.monotonic()
                stream = AnswerStream(partial(self._stream, call, changes), leave)
                try:
                    pieces = self._collect(stream, call, deadline)
                except ServerRefused as refused:  # it keeps its lane, to be asked again
                    tries += 1
                    MODELS_AWAY.change(refused.away and not waits)
                    waits = waits or refused.away
                    deadline = self._wait(call, refused, tries, deadline)
                    continue
                self._away_since = None
                MODEL_WAIT_SECONDS.add(began - joined, call.agent)
                return pieces, time.monotonic() - began
        except BaseException as error:
            if stream or not isinstance(error, Stopped):
                MODEL_FAILURES.add(call.agent)
            raise
        finally:
            (stream.close if stream else leave)()
            MODELS_AWAY.change(-waits)

    def _queue(self, ticket: Ticket, call: ModelCall) -> None:
        """Wait for the lane; the person is told their place."""
        told = 0
        while place := self._fair_queue.wait(ticket, STOP_POLL_SECONDS):
            call.check()
            if place != told and not call.background:
                # The first in line may be waiting for nobody: for a model that is just getting ready.
                rank = f": you are number {place} in line" if place > 1 else ""
                call.requester.progress(f"Waiting for the model{rank}…")
                told = place

    def _wait(self, call: ModelCall, refused: ServerRefused, tries: int, deadline: float) -> float:
        """Wait until a server that refused may be asked again, and return until when it may answer then.

        One that is busy has the time that an answer has; one that is away has a time of its own since the first
        question found it so. Raises what the person is told if that is not enough.
        """
        now, patience, limit = time.monotonic(), self._patience, deadline
        pause = refused.seconds or min(patience.first * 2.0 ** min(tries - 1, 16), patience.longest)
        until = now + pause * _CHANCE.uniform(1.0, 1.0 + RETRY_JITTER)
        if refused.away:
            self._away_since = self._away_since or now
            limit = self._away_since + min(patience.away, self._timeout)
        if until > limit:
            raise explain(refused.error, self.name, self._remedies) from refused.error
        seconds, what = max(1, math.ceil(until - now)), "cannot be reached" if refused.away else "is busy"
        log.info("%s %s (%s); it is asked again", self.name, what, type(refused.error).__name__)
        call.requester.progress(f"The model {what}; I try again in {seconds} second{'s' * (seconds != 1)}…")
        while (left := until - time.monotonic()) > 0:
            call.check()
            time.sleep(min(left, STOP_POLL_SECONDS))
        MODEL_RETRIES.add(call.agent, "away" if refused.away else "busy")
        call.requester.progress("Asking the model again…")
        return time.monotonic() + self._timeout if refused.away else deadline

    def _stream(self, call: ModelCall, changes: Mapping[str, Any]) -> "Generator[AIMessageChunk]":
        # Prompts hold table names and samples: whatever the environment says, they are not sent to a tracing service.
        from langsmith import tracing_context

        chat: Any = self._chat.model_copy(update=dict(changes)) if changes else self._chat
        if call.shape is not None:
            structured: Any = chat.with_structured_output(call.shape.model_json_schema(), method="json_schema")
            chat = getattr(structured, "first", structured)  # the model before LangChain's parser: the parsing is ours
        begun = False
        try:
            with tracing_context(enabled=False):
                for piece in chat.stream([("system", unmarked(call.system)), ("human", unmarked(call.user))]):
                    begun = True
                    yield piece
        except Exception as error:
            refused = ServerRefused(error)
            # What went away in the middle of an answer is asked again; what is too slow for the rest of it is not.
            if call.background or refused.failure not in TRANSIENT_FAILURES or (begun and not refused.away):
                raise
            raise refused from error

    def _collect(
        self, stream: "AnswerStream[AIMessageChunk]", call: ModelCall, deadline: float
    ) -> "list[AIMessageChunk]":
        def look() -> None:
            call.check()
            if time.monotonic() > deadline:
                raise AgentFailed(late(self.name, self._timeout))

        pieces: list[AIMessageChunk] = []
        told = ""
        try:
            for piece in stream.pieces(look):
                notice = piece.additional_kwargs.get("notice", "")
                if notice not in ("", told):
                    call.requester.progress(notice)
                    told = notice
                pieces.append(piece)
        except (BotError, ServerRefused):
            raise
        except Exception as error:
            log.warning("%s failed", self.name, exc_info=True)
            raise explain(error, self.name, self._remedies) from error
        return pieces

    def _record(self, call: ModelCall, answer: str, seconds: float, pieces: "list[AIMessageChunk]", seen: Span) -> None:
        usage: Any = next((piece.usage_metadata for piece in reversed(pieces) if piece.usage_metadata), None) or {}
        read, written = usage.get("input_tokens"), usage.get("output_tokens")
        log.info("%s for %s: %.1f s, %s tokens read, %s written", self.name, call.agent, seconds, read, written)
        MODEL_SECONDS.add(seconds, call.agent)
        seen.note(seconds=round(seconds, 3), tokens_read=read or 0, tokens_written=written or 0)
        TOKENS.add(call.agent, "read", by=read or 0)
        TOKENS.add(call.agent, "written", by=written or 0)
        if call.background:
            return
        cached = (usage.get("input_token_details") or {}).get("cache_read") or 0
        exchange = ModelExchange(call.agent, self.name, call.system, call.user, answer, seconds, read, written, cached)
        for listener in tuple(self._listeners):
            listener(exchange)
