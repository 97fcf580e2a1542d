"""The one path of every message: wishes apart, mended, as a full question, by examples, to whoever acts on it.

It is the same for a turn of a talk, for `icc-bot eval --talks` and for `icc-bot intents show`, but that only a talk
knows what the person said before that sentences ask for.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from router.memory.draft import Wish
from router.memory.understanding import Chosen, Clarification, ClarificationAnswer, Understanding
from router.sql.dialect import Name
from router.understanding.categories import CATEGORY_TO_AGENT, NAMES, SQL_CATEGORIES, Category, category_of
from router.understanding.followup.causes import checks
from router.understanding.followup.decision import ALONE_MAX, CHANGES_MIN, changes_share
from router.understanding.followup.full_question import full_question, put_behind
from router.understanding.followup.previous import Homes, PreviousQuestion, Understood, nowhere
from router.understanding.followup.spelling import corrected
from router.understanding.help_topics import topic_of
from router.understanding.in_doubt import NEVER_OFFERED, answered_at_once, asks_back
from router.understanding.intent_service import IntentDecision
from router.understanding.kinds import FORCED_QUESTION, drops_tables, in_words
from router.understanding.short_wishes import recalls
from router.understanding.wish_endings import shared
from router.understanding.wishes import Step, WishedStep, wishes_of

REPHRASE = "none"
"""The id of "something else"."""

FOLLOWUP_CONFIDENCE_MIN = 0.65
"""From here on, a follow-up is taken for one without asking."""

INTENDED_MAX_CHARS = 300
"""Characters of a sentence that are kept with what the person said it asks for."""

FOLLOWED_QUESTIONS_MAX = 3
"""Questions that a follow-up may be about."""

OFFERED_QUESTIONS_MAX = 4
"""Full questions that are offered at once."""

CHANGES_LAST, ASKS_ALONE = "Change the last question: ", "Ask it alone: "
"""What stands before a question on a button, where it is in doubt what a sentence is."""

STEP_TO_AGENT: dict[Step, str] = {
    "write": CATEGORY_TO_AGENT[Category.WRITE],
    "email": CATEGORY_TO_AGENT[Category.EMAIL],
    "csv": CATEGORY_TO_AGENT[Category.EXPORT],
    "xlsx": CATEGORY_TO_AGENT[Category.EXPORT],
    "chart": CATEGORY_TO_AGENT[Category.EXPORT],
    "share": CATEGORY_TO_AGENT[Category.EXPORT],
    "repeat": CATEGORY_TO_AGENT[Category.SCHEDULE],
    "ask": CATEGORY_TO_AGENT[Category.ASK_DATA],
}


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a message: the questions before it, the latest first, and what is known of the database.

    `words` are those of the names of tables and columns, in lower case; `homes` tells where values are.
    """

    asked: tuple[PreviousQuestion, ...] = ()
    words: frozenset[str] = frozenset()
    homes: Homes = nowhere
    explains: bool = False
    """True where there is SQL or a result, so that something can be explained."""
    intended: tuple[Chosen, ...] = ()
    """The person's own choices of what sentences ask for."""


def asked_of(before: Iterable[tuple[str, str]], words: frozenset[str], dialect: Name) -> tuple[PreviousQuestion, ...]:
    """Return the questions that a follow-up may be about, of all with their SQL, the latest first."""
    latest: dict[str, str] = {}
    for question, sql in before:
        if question:
            latest.setdefault(question, sql)
    return tuple(
        PreviousQuestion(text, sql, names=words, dialect=dialect)
        for text, sql in list(latest.items())[:FOLLOWED_QUESTIONS_MAX]
    )


def understood(known: Understanding, context: Context) -> Understanding:
    """Return the message with its wishes apart and as a full question, or with what has to be asked about that."""
    text = known.user_message
    if forced := FORCED_QUESTION.match(text):
        return _sure(replace(known, processed_query=text[forced.end() :].strip()), Category.ASK_DATA)
    if topic_of(text):
        return _sure(replace(known, processed_query=text), Category.HELP)
    if drops_tables(text):
        return _sure(replace(known, processed_query=text), Category.CHANGE_DATA)
    if shared(text.strip(" .!?")):
        return _sure(replace(known, processed_query=text), Category.EXPORT)
    head, wishes = wishes_of(in_words(text), bool(context.asked))
    known = with_wishes(replace(known, processed_query=head), wishes)
    if not head:
        return _sure(known, Category.ASK_DATA)
    known = replace(known, processed_query=corrected(head, context.words, context.homes)[0])
    if recalls(head):
        return _sure(known, Category.HELP)
    if said := _said_before(text, context):
        known = _sure(known, said.category)
        if said.question:
            return replace(known, processed_query=said.question, follows=_first(context))
    return _followed(known, context)


def with_wishes(known: Understanding, steps: tuple[WishedStep, ...]) -> Understanding:
    """Return the understanding with what is to become of the rows."""
    wishes = tuple(Wish(STEP_TO_AGENT[each.step], each.text) for each in steps)
    return replace(known, wishes=wishes, secondary_agent_ids=tuple(wish.agent_id for wish in wishes))


