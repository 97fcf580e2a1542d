"""Rich text: sections, lists, quotes and preformatted parts, made of inline pieces."""

from typing import Any

from tests.platforms.slack.kit.check import Check, Found, boolean, many, number, one_of, shape, string, typed

STYLE = shape(
    {},
    dict.fromkeys(
        ("bold", "italic", "strike", "code", "underline", "highlight", "client_highlight", "unlink"),
        boolean,
    ),
)
WORD: dict[str, Check] = {"style": STYLE}
INLINE: dict[str, Check] = {
    "text": shape({"text": string(100_000, 1)}, WORD),
    "link": shape({"url": string(3000, 1)}, {**WORD, "text": string(3000), "unsafe": boolean}),
    "user": shape({"user_id": string(255, 1)}, WORD),
    "usergroup": shape({"usergroup_id": string(255, 1)}, WORD),
    "channel": shape({"channel_id": string(255, 1)}, WORD),
    "broadcast": shape({"range": one_of("here", "channel", "everyone")}, WORD),
    "emoji": shape({"name": string(255, 1)}, {**WORD, "unicode": string(255), "skin_tone": number(1, 6)}),
    "color": shape({"value": string(7, 7)}, WORD),
    "date": shape(
        {"timestamp": number(whole=True), "format": string(255, 1)},
        {**WORD, "url": string(3000), "fallback": string(3000)},
    ),
}
# Sections, quotes and preformatted parts may be empty lists; a text piece may not be empty.
PIECES = many(typed(INLINE), least=0)
SECTION = shape({"elements": PIECES})
PARTS: dict[str, Check] = {
    "rich_text_section": SECTION,
    "rich_text_preformatted": shape(
        {"elements": many(typed(INLINE, ("text", "link")), least=0)},
        {"border": number(0, 1), "language": string(50)},
    ),
    "rich_text_quote": shape({"elements": PIECES}, {"border": number(0, 1)}),
    "rich_text_list": shape(
        {"elements": many(typed({"rich_text_section": SECTION}), least=1), "style": one_of("bullet", "ordered")},
        {"indent": number(0, 8, whole=True), "offset": number(0, whole=True), "border": number(0, 1)},
    ),
}
ELEMENTS = many(typed(PARTS), least=1)
RICH_TEXT = shape({"elements": ELEMENTS})


def words_of(value: Any) -> str:
    """Return what a person reads in a piece of rich text."""
    if isinstance(value, list):
        return "".join(words_of(each) for each in value)
    if not isinstance(value, dict):
        return ""
    if "elements" in value:
        return words_of(value["elements"])
    return str(value.get("text") or value.get("url") or value.get("name") or "")


def rich_cell(value: Any, path: str, found: Found) -> None:
    """Demand a rich_text of a table's cell: it says something."""
    shape({"elements": ELEMENTS}, {"block_id": string(255)})(value, path, found)
    if not words_of(value):
        found.say("must be more than 0 characters", path)
