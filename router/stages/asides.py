"""What a typed sentence surely is, told where another answer was expected; some need no query, and end nothing."""

from router.intents.categories import Category
from router.intents.deciding import Decided
from router.intents.kinds import kind_of
from router.intents.recalling import recalls
from router.intents.replies import agrees, thanks
from router.intents.understood import FORCED, LONGEST
from router.intents.words import means_button
from router.memory import Stage
from router.turn import Said, Turn

ASIDES = frozenset(
    {
        Category.DESCRIBE_DATA,
        Category.EXPLAIN_RESULT,
        Category.JOB_STATUS,
        Category.HELP,
        Category.SMALL_TALK,
        Category.CHANGE_DATA,
        Category.OTHER_SYSTEMS,
        Category.OTHER_PEOPLE,
        Category.ABUSE,
    }
)
"""What is answered at once wherever it is typed. Nonsense is none of it: that is an answer which was not understood."""


OPEN = (Stage.START, Stage.NEED_NATURAL_LANGUAGE, Stage.SHOW_RESULTS)
"""Where the next question is awaited, and nothing that a word such as "ok" could be meant to answer."""


def heard(turn: Turn) -> Decided:
    """Return what a typed sentence asks for; no category where it is in doubt, or a word for a button."""
    given, place = turn.incoming.input, turn.memory.place
    if not isinstance(given, Said) or not 0 < len(turn.text) <= LONGEST or means_button(turn.text):
        return Decided(None, 0.0)
    if FORCED.match(turn.text):
        return Decided(Category.ASK_DATA, 1.0)
    if recalls(turn.text):
        return Decided(Category.HELP, 1.0)
    words = turn.tools.catalog.known_words(place.connection, place.schema)
    return turn.tools.intents.decide(turn.text, words, frozenset())


def polite(turn: Turn) -> bool:
    """Tell a word of thanks; and where no other answer is awaited, one that only says that something was read."""
    text = turn.text
    if not isinstance(turn.incoming.input, Said):
        return False
    return turn.memory.stage in OPEN if agrees(text) else thanks(text) and kind_of(text) == "neither"


def aside_of(turn: Turn) -> Category | None:
    """Return what a sentence is that is answered above the question that stands; None for anything else.

    Small talk is often an answer that was not understood ("whenever you like"): thanks alone are surely none. So is a
    single word, such as the name of a column.
    """
    if polite(turn):
        return Category.SMALL_TALK
    category, text = heard(turn).category, turn.text
    surely = thanks(text) if category == Category.SMALL_TALK else len(text.split()) > 1 or text.endswith("?")
    return category if surely and category in ASIDES else None
