"""Source text as elements: all of it that fits, and the whole as a file where it does not."""

from adapters.attached import Attached
from adapters.fitting import cut, split
from adapters.teams.drawn import Element, Part, size_of
from adapters.teams.texts import LEAST_ROOM, block, bold, run, small
from adapters.unseen import shown
from router.cards import Code

LONGEST_CODE = 10_000
"""Characters that are shown: it stands in a card twice, for old clients know no CodeBlock."""

LONGEST_TITLE = 100

_LANGUAGES = {
    "bash": "Bash",
    "javascript": "JavaScript",
    "json": "Json",
    "python": "Python",
    "sql": "Sql",
    "xml": "Xml",
}


def draw_code(code: Code, room: int, *, fold: str = "") -> Part:
    """Draw a Code card in at most `room` bytes; `fold` is an id, under which it is closed behind a button."""
    whole = shown(code.body).strip("\n") or "(empty)"
    most = LONGEST_CODE
    while most > 10:
        parts = split(whole[: most + 1], most)
        rest = [small(_rest(code))] if len(parts) > 1 else []
        drawn = _code(code, [_snippet(parts[0].rstrip() or "(empty)", code.language), *rest], fold)
        if (size := size_of(drawn)) <= room:
            return Part(tuple(drawn), (_file(code),) if rest else ())
        most = min(most, len(whole)) * room // (size + 1) * 9 // 10 if room >= LEAST_ROOM else 0
    return Part(files=(_file(code),), cut=True)


def _code(code: Code, elements: list[Element], fold: str) -> list[Element]:
    if not fold:
        return [bold(_title(code)), *elements]
    toggle = {
        "type": "Action.ToggleVisibility",
        "id": f"show:{fold}",
        "title": f"Show or hide the {_kind(code)}",
        "targetElements": [fold],
    }
    hidden = {"type": "Container", "id": fold, "isVisible": False, "items": elements}
    return [{"type": "ActionSet", "actions": [toggle]}, hidden]


def _snippet(body: str, language: str) -> Element:
    return {
        "type": "CodeBlock",
        "codeSnippet": body,
        "language": _LANGUAGES.get(language.lower(), "PlainText"),
        "fallback": block(run(body, fontType="Monospace")),
    }


def _title(code: Code) -> str:
    caption = cut(" ".join(shown(code.caption).split()), LONGEST_TITLE)
    return f"{caption} — {_kind(code)}" if caption else _kind(code)


def _kind(code: Code) -> str:
    return code.language.upper()[:40] or "Text"


def _file(code: Code) -> Attached:
    return Attached("query.sql" if code.language == "sql" else "code.txt", code.body)


def _rest(code: Code) -> str:
    return f"⚠️ Cut here. Read the whole of it, {len(code.body):,} characters, in the file {_file(code).name}."
