"""The recipients in a sentence: addresses, the asker, and names, in the order in which they are written."""

import re

from router.agents.params.known import NOBODY
from router.agents.params.rest import Rest

ADDRESS = r"[^\s<>,;:\"()\[\]@\0]+@[^\s<>,;:\"()\[\]@\0]+\.[^\s<>,;:\"()\[\]@.\0]{2,}"

_NAME = r"[^\W\d_][\w'.-]*"
_MAILBOX = re.compile(rf"(?P<value>(?:(?P<name>{_NAME}(?: {_NAME}){{0,3}}) )?<{ADDRESS}>|{ADDRESS})")
_AFTER_TO = re.compile(r"(?:^|.*\b)(?:to|too|an|à|a|cc|and|und|et|y|mail|email|send)\s+", re.IGNORECASE)
_NOT_TO = re.compile(
    r"\b(?:not(?: to)?|except(?: for)?|never to|from|of|nicht an|außer|von|sauf|pas à|no a)\s+$", re.IGNORECASE
)
_ME = re.compile(
    r"(?<!let )(?<!tell )(?<!for )(?<!give )(?<!show )(?<!\w)(?P<value>me|myself|mir|mich|moi)(?![\w@.'])"
    r"|\b(?:env[ií]a|m[aá]nda|envíe|mande)(?P<clitic>me)(?:l[oa]s?)?\b|\bmy (?P<own>inbox|mailbox|address)\b",
    re.IGNORECASE,
)
_STOP = (
    r"(?:as|with|by|in|on|via|per|saying|please|pls|subject|titled|als|mit|bitte|con|avec|en"
    r"|por|par|and|und|et|y|the|now)"
)
_ALL = r"(?:everybody|everyone|anyone|all|people) (?:in|at|of|from) "
_THE = r"(?:the|my|our|das|die|unser\w*|mein\w*|l'|la|le|el|mi|mon|ma)"
_PERSON = rf"(?:{_ALL})?(?:{_THE} )?{_NAME}(?: (?!{_STOP}\b){_NAME}){{0,3}}"
_END = rf"(?=\s*(?:$|[,;:.!?\0]|{_STOP}\b))"
_SEPARATOR = r"(?:\s*,\s*(?:and |und )?|\s+(?:and|und|et|y|&)\s+)(?:to |an |à |a )?"
_NAMES = re.compile(
    rf"\b(?:to|too|an|à|cc|for|für|pour|para|(?<=[dvl][ao] )a|(?<=os )a):? (?P<value>(?:(?:{_PERSON}"
    rf"|\0+){_END}{_SEPARATOR})*{_PERSON}{_END})",
    re.IGNORECASE,
)
_HANDED = re.compile(
    r"\b(?i:e-?mail|mail|send|forward|schicke?|sende?|maile?)(?: (?:es|das|dies))? (?P<value>[A-Z][\w'-]*)"
    r"(?=$|[,.;!?\0]| (?:it|this|that|these|the|und|and|das|die|als|as)\b)"
)


def recipients_in(rest: Rest) -> tuple[str, ...]:
    """Return who is to get the e-mail, each once; whoever asks is "me", and so is "mir" or "moi"."""
    found: list[tuple[int, str]] = []
    for match in _MAILBOX.finditer(rest.left):
        value, begin = match["value"], match.start()
        if match["name"] and (lead := _AFTER_TO.match(match["name"] + " ")):
            value, begin = value[lead.end() :], begin + lead.end()
        if not _NOT_TO.search(rest.left[:begin]):
            found.append((begin, value.strip("'") if value.count("'") == 2 else value))
        rest.cut(begin, match.end())
    for match in _ME.finditer(rest.left):
        found.append((match.start(), "me"))
        rest.cut(*match.span())
    for match in (*_NAMES.finditer(rest.left), *_HANDED.finditer(rest.left)):
        found += _people(rest, match)
    seen: dict[str, str] = {}
    for _, value in sorted(found):
        seen.setdefault(value.casefold(), value)
    return tuple(seen.values())


def _people(rest: Rest, match: re.Match[str]) -> list[tuple[int, str]]:
    """Return the names in a list of people, which may have addresses between them."""
    people, begin = [], match.start("value")
    for part in re.split(rf"({_SEPARATOR})", match["value"], flags=re.IGNORECASE):
        words = part.lower().split()
        named = re.fullmatch(_PERSON, part, re.IGNORECASE) and not NOBODY & {words[-1], words[0].removeprefix("my")}
        if named:
            # "my address ana@example.com" is one recipient, whose address is read already.
            if not re.match(rf"\s+<?{ADDRESS}", rest.text[begin + len(part) :]):
                people.append((begin, part.rstrip(".")))
            rest.cut(begin, begin + len(part))
        begin += len(part)
    return people
