"""The one path of every message: wishes apart, by examples, to the stage that acts on it.

It is the same for a turn of a talk, for `icc-bot eval --talks` and for `icc-bot intents show`. Whether a message is
about the question before it is up to the model that writes the SQL, which sees both.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from router.language.detection import is_small_word
from router.language.inflection import stem
from router.language.phrases import has_phrase, spellings_of
from router.language.wording import WORD
from router.memory.draft import Wish
from router.memory.understanding import Clarification, ClarificationAnswer, Understanding
from router.understanding.business_words import known_in, meanings_of
from router.understanding.categories import (
    CATEGORY_TO_AGENT,
    LABELS,
    OUT_OF_SCOPE,
    SQL_CATEGORIES,
    STEP_TO_CATEGORY,
    Category,
)
from router.understanding.classifier import IntentDecision
from router.understanding.kinds import asks_clearly, forced_question, without_select
from router.understanding.steps import read_steps
from router.understanding.unread import may_change

REPHRASE = "none"
"""The id of "something else"."""

UNDERSTOOD_CONFIDENCE_MIN = 0.65
"""From here on, a sentence is taken for what it most likely is, without a word about it."""

INTENDED_MAX_CHARS = 300
"""Characters of a sentence of which it is told what it asks for."""


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a message: the question with its SQL that it stands below, and what is known of the database.

    `words` are those of the names of tables and columns, in lower case.
    """

    asked: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    explains: bool = False
    """True if there is SQL or a result, so that something can be explained."""


Decide = Callable[[str, frozenset[str], frozenset[Category]], IntentDecision]
"""Classifies a sentence: its text, the words of known names, and the categories that are impossible there."""


def interpret(known: Understanding, context: Context, decide: Decide) -> Understanding:
    """Return what a message asks for and who acts on it, or what has to be asked back."""
    found = _classified(_split_wishes(known, context), context, decide)
    return found if found.needs_clarification else _routed(found)


def _split_wishes(known: Understanding, context: Context) -> Understanding:
    """Return the message with its wishes apart; if its kind is sure, with that."""
    text = known.user_message
    if forced := forced_question(text):
        return _sure(replace(known, processed_query=forced), Category.ASK_DATA)
    plain = without_select(text)
    found = read_steps(plain)
    wishes, unread = tuple(found.steps), found.unread
    head = found.question if wishes or found.denied else plain
    behind = head and text.rstrip("?.! ").endswith(head)
    if wishes and behind and known.typed_at == "rows" and not _may_ask(head, context.words):
        head, unread = "", [head, *unread]  # "csv with semicolons"
    unread_text = ", ".join(filter(None, unread))
    known = replace(known, processed_query=head, denied=tuple(found.denied), unread=unread_text)
    if not head and len(wishes) == 1 and wishes[0].step in ("write", "email"):
        wishes = (Wish(wishes[0].step, text),)  # all of its words may be values
    known = with_wishes(known, wishes)
    if not head:
        return _sure(known, Category.ASK_DATA)
    return known


def _may_ask(head: str, names: frozenset[str]) -> bool:
    """Return whether what is left of a sentence beside its steps may be a question, or change the one on show."""
    if not names or names_any(head, names) or known_in(meanings_of(head)):
        return True
    return any(has_phrase(f"steps.{kind}", head) for kind in ("asks", "orders", "counts")) or may_change(head)


def with_wishes(known: Understanding, wishes: tuple[Wish, ...]) -> Understanding:
    """Return the understanding with what is to become of the rows."""
    agents = (CATEGORY_TO_AGENT[STEP_TO_CATEGORY.get(wish.step, Category.EXPORT)] for wish in wishes)
    return replace(known, wishes=wishes, secondary_agent_ids=tuple(agents))


def _sure(known: Understanding, category: str) -> Understanding:
    return replace(known, classified_intent=category, classification_confidence=1.0)


SURE_CONFIDENCE_MIN = 0.95
"""From here on, the examples leave no doubt."""

NO_PREVIOUS_QUESTION = (
    "That sounds as if it followed another question, and there is none here that it could follow. Type the whole "
    "question, or:"
)
ASK_UNCHANGED = (ClarificationAnswer(Category.ASK_DATA, "Ask it as it is"),)


def apply_choice(known: Understanding, id: str, context: Context) -> Understanding:
    """Return the understanding with the answer to what was asked back: a category."""
    sure = replace(known, needs_clarification=False, clarification=None)
    return _routed(_below(_sure(sure, Category(id)), context))


def _routed(known: Understanding) -> Understanding:
    return replace(known, primary_agent_id=CATEGORY_TO_AGENT[Category(known.classified_intent)])


def _below(known: Understanding, context: Context) -> Understanding:
    """Return a question with the question and the SQL that it stands below, which the model is shown with it."""
    asks = known.classified_intent in SQL_CATEGORIES and not forced_question(known.user_message)
    return replace(known, follows=context.asked) if asks else known


