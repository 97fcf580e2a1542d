"""The connector's client of the Bot Framework, for the tests of the stand-in for Teams."""

from collections.abc import Mapping
from typing import Any

import requests
from aiohttp import ClientSession, ClientTimeout
from botbuilder.schema import Activity
from botframework.connector.aio import ConnectorClient
from botframework.connector.auth import AppCredentials

from tests.platforms.teams.stand_in import Teams


class Credentials(AppCredentials):
    """The bot's secret, shown to the stand-in's login; the SDK's own classes only log in by HTTPS."""

    def __init__(self, teams: Teams, password: str = "") -> None:
        super().__init__(teams.app_id, teams.tenant)
        self.teams, self.password = teams, password or teams.app_password

    def get_access_token(self, force_refresh: bool = False) -> str:
        """Return a new token; raises HTTPError if the login refuses it."""
        answer = requests.post(
            f"{self.teams.login_url}/{self.tenant}/oauth2/v2.0/token",
            data={
                "grant_type": "client_credentials",
                "client_id": self.microsoft_app_id,
                "client_secret": self.password,
                "scope": f"{self.oauth_scope}/.default",
            },
            timeout=10,
        )
        answer.raise_for_status()
        return str(answer.json()["access_token"])


def connector(teams: Teams, password: str = "") -> ConnectorClient:
    """Return the Bot Framework's client of the connector."""
    client = ConnectorClient(Credentials(teams, password), base_url=teams.service_url)
    client.config.retry_policy.retries = 0
    return client


def activity(text: str = "", *cards: dict[str, Any], **more: Any) -> Activity:
    """Return a message with these Adaptive Cards."""
    attached = [{"contentType": "application/vnd.microsoft.card.adaptive", "content": each} for each in cards]
    return Activity.deserialize({"type": "message", "text": text or None, "attachments": attached, **more})


async def posted(
    teams: Teams, body: dict[str, Any], where: str = "sales", path: str = "", seconds: float = 10.0
) -> tuple[int, Any, Mapping[str, str]]:
    """Post an activity as it is, which the SDK's client would not, and return status, body and headers.

    `path` is another one of the connector's than that of a new activity.
    """
    proof = {"Authorization": f"Bearer {Credentials(teams).get_access_token()}"}
    url = f"{teams.service_url}v3/conversations{path or f'/{teams.conversation(where).id}/activities'}"
    async with (
        ClientSession(timeout=ClientTimeout(total=seconds), headers=proof) as session,
        session.post(url, json=body) as answer,
    ):
        return answer.status, await answer.json(), answer.headers
