"""The connector's calls, by the names that tests use."""

from collections.abc import Callable
from typing import Any

from tests.platforms.teams.connector import messages, people
from tests.platforms.teams.connector.request import Refused, Request

__all__ = ["ROUTES", "Refused", "Request", "answer"]

METHODS: dict[str, Callable[[Request], tuple[int, Any]]] = {
    "send": messages.send,
    "reply": messages.reply,
    "update": messages.update,
    "delete": messages.delete,
    "create": people.create,
    "members": people.members,
    "member": people.member,
    "paged": people.paged,
}
ROUTES = (
    ("POST", "/v3/conversations", "create"),
    ("POST", "/v3/conversations/{conversation}/activities", "send"),
    ("POST", "/v3/conversations/{conversation}/activities/{id}", "reply"),
    ("PUT", "/v3/conversations/{conversation}/activities/{id}", "update"),
    ("DELETE", "/v3/conversations/{conversation}/activities/{id}", "delete"),
    ("GET", "/v3/conversations/{conversation}/members", "members"),
    ("GET", "/v3/conversations/{conversation}/members/{id}", "member"),
    ("GET", "/v3/conversations/{conversation}/pagedmembers", "paged"),
)


def answer(request: Request) -> tuple[int, Any]:
    """Do what is asked and return the status and the body of the answer."""
    try:
        return METHODS[request.method](request)
    except Refused as refused:
        return refused.status, refused.answer
