"""Peels off what is said out of politeness: greetings, thanks, excuses, signatures and quoted mails.

"Good morning all! Could you please send it to ana@firma.de? Thanks in advance, Bob" is "send it to ana@firma.de?". What
is left is what was typed, letter by letter; nothing is put in its place. The phrases are data, the table `courtesy` of
`language/words`; clauses around the wish that say nothing of it, such as "my boss is waiting", are told by
`clauses.py`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from router.language.phrases import Token, find_phrases, has_phrase, is_all, listed, phrase_at, tokens_of
from router.understanding.button_words import is_answer, word_of
from router.understanding.clauses import asks_nothing, clauses_of, is_courtesy

COURTESY_MAX_CHARS: Final = 4_000
"""Characters of a message that is looked at; longer ones are left as they are."""

CLAUSES_MAX: Final = 12
"""Clauses of a message that are looked at."""

SIGNATURE_MAX_LINES: Final = 6
"""Lines behind a closing formula that are a name, a title, a telephone number."""

PHRASE_MAX_WORDS: Final = 8

_ACTING_BUTTONS: Final = ("yes", "email", "write", "append", "truncate", "drop", "accept", "human")
"""Buttons that send, write or run: nobody presses them by a longer sentence, whatever else is in that."""

_FRONT: Final = ("greeting", "salutation", "asks", "wants", "thanks", "opening", "please", "filler", "lead")
_GREETINGS: Final = ("greeting", "salutation")
_NAME: Final = re.compile(r"(?:\s[A-ZÄÖÜÉ][\w'-]+){1,2}(?=\s*[,.!\n])")
_OPEN: Final = re.compile(r"[\w@:\"“„«'-]\Z")
_TO_SOMEBODY: Final = re.compile(r"@\S+\s*:")
_MARK: Final = re.compile(r"\s*(?:[,.!?:;…–—\n-]|\Z)")
_ENDS_BY_MARK: Final = re.compile(r"[.!?,\n]\s*\Z")
_QUOTES: Final = re.compile(r"\s*[:=\"“„«]")
_SIGNS: Final = re.compile(r"(?::-?[)D(P]|;-?[)P]|\^\^|<3|[\U0001f300-\U0001faff☀-➿\ufe0f\u200d])+")
_AROUND: Final = " \t\n,;–—.!…-"


@dataclass(frozen=True, slots=True)
class Peeled:
    """A message without its courtesies; `text` is empty where it was nothing else."""

    text: str
    greets: bool = False
    thanks: bool = False


@lru_cache(maxsize=64)  # it is asked several times on the way of one sentence
def peeled(text: str, names: frozenset[str] = frozenset()) -> Peeled:
    """Return a message without its courtesies; code in fences and long texts are left as they are.

    Words that somebody else is to read ("saying: thanks, Bob"), hints and definitions are kept whole; `names` are
    words of tables and columns.
    """
    if len(text) > COURTESY_MAX_CHARS or "```" in text:
        return Peeled(text.strip())
    found = set[str]()
    if _is_dictated(text):
        return Peeled(_front(text.strip(), found), "greeting" in found, "thanks" in found)
    rest = _around(_without_mail(text.replace("’", "'").replace("\r", ""), names), found)
    wish = _around(_wish_in(rest, names), found)
    # "Yes, and the boss knows about it" is no Yes: only set phrases are taken away from the word of such a button.
    rest = rest if word_of(wish, _ACTING_BUTTONS) else wish
    return Peeled(rest if re.search(r"\w", rest) else "", "greeting" in found, "thanks" in found)


def without_closing(text: str) -> str:
    """Return a text without its signature and the set phrases behind it."""
    return text if len(text) > COURTESY_MAX_CHARS else _behind(_without_signature(text), set())


def _is_dictated(text: str) -> bool:
    """Return whether a text has words for somebody else, behind a colon or in quotes, a hint or a definition."""
    tokens = tokens_of(text)
    said = (text[tokens[each.end - 1].end :] for each in find_phrases("courtesy.said", tokens))
    return " = " in text or _TO_SOMEBODY.search(text) is not None or any(_QUOTES.match(behind) for behind in said)


def _around(text: str, found: set[str]) -> str:
    """Return a text without the set phrases before and behind it; adds which they were to `found`."""
    while (shorter := _behind(_front(text, found), found)) != text:
        text = shorter
    return text


def _front(text: str, found: set[str]) -> str:
    """Return a text without the set phrases before it; adds which they were to `found`."""
    begun = False
    while kind_and_end := _first_phrase(text, begun):
        (kind, end), begun = kind_and_end, True
        found.add(kind)
        text = text[end:].lstrip(f"{_AROUND}?:)")
        if smile := _SIGNS.match(text):
            text = text[smile.end() :].lstrip(_AROUND)
    return text.strip()


def _first_phrase(text: str, begun: bool) -> tuple[str, int] | None:
    """Return the kind of courtesy that a text begins with, and where that ends; None for anything else."""
    tokens = tokens_of(text)
    if not tokens or text[: tokens[0].begin].strip(f"{_AROUND}¡¿@"):
        return None
    for kind in _FRONT:
        if length := phrase_at(f"courtesy.{kind}", tokens, 0):
            if kind in _GREETINGS:
                while length < len(tokens) and (more := phrase_at("courtesy.greeted", tokens, length)):
                    length += more
            end = tokens[length - 1].end
            named = _NAME.match(text, end) if kind in _GREETINGS else None
            end = named.end() if named else end
            if _may_be_cut(kind, text, end, tokens[length:], begun):
                return ("greeting" if kind in _GREETINGS else kind), end
    return None


def _may_be_cut(kind: str, text: str, end: int, behind: Sequence[Token], begun: bool) -> bool:
    """Return whether a phrase at the beginning is a courtesy, by what stands behind it."""
    match kind:
        case "asks":
            return bool(behind) and phrase_at("courtesy.asked", behind, 0) > 0
        case "lead":
            return begun and bool(behind)
        case "greeting" | "wants" | "please":
            return True
    return _MARK.match(text, end) is not None or _SIGNS.match(text[end:].lstrip()) is not None


def _behind(text: str, found: set[str]) -> str:
    """Return a text without the set phrases behind it; its own question mark stays. Adds which they were to `found`."""
    while True:
        bare = text.rstrip(f"{_AROUND}?)")
        smile = next((each for each in _SIGNS.finditer(bare) if each.end() == len(bare)), None)
        if smile and smile.start() and not any(sign in smile[0] for sign in listed("cards.signs_of_no")):
            text = bare[: smile.start()].rstrip() + ("?" if "?" in text[len(bare) :] else "")
            continue
        if not (kind_and_start := _last_phrase(bare)):
            return text.strip()
        kind, start = kind_and_start
        found.add(kind)
        head = text[:start].rstrip(f"{_AROUND}(")
        asks = kind != "thanks" and "?" in text[start:] and not head.endswith("?")
        text = head + ("?" if asks and head else "")


def _last_phrase(text: str) -> tuple[str, int] | None:
    """Return the kind of courtesy that a text ends with, and where that begins; None for anything else."""
    tokens = tokens_of(text)
    for at in range(max(0, len(tokens) - PHRASE_MAX_WORDS), len(tokens)):
        before = text[: tokens[at].begin]
        if (at and tokens[at - 1].word in listed("courtesy.open_end")) or _OPEN.search(before):
            continue
        for kind in ("thanks", "please", "closing"):
            if phrase_at(f"courtesy.{kind}", tokens, at) == len(tokens) - at and (
                kind != "closing" or _ENDS_BY_MARK.search(before)
            ):
                return kind, tokens[at].begin
    return None


def _without_mail(text: str, names: frozenset[str]) -> str:
    """Return what stands above a quoted mail and above a signature, or the quoted mail where nothing else is wanted."""
    lines = text.strip().split("\n")
    quoted = next((at for at, line in enumerate(lines) if _begins_mail(line)), None)
    if quoted is None:
        return _without_signature(text.strip())
    above = _without_signature("\n".join(lines[:quoted]).strip())
    wish = _around(above, set())
    if not all(asks_nothing(wish[start:end], names) for start, end in clauses_of(wish)):
        return above
    body = [line.lstrip("> \t") for line in lines[quoted:]]
    while body and (not body[0] or _begins_mail(body[0])):
        body.pop(0)
    while len(body) > 1 and re.fullmatch(r"\s*(?:[A-ZÄÖÜÉ][\w'.-]*)?\s*", body[-1]):
        body.pop()
    return _without_signature("\n".join(body).strip())


def _begins_mail(line: str) -> bool:
    """Return whether a line is one of a quoted mail, or of its head."""
    head = line.strip(" -_*")
    key, colon, _ = head.partition(":")
    return (
        line.lstrip().startswith(">")
        or (line.startswith("---") and is_all("courtesy.forwarded", head))
        or (head.endswith(":") and has_phrase("courtesy.wrote", head))
        or (bool(colon) and is_all("courtesy.forwarded", key))
    )


def _without_signature(text: str) -> str:
    """Return a text without a closing formula, a name and a few lines behind it."""
    lines = text.split("\n")
    for at in range(1, len(lines)):
        below = lines[at + 1 :]
        formula = is_all("courtesy.closing", lines[at]) or lines[at].strip() == "--"
        greets = is_all("courtesy.greeting", "\n".join(lines[:at]))
        if formula and not greets and len(below) <= SIGNATURE_MAX_LINES and not any("?" in line for line in below):
            return "\n".join(lines[:at]).rstrip(" ,\n")
    # "…. Cheers, Bob"
    named = re.search(r"(?<=[\n.!?,])\s*([^\n.!?]+?),?\s+[A-ZÄÖÜÉ][\w'-]+(?: [A-ZÄÖÜÉ][\w'.-]+)?\s*\.?\s*\Z", text)
    return text[: named.start()].rstrip(" ,\n") if named and is_all("courtesy.closing", named[1]) else text


def _wish_in(text: str, names: frozenset[str]) -> str:
    """Return a text without the clauses that say nothing of its wish; as it is where no other clause is there."""
    clauses = clauses_of(text)
    if not 1 < len(clauses) <= CLAUSES_MAX:
        return text
    kept = [number for number, (start, end) in enumerate(clauses) if not is_courtesy(text[start:end], names)]
    # "Hang on, my boss is calling": of nothing but such clauses, one that answers the card is left.
    kept = kept or [number for number, (start, end) in enumerate(clauses) if is_answer(text[start:end])]
    if not kept or len(kept) == len(clauses):
        return text
    if any(word_of(text[start:end], _ACTING_BUTTONS) for start, end in clauses):
        return text
    begins = [start for start, _ in clauses] + [len(text)]
    rest = "".join(text[begins[number] : begins[number + 1]] for number in kept)
    rest = rest if kept[-1] == len(clauses) - 1 else rest.rstrip(" \n\t,;:–—-(")
    tokens = tokens_of(rest)
    leads = kept[0] > 0 and len(tokens) > 1 and phrase_at("courtesy.lead", tokens, 0) == 1
    return rest[tokens[1].begin :] if leads else rest
