"""The conditions and values of a question, and what becomes of them when others are asked for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from router.language.inflection import plural, stem
from router.understanding.followup.previous import Homes, PreviousQuestion, compared, tables_of
from router.understanding.followup.times import times_in

_WITHOUT = re.compile(r"(?:without|no) (?:the |any )?(?P<what>.+)", re.IGNORECASE)
_CLOSES = r"(?=$|,| (?:in|by|per|for|from|since|last|this|sorted)\b)"
_HOW = (
    r"(?:(?:more|less|fewer|greater|larger|smaller|older|newer|younger|higher|lower|longer|shorter) than"
    r"|at (?:least|most)|over|above|under|below|up to|exactly|mindestens|höchstens|mehr als|weniger als|au moins"
    r"|al menos|más de|plus de)"
)
NOT_COUNTED = re.compile(
    r"(?P<what>.+?) (?:does|do|should)(?: not|n'?t) count"
    r"|(?P<de>.+?) (?:zählt|zählen|gehört|gehören)(?: \w+)? nicht(?: \w+)?"
    r"|(?P<fr>.+?) ne comptent? pas|(?P<es>.+?) no cuentan?",
    re.IGNORECASE,
)
"""What shall be left out."""
_AMOUNT = r"(?P<number>[€$£]?\d[\d.,]*(?<![.,])[k%€$]?)"
_COUNTED = rf"(?:(?P<how>{_HOW}) )?{_AMOUNT}(?: (?P<noun>[^\W\d][\w-]*))?"
_IN_BODY = re.compile(rf"(?<![\w.,-]){_COUNTED}", re.IGNORECASE)
_SAID = re.compile(rf"(?:(?:with|for|of|to) )?{_COUNTED}", re.IGNORECASE)


def negated(body: str, words: str) -> str:
    """Return the question with "without" before a condition that begins with "with"; "" where it has none alike."""
    said = _WITHOUT.fullmatch(words)
    at = said and re.search(rf"\bwith (?:the |any )?{re.escape(said['what'])}{_CLOSES}", body, re.IGNORECASE)
    return f"{body[: at.start()]}without{body[at.start() + len('with') :]}" if at else ""


def renumbered(body: str, text: str, bare: bool) -> str:
    """Return the question with another number in a condition: "at least 20", "5 nights"; "" where none is alike.

    With `bare`, the number may stand alone.
    """
    said = _SAID.fullmatch(text)
    if said is None or not (bare or said["how"] or said["noun"]):
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


EXCLUDE = re.compile(
    r"(?:without|excluding|exclude|forget(?: about)?|don'?t (?:join|include|count|show)|vergiss|quita|elimina"
    r"|excluye|enlève|retire|supprime|except(?: for)?|excl\.?|but not|not counting|not including|leaving out|leave away"
    r"|(?:take|leave|filter|throw|kick) out|get rid of|delete(?= .*\bones\b)|ignore|ignoring|hide|omit(?:ting)?|minus"
    r"|skip|remove|drop|no(?! (?:more|longer|one|shows?\b))|not(?! (?:only|just))|other than|apart from"
    r"|ohne|außer|nicht|ausgenommen|lass|sans|hors|sauf|excepté|sin|excepto|menos)\s+"
    r"(?!(?:it|that|this|them|those|these|all|everything)$)\S",
    re.IGNORECASE,
)
INCLUDE = re.compile(
    r"(?:including|include|incl\.?|inklusive|einschließlich|inclusive|y compris|incluyendo|incluidos|incluidas)\s+\S",
    re.IGNORECASE,
)
PREP = (
    r"(?:only )?(?:for|in|from|of|at|on|via|through|with|within|among|under|over|above|below|between|where|who"
    r"|whose|that|which|having|named|called"
    r"|by(?= (?:card|cash|paypal|invoice|phone|mail|e-?mail)\b)|more than|less than|fewer than|at least|at most"
    r"|greater than|smaller than|larger than|older than|newer than|younger than"
    r"|to|against|für|in|im|aus|von|vom|bei|mit|über|unter|mehr als|weniger als|mindestens|höchstens"
    r"|pour|en|au|aux|dans|à|de|du|des|avec|chez|plus de|moins de|dont|para|con|de|del|más de|menos de|que)"
)
_PREP = re.compile(rf"(?P<prep>{PREP})\s+(?P<value>\S.*)", re.IGNORECASE)
_ONES = re.compile(r"\b(?:ones|those|(?<!just )(?<!only )(?<!than )(?<!with )(?<!least )(?<!most )one)$", re.IGNORECASE)
_SAID_OF_THEM = frozenset(("the", "one", "including", "include", "incl", "inclusive", "again"))
_LOST = re.compile(r",? (?:without|excluding|not counting|except(?: for)?|ohne|sans|sin) ", re.IGNORECASE)


def is_filter(text: str) -> bool:
    """Tell whether a text begins as a condition does: "for …", "in …", "with more than …"."""
    return bool(_PREP.match(text))


def completed(text: str, body: str, asked: PreviousQuestion) -> str:
    """Return a condition with the noun that "ones" stands for: "the cancelled ones" are "the cancelled orders"."""
    noun = subject_of(body, asked)
    if not noun or not _ONES.search(text):
        return text
    return _ONES.sub(noun, text)


def subject_of(body: str, asked: PreviousQuestion) -> str:
    """Return the noun that tells what the question counts or lists, as it is written there; "" where none is clear."""
    tables = tables_of(asked.sql, asked.dialect)
    words = re.findall(r"[^\W\d_]+", body)
    for number, word in enumerate(words):
        low, before = stem(word), words[number - 1].lower() if number else ""
        pair = f"{stem(before)} {low}"
        if any(low == last or pair.endswith(name) for name in tables for last in (name.split()[-1],)):
            return plural(word.lower())
    match = re.match(
        r"(?i)(?:how many|number of|list(?: all)?(?: the)?|which|show(?: me)?(?: all)?(?: the)?) (?:\w+ )?(\w+s)\b",
        body,
    )
    return match[1].lower() if match else ""


def without_exclusion(body: str, what: str) -> str:
    """Return the question without the exclusion of what shall be included again; empty where nothing was excluded."""
    wanted = {stem(word) for word in re.findall(r"\w+", what)} - _SAID_OF_THEM
    for match in _LOST.finditer(body):
        rest = re.split(r",", body[match.end() :], maxsplit=1)
        if wanted and wanted <= {stem(word) for word in re.findall(r"\w+", rest[0])}:
            return (body[: match.start()] + ("," + rest[1] if len(rest) > 1 else "")).strip()
    return ""


_ARTICLE = re.compile(r"(?:the|all|a|an|die|der|das|den|dem|le|la|les|los|las|el)\s+|[ld]'(?=\w)", re.IGNORECASE)
_ANY = ("for", "für", "pour", "para")
"""Words that stand before any kind of value."""
LISTED = re.compile(r",? (?:and|or|und|oder|et|ou|y|o) |, ?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A value that the last query compared with, and where the question names it."""

    text: str
    column: str
    start: int
    end: int


