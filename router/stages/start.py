"""The beginning and the end of a talk."""

import re
from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Option, Text
from router.language.phrases import has_phrase, spellings_of
from router.machine import Ask, End
from router.memory.draft import Draft
from router.memory.understanding import TypedAt, Understanding
from router.policy import readable_connections
from router.stages.compare.begin import BEGIN, ask_where, wishes_comparing
from router.stages.compare.typed_query import followed_query, no_query
from router.stages.naming import called, go_to, naming
from router.stages.side_questions import SIDE_CATEGORIES, heard, is_courtesy
from router.teaching.glossary_chat import at_hand
from router.turn import Said, Turn
from router.understanding.button_words import greets, is_answer
from router.understanding.categories import Category
from router.understanding.definitions import unhinted
from router.understanding.interpretation import leans_on
from router.understanding.kinds import forced_question, kind_of
from router.understanding.named_database import database_in
from router.understanding.short_wishes import agrees, reply_to
from router.understanding.steps import step_of
from router.understanding.typed_sql import TypedSql

GREETING = (
    "Hi! Ask me a question about your data, in your own words. I'll show you the SQL, and nothing runs until you "
    "approve it."
)

Taken = Literal["question", "sql", "unclear"]
"""The kind of message that was taken."""

First = Taken | Literal["compare", "generate", "provide", "database", "neither"]


TYPED_AT_EMAIL: tuple[TypedAt, ...] = ("provide_email", "email_sql")
"""Questions about a query of one's own whose rows are e-mailed."""

SQL_METHODS = (Option("provide", "I have SQL"), Option("generate", "Write it for me", overflow=True))
"""The ways to a query; a question can simply be typed."""

COMPARE_FIRST = "That is a comparison and more. Type `compare` first, and paste the SQL alone once I ask for it."
HINT_MAX_CHARS = 500
HINT_TOO_LONG = f"That hint is too long: it may have {HINT_MAX_CHARS} characters."
QUESTION_MAX_CHARS = 12_000
"""Characters of a question; SQL may be longer."""


def take_wish(turn: Turn) -> Literal["question"] | None:
    """Put a wish for the rows on show into a draft, to be understood; None for any other sentence."""
    if not isinstance(turn.incoming.input, Said) or not step_of(turn.text):
        return None
    begin_question(turn, turn.text)
    return "question"


def take(turn: Turn) -> Taken | None:
    """Put a typed question or SQL text into a new draft and return which it was; None if it is neither.

    A hint may stand behind the question; one that stands alone is for the question at hand.
    """
    memory = turn.memory
    if sql := turn.typed_sql():
        return turn.unclear(COMPARE_FIRST) if _compares_it(turn, sql) else take_sql(turn, sql)
    if alone := hint_cards(turn):
        return "question" if alone == "hinted" else alone
    if is_answer(turn.text):
        return None
    if why := no_query(turn, turn.typed_at in TYPED_AT_EMAIL):
        return turn.unclear(why)
    question, hint = unhinted((memory.tasks.comparing and forced_question(turn.text)) or turn.text)
    follows = followed_query(turn)
    if hint and not question:
        return turn.unclear("A hint goes with a question: type the question, then “hint: …”.")
    named = naming(turn, question)
    if isinstance(named, str):
        return named
    question = named.question if named else question
    short = kind_of(question) == "neither" and not named
    if agrees(question) or _only_answers(turn, question) or (short and not _says_something(turn, question)):
        return None
    if len(question) > QUESTION_MAX_CHARS:
        return turn.unclear(f"That is too long for a question: it may have {QUESTION_MAX_CHARS:,} characters.")
    if len(hint) > HINT_MAX_CHARS:
        return turn.unclear(HINT_TOO_LONG)
    begin_question(turn, question, hint, named.connection if named else "", follows)
    turn.asks = True
    return "question"


def _compares_it(turn: Turn, sql: TypedSql) -> bool:
    """Return whether words around SQL ask for a comparison with it, which would be lost."""
    return sql.cut and has_phrase("comparing.compare", turn.text.replace(sql.text, " "))


SQL_TAKEN_OUT = "I took this SQL out of your message; the other words of it are left out."


def take_sql(turn: Turn, sql: TypedSql) -> Literal["sql"]:
    """Put typed SQL into a new draft; if other words stood around it, these may say which database it is for."""
    memory = turn.memory
    if sql.cut and (named := database_in(turn.text.replace(sql.text, " "), called(turn))):
        go_to(turn, named)
    memory.draft, memory.understanding = draft_typed(sql), Understanding()
    turn.asks = True
    if memory.tasks.comparing:
        ask_where(turn)
    return "sql"


def draft_typed(sql: TypedSql) -> Draft:
    """Return a draft of SQL as it was typed."""
    return Draft(method="provide", sql=sql.text, as_typed=(SQL_TAKEN_OUT,) if sql.cut else ())


