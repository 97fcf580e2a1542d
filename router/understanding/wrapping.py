"""Tells the clauses that only wrap a wish, such as "my boss is waiting", from those that say something of it.

A linear model on the words of a clause decides, made of wrapping.toml and of the examples of wishes; what may be a
value, a time or a name of the schema needs a much clearer case, and what stands for a button never wraps.
"""

import re
import tomllib
from datetime import date
from functools import lru_cache
from importlib.resources import files

from router.text_to_sql.periods import periods
from router.understanding.button_words import means_button, word_of
from router.understanding.categories import Category
from router.understanding.recurrences import recurrence_of
from router.understanding.scorer import WRAPPING_WEIGHTS, bare, shipped_scorer
from router.understanding.sentences import shipped_sentences

WRAPPING_SCORE_MIN, DOUBTFUL_SCORE_MIN, POINTING_SCORE_MIN = 0.35, 0.7, -0.2
"""Scores from which a clause wraps: one without any word that may be a value, one with such a word, and one above
a quoted mail.

By the first two, of 300 clauses with content that were kept from training about one is taken for wrapping; of the
short filters and times of wrapping.toml alone, about five.
"""

_KEPT_BUTTONS = ("cancel", "no", "back", "again", "edit")

_GIVE = (
    r"(?:(?:me|us|mir|uns|nous|nos) (?:tell|dire|decir|sag\w*|diga\w*)|(?:(?:me|us|mir|uns|nous|nos) )?(?:send|give"
    r"|tell|show|list|provide|share|forward|supply|get|pull|draw|put|run|repeat|find|check|look|compile|prepare"
    r"|let (?:me|us) (?:know|have)|zeig\w*|schick\w*|gib\w*|geben|nenn\w*|mit(?:zu)?teil\w*|zu?kommen|send\w*"
    r"|montre\w*|donne\w*|envoy\w*|communiqu\w*|transm\w*|fourni\w*|indi[cq]\w*|list\w*|muestr\w*|mostrar\w*|envi\w*"
    r"|mand\w*|facilit\w*|proporcion\w*|dar\w*|pas[ae]\w*))\b"
)
"""A verb of giving: a request before it may be wrapping, such as "I would be grateful if you could"."""

_FIELDS = ("subject", "betreff", "objet", "asunto", "message", "nachricht", "mensaje", "note", "text")
_NO_FIELD = "".join(rf"(?<!{name})" for name in _FIELDS)
_CUT = re.compile(
    rf"(?<=[.!?…;)])\s+|\n+|(?<=[\w)\"]),\s+|(?<=\w){_NO_FIELD}\s?:\s+(?=\S)|\s+[–—-]+\s+|(?<=\w)\.\.+\s*|(?<=[\U0001f300-\U0001faff☀-➿])\s+"
    r"|\s+(?=(?:and|und|et|y)\s(?:i |je |j')?(?:need|would like|want|wonder|bräuchte|brauche|hätte|möchte|wüsste"
    r"|voudrais|aimerais|ai besoin|necesito|quisiera|quería|me gustaría)\b)"
    r"|\s+(?=(?:but|aber|mais|pero|otherwise|sonst|sinon|(?:can|could|would) (?:you|i|we|someone)"
    r"|(?:kannst|könntest) du|(?:können|könnten) sie|(?:peux|pourrais)[ -]tu|(?:pouvez|pourriez)[ -]vous|podrías)\b)"
    rf"|\s+(?={_GIVE}\s+\w)"
    r"|\s+(?=(?:because|since|as|so|so that|if|when|whenever|while|before|weil|da|denn|damit|wenn|falls|sobald|bevor"
    r"|parce que|parce qu'|car|pour que|si|quand|dès que|avant que|porque|ya que|para que|cuando|en cuanto|así)\s?"
    r"(?:i|i'm|i've|we|we're|my|our|you|you're|it's|it|it isn't|that's|possible|at all|ich|wir|mein|meine|du|sie|es|das"
    r"|möglich|je|j'\w+|on|nous|mon|ma|tu|vous|c'est|ça|mi|tengo|puedes|puede|no|es|te|me|se|lo)\b)",
    re.IGNORECASE,
)
"""Where a clause ends: at a mark, and before a reason or a condition of the person who writes."""


