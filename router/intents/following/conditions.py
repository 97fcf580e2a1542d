"""The conditions that follow-ups put behind a question, and the numbers in it: what takes the place of what."""

import re

from router.catalog.stems import stem

_ONLY = re.compile(
    r",? (?:only|nur|seulement|solo) (?P<what>[^,]+?)(?=,|$)|, (?P<before>[^,]+?) only(?=,|$)", re.IGNORECASE
)
_DROPS = re.compile(
    r"(?:drop|remove|omit|skip|leave out|without|no|lose|ditch) (?:the |any |all )*(?P<what>.*?)"
    r"(?:^| |(?<=the ))(?P<kind>filters?|conditions?|restrictions?|bits?|parts?)(?: (?:on|for|by|to) (?P<of>.+))?",
    re.IGNORECASE,
)
_WITHOUT = re.compile(r"(?:without|no) (?:the |any )?(?P<what>.+)", re.IGNORECASE)
_CLOSES = r"(?=$|,| (?:in|by|per|for|from|since|last|this|sorted)\b)"
_SMALL = frozenset(("for", "in", "from", "of", "the", "on", "at", "with", "one", "ones"))
_HOW = (
    r"(?:(?:more|less|fewer|greater|larger|smaller|older|newer|younger|higher|lower|longer|shorter) than"
    r"|at (?:least|most)|over|above|under|below|up to|exactly|mindestens|höchstens|mehr als|weniger als|au moins"
    r"|al menos|más de|plus de)"
)
_NUMBER = r"(?P<number>[€$£]?\d[\d.,]*(?<![.,])[k%€$]?)"
_COUNTED = rf"(?:(?P<how>{_HOW}) )?{_NUMBER}(?: (?P<noun>[^\W\d][\w-]*))?"
_IN_BODY = re.compile(rf"(?<![\w.,-]){_COUNTED}", re.IGNORECASE)
_SAID = re.compile(rf"(?:(?:with|for|of|to) )?{_COUNTED}", re.IGNORECASE)


def without_condition(body: str, words: str, names: frozenset[str]) -> str:
    """Return the question without the condition that "drop the urgent bit" names; "" where it has none.

    `names` are words of the database: where it has "parts", these are meant.
    """
    match = _DROPS.fullmatch(words)
    if match is None or {match["kind"].lower(), stem(match["kind"].lower())} & names:
        return ""
    if not (match["of"] or match["what"]) and match["kind"].lower().startswith(("bit", "part")):
        return ""
    wanted = _stems(match["of"] or match["what"])
    for only in reversed(list(_ONLY.finditer(body))):
        if wanted <= _stems(only["what"] or only["before"]):
            body = f"{body[: only.start()]}{body[only.end() :]}"
            if wanted:
                return body
            match = None
    return body if match is None else ""


def negated(body: str, words: str) -> str:
    """Return the question with "without" before a condition that begins with "with"; "" where it has none alike."""
    said = _WITHOUT.fullmatch(words)
    at = said and re.search(rf"\bwith (?:the |any )?{re.escape(said['what'])}{_CLOSES}", body, re.IGNORECASE)
    return f"{body[: at.start()]}without{body[at.start() + len('with') :]}" if at else ""


def renumbered(body: str, text: str) -> str:
    """Return the question with another number in a condition: "at least 20", "5 nights"; "" where none is alike."""
    said = _SAID.fullmatch(text)
    if said is None or not (said["how"] or said["noun"]):
        return ""
    old = [each for each in _IN_BODY.finditer(body) if _of_a_kind(each, said)]
    if len(old) != 1:
        return ""
    how = said["how"] or old[0]["how"]
    start = old[0].start("how" if old[0]["how"] else "number")
    return f"{body[:start]}{f'{how} ' if how else ''}{said['number']}{body[old[0].end('number') :]}"


def _of_a_kind(old: re.Match[str], new: re.Match[str]) -> bool:
    """Tell whether a number of the question counts the same; one without a word about it may be a year."""
    if new["noun"]:
        return bool(old["noun"]) and stem(old["noun"].lower()) == stem(new["noun"].lower())
    return bool(old["how"])


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word.lower()) for word in re.findall(r"[^\W_]+", text)) - _SMALL
