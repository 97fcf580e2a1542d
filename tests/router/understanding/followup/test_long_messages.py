"""Messages that are made to keep the rules for follow-ups busy."""

import time
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from inspect import isfunction
from pkgutil import iter_modules
from typing import Any, get_type_hints

import pytest

from router.understanding import followup as following
from router.understanding.followup.full_question import full_question, put_behind
from router.understanding.followup.message import MessageCore
from router.understanding.followup.previous import Homes, PreviousQuestion, nowhere
from tests.support.rows import every_row

MAX_SECONDS = 10.0
"""Seconds of the processor; each of these takes a few hundredths, and what goes back at every sign takes minutes."""

LONG = (f"only for Germany{', ' * 5980}x", f"¿{'? ' * 6000}", f"{'their ' * 2000}, and")
MODULES = [import_module(f"{following.__name__}.{each.name}") for each in iter_modules(following.__path__)]
KINDS = (str, bool, PreviousQuestion, MessageCore, Homes, Sequence[PreviousQuestion], Iterable[str], frozenset[str])


def given(function: Callable[..., object]) -> list[Any]:
    """Return of what kind the values are that a function is called with."""
    return [kind for name, kind in get_type_hints(function).items() if name != "return"]


FUNCTIONS = [
    function
    for module in (following, *MODULES)
    for name, function in vars(module).items()
    if isfunction(function)
    and not name.startswith("_")
    and function.__module__ == module.__name__
    and str in given(function)
    and all(kind in KINDS for kind in given(function))
    and name not in ("in_language", "words")  # they are given a word of ours
]


@pytest.mark.parametrize("text", LONG, ids=["commas", "marks", "words"])
@every_row("function", FUNCTIONS)
def test_every_function_is_done_soon(function: Callable[..., object], text: str) -> None:
    """No function of the rules goes back over a long text for each of its signs."""
    asked = PreviousQuestion(text, "SELECT name FROM orders", names=frozenset(("orders",)))
    values = dict(
        zip(KINDS, (text, False, asked, MessageCore(text), nowhere, [asked], ["orders"], asked.names), strict=True)
    )
    start = time.process_time()
    function(*(values[kind] for kind in given(function)))
    assert time.process_time() - start < MAX_SECONDS


@pytest.mark.parametrize("text", LONG, ids=["commas", "marks", "words"])
def test_what_is_too_long_follows_nothing(text: str) -> None:
    """A message that is too long to be a part of a question is none."""
    before = [PreviousQuestion("Revenue by region")]
    assert (None, None) == (full_question(text, before), put_behind(text, before))
