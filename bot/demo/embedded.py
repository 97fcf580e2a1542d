"""The embedded model as a LangChain chat model: no server, no port, no key; loaded when it is first asked."""

from collections.abc import Iterator, Mapping
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.language_models.chat_models import generate_from_stream
from langchain_core.messages import AIMessageChunk, BaseMessage, convert_to_openai_messages
from langchain_core.messages.ai import InputTokenDetails, UsageMetadata
from langchain_core.output_parsers import JsonOutputParser
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from pydantic import ConfigDict

from bot.demo.engine import Engine, Loader, Message
from router.errors import AgentFailed
from router.llm.failures import too_long

TOLD_TOKENS_MIN = 300
"""Tokens still to be read before an answer; from here on the person is told how far it is."""


class EmbeddedChat(BaseChatModel):
    """A model in a process of its own, by way of a `Loader` that several of these may share.

    While there is nothing to say it streams empty chunks, some with a `notice` for the person in `additional_kwargs`,
    so that the reader of the stream can stop at any time.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    loader: Loader
    temperature: float = 0.1
    max_tokens: int = 2048

    @property
    def _llm_type(self) -> str:
        return "embedded"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return generate_from_stream(self._stream(messages, stop, run_manager, **kwargs))

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for state in self.loader.engine():
            if isinstance(state, Engine):
                yield from _answer(state, self._request(messages, stop, kwargs))
            else:
                yield _chunk(notice=state)

    def _request(self, messages: list[BaseMessage], stop: list[str] | None, options: Mapping[str, Any]) -> Message:
        return {
            "messages": convert_to_openai_messages(messages),
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "stop": stop or [],
            "stream": True,
            "stream_options": {"include_usage": True},
            "return_progress": True,
            "logprobs": True,
            "top_logprobs": 1,  # else llama.cpp tells twenty for each token
            "cache_prompt": True,
            **options,
        }

    def with_structured_output(
        self, schema: dict[str, Any] | type, *, include_raw: bool = False, **kwargs: Any
    ) -> Runnable[LanguageModelInput, Any]:
        """Return a runnable whose answers are held to a JSON schema (a pydantic class or a dict)."""
        shape = schema if isinstance(schema, dict) else schema.model_json_schema()  # type: ignore[attr-defined]
        form = {"type": "json_schema", "json_schema": {"schema": shape}}
        return self.bind(response_format=form) | JsonOutputParser()


def _answer(engine: Engine, request: Message) -> Iterator[ChatGenerationChunk]:
    told = ""
    for piece in engine.ask(request):
        notice = _reading(piece)
        yield _chunk() if piece is None else _said(piece, notice if notice != told else "")
        told = notice or told


def _said(piece: Message, notice: str) -> ChatGenerationChunk:
    """Turn one piece of llama.cpp's stream into a chunk; raises AgentFailed for an error."""
    if "error" in piece:
        raise _failure(piece["error"])
    choices, usage = piece.get("choices"), piece.get("usage")
    text = (choices[0]["delta"].get("content") or "") if choices else ""
    ended = choices[0].get("finish_reason") if choices else None
    weighed = (choices[0].get("logprobs") or {}).get("content") if choices else None
    counted = (
        UsageMetadata(
            input_tokens=usage["prompt_tokens"],
            output_tokens=usage["completion_tokens"],
            total_tokens=usage["total_tokens"],
            input_token_details=InputTokenDetails(
                cache_read=(usage.get("prompt_tokens_details") or {}).get("cached_tokens", 0)
            ),
        )
        if usage
        else None
    )
    return _chunk(text, notice=notice, ended=ended, usage=counted, logprobs=weighed)


def _chunk(
    text: str = "",
    *,
    notice: str = "",
    ended: str | None = None,
    usage: UsageMetadata | None = None,
    logprobs: list[Message] | None = None,
) -> ChatGenerationChunk:
    message = AIMessageChunk(content=text, additional_kwargs={"notice": notice} if notice else {}, usage_metadata=usage)
    told = {name: value for name, value in (("finish_reason", ended), ("logprobs", logprobs)) if value}
    return ChatGenerationChunk(message=message, generation_info=told or None)


def _reading(piece: Message | None) -> str:
    """Return how much of a long prompt was read, as a sentence; "" if it is short or done."""
    done = piece and piece.get("prompt_progress")
    if not done or done["total"] - done["cache"] < TOLD_TOKENS_MIN or done["processed"] >= done["total"]:
        return ""
    return f"The model reads the tables: {100 * done['processed'] // done['total']} %…"


def _failure(error: Mapping[str, Any]) -> AgentFailed:
    if error.get("type") == "exceed_context_size_error":
        return too_long(error["n_prompt_tokens"], error["n_ctx"])
    return AgentFailed(f"The embedded model refused the question: {error.get('message', 'no reason given')}.")
