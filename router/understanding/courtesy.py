"""Peels off what is said out of politeness: greetings, thanks, excuses, signatures and quoted mails, in four languages.

"Good morning all! Could you please send it to ana@firma.de? Thanks in advance, Bob" is "send it to ana@firma.de?". What
is left is what was typed, letter by letter; nothing is put in its place. Set phrases are in courtesies.toml; clauses
around the wish that say nothing of it, such as "my boss is waiting", are told by `wrapping.py`.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from router.understanding.button_words import is_answer, word_of
from router.understanding.wrapping import clauses_of, points_elsewhere, wraps

COURTESY_MAX_CHARS = 4_000
"""Characters of a message that is looked at; longer ones are left as they are."""

CLAUSES_MAX = 12
"""Clauses of a message that are looked at."""

SIGNATURE_MAX_LINES = 6
"""Lines behind a closing formula that are a name, a title, a telephone number."""

_GAP = r"[\s,.!:;…–—-]*"
_EMOTICONS = "(?![👎❌⛔🛑🚫✋🙈🤚✖])[\U0001f300-\U0001faff☀-➿\ufe0f\u200d]"  # a No is no smile
_SMILES = rf"(?:{_EMOTICONS}|[:;]-?[)D(P](?!\w)|\^\^|<3)"
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


_ACTING_BUTTONS = ("yes", "email", "write", "append", "truncate", "drop", "accept", "human")
"""Buttons that send, write or run: nobody presses them by a longer sentence, whatever else is in that; a person shall
read all of it."""


def peeled(text: str, names: frozenset[str] = frozenset()) -> Peeled:
    """Return a message without its courtesies; code in fences and long texts are left as they are.

    Words that somebody else is to read ("saying: thanks, Bob"), hints and definitions are kept whole; `names` are
    words of tables and columns.
    """
    if len(text) > COURTESY_MAX_CHARS or "```" in text:
        return Peeled(text.strip())
    found = set[str]()
    if _KEPT.search(text):
        return Peeled(_front(text.strip(), found), "greets" in found, "thanks" in found)
    rest = _around(_without_mail(text.replace("’", "'").replace("\r", ""), names), found)
    wish = _around(_wish_in(rest, names), found)
    # "Yes, and the boss knows about it" is no Yes: only set phrases are taken away from the word of such a button.
    rest = rest if word_of(wish, _ACTING_BUTTONS) else wish
    return Peeled(rest if re.search(r"\w", rest) else "", "greets" in found, "thanks" in found)


def without_closing(text: str) -> str:
    """Return a text without its signature and the set phrases behind it."""
    return text if len(text) > COURTESY_MAX_CHARS else _behind(_without_signature(text), set())


def _around(text: str, found: set[str]) -> str:
    """Return a text without the set phrases before and behind it; adds which they were to `found`."""
    while (shorter := _behind(_front(text, found), found)) != text:
        text = shorter
    return text


def _without_mail(text: str, names: frozenset[str]) -> str:
    """Return what stands above a quoted mail and above a signature, or the quoted mail where nothing else is wanted."""
    rest = text.strip()
    if cut := _made(rf"(?:^|\n)[ \t]*(?:{_of('quoted')})", re.DOTALL).search(rest):
        above, mail = _without_signature(rest[: cut.start()].strip()), rest[cut.start() :].strip()
        wish = _around(above, set())
        points = all(points_elsewhere(wish[start:end], names) for start, end in clauses_of(wish))
        rest = _body_of(mail) if points else above
    return _without_signature(rest)


def _without_signature(rest: str) -> str:
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
    below = _made(rf"\s*|\s*(?-i:[A-ZÄÖÜÉ][\w'.-]*)\s*|.*(?:{_of('below')}).*")  # a name, a title, a disclaimer
    while len(lines) > 1 and below.fullmatch(lines[-1]):
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
        r"(?:(?:[ \t]+(?-i:[A-ZÄÖÜÉ][\w'-]+)){1,2}(?=[ \t]*[,.!\n]))?"
        rf"(?:(?={mark}|\s*\Z)|\s+(?!(?:by|per|orders?)\b))",
        "thanks": rf"(?:{_of('thanks')})(?:\s+(?:{_of('thanks')}))*"
        rf"(?={mark}|\s+(?:but|however|aber|mais|pero)\b|\s*\Z)",
        "filler": rf"(?:{_of('filler')})(?:\s+(?:{_of('filler')}))*(?=[ \t]*[,.!:…–—\n-])",
        "please": rf"(?:{_of('please')})(?=[\s,:.!]|\Z)",
        "asks": rf"(?:{_of('asks')})\s+(?=(?:{_of('asked')})\b)|(?:{_of('wants')})(?=\s)",
    }
    while True:
        joint = {"joint": rf"(?:{_of('joint')})(?=[\s,])"} if found else {}
        for name, pattern in (kinds | joint).items():
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


def _wish_in(text: str, names: frozenset[str]) -> str:
    """Return a text without the clauses that say nothing of its wish; as it is where no other clause is there."""
    clauses = clauses_of(text)
    if not 1 < len(clauses) <= CLAUSES_MAX:
        return text
    kept = [number for number, (start, end) in enumerate(clauses) if not wraps(text[start:end], names)]
    # "Hang on, my boss is calling": of clauses that all wrap, one that answers the card is left.
    kept = kept or [number for number, (start, end) in enumerate(clauses) if is_answer(text[start:end])]
    if not kept or len(kept) == len(clauses):
        return text
    if any(word_of(text[start:end], _ACTING_BUTTONS) for start, end in clauses):
        return text
    begins = [start for start, _ in clauses] + [len(text)]
    rest = "".join(text[begins[number] : begins[number + 1]] for number in kept)
    rest = rest if kept[-1] == len(clauses) - 1 else rest.rstrip(" \n\t,;:–—-(")
    return rest if kept[0] == 0 else _made(rf"\A\s*(?:{_of('joint')})[\s,]+").sub("", rest)


@cache
def _of(kind: str) -> str:
    """Return the phrases of a kind as one regular expression."""
    phrases = tomllib.loads(files("router.understanding").joinpath("courtesies.toml").read_text(encoding="utf-8"))
    return "|".join(f"(?:{each})" for each in phrases[kind]).replace(" ", r"\s+")


@cache
def _made(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern, made at the first message: together they take longer than most imports."""
    return re.compile(pattern, re.IGNORECASE | flags)
