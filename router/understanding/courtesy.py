"""Peels off what is said out of politeness: greetings, thanks, excuses, signatures and quoted mails, in four languages.

"Good morning all! Could you please send it to ana@firma.de? Thanks in advance, Bob" is "send it to ana@firma.de?". What
is left is a piece of what was typed, letter by letter; nothing is put in its place. Set phrases are in courtesies.toml;
clauses around the wish that are small talk, such as "my boss is waiting", are told by the classifier of sentences.
"""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from router.understanding.button_words import means_button
from router.understanding.categories import Category
from router.understanding.classifier import Scored

COURTESY_MAX_CHARS = 4_000
"""Characters of a message that is looked at; longer ones are left as they are."""

CLAUSES_MAX = 12
"""Clauses of a message that are looked at."""

SIGNATURE_MAX_LINES = 6
"""Lines behind a closing formula that are a name, a title, a telephone number."""

_GAP = r"[\s,.!:;…–—-]*"
_EMOTICONS = "[\U0001f300-\U0001faff☀-➿\ufe0f\u200d]"
_SMILES = rf"(?:{_EMOTICONS}|[:;]-?[)D(P](?!\w)|\^\^|<3)"
_FIELDS = "subject betreff objet asunto message nachricht mensaje note text"
_NO_FIELD = "".join(rf"(?<!{name})" for name in _FIELDS.split(" "))
_CLAUSE_END = re.compile(
    rf"(?<=[.!?…;)])\s+|\n+|(?<=[\w)\"]),\s+|(?<=\w){_NO_FIELD}:\s+(?=\S)|\s+[–—-]+\s+|(?<=\w)\.\.+\s*",
    re.IGNORECASE,
)

