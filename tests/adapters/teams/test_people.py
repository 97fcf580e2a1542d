"""Who acts, as Teams says, and what of it is believed."""

import pytest

from adapters.teams.surface import person_of
from router.memory.draft import User
from tests.adapters.teams.fake_microsoft import TENANT

OWN = frozenset({TENANT})
SOMEBODY = User("teams:a2", "somebody")
ADA = {
    "name": "Ada",
    "email": "ada@acme.example",
    "userPrincipalName": "a@acme.example",
    "tenantId": TENANT.upper(),
    "userRole": "user",
}


@pytest.mark.parametrize(
    ("told", "email", "stranger"),
    [
        ({}, "ada@acme.example", False),
        ({"email": ""}, "a@acme.example", False),
        ({"userRole": ""}, "ada@acme.example", False),
        ({"userRole": "guest"}, "", False),
        ({"userPrincipalName": "ada_acme.example#EXT#@here.example"}, "", False),
        ({"userRole": "anonymous"}, "", True),
        ({"tenantId": "another"}, "", True),
        ({"tenantId": ""}, "", True),
    ],
    ids=["own", "no mailbox", "no role", "guest", "invited", "anonymous", "another company", "no company"],
)
def test_whose_address_is_believed(told: dict[str, str], email: str, stranger: bool) -> None:
    """That of the own people: not a guest's, and not that of strangers."""
    person = person_of(ADA | told, SOMEBODY, OWN)
    guest = not email and not stranger
    assert (User("teams:a2", "Ada", email, guest=guest), stranger) == (person.user, person.stranger)


def test_people_of_this_machine() -> None:
    """Without tokens nobody is a stranger: who has this machine may be anybody there."""
    person = person_of(ADA | {"tenantId": "", "name": ""}, SOMEBODY, None)
    assert (User("teams:a2", "somebody", "ada@acme.example"), False) == (person.user, person.stranger)
