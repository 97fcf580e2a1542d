"""Lists of people as connections.toml writes them: e-mail addresses, ids, groups and everybody."""

from collections.abc import Iterable, Mapping, Set

EVERYBODY = "*"


class WrongPerson(ValueError):
    """An entry that names nobody, and what to write instead."""


def expand_people(entries: Iterable[str], groups: Mapping[str, Set[str]]) -> frozenset[str]:
    """Return ids, e-mail addresses in lower case and "*", with "@group" replaced by its people; raises WrongPerson."""
    people: set[str] = set()
    for entry in (entry.strip() for entry in entries):
        if entry.startswith("@"):
            if entry[1:] not in groups:
                raise WrongPerson(f'"{entry}" is no group; add it under [groups], or correct its name.')
            people |= groups[entry[1:]]
        else:
            people.add(_person(entry))
    return frozenset(people)


def _person(entry: str) -> str:
    if entry == EVERYBODY:
        return entry
    platform, colon, id = entry.partition(":")
    if colon and platform and id:
        return entry
    name, at, host = entry.partition("@")
    if at and name and host:
        return entry.casefold()
    raise WrongPerson(f'"{entry}" is nobody; write an e-mail address, an id such as "slack:U123", "@group" or "*".')