_KEPT = re.compile(
    r"\b(?:saying|says?|tell|telling|reads|writing|message|body|note|nachricht|mensaje|texte|texto|schreib\w*|sag|dis|dile)\b"
    r"[^.!?\n]{0,40}(?:[:=\"“„«]|\bthat\b|\bdass\b|\bthank|\bhi\b|\bhello\b|\bdear\b)|@\S+\s*:"
    r"|\b(?:hints?|ask|frage?|demande|pregunta|example)\s*:|\s=\s|\bmeans?\b|\bbedeutet\b|\bsignifie\b|\bsignifica\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Peeled:
    """A message without its courtesies; `text` is empty where it was nothing else."""

    text: str
    greets: bool = False
    thanks: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """The part that a clause has in a message: a wish, small talk, or neither for certain."""

    wish: bool
    small_talk: bool


Judge = Callable[[str], Clause]

SMALL_TALK_SHARE_MIN, BESIDES_SHARE_MIN, WISH_SHARE_MIN = 0.6, 0.7, 0.6
"""Shares from which a clause is small talk, something else that is no business of the data, or a wish."""

_BESIDES = frozenset({Category.NONSENSE, Category.ABUSE, Category.OTHER_PEOPLE, Category.OTHER_SYSTEMS})
_SAYS_SOMETHING = re.compile(r"[@\d_\"“„]|(?<!^)(?<![.!?] )\b[A-ZÄÖÜÉ]")
"""A name, a number, an address or a quotation: it may be a value of the database."""


def clause_of(text: str, likely: Scored | None, names: frozenset[str] = frozenset()) -> Clause:
    """Return the part that a clause has, by its likeliest category; `names` are words of tables and columns."""
    if means_button(text.strip(" .!,;")):
        return Clause(wish=True, small_talk=False)
    if likely is None:
        return Clause(wish=False, small_talk=False)
    known = bool(_SAYS_SOMETHING.search(text)) or not names.isdisjoint(re.findall(r"\w+", text.lower()))
    chats = likely.category == Category.SMALL_TALK and likely.share >= SMALL_TALK_SHARE_MIN
    besides = likely.category in _BESIDES and likely.share >= BESIDES_SHARE_MIN
    wish = likely.category not in (Category.SMALL_TALK, *_BESIDES) and likely.share >= WISH_SHARE_MIN
    return Clause(wish, (chats or besides) and not known)


def peeled(text: str, judge: Judge) -> Peeled:
    """Return a message without its courtesies; code in fences and long texts are left as they are.

    Words that somebody else is to read ("saying: thanks, Bob"), hints and definitions are kept whole.
    """
    if len(text) > COURTESY_MAX_CHARS or "```" in text:
        return Peeled(text.strip())
    found = set[str]()
    if _KEPT.search(text):
        return Peeled(_front(text.strip(), found), "greets" in found, "thanks" in found)
    rest = _without_mail(text.replace("’", "'").replace("\r", ""))
    while (shorter := _behind(_front(rest, found), found)) != rest:
        rest = shorter
    wish = _behind(_front(_wish_in(rest, judge, found), found), found)
    # "Yes, and the boss knows about it" is no Yes: only set phrases are taken away from the word of a button.
    rest = rest if means_button(wish) else wish
    return Peeled(rest if re.search(r"\w", rest) else "", "greets" in found, "thanks" in found)


def _without_mail(text: str) -> str:
    """Return what stands above a quoted mail and above a signature, or the quoted mail where nothing else is wanted."""
    rest = text.strip()
    if cut := _made(rf"(?:^|\n)[ \t]*(?:{_of('quoted')})", re.DOTALL).search(rest):
        above, mail = rest[: cut.start()].strip(), rest[cut.start() :].strip()
        points = _made(rf"(?:\W|{_of('points')}|{_of('greeting')}|{_of('greeted')}|{_of('thanks')})*").match(above)
        rest = _body_of(mail) if not above or (points and points.end() > len(above) / 3) else above
    for pattern in (r"\n[ \t]*--[ \t]*\n.*|\n[ \t]*sent from my\b.*", _signature()):
        cut = _made(rf"(?:{pattern})\Z", re.DOTALL).search(rest)
        if cut and re.search(r"\w{2}", rest[: cut.start()]) and not _is_greeting(rest[: cut.start()]):
            rest = rest[: cut.start()].rstrip(" ,\n")
    return rest


def _is_greeting(text: str) -> bool:
    """Tell whether a text is a greeting and nothing else."""
    return bool(_made(rf"(?:{_of('greeting')})(?:\s+(?:{_of('greeted')}))*{_GAP}").fullmatch(text))


def _body_of(mail: str) -> str:
    """Return what a quoted or forwarded mail says, without its head."""
    lines = [re.sub(r"^[ \t]*(?:>[ \t]?)+", "", line) for line in mail.splitlines()]
    head = _made(rf"\s*(?:{_of('quoted')}|(?:{_of('head')})\s*:).*")
    while lines and (not lines[0].strip() or head.match(lines[0])):
        lines.pop(0)
    while lines and re.fullmatch(r"\s*|\s*[A-ZÄÖÜÉ][\w'.-]*\s*", lines[-1]):  # the name below it
        lines.pop()
    return "\n".join(lines).strip()


def _signature() -> str:
    line = r"[ \t]*\n[^\n?]{0,60}"
    formula = rf"(?:{_of('closing')}|{_of('thanks')})"
    alone = rf"(?<=[\n.!?,])[ \t]*{formula}[ \t]*[,.!]?(?:{line}){{0,{SIGNATURE_MAX_LINES}}}\s*"
    name = rf"(?<=[\n.!?,])[ \t]*{formula}[ \t]*,?[ \t]+(?-i:[A-ZÄÖÜÉ][\w'-]+(?: [A-ZÄÖÜÉ(][\w'.)-]+)?)[ \t]*\.?\s*"
    return f"{alone}|{name}"


def _front(text: str, found: set[str]) -> str:
    """Return a text without the set phrases before it; adds which they were to `found`."""
    mark = r"[ \t]*[,.!?:;…–—\n-]"
    kinds = {
        "greets": rf"(?:{_of('greeting')})(?: (?:{_of('greeted')})){{0,2}}"
        rf"(?:(?={mark}|\s*\Z)|\s+(?!(?:by|per|orders?)\b))",
        "thanks": rf"(?:{_of('thanks')})(?={mark}|\s+(?:but|however|aber|mais|pero)\b|\s*\Z)",
        "filler": rf"(?:{_of('filler')})(?=[ \t]*[,.!:…–—\n-])",
        "please": rf"(?:{_of('please')})(?=[\s,:.!]|\Z)",
        "asks": rf"(?:{_of('asks')})\s+(?=(?:{_of('asked')})\b)|(?:{_of('wants')})(?=\s)",
    }
    while True:
        for name, pattern in kinds.items():
            if head := _made(rf"(?:{_GAP}|{_SMILES})*(?:{pattern})(?:[\s,.!?:;…–—-]|{_SMILES})*").match(text):
                text = text[head.end() :]
                found.add(name)
                break
        else:
            return text.strip()


def _behind(text: str, found: set[str]) -> str:
    """Return a text without the set phrases behind it; its own question mark stays. Adds which they were to `found`."""
    kinds = {
        "thanks": rf"(?<![\w@'-])(?:{_of('thanks')})",
        "please": rf"(?<![\w@'-])(?:{_of('please')})",
        "closing": rf"(?<=[.!?,\n])\s*(?:{_of('closing')})",
        "smiles": _SMILES,
    }
    while True:
        for name, pattern in kinds.items():
            tail = _made(rf"(?P<mark>[\s,;–—.!?…(-]*)(?:{pattern})[\s.!,?)]*\Z").search(text)
            if tail is None or _made(rf"(?:\b(?:{_of('open_end')})|[:\"“„«])\s*\Z").search(text[: tail.start()]):
                continue
            if not tail.start() and name == "smiles":
                continue
            asks = "?" in tail["mark"] or (name != "thanks" and text.endswith("?"))
            text = text[: tail.start()].rstrip() + ("?" if asks and tail.start() else "")
            found.add(name)
            break
        else:
            return text.strip()


def _wish_in(text: str, judge: Judge, found: set[str]) -> str:
    """Return a text without the clauses before and behind its wish that say nothing of it; as it is where in doubt."""
    cuts = [(0, 0), *(cut.span() for cut in _CLAUSE_END.finditer(text))]
    if not 1 < len(cuts) <= CLAUSES_MAX:
        return text
    ends = [*(start for start, _ in cuts[1:]), len(text)]
    judged = [judge(text[start:end]) for (_, start), end in zip(cuts, ends, strict=True)]
    wishes = [number for number, clause in enumerate(judged) if clause.wish]
    if not wishes:
        return text
    first, last = 0, len(judged) - 1
    while first < wishes[0] and judged[first].small_talk:
        first += 1
    while last > wishes[-1] and judged[last].small_talk:
        last -= 1
    if first or last < len(judged) - 1:
        found.add("small talk")
    return text[cuts[first][1] : ends[last]].strip()


@cache
def _of(kind: str) -> str:
    """Return the phrases of a kind as one regular expression."""
    phrases = tomllib.loads(files("router.understanding").joinpath("courtesies.toml").read_text(encoding="utf-8"))
    return "|".join(f"(?:{each})" for each in phrases[kind]).replace(" ", r"\s+")


@cache
def _made(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern, made at the first message: together they take longer than most imports."""
    return re.compile(pattern, re.IGNORECASE | flags)