_TIMES = {"wrapping": 3, "content": 6}
"""How often a clause of wrapping.toml counts, beside an example of a wish."""

_WISHES = frozenset(Category) - {
    Category.SMALL_TALK,
    Category.HELP,
    Category.HUMAN_HANDOFF,
    Category.OTHER_SYSTEMS,
    Category.OTHER_PEOPLE,
    Category.NONSENSE,
    Category.ABUSE,
}
"""The categories whose examples are content beside any other clause."""

_VALUE = re.compile(r"[@\d_\"“„«]")
_CAPITAL = re.compile(r"(?<!^)(?<![.!?] )\b[A-ZÄÖÜÉÁÍÓÚÑ]\w+")
_SAID = re.compile(r"[^\W_](?:.*[^\W_])?", re.DOTALL)
_SOME_DAY = date(2026, 1, 1)


def clauses_of(text: str) -> list[tuple[int, int]]:
    """Return where each clause of a text begins, and where it ends."""
    cuts = [cut.span() for cut in _CUT.finditer(text)]
    begins, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    return [(start, end) for start, end in zip(begins, ends, strict=True) if re.search(r"\w", text[start:end])]


def wraps(clause: str, names: frozenset[str] = frozenset()) -> bool:
    """Tell whether a clause says nothing of what is wanted; `names` are words of tables and columns."""
    plain = as_clause(clause)
    words = re.findall(r"\w+", plain)
    # "Looks good, now as a chart": beside another wish, only praise and thoughts are none.
    # A number or an address may be the one thing that the question is about.
    if not words or _VALUE.search(clause) or means_button(plain) or word_of(plain, _KEPT_BUTTONS):
        return False
    score = wrapping_score(plain)
    if score < WRAPPING_SCORE_MIN or recurrence_of(plain).places[:1] == ((0, len(plain)),):
        return False  # the "mon" of "mon, wed and fri at 8"
    return score >= DOUBTFUL_SCORE_MIN or not (
        len(words) == 1 or _may_be_value(clause) or not names.isdisjoint(words) or _is_time(plain)
    )


def points_elsewhere(clause: str, names: frozenset[str]) -> bool:
    """Tell whether a clause above a quoted mail leaves it to the mail to say what is wanted."""
    plain = as_clause(clause)
    named = not names.isdisjoint(re.findall(r"\w+", plain))
    return wraps(clause, names) or (not named and wrapping_score(plain) >= POINTING_SCORE_MIN)


def as_clause(text: str) -> str:
    """Return a clause as the model knows it: in small letters, without marks around it."""
    found = _SAID.search(text.replace("’", "'").lower())
    return found[0] if found else ""


def shipped_clauses() -> list[tuple[str, str]]:
    """Return the clauses that the model is made of, each behind its label; some count more than others."""
    said = tomllib.loads(files("router.understanding").joinpath("wrapping.toml").read_text(encoding="utf-8"))
    known = {as_clause(each) for each in (*said["wrapping"], *said["content"])}
    wishes = {as_clause(each.text): None for each in shipped_sentences().examples if each.category in _WISHES}
    alone = [("content", each) for each in wishes if each not in known and len(clauses_of(each)) == 1]
    pairs = [(label, as_clause(each)) for label in ("wrapping", "content") for each in said[label]]
    return alone + [pair for pair in pairs for _ in range(_TIMES[pair[0]])]


def wrapping_score(clause: str) -> float:
    """Return a score that is the higher the surer a clause wraps."""
    return shipped_scorer(WRAPPING_WEIGHTS).scores(as_clause(clause))[0]


def _may_be_value(clause: str) -> bool:
    """Tell a word with a capital letter that no example has."""
    return any(not _known(name) for name in _CAPITAL.findall(clause))


def _known(word: str) -> bool:
    return shipped_scorer(WRAPPING_WEIGHTS).knows(bare(word))


@lru_cache(maxsize=1024)
def _is_time(plain: str) -> bool:
    return bool(periods(plain, _SOME_DAY))
