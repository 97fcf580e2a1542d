"""The choice of the model, and what is said about it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.models import choice as models
from bot.models import ollama_server
from bot.models.choice import choose
from bot.settings.environment import Settings
from router.errors import AgentFailed, SettingsError
from router.llm.call import ModelCall, Requester
from tests.platforms.ollama import Ollama
from tests.support.bot_settings import settings_of

ROOT = Path(__file__).parents[3]


def settings(home: Path, **named: str) -> Settings:
    return settings_of({"ICC_BOT_HOME": str(home), **named})


@pytest.fixture
def server() -> Iterator[Ollama]:
    with Ollama() as running:
        yield running


def test_an_ollama_that_has_the_model(tmp_path: Path, server: Ollama) -> None:
    """Without a name in the settings, an Ollama that has the default model is taken."""
    choice = choose(settings(tmp_path, OLLAMA_BASE_URL=server.url))

    assert choice.name == "qwen2.5-coder:7b on Ollama"
    assert choice.why == f"qwen2.5-coder:7b on Ollama: Ollama at 127.0.0.1:{server.port} has it."
    assert choice.llm().answer(ModelCall("s", "u", Requester("ann"), "sql")).text == "SELECT 1"


def test_the_embedded_model_comes_last(tmp_path: Path, server: Ollama) -> None:
    """If Ollama lacks the model, the embedded one is taken if it is installed, else the three ways are named."""
    server.models = {"other": 4096}
    wanted = settings(tmp_path, OLLAMA_BASE_URL=server.url)
    absent = f"Ollama at 127.0.0.1:{server.port} does not have qwen2.5-coder:7b"
    if models.is_embedded_installed():
        why = f"Qwen2.5-Coder-1.5B in the bot itself: {absent}, and the embedded model is installed."
        assert choose(wanted).why == why
    else:
        with pytest.raises(SettingsError) as caught:
            choose(wanted)
        assert caught.value.problems == (
            f"There is no model: {absent}. Start Ollama and run `ollama pull qwen2.5-coder:7b`; "
            "or set SQL_MODEL_NAME to another model (openai:gpt-4.1); "
            "or install the embedded one with pip install 'icc-bot[demo]'.",
        )


def test_looking_at_a_server(server: Ollama) -> None:
    """A server has the model, lacks it, says nothing of use, or is away."""
    server.models = {"qwen2.5-coder:7b": 1, "llama3:latest": 1}
    seen = [ollama_server.look(server.url, name) for name in ("qwen2.5-coder:7b", "llama3", "qwen3:8b")]
    server.models = None
    seen.append(ollama_server.look(server.url, "llama3"))
    with Ollama() as gone:
        pass
    seen.append(ollama_server.look(gone.url, "llama3"))

    assert seen == ["has it", "has it", "lacks it", "says nothing", "is away"]


def test_a_proxy_is_not_asked_for_this_machine(server: Ollama, monkeypatch: pytest.MonkeyPatch) -> None:
    """HTTP_PROXY does not come between the bot and an Ollama beside it."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    assert ollama_server.look(server.url, "qwen2.5-coder:7b") == "has it"
    chat = ollama_server.chat(server.url, "qwen2.5-coder:7b", 99, 20.0)
    assert chat.invoke("hello").text == "SELECT 1"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://ann:secret@ollama.example.com:11434/", "ollama.example.com:11434"),
        ("localhost:11434", "localhost:11434"),
        ("http://[::1]:11434", "[::1]:11434"),
        ("https://ollama.example.com", "ollama.example.com"),
    ],
)
def test_addresses_are_shown_without_credentials(url: str, shown: str) -> None:
    """A password in a URL is not shown."""
    assert ollama_server.shown(url) == shown


def test_a_provider_by_name(tmp_path: Path) -> None:
    """`openai:` with a base URL is any server that talks like OpenAI, and needs no key."""
    given = {"MODEL_BASE_URL": "http://127.0.0.1:9/v1", "SQL_MODEL_TIMEOUT": "1"}
    choice = choose(settings(tmp_path, SQL_MODEL_NAME="openai:sqlcoder", **given))

    assert choice.why == "sqlcoder at OpenAI: SQL_MODEL_NAME names it."
    with pytest.raises(AgentFailed, match="sqlcoder at OpenAI cannot be reached"):
        choice.llm().answer(ModelCall("s", "u", Requester("ann"), "sql"))


def test_a_key_is_not_shown(tmp_path: Path) -> None:
    """The settings can be printed."""
    assert "k3y-of-mine" not in repr(settings(tmp_path, MODEL_API_KEY="k3y-of-mine"))


def test_importing_is_cheap() -> None:
    """LangChain is imported when a model is built, not before."""
    heavy = ("langchain", "openai", "httpx", "xllamacpp")
    program = f"import sys, bot.models.choice; print([name for name in sys.modules if name.startswith({heavy})])"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=300, check=True
    )

    assert done.stdout.strip() == "[]"
