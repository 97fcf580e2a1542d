"""Attacks and failures on purpose, of the app and of the stand-in: forged requests, lost sockets, failing calls."""

from dataclasses import dataclass

from tests.platforms.slack.payloads import encoded
from tests.platforms.slack.server import Server
from tests.platforms.slack.signing import signed
from tests.platforms.slack.troubles import RANDOM, Trouble


@dataclass
class Forging(Server):
    """The hands of a test that wants the app to fail."""

    def post_raw(
        self,
        body: str | bytes,
        secret: str | None = None,
        timestamp: float | None = None,
        headers: dict[str, str] | None = None,
        content_type: str = "application/json",
        seconds: float = 60.0,
    ) -> tuple[int, str]:
        """Post a body to the app's request URL and return the status and what it said.

        It is signed with `secret` (the right one unless given; "" leaves it unsigned) at `timestamp` (now unless
        given); `headers` replace what would be sent.
        """
        data = body.encode() if isinstance(body, str) else body
        key = self.signing_secret if secret is None else secret
        proof = signed(data, key, timestamp) if key else {}
        return self.run(self._post({"Content-Type": content_type, **proof, **(headers or {})}, data), seconds)

    async def _post(self, headers: dict[str, str], body: bytes) -> tuple[int, str]:
        async with self.client.post(self.request_url, data=body, headers=headers) as answer:
            return answer.status, await answer.text()

    def verify_url(self, challenge: str = "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P") -> tuple[int, str]:
        """Ask the app whether it is the one, as Slack does when a request URL is set; it answers with the challenge."""
        return self.post_raw(encoded({"token": "t", "challenge": challenge, "type": "url_verification"}))

    def fail(self, method: str, how: str, times: int = 1, retry_after: int = 1, seconds: float = 0.0) -> None:
        """Let the next calls of a method (`*`: of any) go wrong; see Trouble for what `how` can be."""
        with self.lock:
            self.troubles.add(method, Trouble(how, retry_after, seconds), times)

    def fail_some(
        self,
        rate: float,
        seed: int,
        hows: tuple[str, ...] = RANDOM,
        methods: tuple[str, ...] = (),
        retry_after: int = 1,
    ) -> None:
        """Let each call go wrong with this chance, the same ones for the same seed; a rate of 0 ends it."""
        with self.lock:
            self.troubles.some(rate, seed, tuple(Trouble(how, retry_after) for how in hows), methods)

    def pass_time(self, seconds: float) -> None:
        """Set Slack's clock forward: trigger_ids and response_urls get older, later messages have later ts."""
        self.world.later += seconds

    def drop_sockets(self, count: int | None = None) -> None:
        """Cut so many sockets (all) without a word."""
        self.run(self.sockets.drop(count))

    def refresh_sockets(self, reason: str = "refresh_requested") -> None:
        """Announce to the app that its sockets are about to be closed."""
        self.run(self.sockets.disconnect(reason))
