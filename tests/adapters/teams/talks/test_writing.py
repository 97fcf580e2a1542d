"""Talks that write and e-mail, in Teams: those about its dialogs and about what it hears; Slack plays all of them."""

from collections.abc import Callable, Iterator

import pytest

from tests.adapters.teams.talks.scene import TeamsScene, teams_place
from tests.platforms.teams.stand_in import Teams
from tests.support.writing_scene import Place, Scene
from tests.support.writing_talks import (
    a_wrong_name_is_said_at_its_field,
    the_name_is_typed_to_delete,
    what_is_private_stays_so,
    words_to_others_write_nothing,
)

TALKS = (a_wrong_name_is_said_at_its_field, the_name_is_typed_to_delete, words_to_others_write_nothing)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Place, Teams]]:
    """One bot for the talks in which it stays."""
    with (
        teams_place(tmp_path_factory.mktemp("writing") / "site") as (place, teams),
        TeamsScene(place, teams=teams).at_work(),
    ):
        yield place, teams


@pytest.fixture
def writing(shared: tuple[Place, Teams]) -> Iterator[tuple[Place, Teams]]:
    """The bot for one talk, in which Teams refuses nothing and dislikes nothing."""
    place, teams = shared
    refused, faults = len(teams.refused), len(teams.faults)
    place.post.letters.clear()
    yield shared
    assert ([], []) == (teams.refused[refused:], teams.faults[faults:])


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.__name__)
def test_a_talk(writing: tuple[Place, Teams], talk: Callable[[Scene], None]) -> None:
    """The talk goes as it is told there."""
    place, teams = writing
    talk(TeamsScene(place, teams=teams))


def test_what_is_private(writing: tuple[Place, Teams]) -> None:
    """In a channel whose results are for the asker alone, nobody else reads where one goes."""
    place, teams = writing
    what_is_private_stays_so(TeamsScene(place, "secret", teams=teams))
