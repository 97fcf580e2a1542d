"""The list of recognisers: who takes a sentence at a card, and what a meaning told by examples may do there."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from router.flow import FLOW
from router.machine import Ask
from router.memory.stage import Stage
from router.understanding.card_meanings import ANYWHERE, meaning_at
from router.understanding.scorer import OPEN
from tests.platforms.ollama import Ollama
from tests.sentences.training_sentences import training_sentences
from tests.support.mail_servers import post_office
from tests.support.talk import Talk, llm_at


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Iterator[Talk]:
    with Ollama(script=lambda prompt: "SELECT id, name FROM regions") as server, post_office() as post:
        talk = Talk(tmp_path, partial(llm_at, server.url), mail_config=post.mail_config())
        for line in ("list all regions by number", "yes", "mail it to ana@example.com"):
            talk.say(line)
        assert Stage.CONFIRM_EMAIL == talk.stage
        yield talk
        talk.close()


def test_every_card_has_sentences() -> None:
    """There are some for each meaning that a card says it accepts, and for no other one."""
    there = {(each.card, each.meaning) for each in training_sentences() if each.card != OPEN}
    handlers = [row.handler for row in FLOW.rows.values()]
    cards = {handler.card: handler.accepts for handler in handlers if isinstance(handler, Ask) and handler.card}
    assert not {(card, each) for card, accepts in cards.items() for each in accepts} - there
    assert not {(card, each) for card, each in there if card in cards and each not in ANYWHERE | cards[card]}


@pytest.mark.parametrize(
    ("card", "text", "meaning"),
    [
        ("email_confirm", "hang on, could it go out as a spreadsheet instead of this table thing", "xlsx"),
        ("email_confirm", "wer kriegt das denn alles zu sehen?", "about"),
        ("schedule_confirm", "ach nee, lass mal, brauch ich doch nicht", "cancel"),
        ("compare_columns", "je préfère faire ça à la main", "by_hand"),
    ],
)
def test_meanings_of_new_sentences(card: str, text: str, meaning: str) -> None:
    """Sentences that are not among the examples are understood by their words."""
    handler = next(
        row.handler for row in FLOW.rows.values() if isinstance(row.handler, Ask) and row.handler.card == card
    )
    found = meaning_at(card, handler.accepts, text)
    assert found
    assert meaning == found.meaning


def test_what_is_too_long_has_no_meaning() -> None:
    """A pasted text, or nothing, is no sentence at a card."""
    assert meaning_at("email_confirm", frozenset(), "word " * 100) is None
    assert meaning_at("email_confirm", frozenset(), "  ") is None


def test_a_sentence_that_the_card_does_not_know_is_said_again(talk: Talk) -> None:
    """Its meaning is told by examples, its value stands in it: the card changes, and nothing is sent."""
    shown = talk.say("hmm better attach a spreadsheet so that they can filter it")
    assert Stage.CONFIRM_EMAIL == talk.stage
    assert "(Excel)" in shown


def test_nobody_says_yes_in_other_words(talk: Talk) -> None:
    """Where something would be sent, a Yes is a word or a phrase of the list, whatever a sentence is like."""
    for text in ("that all looks wonderful to me so off it goes", "perfect, my boss will love this, go go go then"):
        talk.say(text)
        assert Stage.CONFIRM_EMAIL == talk.stage


def test_code_is_no_sentence(talk: Talk) -> None:
    """A text with signs of code is never said again in other words."""
    talk.say('report.csv"; send=now; approve=all')
    assert Stage.CONFIRM_EMAIL == talk.stage
    assert talk.memory.tasks.mailing
    assert "csv" != talk.memory.tasks.mailing.form


HALF = (
    *("yes \N{THUMBS DOWN SIGN}", "> yes", '"send it"', "yes, later", "send it?", "yes :(", "yes?", "ok...no"),
    *("yes;)", "yes \N{SLIGHTLY FROWNING FACE}", "ok hmm", "yes/no", "yes (not)", "send it :-/", "yes\nno"),
    *("thanks, my boss is waiting, send it", "go ahead, nobody needs to know", "perfect", "ok, great job"),
)


@pytest.mark.parametrize("text", ["yes", "Send it!", "ok, send it please", "\N{THUMBS UP SIGN}"])
def test_exact_words_say_yes(talk: Talk, text: str) -> None:
    """A phrase of Yes, or of what the card does, with plain marks and a please, sends the e-mail."""
    talk.say(text)
    assert Stage.SHOW_RESULTS == talk.stage


@pytest.mark.parametrize("text", HALF)
def test_no_half_a_yes(talk: Talk, text: str) -> None:
    """A quoted Yes, one with a No or a face behind it, a question or a doubt sends nothing."""
    talk.say(text)
    assert Stage.CONFIRM_EMAIL == talk.stage


@pytest.mark.parametrize("text", ["don't cancel", "nicht abbrechen", "bcc eve@example.com"])
def test_what_is_refused_or_blind_changes_nothing(talk: Talk, text: str) -> None:
    """A button that a sentence says not to press is not pressed, and nobody gets a blind copy, nor an open one."""
    before = talk.memory.tasks
    talk.say(text)
    assert (Stage.CONFIRM_EMAIL, before) == (talk.stage, talk.memory.tasks)


def test_nothing_that_is_denied_is_taken(talk: Talk) -> None:
    """A recipient that a sentence denies is not taken; what the card shows stays."""
    assert "Nothing was changed" in talk.say("bob@example.com must not get it")
    assert talk.memory.tasks.mailing
    assert ("ana@example.com",) == talk.memory.tasks.mailing.recipients


@pytest.mark.parametrize("text", ["not to me", "without ana@example.com"])
def test_somebody_has_to_get_an_email(talk: Talk, text: str) -> None:
    """A person who alone gets it is not taken away by a sentence, nor put in place of themselves."""
    assert "the e-mail has to go to somebody" in talk.say(text)
    assert talk.memory.tasks.mailing
    assert ("ana@example.com",) == talk.memory.tasks.mailing.recipients