def _said_before(text: str, context: Context) -> Chosen | None:
    """Return what the person said that this sentence asks for, after the same question where that matters."""
    after = context.asked[0].question if context.asked else ""
    found = (
        each for each in context.intended if each.sentence == text[:INTENDED_MAX_CHARS] and each.after in ("", after)
    )
    return next(found, None)


def _first(context: Context) -> tuple[str, str]:
    return context.asked[0].question, context.asked[0].sql


def _followed(known: Understanding, context: Context) -> Understanding:
    """Return a follow-up as the full question that it asks, from the questions before it."""
    if known.classified_intent not in ("", *SQL_CATEGORIES):
        return known
    found = full_question(known.processed_query, context.asked, context.homes)
    return refined(known, found, context) if found else known


def refined(known: Understanding, found: Understood, context: Context) -> Understanding:
    """Return what was understood of a follow-up, or which of several questions it may be has to be asked."""
    known = replace(
        known,
        classified_intent=Category.REFINE_QUESTION,
        classification_confidence=found.confidence,
        follows=_first(context),
        problem=found.problem,
    )
    if not found.options or found.confidence >= FOLLOWUP_CONFIDENCE_MIN:
        return replace(known, processed_query=found.question)
    ways = tuple(
        ClarificationAnswer(str(number), text)
        for number, text in enumerate((found.question, *found.options)[:OFFERED_QUESTIONS_MAX], 1)
    )
    asked = Clarification("Which of these do you mean?", (*ways, ClarificationAnswer(REPHRASE, "Something else")))
    return replace(known, needs_clarification=True, clarification=asked)


def _sure(known: Understanding, category: str) -> Understanding:
    return replace(known, classified_intent=category, classification_confidence=1.0)


_SHOWN = re.compile(
    r"\b(?:quer(?:y|ies)|sql|results?|rows?|answers?|abfrage|ergebnis\w*|zeilen?|requ[eê]te|r[eé]sultats?|lignes?|consulta"
    r"|resultados?|filas?)\b",
    re.IGNORECASE,
)
"""Names for what the bot shows: only somebody who saw it uses them."""

EXAMPLES_OVER_RULES_CONFIDENCE = 0.95
"""From here on, the examples count more than the rules for follow-ups."""

ANY_PREVIOUS_QUESTION = (
    PreviousQuestion(
        "Revenue by customer in 2025", "SELECT c.name, SUM(o.total) FROM customers c JOIN orders o GROUP BY 1"
    ),
)
"""A question that most follow-ups could follow."""

NOTHING_BEFORE = (
    "That sounds as if it followed another question, and there is none here that it could follow. Type the whole "
    "question, or:"
)
AS_IT_IS = (ClarificationAnswer(Category.ASK_DATA, "Ask it as it is"),)

Decide = Callable[[str, frozenset[str], frozenset[Category]], IntentDecision]
"""Tells by examples what a sentence wants: its text, the words of known names, and what nobody can want there."""


def understand(known: Understanding, context: Context, decide: Decide) -> Understanding:
    """Return what a message asks for and who acts on it, or what has to be asked back."""
    found = _classified(understood(known, context), context, decide)
    return found if found.needs_clarification else _routed(found)


def chosen(known: Understanding, id: str) -> Understanding:
    """Return the understanding with the answer to what was asked back: a category, or one of several questions."""
    labels = {way.id: way.label for way in known.clarification.options} if known.clarification else {}
    sure = replace(known, needs_clarification=False, clarification=None, classification_confidence=1.0)
    if category := category_of(id):
        return _routed(replace(sure, classified_intent=category, follows=()))
    full = labels[id].removeprefix(CHANGES_LAST)
    return _routed(replace(sure, classified_intent=Category.REFINE_QUESTION, processed_query=full))


def _routed(known: Understanding) -> Understanding:
    return replace(known, primary_agent_id=CATEGORY_TO_AGENT[Category(known.classified_intent)])


def _classified(known: Understanding, context: Context, decide: Decide) -> Understanding:
    """Return the understanding with the category that the examples speak for, or with what has to be asked about that.

    What is sure already stays as it is. What follows a question stays that, but for what is a question of its own for
    certain where the rules are in doubt.
    """
    if known.needs_clarification or known.classification_confidence == 1.0:
        return known
    followed = known.classified_intent == Category.REFINE_QUESTION
    head = in_words(known.user_message) if followed and not known.wishes else known.processed_query
    found = decide(head, context.words, frozenset())
    if _dangles(head, found, context):
        return replace(known, needs_clarification=True, clarification=Clarification(NOTHING_BEFORE, AS_IT_IS))
    if senseless := _senseless(head, found, context):
        found = decide(head, context.words, senseless)
    result = tuple((str(each.category), each.share) for each in found.ranked[:5])
    known = replace(known, classification_result=result)
    sure = known.classification_confidence
    firm = sure < FOLLOWUP_CONFIDENCE_MIN or found.confidence >= EXAMPLES_OVER_RULES_CONFIDENCE > sure
    if not followed or (firm and found.category not in (None, Category.NONSENSE, *SQL_CATEGORIES)):
        return _by_examples(known, head, found, context)
    if known.wishes or not _stands_alone(known, head, found, context):
        return known
    text = corrected(head, context.words, context.homes)[0]
    return replace(known, processed_query=text, follows=(), problem="", classified_intent=Category.ASK_DATA)


