"""Recognises the database that a sentence names: a name that exists, beside words from lists.

Names of databases are often ordinary words ("Shop", "Finance"), so that the name alone is not enough. It counts beside
a word such as "database", in brackets, in front of a colon, after "switch to", with nothing else in the sentence, or
after "in", if it ends what is said of the place; in upper or lower case. A name that is denied ("not Finance") never
counts, nor one that is a table or a value of the database at hand.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from router.language.phrases import begins_with, has_phrase, is_all, phrase_at, phrase_before, tokens_of

NAMING_MAX_CHARS = 500
"""A longer text is not looked at: it is a mail, or a note, and no question that names its database."""


@dataclass(frozen=True, slots=True)
class NamedDatabase:
    """The connection that is named, and the question without the words that name it; "" if there is no other word.

    `unknown` is the name of one that the person may not read.
    """

    connection: str = ""
    question: str = ""
    unknown: str = ""


IsData = Callable[[str], bool]
"""Return whether a word is a table or a value of the database that the talk is about."""

_LEADS = ("called", "database", "the", "switch", "in", "near", "not", "look")
"""The lists of words that may stand in front of a name, from the nearest on."""
_TABLE = re.compile(r"\b[^\W\d]\w*_\w+\b")
_MARKS = " \"'“”„«»"
_ENDS = ("", *".!?,:;")


@dataclass(frozen=True, slots=True)
class _Mention:
    """A name in a text: as it is called and typed, the lists of words beside it, and what stands around these."""

    key: str
    typed: str
    beside: frozenset[str]
    before: str
    behind: str

    @property
    def rest(self) -> str:
        """Return the text without the name, and "" if only "the same there" is left."""
        before, behind = self.before, self.behind.lstrip(" ,:)–—-")
        if _says_no_more(before):  # it leads to the question
            before, behind = "", behind.lstrip(".!; ")
            behind = behind.partition(" ")[2] if begins_with("connections.and", behind) else behind
        text = f"{before.rstrip('(@ ')} {behind}".strip(" ,;:–—-")
        return "" if _says_no_more(text) else re.sub(r"\s+([?.!,;:])", r"\1", text)

    @property
    def is_placed(self) -> bool:
        """Return whether the name stands behind "in", and ends what is said of the place."""
        return "in" in self.beside and (self.behind[:1] in _ENDS or begins_with("connections.next", self.behind))

    def is_certain(self, is_data: IsData) -> bool:
        """Return whether the name can only be that of a database."""
        leads = _says_no_more(self.before)
        goes_on = self.behind[:1] in _ENDS or begins_with("connections.and", self.behind)
        if "database" in self.beside or (leads and "switch" in self.beside and goes_on):
            return True
        if is_data(self.typed):
            return False
        ends = self.behind.startswith(":") or ("in" not in self.beside and _says_no_more(self.behind))
        return (leads and ends) or self.before.endswith(("(", "@")) or self.is_placed


def named_database(text: str, called: Mapping[str, str], is_data: IsData) -> NamedDatabase | None:
    """Return the database that a sentence names for certain; None if it names none, or several.

    `called` has the connections by their labels and names, as these are written; "" for those that nobody may read.
    """
    mentions = _mentions(text, called)
    if denied := next((each for each in mentions if "not" in each.beside), None):
        return named_database(denied.rest, called, is_data) if len(mentions) > 1 else None
    found = [each for each in mentions if each.is_certain(is_data)]
    tables = _TABLE.findall(text)
    if not found and tables and not any(map(is_data, tables)):  # "does Legal have deal_notes?"
        found = [replace(each, before=text, behind="") for each in mentions]
    if len({called[each.key] for each in found}) != 1 or has_phrase("connections.sends", found[0].before):
        return None
    connection = called[found[0].key]
    return NamedDatabase(connection, found[0].rest, "" if connection else found[0].typed)


def database_in(text: str, called: Mapping[str, str]) -> str:
    """Return the connection whose name stands anywhere in a text, in upper or lower case; "" for none or several."""
    found = {called[each.key] for each in _mentions(text, called)}
    return found.pop() if len(found) == 1 else ""


def _mentions(text: str, names: Iterable[str]) -> list[_Mention]:
    """Return where names stand in a text, of those at one place the longest."""
    ways = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    if not ways or len(text) > NAMING_MAX_CHARS:
        return []
    keys = {name.casefold(): name for name in names}
    found = re.finditer(rf"(?<!\w)({ways})(?:['’]s)?(?!\w)", text, re.IGNORECASE)
    return [_mention(text, each, keys.get(each[1].casefold(), each[1])) for each in found]


def _mention(text: str, found: re.Match[str], key: str) -> _Mention:
    """Return a name with the listed words beside it: "in the Shop database"."""
    lead, follows = tokens_of(text[: found.start()]), tokens_of(text[found.end() :])
    noun = phrase_at("connections.database", follows, 0)
    beside, first = {"database"} if noun else set[str](), len(lead)
    for kind in _LEADS:
        if length := phrase_before(f"connections.{kind}", lead, first):
            beside.add(kind)
            first -= length
    begin = lead[first].begin if first < len(lead) else found.start()
    end = found.end() + (follows[noun - 1].end if noun else 0)
    return _Mention(key, found[1], frozenset(beside), text[:begin].rstrip(_MARKS), text[end:].lstrip(_MARKS))


def _says_no_more(text: str) -> bool:
    return not tokens_of(text) or is_all("connections.filler", text)