def values_of(asked: PreviousQuestion, body: str) -> tuple[NamedValue, ...]:
    """Return the values of the last query that its question names."""
    found = []
    for column, text in compared(asked.sql, asked.dialect):
        stems = [re.escape(text)] + ([re.escape(stem(text))] if len(text) > 3 else [])
        match = re.search(rf"(?<!\w)(?:{'|'.join(stems)})(?:s|es|ed)?(?!\w)", body, re.IGNORECASE)
        if match:
            found.append(NamedValue(match[0], column, match.start(), match.end()))
    return tuple({value.start: value for value in found}.values())


def replaced(
    body: str, text: str, asked: PreviousQuestion, homes: Homes, without_noun: bool, also: bool = False
) -> tuple[str, tuple[str, ...], float]:
    """Return the question with this value in place of the one of its kind, others, and how sure it is.

    The others may be meant as well. The question is empty where no value of it can be replaced; `without_noun`: the
    noun behind the value stays there; `also`: the old value stays beside it.
    """
    match = _PREP.match(text)
    prep, value = (match["prep"].lower().removeprefix("only "), match["value"]) if match else ("", text)
    bare = _ARTICLE.sub("", value, count=1) if _ARTICLE.match(value) else value
    named = list(_named(body, prep)) or (list(_named(body, "")) if prep in _ANY else [])
    candidates = [*values_of(asked, body), *named]
    candidates = list({each.start: each for each in reversed(candidates)}.values())
    kin, column = kin_of(bare, homes)
    of_a_kind = [each for each in candidates if kin & (homes(each.text) | {each.column})]
    if kin and not of_a_kind and any(homes(each.text) or each.column for each in candidates):
        return "", (), 0.0  # it is known to be a value of another column
    if also:
        of_a_kind = of_a_kind[-1:]
        bare = f"{of_a_kind[0].text}{', ' if LISTED.search(bare) else ' and '}{bare}" if of_a_kind else bare
    elif not of_a_kind:
        same = [each for each in candidates if each.text[:1].isupper() == bare[:1].isupper()]
        with_prep = [each for each in same if prep and body[: each.start].lower().rstrip().endswith(f" {prep}")]
        of_a_kind = with_prep or same
    if not of_a_kind:
        return "", (), 0.0
    if text.lower().endswith("s") and (match or bare != value) and not without_noun:
        of_a_kind = [_with_noun(body, each, asked) for each in of_a_kind]
    new = value if value.startswith("the ") and bare[:1].isupper() and prep else bare
    if column and any(body[each.end :].lower().startswith(f" {column}") for each in of_a_kind):
        new = new[: -len(column)].rstrip()
    whole = [_put(body, each, new) for each in sorted(of_a_kind, key=lambda each: -each.start)]
    return whole[0], tuple(whole[1:3]), 0.9 if len(whole) == 1 else 0.6