def _classified(known: Understanding, context: Context, decide: Decide) -> Understanding:
    """Return the understanding with the category that the examples speak for, or with what has to be asked about that.

    What is sure already stays as it is.
    """
    if known.classification_confidence == 1.0:
        return _below(known, context)
    head = known.processed_query
    found = decide(head, context.words, frozenset())
    if not context.asked:
        surely = context.explains or found.confidence >= SURE_CONFIDENCE_MIN
        if surely and found.category == Category.REFINE_QUESTION and not names_any(head, context.words):
            return replace(
                known, needs_clarification=True, clarification=Clarification(NO_PREVIOUS_QUESTION, ASK_UNCHANGED)
            )
        # Nothing can be changed before anything was asked, and nothing explained but a query that is not there.
        shown = context.explains or has_phrase("questions.shown", head)
        senseless = {Category.REFINE_QUESTION} if shown else {Category.REFINE_QUESTION, Category.EXPLAIN_RESULT}
        found = decide(head, context.words, frozenset(senseless))
    known = replace(known, classification_result=tuple((str(each.category), each.share) for each in found.ranked[:5]))
    acts = read_steps(head).acts if found.likely in SQL_CATEGORIES else ""
    if not known.wishes and (acts or asks_back(head, found, context.words, bool(context.asked))):
        first = (STEP_TO_CATEGORY[acts],) if acts else ()
        asked = Clarification("I am not sure what you would like. Is it:", _ways(found, first))
        return replace(known, needs_clarification=True, clarification=asked, classified_intent="")
    category = found.category
    if category is None or category in SQL_CATEGORIES:
        refines = context.asked and found.likely == Category.REFINE_QUESTION
        category = Category.REFINE_QUESTION if refines else Category.ASK_DATA
    return _below(replace(known, classified_intent=category, classification_confidence=found.confidence), context)


def leans_on(follows: tuple[str, ...], question: str, category: str | None) -> bool:
    """Return whether people need the question that this one stands below, to know what it asks."""
    return bool(follows) and not (asks_clearly(question) and category == Category.ASK_DATA)


def _ways(found: IntentDecision, first: tuple[Category, ...]) -> tuple[ClarificationAnswer, ...]:
    """Return what is offered: what somebody here can do about it, and always to ask the data."""
    likely = (each for each in found.options if each not in NEVER_OFFERED)
    ways = dict.fromkeys((*first, *likely, Category.ASK_DATA))
    return (
        *(ClarificationAnswer(each, LABELS[each]) for each in ways),
        ClarificationAnswer(REPHRASE, "Something else"),
    )


# What the examples are in doubt about: SQL is shown before it runs, so that a real question costs nothing where it is
# taken for one. What is as likely no business of the data, or says nothing of them, is asked about.

NEVER_OFFERED = frozenset(
    {*(each for each, agent in CATEGORY_TO_AGENT.items() if agent == OUT_OF_SCOPE), Category.SMALL_TALK}
)
"""Categories that are never offered as a button."""

ACTIONS = frozenset(
    {Category.WRITE, Category.EMAIL, Category.EXPORT, Category.SCHEDULE, Category.COMPARE, Category.OWN_SQL}
)
"""Categories of sentences that have something done."""


def asks_back(text: str, found: IntentDecision, names: frozenset[str], follows: bool) -> bool:
    """Return whether it is asked what a sentence wants, instead of writing SQL.

    `names`: words of known tables and columns; `follows`: there is a question that it may be about.
    """
    if _is_strange_word(text, found.category):
        return True
    if not follows and found.category in (None, *SQL_CATEGORIES) and _names_nothing(text):
        return True
    if found.category is not None:
        return False
    if names_any(text, names):
        return found.likely in ACTIONS
    likely = next((each.category for each in found.ranked if each.category not in NEVER_OFFERED), None)
    return found.likely in NEVER_OFFERED or likely not in SQL_CATEGORIES


def names_any(text: str, names: frozenset[str]) -> bool:
    """Return whether a sentence has a word of a name of the database."""
    return _named(text, names) > 0


def _is_strange_word(text: str, category: Category | None) -> bool:
    """Return whether a single word is taken for nonsense: more likely it is one that nobody taught the bot."""
    return category == Category.NONSENSE and len(text.split()) == 1


def _named(text: str, names: frozenset[str]) -> int:
    """Return how many words of a text are of names of tables and columns, but for small ones."""
    typed = {word.lower() for word in WORD.findall(text)} - spellings_of("talk.vague")
    return len({stem(word) for word in typed if not is_small_word(word)} & {stem(word) for word in names})


def _names_nothing(text: str) -> bool:
    """Return whether a text has small words alone, such as "just give me something"; a number says something."""
    typed = [word.lower() for word in WORD.findall(text)]
    return not re.search(r"\d", text) and all(
        word in spellings_of("talk.vague") or is_small_word(word) for word in typed
    )
