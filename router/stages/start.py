"""How a talk begins and ends."""

from typing import Literal

from router.cards import Buttons, Card, Option, Text
from router.errors import Unclear
from router.gate import GREETING, greeted
from router.intents.categories import Category
from router.intents.hints import unhinted
from router.intents.kinds import kind_of, unfenced
from router.intents.replies import agrees, reply_to
from router.intents.understood import FORCED
from router.lessons import at_hand
from router.machine import Ask, End
from router.memory import Draft, Stage
from router.policy import readable
from router.stages.asides import aside_of, polite
from router.stages.compare_wish import BEGIN, wishes_comparing
from router.stages.recalled import remember
from router.turn import Turn
from router.understanding import Understanding

First = Literal["compare", "question", "sql", "generate", "provide", "database", "neither"]


OF_EMAIL = (Stage.NEED_EMAIL_QUERY, Stage.CONFIRM_EMAIL_QUERY)
"""Where a query of one's own is asked for, whose rows are e-mailed."""

LONGEST_HINT = 500
LONGEST_QUESTION = 12_000
"""Characters of a question; SQL may be longer."""


def take(turn: Turn) -> Literal["question", "sql"] | None:
    """Put a typed question or SQL text into a new draft and tell which it was; None where it is neither.

    A hint may stand behind the question; one that stands alone is for the question at hand. Raises Unclear.
    """
    kind = kind_of(turn.text, turn.known_tables)
    memory = turn.memory
    if kind == "sql":
        memory.draft, memory.understanding = Draft(method="provide", sql=unfenced(turn.text)), Understanding()
        remember(turn, memory.draft.sql)
        return kind
    if hinted(turn):
        return "question"
    # Here SQL is written for what was typed, as it is: what surely needs none is answered, and replaces nothing.
    alone = memory.comparing is not None or memory.stage in OF_EMAIL
    if alone and aside_of(turn):
        raise Unclear("That is no question for a query.")
    question, hint = unhinted(turn.text if memory.comparing is None else FORCED.sub("", turn.text, count=1))
    if hint and not question:
        raise Unclear("A hint goes with a question: type the question, and behind it “hint: …”.")
    if kind_of(question, turn.known_tables) == "neither" or agrees(question):
        return None
    if len(question) > LONGEST_QUESTION:
        raise Unclear(f"That is too long for a question: it may have {LONGEST_QUESTION:,} characters.")
    evidence, asked_about = _short(hint), memory.understanding
    # In place of a sentence that the bot asked about stands another one, typed where that was.
    stood = (asked_about.before, asked_about.stage) if asked_about.user_message else (memory.draft, memory.stage)
    if memory.comparing is None:  # the queries of a comparison are asked for one by one, and nothing else is
        memory.understanding = Understanding(question, evidence=evidence, before=stood[0], stage=stood[1])
    memory.draft = Draft(method="generate", question=question, evidence=evidence)
    remember(turn, question)
    return "question"


def hinted(turn: Turn) -> bool:
    """Take a hint that stands alone for the question at hand, whose SQL is to be written anew; False for all else."""
    draft = turn.memory.draft
    question, hint = unhinted(turn.text)
    if question or not hint or not at_hand(draft):
        return False
    evidence = _short("; ".join(filter(None, (draft.evidence, hint))))
    asked = draft.asked_back
    turn.memory.draft = Draft(method="generate", question=draft.question, evidence=evidence, asked_back=asked)
    return True


def _short(hint: str) -> str:
    if len(hint) > LONGEST_HINT:
        raise Unclear(f"That hint is too long: it may have {LONGEST_HINT} characters.")
    return hint


def way(turn: Turn) -> Literal["generate", "provide", "database"] | None:
    """Tell which way to a query was chosen, and begin a new draft for it; None where none was."""
    word: Literal["generate", "provide", "database"] | None = turn.word("generate", "provide", "database")
    if word:
        turn.memory.choosing = "database" if word == "database" else ""
        turn.memory.draft = Draft()
    return word


def other_database(turn: Turn) -> tuple[Option, ...]:
    """Return the button that leads to the menu of databases, where there is more than one to choose from."""
    several = len(readable(turn.tools.connections, turn.owner)) > 1
    return (Option("database", "Other database", aside=True),) if several else ()


class Start(Ask):
    """Greet, and take a first message for what it is: a question, an SQL text, or neither."""

    begins = True
    learns = True
    help = "Type a question in your own words, or paste an SQL query. I show you the SQL before anything runs."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return (
            Text(
                "Hello! Ask me a question about your data, in your own words. I will write the SQL, and run it once "
                "you approve it."
            ),
        )

    def answer(self, turn: Turn) -> First:
        if greeted(turn):
            turn.note(GREETING)
        elif polite(turn):
            turn.note(reply_to(Category.SMALL_TALK, turn.text))
        if wishes_comparing(turn):
            return "compare"
        return take(turn) or way(turn) or "neither"


class AskSqlMethod(Ask):
    """Offer the two ways to a query."""

    begins = True
    learns = True
    help = "Press a button, or simply type your question or your SQL."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        ways = (Option("generate", "Write it for me", "primary"), Option("provide", "I have SQL"))
        return (
            Buttons(
                "Shall I write the SQL from your question, or do you have SQL of your own?",
                (*ways, BEGIN, *other_database(turn)),
            ),
        )

    def answer(self, turn: Turn) -> Literal["generate", "provide", "compare", "question", "sql", "database"]:
        if wishes_comparing(turn):
            return "compare"
        word = take(turn) or way(turn)
        if word is None:
            raise Unclear("I did not understand that as an answer here.")
        return word


class Farewell(End):
    """Say goodbye; the next message in the thread starts anew."""

    def farewell(self, turn: Turn) -> tuple[Card, ...]:
        return (Text("Goodbye. Write to me here whenever you have another question."),)
