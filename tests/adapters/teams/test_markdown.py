"""Text outside of cards."""

import pytest

from adapters.teams.markdown import escaped, marked


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("plain (1 of 2), 3.5 %", "plain (1 of 2), 3.5 %"),
        ("[x](http://evil)", "\\[x\\](http:\u2060//evil)"),
        ("*a* _b_ ~c~ `d`", "\\*a\\* \\_b\\_ \\~c\\~ \\`d\\`"),
        ("<b>&lt;</b>", "&lt;b&gt;&amp;lt;&lt;/b&gt;"),
        ("# one\n- two\n1. three", "\\# one\n\n\\- two\n\n1\\. three"),
        ("-5\n2.5", "-5\n\n2.5"),
        ("a@b.example www.x.y", "a\u2060@b.example www\u2060.x.y"),
    ],
)
def test_marks_are_shown_and_not_read(text: str, markdown: str) -> None:
    """Neither Markdown nor HTML nor a link comes out of a text."""
    assert escaped(text, 3_000) == markdown


def test_a_text_that_markdown_would_change_is_left_to_a_card() -> None:
    """Its own two marks are Markdown's."""
    assert marked("A *bold* word and `code_x`.\nNext") == "A **bold** word and `code_x`.\n\nNext"
    assert marked("order_items") is None
    assert marked("`a<b`") is None
