"""How people say that they want a person asked, and what is none of that."""

import pytest

from router.understanding.short_wishes import human_wished


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("human", ""),
        ("Ask a human!", ""),
        ("can I talk to somebody from the data team?", ""),
        ("ask a human: the totals look wrong", "the totals look wrong"),
        ("get me a human:\nit is late", "it is late"),
    ],
)
def test_a_person_is_wished_for(typed: str, why: str) -> None:
    """With the reason as it was typed, where there is one."""
    assert human_wished(typed) == why


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "how many people are there?",
        "human resources by region",
        "customers: who asked a human?",
        "ask again",
        "people",
    ],
)
def test_something_else_is_wished_for(typed: str) -> None:
    """Words that only occur in a question ask nobody."""
    assert human_wished(typed) is None