def kin_of(text: str, homes: Homes) -> tuple[frozenset[str], str]:
    """Return in which columns all values of a list are, and the column's name behind them, as in "low priority"."""
    kin = frozenset.intersection(*(homes(each) for each in LISTED.split(text)))
    value, _, last = text.rpartition(" ")
    if kin or not value:
        return kin, ""
    named = frozenset(home for home in homes(value) if stem(last) in re.split(r"[._ ]", home))
    return named, last.lower() if named else ""


def without_value(body: str, of: str, asked: PreviousQuestion) -> str:
    """Return the question without the value of these things, "for all countries"; "" where it names none."""
    for value in values_of(asked, body):
        home = {stem(word) for word in re.findall(r"[^\W_]+", value.column.replace("_", " "))}
        before = re.search(
            r"(?:,? (?:only|nur))? (?:for|in|from|by|via|of|at|with|aus|für|en|pour|de)$|,? (?:only|nur)$",
            body[: value.start].rstrip(),
        )
        if stem(of) in home or stem(of) == stem(value.column.partition(".")[0]):
            start = before.start() if before else value.start
            return f"{body[:start]}{body[value.end :] if before else body[value.end :].lstrip()}"
    return ""


def resubjected(body: str, text: str, asked: PreviousQuestion) -> str:
    """Return the question about other things, "stores" in place of "business customers"; "" where it names none."""
    noun = subject_of(body, asked)
    word = re.fullmatch(r"(?:the |our )?(?P<noun>[^\W\d_]+s)", text, re.IGNORECASE)
    if (
        not noun
        or not word
        or stem(word["noun"]) not in {stem(name) for name in asked.names}
        or stem(word["noun"]) == stem(noun)
    ):
        return ""
    at = re.search(rf"\b{re.escape(noun)}\b", body, re.IGNORECASE)
    if at is None:
        return ""
    start = next((value.start for value in values_of(asked, body) if value.end + 1 == at.start()), at.start())
    return f"{body[:start]}{word['noun']}{body[at.end() :]}"


def _with_noun(body: str, value: NamedValue, asked: PreviousQuestion) -> NamedValue:
    """Return a value with the noun behind it: where "web orders" stood, there stands "the stores"."""
    noun = subject_of(body, asked)
    behind = (
        re.match(rf"(?i) {re.escape(noun)}\b", body[value.end :]) if noun and not value.text[:1].isupper() else None
    )
    return NamedValue(value.text, value.column, value.start, value.end + behind.end()) if behind else value


def _put(body: str, old: NamedValue, new: str) -> str:
    return f"{body[: old.start]}{new}{body[old.end :]}"


def _named(body: str, prep: str) -> Iterator[NamedValue]:
    """Yield what the question names behind this word, or behind "in", "for" and "from": names have capital letters."""
    words = re.escape(prep) if prep else "in|for|from|of|only|für|aus|nur|en|pour|para|au|de"
    name = r"(?P<value>(?-i:[A-ZÀ-Þ][\w'&.-]*)(?: (?-i:[A-ZÀ-Þ][\w'&.-]*))*)"
    times = [(time.start, time.end) for time in times_in(body)]
    for match in re.finditer(rf"(?<!\w)(?:{words}) (?:the |la |los )?{name}", body, re.IGNORECASE):
        if not any(start <= match.start("value") < end for start, end in times):
            yield NamedValue(match["value"], "", *match.span("value"))
