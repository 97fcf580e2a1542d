"""Resolves "they" and "them" to the things that the question before was about."""

import re

from router.language.inflection import plural, stem
from router.understanding.followup.previous import PreviousQuestion, Understood, closed, opened, tables_of, words
from router.understanding.followup.rows import groups_in

AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)"
_COLUMNS_OF = re.compile(
    r"(?:the )?(?P<columns>(?=[^,]*(?:s\b|,| and ))[^,]+?(?:, [^,]+?)*?) of (?:all )?(?:the |our )?(?P<rest>.+)",
    re.IGNORECASE,
)
_WHICH = re.compile(r"^(?:which|what) (?P<rest>.+)$", re.IGNORECASE)
_HOW_MANY = re.compile(r"^(?:how many|number of|count(?: of)?(?: the)?) (?P<rest>.+)$", re.IGNORECASE)
_LIST = re.compile(
    r"^(?:please )?(?:(?:list|show|give|display|find|get|name|tell)(?: (?:me|us))?|who are) (?:(?:all|each)(?:"
    r" of)?(?: the)?|the)? ?(?P<rest>.+)$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    rf"(?<=\w) (?:{AUXILIARY}|\w{{2,}}ed|brought|bought|sold|made|got|spent|left|came|went|paid|took|gave|won|lost|sent"
    rf"|cost)\b",
    re.IGNORECASE,
)
_HAD = re.compile(
    r"(?:did|do|does) (?P<whose>(?!we\b|you\b|they\b|our\b)[\w' -]+?) (?:have|get|receive|make|place)\b(?P<more>.*)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.?!;]\s+")


def thing_of(asked: PreviousQuestion) -> str:
    """Return what the question before was about, as in "the customers that ordered most"; "" where unclear."""
    first = _SENTENCE.split(asked.question.strip())[0]
    body, _ = opened(first)
    if (match := _COLUMNS_OF.match(body)) and _all_known(match["columns"], _known(asked)):
        return f"the {match['rest']}"
    if match := _HOW_MANY.match(body):
        noun, rest = _noun(match["rest"], asked)
        rest = re.sub(
            r"(?i)^ ?(?:(?:are|were|is|was) there|(?:do|did|have) we(?: have| had| get)?|there are)\b", "", rest
        )
        return _with_clause(noun, rest)
    if match := _WHICH.match(body):
        noun, rest = _noun(match["rest"], asked)
        return _with_clause(noun, rest) if noun and not re.match(rf"(?i)(?:the|our|{AUXILIARY})\b", noun) else ""
    if match := _LIST.match(body):
        return f"the {_things(match['rest'], asked)}"
    if re.match(r"(?i)(?:the )?(?:top|bottom|first|last|best|worst|\d+|\w+est) ", body):
        return f"the {re.sub(r'(?i)^the ', '', body)}"
    groups = groups_in(body)
    if groups and not groups[-1].of_time:
        name = groups[-1].names
        return f"the {plural(name)}"
    noun, rest = _noun(body, asked)
    return f"the {noun[:1].lower()}{noun[1:]}{rest}" if noun.lower().endswith("s") else ""


def _noun(text: str, asked: PreviousQuestion) -> tuple[str, str]:
    """Return the noun that a text begins with, with the words before it, and the rest."""
    words = re.findall(r"\S+", text)
    known = {word for name in tables_of(asked.sql, asked.dialect) for word in name.split()} | {
        stem(name) for name in asked.names
    }
    size = next((n for n, word in enumerate(words, 1) if stem(re.sub(r"\W", "", word)) in known), 1)
    size = size if size <= 4 else 1
    while (
        size < len(words) and stem(re.sub(r"\W", "", words[size])) in known and not words[size - 1].endswith(("s", ","))
    ):
        size += 1
    noun = " ".join(words[:size])
    return noun.rstrip(","), text[len(noun) :] if text.startswith(noun) else " " + " ".join(words[size:])


def _with_clause(noun: str, rest: str) -> str:
    """Return a noun with what is said of it: "the customers that ordered most"."""
    rest = rest.strip()
    rest = re.sub(r"(?i)^do (?=we|you|they|our)", "", rest)
    if had := _HAD.fullmatch(rest):
        return f"the {noun} of {had['whose']}{had['more']}"
    if not rest or re.match(
        r"(?i)(?:in|for|from|with|without|of|by|per|at|on|since|who|that|which|whose|before|after|last|this|,)\b|\(|,",
        rest,
    ):
        verb = _CLAUSE.search(rest)
        if verb and not re.match(r"(?i)(?:who|that|which|whose)\b", rest):
            rest = f"{rest[: verb.start()]} that{rest[verb.start() :]}"
        return f"the {noun}{'' if rest.startswith(',') or not rest else ' '}{rest}"
    if with_ := re.match(r"(?i)(?:has|have) (?!been\b|not\b|no\b|\w+ed\b)", rest):
        return f"the {noun} with {rest[with_.end() :]}"
    return f"the {noun} that {rest}"


def _things(text: str, asked: PreviousQuestion) -> str:
    """Return what is listed without the columns that are listed of it."""
    known = _known(asked)
    of = re.match(r"(?i)(?P<columns>[^,]+?(?:, [^,]+?)*?) of (?:all )?(?:the )?", text)
    if of and _all_known(of["columns"], known):
        text = text[of.end() :]
    with_ = re.search(r"(?i)(?:, | )(?:with|and) (?P<columns>[^,]+?)(?=,|$)", text)
    if with_ and _all_known(with_["columns"], known):
        text = text[: with_.start()] + text[with_.end() :]
    return re.sub(r"(?i)^the ", "", text)


def _known(asked: PreviousQuestion) -> set[str]:
    return {stem(name) for name in asked.names}


def _all_known(text: str, known: set[str]) -> bool:
    """Tell whether a text consists of names of columns, and of words that join them."""
    joining = {"and", "id", "the", "their", "its", "name", "number", "address", "date", "code", "mail"}
    words = [stem(word) for word in re.findall(r"[^\W_]+", text.replace("-", ""))]
    return bool(words) and all(word in known or word in joining for word in words)


_SMALL = words("small")
"""Words that nothing can refer to."""

_THEY = re.compile(
    rf"^(?:what|which|how|when|where|who|why)\b(?: [\w-]+){{0,4}}? {AUXILIARY} (?P<they>they|he|she)\b", re.IGNORECASE
)
_ARE_THEY = re.compile(r"^(?:are|were|do|did|have|had|can|is|was|does|has) (?P<they>they|he|she)\b", re.IGNORECASE)
_OF_THEM = re.compile(
    r"\b(?P<they>(?:of|for|to|by|from|with|about|behind|in|at|on) (?:them|him|her|(?:those|these)(?! (?!is "
    r"|was |has |does )\w+s\b))|them|him)\b(?! (?:that|who"
    r"|which|with|above|below|over|under|from|in)\b)",
    re.IGNORECASE,
)
_THEIR = re.compile(
    rf"\b(?:their|its|his|whose)\s+(?P<what>(?:(?!{AUXILIARY}\b|(?:in|by|per|for|on|at|from|when|where|that|who|which"
    rf"|and|or|cost|too|please|sorted)\b)[\w'-]+\s*)+"
    rf"(?:(?:,|and|&)\s+(?:their\s+|its\s+)?(?:(?!{AUXILIARY}\b|(?:in|by|per|for|on|at|when|where|how|what|who|which"
    rf"|sort)\b)[\w'-]+\s*)+)*)",
    re.IGNORECASE,
)
_IT = re.compile(
    r"^(?!what (?:time|day|date) )(?:(?:what|which|when|where|who|why|how much|how many)\b(?: [\w-]+){0,3}?"
    r" (?:does|did|is|was|has|had|will) (?P<it>it)\b(?! (?:take|rain|snow|going|mean|matter|possible|true|look"
    r"|work|sense|like|time|that))"
    r"|who (?:\w+) (?P<it2>it))",
    re.IGNORECASE,
)
_THAT = re.compile(
    r"\b(?:that|this|these|those|the same|said) (?!(?:is|are|was|were|has|have|had|do|does|did|can|will)\b)"
    r"(?P<noun>[a-z][\w-]*?)(?P<of>'s|s')?(?= |$)",
    re.IGNORECASE,
)
_TIMES = frozenset(("year", "month", "week", "quarter", "day", "time", "morning")) | {
    "season",
    "spring",
    "summer",
    "autumn",
    "winter",
    "semester",
    "term",
    "weekend",
}
_PLACES = frozenset(("in", "from", "for", "of", "at", "with", "by", "per", "on", "who", "which", "where"))
_ELLIPSIS = re.compile(
    rf"^(?:(?P<ask>which(?: ones?)?|who) (?P<rest>(?:{AUXILIARY}\b|\w+(?:ed|n't) ).*)"
    r"|(?P<many>how many)(?: ones)? (?P<rest2>(?:are|were|have|had|did|do|can|will)\b.*))",
    re.IGNORECASE,
)
_ABROAD = re.compile(
    r"\b(?:davon|darunter|von (?:ihnen|denen|diesen)|(?<!, )deren|ihre[nrs]? \w+|d'entre (?:eux|elles)"
    r"|parmi (?:eux|elles|ceux-ci)|lesquel(?:le)?s|leurs?|de (?:ellos|ellas|estos|estas)|sus \w+)\b"
    r"|^(?:welche|wie viele|combien|cuáles|cuánt[oa]s) (?:sind|haben|wurden|waren|kommen|sont|ont|viennent|son|tienen"
    r"|están|no|vienen) (?!das|es|wir|sie|ça|nos|l[oa]s|el|la|les?|die|der)",
    re.IGNORECASE,
)
_ASKS_OF = re.compile(
    r"who (?:\w+ )?\w+ |who (?:is|are|was|were) the \w+ |(?:which|what) (?:(?!and |or )\w+ ){1,3}(?:most|all"
    r"|any|some|none|many|much|half|both|one|each) ",
    re.IGNORECASE,
)
"""Things that may stand before "them" and are not meant by it: "which doctor treated most of them"."""


def about_them(message: str, asked: PreviousQuestion) -> Understood | None:
    """Return the question in which "they", "their" or "that customer" is said in full, or None."""
    body, mark = opened(message)
    what = thing_of(asked)
    for rule in (_their, _they, _it, _of_them, _that, _elided):
        full = rule(body, what, asked)
        if full:
            return Understood(closed(full, mark or ("?" if _asks(full) else "")), 0.85 if what else 0.6)
    if (abroad := _ABROAD.search(body)) and len(body[: abroad.start()].split()) < 4:
        return Understood(closed(f"{body} ({opened(asked.question)[0]})", mark), 0.7)
    return None


def _their(body: str, what: str, asked: PreviousQuestion) -> str:
    match = _THEIR.search(body)
    if match is None or body.lower().startswith("whose ") or not _small(body[: match.start()]):
        return ""
    columns = re.sub(r"(?i)\b(?:their|its) ", "", match["what"].strip())
    owned = f"the {columns} of {what}" if what else f"{match[0].strip()} (of: {opened(asked.question)[0]})"
    return f"{body[: match.start()]}{owned} {body[match.end() :]}".strip()


def _they(body: str, what: str, asked: PreviousQuestion) -> str:
    match = _THEY.search(body) or _ARE_THEY.search(body)
    return _put(body, match.span("they"), what, asked) if match else ""


def _it(body: str, what: str, asked: PreviousQuestion) -> str:
    match = _IT.search(body)
    return _put(body, match.span("it" if match["it"] else "it2"), what, asked) if match else ""


def _of_them(body: str, what: str, asked: PreviousQuestion) -> str:
    match = _OF_THEM.search(body)
    if (
        match is None
        or not (_small(body[: match.start()]) or _ASKS_OF.fullmatch(body[: match.start()]))
        or (body[: match.start()].strip() == "" and " " not in match["they"])
    ):
        return ""
    start, end = match.span("they")
    word = body[start:end].rpartition(" ")[2]
    return _put(body, (end - len(word), end), what, asked)


def _that(body: str, what: str, asked: PreviousQuestion) -> str:
    """Return it with "that customer" in full, where the question before was about customers."""
    for match in _THAT.finditer(body):
        noun = stem(match["noun"])
        if noun in _TIMES or noun in _PLACES:
            continue
        before = body[: match.start()].split()
        if noun in {stem(word) for word in before} or (len(before) > 6 and "same" in match[0].lower()):
            continue  # it means what was said before in the same sentence
        known = {stem(word) for word in re.findall(r"\w+", asked.question)} | set(tables_of(asked.sql, asked.dialect))
        if noun not in known or (
            before and before[-1].lower() not in _SMALL and before[-1].lower() not in ("orders", "tickets")
        ):
            continue
        if not match["of"]:
            return _put(body, match.span(), what, asked)
        owned = re.match(r"[ ]?[\w -]+", body[match.end() :])
        if owned and what:
            return f"{body[: match.start()]}the {owned[0].strip()} of {what}{body[match.end() + owned.end() :]}"
        return f"{body} ({opened(asked.question)[0]})"
    return ""


def _elided(body: str, what: str, asked: PreviousQuestion) -> str:
    """Return "Which of the orders are open" for "which are open"."""
    match = _ELLIPSIS.match(body)
    if match is None or not what:
        return ""
    ask, rest = re.sub(r"(?i) ones?$", "", match["ask"] or match["many"]), match["rest"] or match["rest2"]
    if ask.lower() == "who" and not re.match(r"(?i)(?:is|are|of) (?:from|in|not)\b", rest):
        return ""
    if re.match(rf"(?i){AUXILIARY} (?:the|our|we|you|i|there|most|a|an|that|all)\b", rest):
        return ""
    return f"{'which' if ask.lower() == 'who' else ask} of {what} {rest}"


def _put(body: str, span: tuple[int, int], what: str, asked: PreviousQuestion) -> str:
    start, end = span
    if what:
        return f"{body[:start]}{what}{body[end:]}"
    return f"{body} ({body[start:end].lower()}: {opened(asked.question)[0]})"


def _small(text: str) -> bool:
    """Tell whether nothing in a text can be what a pronoun after it means."""
    return all(word in _SMALL for word in re.findall(r"[\w']+", text.lower()))


def _asks(text: str) -> bool:
    return bool(re.match(rf"(?i)(?:who|what|which|when|where|why|how|{AUXILIARY})\b", text))
