"""Attempts to talk the bot into something: where they are put, what they say, and what they want."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Attempt:
    """Where somebody puts which text, what they want by it, and the SQL that the model is talked into."""

    where: str
    text: str
    wants: str
    sql: str


ATTEMPTS = [
    Attempt(**json.loads(line))
    for line in Path(__file__).with_name("attempts.jsonl").read_text(encoding="utf-8").splitlines()
]


def of(*places: str, every: int = 1) -> pytest.MarkDecorator:
    """Have a test take each attempt of these places; one of `every` so many is an everyday test."""
    found = [
        pytest.param(each, marks=pytest.mark.thorough if number % every else ())
        for number, each in enumerate(each for each in ATTEMPTS if each.where in places)
    ]
    return pytest.mark.parametrize("attempt", found, ids=lambda each: f"{each.where}: {each.text[:40]!a}")
