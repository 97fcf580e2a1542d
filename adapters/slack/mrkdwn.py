"""Text between people and Slack: as it was typed on the way in, harmless on the way out."""

import re
from collections import Counter

from adapters.rendering.text import Mark, pieces, remove_unseen

JOINER = "\u2060"
"""A zero-width character. Beside a mark, it keeps Slack from reading the mark; no data is lost, and none is visible.

Slack has no escape for its marks. This is used only if a text would otherwise be formatted; it is left out of what
people copy and type again.
"""

_TOKEN = re.compile(r"<((?:[@#!]|[a-z][a-z0-9+.-]*:)[^<>\n]*)>", re.IGNORECASE)
_ENTITY = re.compile(r"&(lt|gt|amp);")
_MEANT = {"lt": "<", "gt": ">", "amp": "&"}

_CHANNEL = re.compile(r"(?<![\w&])#([CG][A-Z0-9]{8,})(?!\w)")

# Marks at a word's border, where Slack reads them; inside a word, as in order_items, it does not.
_BORDER = re.compile(r"(?<!\w)[*_~](?=\S)|(?<=\S)[*_~](?!\w)")
_EMOJI = r":(?=[a-z0-9_+'-]*[a-z_+'-][a-z0-9_+'-]*:)|:(?=(?:100|1234):)"
_HAZARD = re.compile(rf"`|{_BORDER.pattern}|{_EMOJI}|:(?=//)|@(?=here|channel|everyone)|^(?=[ \t]*>)", re.M | re.I)


def read_typed(text: str) -> str:
    """Return what the person typed, without Slack's marks for links, people and channels."""
    return _ENTITY.sub(lambda entity: _MEANT[entity[1]], _TOKEN.sub(_spoken, text.replace(JOINER, "")))


def escaped(text: str) -> str:
    """Return mrkdwn that shows exactly this text: it pings nobody, links to nothing and is not formatted."""
    return _neutral(remove_unseen(text), _hot(text))


def marked(body: str) -> str:
    """Return the body of a Text card as mrkdwn: its `code` and *bold* are kept, all else is shown as it is.

    A channel is written as its id, such as #C0123ABCD, and is a link by its name, which notifies nobody.
    """
    parts = list(pieces(body))
    hot = _hot("".join(text for text, mark in parts if mark != "code"))
    dressed = (_dressed(text, mark, hot) for text, mark in parts)
    return "".join(
        each if mark == "code" else _CHANNEL.sub(r"<#\1>", each) for each, (_, mark) in zip(dressed, parts, strict=True)
    )


def escape_code(text: str) -> str:
    """Return the text with Slack's three characters escaped, for code, where no other mark is read."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def fenced(text: str) -> str:
    """Return the text as a block of code, in mrkdwn; a fence inside it is kept from closing the block."""
    return f"```\n{escape_code(text.replace('```', f'`{JOINER}`{JOINER}`'))}\n```"


def fit(text: str, most: int) -> str:
    """Return the text escaped, cut to at most `most` characters of mrkdwn."""
    shown = escaped(text)
    return shown if len(shown) <= most else re.sub(r"&[a-z]*\Z", "", shown[: most - 1]) + "…"


def _spoken(token: re.Match[str]) -> str:
    target, _, label = token[1].partition("|")
    match target[0]:
        case "@" | "#":
            return target[0] + (label.removeprefix(target[0]) or target[1:])
        case "!":
            name, _, rest = target[1:].partition("^")
            return f"@{name}" if name in ("here", "channel", "everyone") else label or f"@{rest or name}"
        case _:
            return label or re.sub("^(mailto|tel):", "", target)


def _dressed(text: str, mark: Mark, hot: set[str]) -> str:
    match mark:
        case "code":
            return f"`{escape_code(text)}`"
        case "bold":
            return f"*{_neutral(text, hot)}*"
        case _:
            return _neutral(text, hot)


def _hot(text: str) -> set[str]:
    """Return the marks that occur twice or more: one alone formats nothing."""
    return {"`"} | {mark for mark, count in Counter(_BORDER.findall(text)).items() if count > 1}


def _neutral(text: str, hot: set[str]) -> str:
    def calm(hazard: re.Match[str]) -> str:
        mark = hazard[0]
        if mark in ("`", "*", "_", "~"):
            return f"{JOINER}{mark}{JOINER}" if mark in hot else mark
        return mark + JOINER

    return escape_code(_HAZARD.sub(calm, text))
