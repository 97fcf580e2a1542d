"""Asks an Ollama server about itself, and builds the chat model on it."""

import ssl
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from router.llm.failures import BUSY_STATUSES, Remedies, too_long

if TYPE_CHECKING:
    import httpx
    from langchain_core.language_models import BaseChatModel


@cache
def load_certificates(environment: bool) -> ssl.SSLContext:
    """Return what httpx would take, read once for all clients: each would read some hundred certificates again.

    `environment` tells whether SSL_CERT_FILE and SSL_CERT_DIR have a say.
    """
    import httpx

    return httpx.create_ssl_context(trust_env=environment)


OLLAMA_URL = "http://localhost:11434"
"""The address of Ollama if the settings name none."""

CONNECT_SECONDS = 5.0
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")

OllamaFinding = Literal["has it", "lacks it", "says nothing", "is away"]


def look(url: str, model: str) -> OllamaFinding:
    """Ask the server for its list of models, for a second at most."""
    import httpx

    try:
        with _client(url, 1.0) as client:
            answer = client.get("/api/tags")
    except (httpx.HTTPError, httpx.InvalidURL):
        return "is away"
    try:
        names = {str(row["name"]) for row in answer.raise_for_status().json()["models"]}
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return "says nothing"
    return "has it" if names & {model, f"{model}:latest"} else "lacks it"


NUM_CTX_MIN_TOKENS = 4096


class ContextSteps:
    """Ollama's `num_ctx`: in steps of 4096, 8192, 16384…, and never smaller than before.

    Ollama loads a model again when num_ctx changes, and cuts a longer prompt without a word. So it grows seldom, and a
    prompt beyond the model's own limit is refused. The server is asked for that once, at the first prompt.
    """

    def __init__(self, url: str, model: str) -> None:
        self._url, self._model = url, model
        self._limit: int | None = None
        self._asked = False
        self._size = NUM_CTX_MIN_TOKENS
        self._lock = Lock()

    def __call__(self, needed: int) -> Mapping[str, Any]:
        """Return {"num_ctx": …} with room for `needed` tokens."""
        with self._lock:
            if not self._asked:
                with suppress(ConnectionError):  # away for now, such as in a restart: it is asked at the next prompt
                    self._limit, self._asked = limit(self._url, self._model), True
            if self._limit is not None and needed > self._limit:
                raise too_long(needed, self._limit)
            while self._size < needed:
                self._size *= 2
            return {"num_ctx": self._size if self._limit is None else min(self._size, self._limit)}


def limit(url: str, model: str) -> int | None:
    """Return the tokens that the model can read, None if it does not say; raises ConnectionError if it is away."""
    import httpx

    try:
        with _client(url, CONNECT_SECONDS) as client:
            told = client.post("/api/show", json={"model": model}).raise_for_status().json()["model_info"]
        return next(int(value) for key, value in told.items() if key.endswith(".context_length"))
    except httpx.ConnectError as error:
        raise ConnectionError from error
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError, AttributeError, StopIteration):
        return None


def chat(url: str, model: str, answer_tokens: int, timeout: float) -> "BaseChatModel":
    """Return the chat model; nothing is asked of the server yet."""
    from langchain_ollama import ChatOllama

    return ChatOllama(
        model=model,
        base_url=url,
        temperature=0.1,
        num_predict=answer_tokens,
        keep_alive=3600,
        reasoning=False,  # qwen3 would think aloud for a minute
        logprobs=True,
        client_kwargs=client_options(url, timeout),
        sync_client_kwargs={"event_hooks": {"response": [_require_success]}},
    )


def _require_success(response: "httpx.Response") -> None:
    """Raise what has the headers of a refusal: the exception of Ollama's client has lost Retry-After."""
    if response.status_code in BUSY_STATUSES:
        import httpx

        reason = response.read().decode(errors="replace")
        raise httpx.HTTPStatusError(reason, request=response.request, response=response)


def client_options(url: str, timeout: float) -> dict[str, Any]:
    """Return how LangChain's clients reach this server; a proxy has nothing to do with this machine."""
    import httpx

    return {
        "timeout": httpx.Timeout(timeout, connect=CONNECT_SECONDS),
        "trust_env": not _is_local(url),
        "verify": load_certificates(not _is_local(url)),
        # A question is rare and a connection cheap; one kept for an hour is closed by something in between.
        "limits": httpx.Limits(max_keepalive_connections=0),
    }


def remedies(url: str, model: str) -> Remedies:
    """Return what to do when this server fails."""
    return Remedies(
        unreachable=f"Start Ollama at {shown(url)} with `ollama serve`, or set OLLAMA_BASE_URL; then ask again.",
        missing=f"Run `ollama pull {model}` on {shown(url)}, then ask again.",
        memory="Choose a smaller model, or give its machine more memory.",
    )


def shown(url: str) -> str:
    """Return the address without credentials."""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{host}:{parts.port}" if parts.port else str(host)


def _is_local(url: str) -> bool:
    return urlsplit(url if "://" in url else f"http://{url}").hostname in LOOPBACK_HOSTS


def _client(url: str, seconds: float) -> "httpx.Client":
    import httpx

    base = url if "://" in url else f"http://{url}"
    outside = not _is_local(url)  # a proxy has nothing to do with this machine
    return httpx.Client(
        base_url=base, timeout=seconds, follow_redirects=True, trust_env=outside, verify=load_certificates(outside)
    )
