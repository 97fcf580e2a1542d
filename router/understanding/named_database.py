"""Recognises the database that a sentence names: a name that exists, beside words from lists.

Names of databases are often ordinary words ("Shop", "Finance"), so that the name alone is not enough. It counts beside
a word such as "database", in brackets, in front of a colon, after "switch to", with nothing else in the sentence, or
spelt as it is called after "in". A name that is denied ("not Finance") never counts.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from router.language.phrases import begins_with, has_phrase, is_all, phrase_at, phrase_before, tokens_of

NAMING_MAX_CHARS = 500
"""A longer text is not looked at: it is a mail, or a note, and no question that names its database."""


@dataclass(frozen=True, slots=True)
class NamedDatabase:
    """The connection that is named, and the question without the words that name it; "" where there is no other word.

    `unknown` is what is called a database, and is none of those that the person may read.
    """

    connection: str = ""
    question: str = ""
    unknown: str = ""


IsData = Callable[[str], bool]
"""Says whether a word is a table or a value of the database that the talk is about."""


@dataclass(frozen=True, slots=True)
class _Mention:
    """A name in a text: its key, as it is typed, the signs beside it, and what stands before and behind these."""

    key: str
    typed: str
    signs: frozenset[str]
    before: str
    behind: str

    @property
    def rest(self) -> str:
        """Return the text without the name, and "" where only "the same there" is left."""
        before, behind = self.before, self.behind.lstrip(" ,:)]–—-")
        if _says_no_more(before):  # it leads to the question
            before, behind = "", re.sub(r"^[.!; ]+", "", behind)
            if "switch" in self.signs and begins_with("connections.and", behind):
                behind = behind.partition(" ")[2]
        text = re.sub(r"\s+([?.!,;:])", r"\1", f"{before.rstrip('([@ ')} {behind}").strip(" ,;:–—-")
        return "" if _says_no_more(text) else text


def named_database(text: str, called: Mapping[str, str], is_data: IsData) -> NamedDatabase | None:
    """Return the database that a sentence names for certain; None where it names none, or several.

    `called` has the readable connections by their labels and names, as these are written.
    """
    mentions = _mentions(text, called)
    if not mentions:
        return _unknown(text) if called and len(text) <= NAMING_MAX_CHARS else None
    if denied := next((each for each in mentions if "not" in each.signs), None):
        return named_database(denied.rest, called, is_data) if len(mentions) > 1 else None
    if not (found := [each for each in mentions if "database" in each.signs]):
        found = [each for each in mentions if _is_certain(each, is_data)]
        mentions = [each for each in mentions if each in found or _is_spelt(each)]  # any other is a plain word
    if len({called[each.key] for each in mentions}) != 1 or has_phrase("connections.sends", mentions[0].before):
        return None
    if found:
        return NamedDatabase(called[found[0].key], found[0].rest)
    tables = _IDENTIFIER.findall(text)
    return NamedDatabase(called[mentions[0].key], text) if tables and not any(map(is_data, tables)) else None


def unreadable_database(text: str, names: Collection[str], is_data: IsData) -> NamedDatabase | None:
    """Return one of the names that a sentence calls its database by, as it was typed; None where it names none.

    `names` are those of databases that the person may not read. That the name stands behind "in" is enough: nothing is
    answered from elsewhere without a word, and one press goes on.
    """
    for each in _mentions(text, names):
        named = "database" in each.signs or _is_certain(each, is_data) or (_is_placed(each) and not is_data(each.typed))
        if named and "not" not in each.signs and not has_phrase("connections.sends", text):
            return NamedDatabase(question=each.rest, unknown=each.typed)
    return None


def database_in(text: str, called: Mapping[str, str]) -> str:
    """Return the connection whose name stands anywhere in a text, in upper or lower case; "" for none or several."""
    found = {called[each.key] for each in _mentions(text, called)}
    return found.pop() if len(found) == 1 else ""


_IDENTIFIER = re.compile(r"\b[^\W\d]\w*_\w+\b")


def home_of(text: str, homes: Mapping[str, frozenset[str]], current: str) -> str:
    """Return the one connection that has a table which a text names exactly; "" where it needs no other than `current`.

    `homes` has the connections by the names of their tables, in lower case. Only names with an underscore count: any
    other may be an ordinary word.
    """
    named = [homes[word] for word in map(str.lower, _IDENTIFIER.findall(text)) if word in homes]
    if not named or any(current in where for where in named):
        return ""
    common = frozenset.intersection(*named)
    return next(iter(common)) if len(common) == 1 else ""


_SIGNS = ("called", "database", "the", "switch", "in", "near", "not", "look")
"""The lists of words that may stand in front of a name, from the nearest on."""


def _mentions(text: str, names: Iterable[str]) -> list[_Mention]:
    """Return where names stand in a text, of those at one place the longest."""
    tokens = tokens_of(text) if len(text) <= NAMING_MAX_CHARS else ()
    words, mentions, end = [each.word.removesuffix("'s") for each in tokens], list[_Mention](), 0
    keys = {tuple(each.word for each in tokens_of(name)): name for name in names}
    places = ((at, key) for at in range(len(words)) for key in sorted(keys, key=len, reverse=True))
    for at, key in places:
        if at < end or words[at : at + len(key)] != [*key]:
            continue
        first, end = at, at + len(key) + phrase_at("connections.database", tokens, at + len(key))
        signs = {"database"} if end > at + len(key) else set[str]()
        for kind in _SIGNS:
            if length := phrase_before(f"connections.{kind}", tokens, first):
                signs.add(kind)
                first -= length
        typed, before = text[tokens[at].begin : tokens[at + len(key) - 1].end], text[: tokens[first].begin]
        mentions.append(
            _Mention(
                keys[key], typed, frozenset(signs), before.rstrip(_QUOTES), text[tokens[end - 1].end :].lstrip(_QUOTES)
            )
        )
    return mentions


_QUOTES = " \"'“”„«»"


def _is_certain(each: _Mention, is_data: IsData) -> bool:
    """Return whether a name can only be that of a database, by what stands around it."""
    leads, ends = _says_no_more(each.before), _says_no_more(each.behind)
    if leads and "switch" in each.signs and (each.behind[:1] in _ENDS or begins_with("connections.and", each.behind)):
        return True
    if is_data(each.typed):
        return False
    colon = each.behind.startswith(":") or (ends and "in" not in each.signs)
    return (leads and colon) or each.before.endswith(("(", "[", "@")) or (_is_spelt(each) and _is_placed(each))


_ENDS = ("", *".!?,:;")


def _is_placed(each: _Mention) -> bool:
    """Return whether a name stands behind "in", and ends what is said of the place."""
    return "in" in each.signs and (each.behind[:1] in _ENDS or begins_with("connections.next", each.behind))


def _is_spelt(each: _Mention) -> bool:
    """Return whether a name is spelt as it is called, and can be no ordinary word of the question."""
    return not each.typed.isalpha() or (each.typed == each.key and not each.typed.islower())


def _says_no_more(text: str) -> bool:
    return not tokens_of(text) or is_all("connections.filler", text)


def _unknown(text: str) -> NamedDatabase | None:
    """Return what is called a database, and is none here: a word in capitals beside the noun, behind "in" or "use"."""
    tokens = tokens_of(text)
    nouns = ((at, phrase_at("connections.database", tokens, at)) for at in range(len(tokens)))
    for place, lead in (pair for at, noun in nouns if noun for pair in ((at - 1, at - 1), (at + noun, at))):
        if not 0 <= place < len(tokens) or not text[tokens[place].begin].isupper():
            continue
        lead -= phrase_before("connections.the", tokens, lead)
        leads = phrase_before("connections.in", tokens, lead) or phrase_before("connections.switch", tokens, lead)
        if leads and not phrase_at("connections.no_name", tokens, place) and not has_phrase("connections.sends", text):
            return NamedDatabase(unknown=text[tokens[place].begin : tokens[place].end])
    return None