def _by_examples(known: Understanding, head: str, found: IntentDecision, context: Context) -> Understanding:
    """Return the understanding of a sentence that no rule for follow-ups took."""
    if changed := _behind(known, head, found, context):
        return changed
    if other := answered_at_once(head, found):
        return replace(known, processed_query=head, follows=(), problem="", classified_intent=other)
    if not known.wishes and asks_back(head, found, context.words, bool(context.asked)):
        asked = Clarification("I am not sure what you would like. Is it:", _ways(found))
        return replace(known, needs_clarification=True, clarification=asked, classified_intent="")
    if found.category is None:
        return replace(known, classified_intent=Category.ASK_DATA, classification_confidence=found.confidence)
    if found.category == Category.EXPLAIN_RESULT and (cause := checks(head, context.asked)):
        return refined(known, cause, context)
    plain = known if found.category in SQL_CATEGORIES else replace(known, processed_query=head, follows=(), problem="")
    category = Category.ASK_DATA if found.category == Category.REFINE_QUESTION else found.category
    return replace(plain, classified_intent=category, classification_confidence=found.confidence)


def _stands_alone(known: Understanding, head: str, found: IntentDecision, context: Context) -> bool:
    """Tell whether it is a question of its own for certain, which the rules for follow-ups are in doubt about."""
    asks = found.category == Category.ASK_DATA and found.confidence >= EXAMPLES_OVER_RULES_CONFIDENCE
    doubtful = known.classification_confidence < FOLLOWUP_CONFIDENCE_MIN
    return asks and doubtful and _changes(head, found, context) < CHANGES_MIN


def _changes(head: str, found: IntentDecision, context: Context) -> float:
    """Return how likely a sentence changes the last question."""
    shares = {each.category: each.share for each in found.ranked}
    refines, asks = (shares.get(each, 0.0) for each in (Category.REFINE_QUESTION, Category.ASK_DATA))
    return changes_share(head, context.asked[0].question, refines, asks)


def _dangles(head: str, found: IntentDecision, context: Context) -> bool:
    """Tell what only makes sense after a question, where there is none; at SQL of one's own, that is likelier."""
    changes, sure = found.category == Category.REFINE_QUESTION, found.confidence >= EXAMPLES_OVER_RULES_CONFIDENCE
    if context.asked or not (changes or context.explains):
        return False
    if changes and (sure or context.explains):
        return True
    unsure = changes or found.category is None or (found.category == Category.ASK_DATA and not sure)
    return unsure and full_question(head, ANY_PREVIOUS_QUESTION) is not None


def _behind(known: Understanding, head: str, found: IntentDecision, context: Context) -> Understanding | None:
    """Return a sentence as a change of the last question, or with what is to be asked; None for a question alone."""
    likely = [found.category] if found.category else [each.category for each in found.ranked[:2]]
    if not context.asked or known.wishes or not {*SQL_CATEGORIES} & {*likely}:
        return None
    more, share = put_behind(head, context.asked), _changes(head, found, context)
    if more is None or share <= ALONE_MAX:
        return None
    if share >= CHANGES_MIN:
        return refined(known, more, context)
    asked = Clarification(
        "Does this change the last question, or is it one of its own?",
        (
            ClarificationAnswer("1", f"{CHANGES_LAST}{more.question}"),
            ClarificationAnswer(Category.ASK_DATA, f"{ASKS_ALONE}{head}"),
            ClarificationAnswer(REPHRASE, "Something else"),
        ),
    )
    return replace(known, needs_clarification=True, clarification=asked, follows=_first(context))


def _ways(found: IntentDecision) -> tuple[ClarificationAnswer, ...]:
    """Return what is offered: what somebody here can do about it, and always to ask the data."""
    ways = {each.id: each.label for each in found.options if Category(each.id) not in NEVER_OFFERED}
    ways.setdefault(Category.ASK_DATA, NAMES[Category.ASK_DATA].label)
    return (
        *(ClarificationAnswer(id, label) for id, label in ways.items()),
        ClarificationAnswer(REPHRASE, "Something else"),
    )


def _senseless(head: str, found: IntentDecision, context: Context) -> frozenset[Category]:
    """Return what nobody can want here: there is nothing to be changed or explained before anything was asked.

    Whoever asks what a query or a result is, though, is told that there is none: that is no question about data.
    """
    if context.asked or context.explains:
        return frozenset()
    if (
        found.category == Category.EXPLAIN_RESULT
        and found.confidence >= EXAMPLES_OVER_RULES_CONFIDENCE
        and _SHOWN.search(head)
    ):
        return frozenset({Category.REFINE_QUESTION})
    return frozenset({Category.REFINE_QUESTION, Category.EXPLAIN_RESULT})
