"""People who are asked for once an hour."""

from functools import partial

import pytest

from adapters.chat.profiles import PROFILE_LIFETIME_SECONDS, Lookups
from adapters.chat.surface import Person
from router.memory.draft import User


class PeopleDirectory:
    """A place whose people change their addresses; it counts how often it is asked."""

    def __init__(self) -> None:
        self.now, self.asked, self.email = 1000.0, 0, "ana@example.com"

    async def tell(self, team: str, id: str, name: str) -> Person:
        """Return who this is, if there is an address."""
        self.asked += 1
        if not self.email:
            raise LookupError(id)
        return Person(User(id, name, self.email))


async def test_an_answer_is_believed_for_an_hour() -> None:
    """Who left, or has another address since, is known as that after an hour."""
    directory = PeopleDirectory()
    known: Lookups[str, Person] = Lookups(clock=lambda: directory.now)

    async def person() -> Person:
        return await known.answer("U1", partial(directory.tell, "T1", "U1", "Ana"))

    first = await person()
    directory.email, directory.now = "ana@elsewhere.example", directory.now + PROFILE_LIFETIME_SECONDS - 1
    second = await person()
    directory.now += 1
    third = await person()
    assert (first, first, Person(User("U1", "Ana", "ana@elsewhere.example"))) == (first, second, third)
    assert 2 == directory.asked


async def test_no_answer_is_not_remembered() -> None:
    """Where nobody says who it is, the next time it is asked again."""
    directory = PeopleDirectory()
    known: Lookups[str, Person] = Lookups(clock=lambda: directory.now)
    directory.email = ""
    with pytest.raises(LookupError):
        await known.answer("U1", partial(directory.tell, "T1", "U1", ""))
    directory.email = "ana@example.com"
    assert "ana@example.com" == (await known.answer("U1", partial(directory.tell, "T1", "U1", ""))).user.email
