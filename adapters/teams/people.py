"""Who somebody is, by what Teams tells of a member of a conversation."""

from collections.abc import Mapping

from adapters.chat.surface import Person
from router.memory import User

ANONYMOUS, GUEST = "anonymous", "guest"
"""The roles of people who joined a meeting without an account, and of those whom a company invited."""

INVITED = "#ext#"
"""Stands in the name that a directory gives to somebody of another one."""


def person_of(member: Mapping[str, str], user: User, tenants: frozenset[str] | None) -> Person:
    """Return a member as a person; whoever is of none of these tenants is a stranger, without tenants nobody is.

    People of other companies write in shared channels, group chats and meetings, and anybody can have any address in a
    tenant of their own: an address is believed only of the own people. A guest is somebody whom the own company let in,
    with an address that another one gave them.
    """
    role, name = member["userRole"].casefold(), member["userPrincipalName"]
    stranger = tenants is not None and (role == ANONYMOUS or member["tenantId"].casefold() not in tenants)
    guest = role == GUEST or INVITED in name.casefold()
    email = "" if stranger or guest else member["email"] or name
    return Person(User(user.id, member["name"] or user.name, email), stranger)
