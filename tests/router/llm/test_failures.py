"""Every exception of the models' clients becomes a sentence."""

from importlib import import_module
from types import ModuleType

import httpx
import ollama
import pytest

from router.errors import AgentFailed
from router.llm.failures import Remedies, explain
from tests.support.rows import check_rows

REMEDIES = Remedies(unreachable="Start it.", missing="Pull it.", memory="Shrink it.")
REQUEST = httpx.Request("POST", "http://localhost/")


def family(module: ModuleType) -> list[type[Exception]]:
    """Return a client's exceptions; what it loads only when it is named, which is much, are none."""
    return [kind for _, kind in sorted(vars(module).items()) if type(kind) is type and issubclass(kind, Exception)]


def made(kind: type[Exception]) -> Exception:
    """Build an exception without its constructor, of which every client has its own."""
    if kind in (ollama.ResponseError, ollama.RequestError):
        return kind("it went wrong")
    error = kind.__new__(kind)
    error.args = ("it went wrong",)
    return error


HTTPX = {
    "away": "m cannot be reached. Start it.",
    "late": "m did not answer in time. Your question is kept: ask again, choose fewer tables, or allow more time.",
    "broken": "m broke off in the middle of its answer. Your question is kept; ask again.",
}
EXPECTED = {
    "CloseError": "broken",
    "ConnectError": "away",
    "ConnectTimeout": "away",
    "InvalidURL": "away",
    "LocalProtocolError": "broken",
    "NetworkError": "away",
    "PoolTimeout": "away",
    "ProtocolError": "broken",
    "ProxyError": "away",
    "ReadError": "broken",
    "ReadTimeout": "late",
    "RemoteProtocolError": "broken",
    "TimeoutException": "late",
    "UnsupportedProtocol": "away",
    "WriteError": "broken",
    "WriteTimeout": "late",
}


def test_httpx_family() -> None:
    """Each network error of httpx has the sentence that fits it; a new one in httpx shows up here."""
    network = {
        kind.__name__: kind for kind in family(httpx) if issubclass(kind, (httpx.TransportError, httpx.InvalidURL))
    }
    network.pop("TransportError")
    network.pop("DecodingError", None)

    assert {name: str(explain(made(kind), "m", REMEDIES)) for name, kind in network.items()} == {
        name: HTTPX[how] for name, how in EXPECTED.items()
    }


@pytest.fixture(name="openai", scope="module")
def _openai() -> ModuleType:
    return import_module("openai")  # heavy for processes that run other tests


def test_whatever_a_client_raises(openai: ModuleType) -> None:
    """No exception of a client reaches the person as it is."""

    def fact(kind: type[Exception]) -> None:
        error = explain(made(kind), "m", REMEDIES)

        assert isinstance(error, AgentFailed)
        assert str(error).startswith(("m ", "The server does not have m"))
        assert str(error).endswith(".")

    check_rows([*family(httpx), *family(ollama), *family(openai), OSError, ValueError, KeyError], fact)


def test_what_openai_raises(openai: ModuleType) -> None:
    """What its client says in its own way has the same sentences."""
    long = openai.APIStatusError(
        "maximum context length is 8192", response=httpx.Response(400, request=REQUEST), body=None
    )
    sentence = "This question with its tables is too long for m. Choose fewer tables, or another model."

    assert sentence == str(explain(long, "m", REMEDIES))
    assert HTTPX["late"] == str(explain(openai.APITimeoutError(REQUEST), "m", REMEDIES))
    assert HTTPX["away"] == str(explain(openai.APIConnectionError(request=REQUEST), "m", REMEDIES))


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            ollama.ResponseError("model 'm' not found, try pulling it first", 404),
            "The server does not have m. Pull it.",
        ),
        (MemoryError(), "m ran out of memory. Shrink it."),
        (ConnectionRefusedError(111, "refused"), HTTPX["away"]),
        (ConnectionResetError(104, "reset"), HTTPX["broken"]),
        (TimeoutError(), HTTPX["late"]),
    ],
)
def test_sentences(error: Exception, sentence: str) -> None:
    """What is known to go wrong has a remedy of its own."""
    assert str(explain(error, "m", REMEDIES)) == sentence
