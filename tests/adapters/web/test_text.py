"""Texts as HTML."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.web.cards import html_of
from adapters.web.code import highlighted


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("plain", "plain"),
        ("the *bold* one", "the <strong>bold</strong> one"),
        ("*two words*, then", "<strong>two words</strong>, then"),
        ("`a < b` and c", "<code>a &lt; b</code> and c"),
        ("`*not bold*`", "<code>*not bold*</code>"),
        ("2 * 3 * 4 and 2*3*4", "2 * 3 * 4 and 2*3*4"),
        ("count(*) and sum(*)", "count(*) and sum(*)"),
        ("a\nb", "a\nb"),
        ("<script>'&\"", "&lt;script&gt;&#x27;&amp;&quot;"),
    ],
)
def test_two_marks_are_known_and_all_else_is_escaped(text: str, html: str) -> None:
    """Only `code` and *bold* become tags."""
    assert html_of(text) == html


@given(st.text(alphabet="<>&\"'*`ab/ \n"))
def test_no_text_makes_other_tags(text: str) -> None:
    """Whatever the text holds, the only tags are the two."""
    assert set(re.findall(r"<[^>]*>", html_of(text))) <= {"<code>", "</code>", "<strong>", "</strong>"}


@given(st.text(alphabet="<>&\"'-/* \nSELECTab1"), st.sampled_from(["sql", "no such language"]))
def test_highlighted_code_holds_spans_only(body: str, language: str) -> None:
    """A query cannot bring in tags of its own."""
    assert all(
        re.fullmatch(r'</?span( class="[\w ]+")?>', tag) for tag in re.findall(r"<[^>]*>", highlighted(body, language))
    )


def test_keywords_are_highlighted_and_an_alias_of_one_letter_is_not() -> None:
    """C is a word of SQL, but hardly ever meant."""
    html = highlighted("SELECT c.name", "sql")
    assert '<span class="k">SELECT</span>' in html
    assert '<span class="k">c</span>' not in html
