"""A language model as the project sees it: text in, text or a value out. No LangChain type leaves this file."""

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from router.agents.call import Call, cut, never, said, silent
from router.agents.context import Context, tokens, unlimited
from router.agents.prompt_log import Exchange, PromptLog
from router.agents.shape import Shape, complaint, read
from router.agents.stream import Stream
from router.agents.trouble import Remedies, explain, late
from router.agents.turnstile import Ticket, Turnstile
from router.agents.warming import Warming
from router.errors import AgentFailed, BotError

if TYPE_CHECKING:  # LangChain takes a second to import, and only the model that is used needs it
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessageChunk

log = logging.getLogger(__name__)

BLINK = 0.1
"""Seconds between two looks at the Stop button."""

_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_PLACES = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def _unmarked(text: str) -> str:
    """Return a prompt in which nothing, such as a table's name, passes for a mark that parts a talk for the model."""
    return text.replace("<|", "< |")


class Llm:
    """One model, shared by everybody in the process; every method may be called by any thread.

    `lanes` is the number of questions it answers at once (None: any), or the turnstile that it shares with another Llm;
    `timeout` is in seconds, from the moment a question gets its lane; `answer_tokens` is room kept in the context;
    `warm_fields` are set on the chat model to read a prompt without answering; None: `warm` is not worth while.
    """

    def __init__(
        self,
        chat: "BaseChatModel",
        name: str,
        *,
        lanes: int | Turnstile | None = None,
        timeout: float = 180.0,
        context: Context = unlimited,
        log: PromptLog | None = None,
        remedies: Remedies | None = None,
        answer_tokens: int = 2048,
        warm_fields: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = name
        self._chat = chat
        self._turnstile = lanes if isinstance(lanes, Turnstile) else Turnstile(lanes)
        self._timeout = timeout
        self._context = context
        self._listeners: list[Callable[[Exchange], object]] = [log.write] if log else []
        self._remedies = remedies or Remedies()
        self._answer_tokens = answer_tokens
        self._warm_fields = warm_fields
        self._warming = Warming(self._warm_up)

    def text(
        self,
        system: str,
        user: str,
        *,
        asker: str,
        progress: Callable[[str], None] = silent,
        stopped: Callable[[], bool] = never,
        agent: str,
        temperature: float | None = None,
    ) -> str:
        """Return the answer without the model's thoughts; raises AgentFailed, or Stopped once `stopped` says so."""
        answer = self._answer(Call(system, user, asker, agent, temperature, progress, stopped))
        if not answer:
            raise AgentFailed(f"{self.name} gave an empty answer. Ask again in other words.")
        return answer

    def fill(
        self,
        shape: type[Shape],
        system: str,
        user: str,
        *,
        asker: str,
        progress: Callable[[str], None] = silent,
        stopped: Callable[[], bool] = never,
        agent: str,
        temperature: float | None = None,
    ) -> Shape:
        """Return a valid `shape`, filled in by the model; it is told once what is wrong, then AgentFailed is raised."""
        call = Call(system, user, asker, agent, temperature, progress, stopped, shape=shape)
        answer = self._answer(call)
        try:
            return read(shape, answer)
        except ValidationError as error:
            again = f"{user}\n\nYour last answer was:\n{answer}\n\nIt is wrong: {complaint(error)}\nAnswer again."
        try:
            return read(shape, self._answer(replace(call, user=again)))
        except ValidationError as error:
            raise AgentFailed(
                f"{self.name} gave an answer that does not fit: {complaint(error)} Say it in other words."
            ) from error

    @contextmanager
    def heard(self, listener: Callable[[Exchange], object]) -> Iterator[None]:
        """Have every call told to `listener` until the end of the block."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    def warm(self, system: str, user_prefix: str) -> None:
        """Have the model read the beginning of a prompt in the background, after all questions; the newest wins."""
        if self._warm_fields is not None:
            self._warming.want(system, user_prefix)

    def _warm_up(self, system: str, user_prefix: str, stopped: Callable[[], bool]) -> None:
        def displaced() -> bool:
            return self._turnstile.busy or stopped()

        self._answer(Call(system, user_prefix, "", "warm", stopped=displaced, background=True))

    def _answer(self, call: Call) -> str:
        needed = tokens(call.system) + tokens(call.user) + self._answer_tokens
        changes = dict(self._context(needed))
        if call.temperature is not None:
            changes["temperature"] = call.temperature
        if call.background:
            changes |= self._warm_fields or {}
        ticket = self._turnstile.join(call.asker, background=call.background)
        try:
            self._queue(ticket, call)
        except BaseException:
            ticket.leave()
            raise
        began = time.monotonic()
        pieces = self._collect(Stream(lambda: self._stream(call, changes), ticket.leave), call)
        answer = _THOUGHT.sub("", "".join(said(piece) for piece in pieces)).strip()
        self._record(call, answer, time.monotonic() - began, pieces)
        if not call.background and any(cut(piece) for piece in pieces):
            raise AgentFailed(
                f"The answer of {self.name} was cut off at {self._answer_tokens} tokens and is not used. Ask for less."
            )
        return answer

    def _queue(self, ticket: Ticket, call: Call) -> None:
        """Wait for the lane; the person is told their place whenever it changes."""
        told = 0
        while place := ticket.wait(BLINK):
            call.check()
            if place != told and not call.background:
                rank = "next" if place == 1 else _PLACES.get(place, f"{place}th")
                call.progress(f"Waiting for the model: you are {rank} in line…")
                told = place

    def _stream(self, call: Call, changes: Mapping[str, Any]) -> "Iterator[AIMessageChunk]":
        # Prompts hold table names and samples: whatever the environment says, they are not sent to a tracing service.
        from langsmith import tracing_context

        chat: Any = self._chat.model_copy(update=dict(changes)) if changes else self._chat
        if call.shape is not None:
            structured: Any = chat.with_structured_output(call.shape.model_json_schema(), method="json_schema")
            chat = getattr(structured, "first", structured)  # the model before LangChain's parser: the parsing is ours
        with tracing_context(enabled=False):
            yield from chat.stream([("system", _unmarked(call.system)), ("human", _unmarked(call.user))])

    def _collect(self, stream: "Stream[AIMessageChunk]", call: Call) -> "list[AIMessageChunk]":
        deadline = time.monotonic() + self._timeout
        pieces: list[AIMessageChunk] = []
        told = ""
        try:
            while not stream.over:
                for piece in stream.take(BLINK):
                    notice = piece.additional_kwargs.get("notice", "")
                    if notice not in ("", told):
                        call.progress(notice)
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

    def _record(self, call: Call, answer: str, seconds: float, pieces: "list[AIMessageChunk]") -> None:
        usage: Any = next((piece.usage_metadata for piece in reversed(pieces) if piece.usage_metadata), None) or {}
        read, written = usage.get("input_tokens"), usage.get("output_tokens")
        log.info("%s for %s: %.1f s, %s tokens read, %s written", self.name, call.agent, seconds, read, written)
        if call.background:
            return
        cached = (usage.get("input_token_details") or {}).get("cache_read") or 0
        exchange = Exchange(call.agent, self.name, call.system, call.user, answer, seconds, read, written, cached)
        for listener in tuple(self._listeners):
            listener(exchange)
