"""A real jobs API on loopback, and what a bot that uses it is built of."""

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, contextmanager
from pathlib import Path

from pydantic import SecretStr

from adapters.api.auth import ApiTokens, new_token, person_of, scopes_of
from adapters.api.server import application
from adapters.remote.address import ApiAddress
from adapters.serving import listening_on
from router.jobs.runner import JobBackend
from tests.support.bot_thread import served_in_a_thread

SCOPES = "read,write,email,act_for"


class Api:
    """An API over what does the jobs, with the tokens of its folder; it can be stopped and started again."""

    def __init__(self, job_backend: JobBackend, folder: Path) -> None:
        self.job_backend, self.path, self.port = job_backend, folder / "api-tokens", 0
        self._running = ExitStack()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def token(self, scopes: str = SCOPES, name: str = "bot", person: str = "bot@example.com") -> str:
        """Return a new token."""
        secret, token = new_token(name, person_of(person), scopes_of(scopes))
        ApiTokens(self.path).add(token)
        return secret

    def address(self, scopes: str = SCOPES, name: str = "bot") -> ApiAddress:
        """Return how a bot with a new token gets there."""
        return ApiAddress(self.url, SecretStr(self.token(scopes, name)), True)

    def start(self) -> None:
        """Answer, on the port that it had before."""

        def at_work() -> AbstractAsyncContextManager[int]:
            app = application(self.job_backend, ApiTokens(self.path))
            return listening_on(app, self.port, "127.0.0.1")

        self.port = self._running.enter_context(served_in_a_thread(at_work))

    def stop(self) -> None:
        """Answer no more."""
        self._running.close()


@contextmanager
def api_over(job_backend: JobBackend, folder: Path) -> Iterator[Api]:
    """Serve until the end of the block."""
    api = Api(job_backend, folder)
    api.start()
    try:
        yield api
    finally:
        api.stop()