def _only_answers(turn: Turn, text: str) -> bool:
    """Return whether a text has words of answers alone, such as "hm, rather not": they are no part of a question."""
    return turn.typed_at != "open" and set(re.findall(r"\w+", text.lower())) <= spellings_of("talk.answers")


_SAID_IN_A_WORD = frozenset(SIDE_CATEGORIES) | {Category.HUMAN_HANDOFF, Category.OWN_SQL}
"""Categories of a single word at no card; a wish for rows is none, and one for data may be anything."""


def _says_something(turn: Turn, word: str) -> bool:
    """Return whether a single word is understood: it may change what stands, or surely asks for what needs no query."""
    if not isinstance(turn.incoming.input, Said) or not re.search(r"\w{2}", word) or is_courtesy(turn):
        return False
    if turn.typed_at == "open":
        return heard(turn).category in _SAID_IN_A_WORD
    return turn.typed_at in ("rows", "sql", "own_sql")


def begin_question(
    turn: Turn, question: str, hint: str = "", connection: str = "", follows: tuple[str, ...] = ()
) -> None:
    """Put a question into a new draft, to be understood; `connection` is the one that it names.

    A query of a comparison is understood already: it `follows` the other one.
    """
    memory = turn.memory
    asked_about = memory.understanding
    # In place of a sentence that the bot asked about stands another one, typed where that was.
    stood = (asked_about.before, asked_about.typed_at) if asked_about.user_message else (memory.draft, turn.typed_at)
    if memory.tasks.comparing is None:  # the queries of a comparison are asked for one by one, and nothing else is
        memory.understanding = Understanding(
            question, evidence=hint, before=stood[0], typed_at=stood[1], database=connection
        )
    elif connection:
        go_to(turn, connection)
    leans = leans_on(follows, question, heard(turn).likely)
    intent = Category.REFINE_QUESTION if leans else ""
    memory.draft = Draft(question, "generate", evidence=hint, intent=intent, follows=follows, leans=leans)


def hint_cards(turn: Turn) -> Literal["hinted", "unclear"] | None:
    """Take a hint that stands alone for the question at hand, whose SQL is to be written again; None for all else."""
    draft = turn.memory.draft
    question, hint = unhinted(turn.text)
    if question or not hint or not at_hand(draft):
        return None
    evidence = "; ".join(filter(None, (draft.evidence, hint)))
    if len(evidence) > HINT_MAX_CHARS:
        return turn.unclear(HINT_TOO_LONG)
    turn.memory.draft = replace(draft.asked_again(), evidence=evidence)
    return "hinted"


def take_way(turn: Turn) -> Literal["generate", "provide", "database"] | None:
    """Return the chosen way to a query, and begin a new draft for it; None if none was chosen."""
    word: Literal["generate", "provide", "database"] | None = turn.word("generate", "provide", "database")
    if word:
        turn.memory.choosing = "database" if word == "database" else ""
        turn.memory.draft = Draft()
    return word


def other_database(turn: Turn) -> tuple[Option, ...]:
    """Return the button that leads to the menu of databases, if there is more than one to choose from."""
    several = len(readable_connections(turn.services.connections, turn.owner)) > 1
    return (Option("database", "Other database", overflow=True),) if several else ()


def is_greeting(turn: Turn) -> bool:
    """Return whether the person only said hello, or wrote the bot's name and nothing else."""
    given = turn.incoming.input
    alone = turn.courtesy.greets and not turn.courtesy.text
    return isinstance(given, Said) and (alone or greets(given.text))


class Start(Ask):
    """Greet, and take a first message for what it is: a question, an SQL text, or neither."""

    begins = True
    accepts_definitions = True
    help = "Type a question in your own words, or paste an SQL query. I show you the SQL before anything runs."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return (Text(GREETING),)

    def answer(self, turn: Turn) -> First:
        if is_greeting(turn):
            turn.answered_as = Category.SMALL_TALK
        elif is_courtesy(turn):
            turn.note(reply_to(Category.SMALL_TALK, turn.text))
            turn.answered_as = Category.SMALL_TALK
        return wishes_comparing(turn) or take(turn) or take_way(turn) or "neither"


class AskSqlMethod(Ask):
    """Offer the two ways to a query."""

    begins = True
    accepts_definitions = True
    help = "Press a button, or simply type your question or your SQL."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        said = "What would you like to know? Ask in your own words, or paste SQL. Nothing runs until you approve it."
        prompt = f"Hi! {said}" if is_greeting(turn) else said
        return (Buttons(prompt, (*SQL_METHODS, BEGIN, *other_database(turn))),)

    def answer(self, turn: Turn) -> Taken | Literal["generate", "provide", "compare", "database"]:
        return wishes_comparing(turn) or take(turn) or take_way(turn) or turn.unclear()


class Farewell(End):
    """Say goodbye; the next message in the thread starts again."""

    def farewell(self, turn: Turn) -> tuple[Card, ...]:
        return (
            Text("Mention me for your next question." if turn.incoming.shared else "Ask me again whenever you like."),
        )
