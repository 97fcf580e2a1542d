"""Phrases of people's languages in a text, from the lists that are shipped."""

import tomllib
from pathlib import Path

import pytest

from router.language.phrases import (
    find_phrases,
    has_phrase,
    in_order,
    phrase_before,
    tokens_of,
)

WORDS = Path("router/language/words")


def test_tokens_are_folded_and_know_their_place() -> None:
    """Case, accents and curved apostrophes do not count; what was typed can be cut out by its place."""
    text = "Été, DON’T 12 straße_x"
    assert ["ete", "don't", "12", "strasse", "x"] == [each.word for each in tokens_of(text)]
    assert ["Été", "DON’T", "12", "straße", "x"] == [text[each.begin : each.end] for each in tokens_of(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("send it, but not to Bob", [(3, 4, "not")]),
        ("anyone but bob", [(0, 2, "anyone but")]),
        ("keinem Kunden", [(0, 1, "keinem")]),
        ("notes for Bob", []),
        ("au lieu de Bob", [(0, 3, "au lieu de")]),
    ],
)
def test_phrases_are_found_in_whole_words(text: str, expected: list[tuple[int, int, str]]) -> None:
    """The longest phrase at a place is taken; a star takes any ending, nothing else does."""
    found = find_phrases("denial.before", tokens_of(text))
    assert expected == [(each.first, each.end, text[slice(*each.span)]) for each in found]
    assert bool(expected) == has_phrase("denial.before", text)


def test_each_language_has_the_same_tables() -> None:
    """What one language can say, the others can; stars stand for a word, or at the end of two letters or more."""
    lists = {each.stem: tomllib.loads(each.read_text(encoding="utf-8")) for each in WORDS.glob("*.toml")}
    assert {"en", "de", "fr", "es"} <= lists.keys()
    for language, tables in lists.items():
        assert lists["en"].keys() == tables.keys(), language
        for name, table in tables.items():
            assert lists["en"][name].keys() == table.keys(), (language, name)
            for phrase in (each for phrases in table.values() for each in phrases):
                starred = [word for word in phrase.split() if "*" in word and word != "*"]
                assert all(word.index("*") == len(word) - 1 >= 2 for word in starred), (language, name, phrase)


def test_phrases_are_found_in_front_behind_and_in_order() -> None:
    """A phrase in front of a place is the longest; an article behind one is passed over; others stand in between."""
    tokens = tokens_of("list all contracts out of the Legal database")
    assert phrase_before("connections.the", tokens, 6) == 1
    assert phrase_before("connections.in", tokens, 5) == 2
    assert in_order("compare may with june", "text_to_sql.compare", "text_to_sql.with")
    assert not in_order("with june, compare may", "text_to_sql.compare", "text_to_sql.with")
