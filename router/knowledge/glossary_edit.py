"""One entry of glossary.toml changed, and every other line, comments too, left as somebody wrote it."""

import tomllib
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, Item

from router.errors import JobFailed
from router.knowledge.knowledge import Term
from router.language.wording import one_line
from router.storage.edited_files import key_lines, with_line_ends

BY_HAND = "Nothing was changed; your administrator has to change the file by hand."


def edited(text: str, connection: str, name: str, term: Term | None) -> str:
    """Return the file's text with a term in place of the one of this name, or without it; raises JobFailed."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise JobFailed(
            f"The glossary's file is not TOML just now: {error}. Nothing was changed, and this change is kept: press "
            "Save again once your administrator has mended the file."
        ) from None
    section = _same(data, connection) or connection
    terms = data.setdefault(section, {})
    if not isinstance(terms, dict):
        raise JobFailed(f"The glossary's file has no terms under {section}. {BY_HAND}")
    known = _same(terms, name)
    if term is None:
        if known is None:
            return text
        del terms[known]
    else:
        terms[known or term.name] = entry_of(term) if known is None else _kept(terms[known], term)
    try:
        changed = _changed(text, section, known, term)
        # What is written is what was to be said, and says of everything else what it said before.
        if {name: each for name, each in tomllib.loads(changed).items() if each} == {
            name: each for name, each in data.items() if each
        }:
            return changed
    except (TOMLKitError, tomllib.TOMLDecodeError, RecursionError, KeyError, TypeError, ValueError):
        pass
    raise JobFailed(f"The glossary's file is written in a way that I cannot change. {BY_HAND}")


def _changed(text: str, section: str, known: str | None, term: Term | None) -> str:
    span = _span(text, section, known) if known else None
    if term is None and span:
        return _without(text, *span)
    if term and known and span:
        text = _with_keys(text, span, section, known, term)
    document: Any = tomlkit.parse(text)
    if section not in document:
        document.add(section, tomlkit.table(is_super_table=True))
    terms = document[section]
    if term is None:
        del terms[known]
    elif known is None:
        terms[term.name] = _item(term, inline=isinstance(terms, InlineTable))
    elif isinstance(terms[known], str):
        terms[known] = term.meaning if not (term.synonyms or term.filter) else _item(term, inline=True)
    else:
        _renew(terms[known], entry_of(term))
    changed = tomlkit.dumps(document).rstrip("\r\n") + "\n"
    return with_line_ends(changed, text)


def _renew(table: Any, entry: dict[str, Any]) -> None:
    """Have a table say what an entry says, and no more of what an entry may say."""
    for key, value in entry.items():
        if table.get(key) != value:
            table[key] = value
    for key in ("synonyms", "filter"):
        if key in table and key not in entry:
            del table[key]


def _with_keys(text: str, span: tuple[int, int], section: str, known: str, term: Term) -> str:
    """Return the text with keys that a table lacks below its last line: comments after it belong to what comes next."""
    there = tomllib.loads(text)[section][known]
    new = [tomlkit.dumps({key: value}).rstrip("\n") for key, value in entry_of(term).items() if key not in there]
    lines = text.split("\n")
    lines[span[1] : span[1]] = new
    return "\n".join(lines)


def _span(text: str, section: str, name: str) -> tuple[int, int] | None:
    """Return the first line and the line after the last of a table with a head of its own; None for another one."""
    lines, found = text.split("\n"), key_lines(text)
    start = found[section, name] - 1
    if not lines[start].lstrip().startswith("["):
        return None
    last = end = max(line for path, line in found.items() if path[:2] == (section, name)) - 1
    while end < len(lines):
        end += 1
        try:
            tomllib.loads("\n".join(lines[last:end]))
            return start, end
        except tomllib.TOMLDecodeError:
            continue
    return None


def _without(text: str, start: int, end: int) -> str:
    lines = text.split("\n")
    blank = start == 0 or not lines[start - 1].strip()
    while blank and end < len(lines) - 1 and not lines[end].strip():
        end += 1
    return "\n".join([*lines[:start], *lines[end:]])


def _item(term: Term, *, inline: bool) -> Item:
    table: Any = tomlkit.inline_table() if inline else tomlkit.table()
    for key, value in entry_of(term).items():
        table.add(key, value)
    if not inline:
        table.add(tomlkit.nl())
    return table  # type: ignore[no-any-return]


def entry_of(term: Term) -> dict[str, Any]:
    """Return a term as the file has it; what it does not say is left out."""
    entry = {"meaning": term.meaning, "synonyms": list(term.synonyms), "filter": term.filter}
    return {key: value for key, value in entry.items() if value}


def _kept(before: Any, term: Term) -> Any:
    """Return a changed entry: a plain text stays one where nothing else is said, unknown keys stay."""
    if isinstance(before, str):
        return term.meaning if not (term.synonyms or term.filter) else entry_of(term)
    others = {key: value for key, value in before.items() if key not in ("meaning", "synonyms", "filter")}
    return others | entry_of(term)


def _same(names: dict[str, Any], wanted: str) -> str | None:
    """Return the key that is this name but for case and blanks."""
    return next((each for each in names if one_line(each).casefold() == one_line(wanted).casefold()), None)
