"""A core whose talk is a script: every card can be called up by a word, which makes the page's gallery."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from adapters.turns import Turns
from adapters.web.page import serve
from adapters.web.view import WebInfo
from bot.commands.web import at_work, page_talks
from bot.wiring.bot import Bot
from router.cards import (
    Buttons,
    Card,
    Chart,
    Choice,
    Code,
    Field,
    File,
    Form,
    Head,
    Option,
    Progress,
    Reply,
    Series,
    Table,
    Text,
)
from router.catalog.connection import Connections
from router.engine import Router
from router.jobs.cancellation import Stopping
from router.memory.draft import User
from router.memory.thread import Memory, ThreadKey
from router.notifier import Humans
from router.storage.database import Database, home_database
from router.storage.housekeeping import Housekeeping
from router.turn import Filled, Incoming, Opened, Pressed, Said

SQL = """WITH yearly AS (
  SELECT
    c.name,
    c.country,
    SUM(o.total) AS revenue,
    COUNT(DISTINCT o.id) AS orders
  FROM customers AS c
  JOIN orders AS o
    ON o.customer_id = c.id
  WHERE
    o.ordered_on >= '2026-01-01' AND o.status <> 'cancelled' AND NOT c.country IS NULL
  GROUP BY
    c.name,
    c.country
)
SELECT
  name,
  CASE
    WHEN revenue > 100000
    THEN 'a large one, by the rule of the sales department'
    ELSE 'small'
  END AS size
FROM yearly
ORDER BY
  revenue DESC
LIMIT 5"""
NASTY = "<img src=x onerror=\"document.body.dataset.broken='yes'\"><b>bold</b>"
RUN = (Option("yes", "Run", "primary"), Option("edit", "Edit"), Option("no", "Drop it", "danger"))
GONE = "These rows were cleared away. Ask again to see them."
CLOSED = "You may not read Personnel."
PAGES = (Option("previous", "Previous"), Option("next", "Next"), Option("csv", "CSV"))


def rows(offset: int) -> Table:
    """Return five rows of a made-up result."""
    heads = (Head("name"), Head("country"), Head("revenue", "number"), Head("since", "date"))
    names = ("Aalto Oy", "Bergmann & Söhne", "Cafés do Sul", None, NASTY)
    cells = tuple((name, "DE", f"{(offset + i) * 1000}.50", "2019-04-01") for i, name in enumerate(names))
    return Table(heads, cells, total=10, offset=offset, seconds=0.2, result="r1", sort=(2, "down"))


def wide() -> Table:
    """Return a result of forty columns."""
    heads = tuple(Head(f"column_{i}", "number" if i % 3 else "text") for i in range(40))
    return Table(heads, (tuple(f"{i * 7}" for i in range(40)),) * 3, total=3, seconds=1.0, result="wide")


def tall() -> Table:
    """Return a result that is taller than a window."""
    return Table((Head("id", "number"),), tuple((f"{i}",) for i in range(40)), total=40, seconds=0.1, result="tall")


def chart(name: str) -> Chart:
    """Return a made-up chart: "bars", "line", or "crowd" for twelve series."""
    months = tuple(f"{2019 + month // 12}-{month % 12 + 1:02}" for month in range(84))
    wave = tuple(None if month % 10 in (7, 9) else 1000.0 * (month % 13) + month * 150 for month in range(84))
    customers = ("Aalto Oy", "Bergmann & Söhne Großhandelsgesellschaft mbH", "東京都", "שלום", NASTY)
    crowd = tuple(Series(f"series {n}", tuple(float(n + label) for label in range(6))) for n in range(12))
    match name:
        case "line":
            return Chart("Revenue by month", "line", months, (Series("revenue", wave),), "line")
        case "crowd":
            return Chart("Twelve at once", "bar", tuple(f"Region {n}" for n in range(6)), crowd, "crowd")
    series = (Series("revenue", (990250.25, 312.75, -200500.5, None, 0.1 + 0.2)),)
    return Chart(f"Which customers? {NASTY}", "bar", customers, series, "bars")


class Scripted:
    """Answers a word with its cards; `folder` is where its files are written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._turn: dict[ThreadKey, int] = {}
        self._owners: dict[ThreadKey, User] = {}
        self.history = self

    def turn(self, incoming: Incoming, post: Callable[[Reply], None], stopping: Stopping) -> None:
        """Post what the script has for this input."""
        word = _word(incoming)
        self._owners[incoming.key] = incoming.user
        if word in ("work", "wait"):
            self._work(post, stopping)
        if word in ("csv", "closed"):
            path = self._folder / "rows.csv"
            path.write_text("name,revenue\nAalto Oy,1000.50\n")
            post(Reply((File("rows.csv", path, "text/csv", word),), working=True))
        if word in ("bars", "line", "crowd"):
            post(Reply((chart(word),), working=True))
        number = self._turn[incoming.key] = self._turn.get(incoming.key, 0) + 1
        replace = isinstance(incoming.input, Pressed) and (
            word in ("next", "previous", "csv") or word.startswith("sort:")
        )
        suggestions = ("offer", "sql") if word == "offer" else ()
        post(Reply(_cards(word), turn=number, replace=replace, suggestions=suggestions))

    def memory(self, key: ThreadKey) -> Memory | None:
        """Return what is remembered of a thread."""
        return Memory(turn=self._turn.get(key, 0), owner=self._owners.get(key))

    def busy(self, incoming: Incoming, first: Incoming) -> Reply:
        """Return what a second message is told."""
        return Reply((Text("I'm still working on your last message. Press Stop to end that.", "quiet"),))

    def require_stop(self, incoming: Incoming, first: Incoming) -> None:
        """Let everybody stop."""

    def rate(self, user: User, result: str, good: bool) -> str:
        """Thank for a thumb."""
        return f"Rated {result} {'up' if good else 'down'} by {user.name}."

    def forget_thread(self, key: ThreadKey) -> None:
        """Forget the thread."""
        self._turn.pop(key, None)

    def redraw(self, user: User, card: Card) -> Card:
        """Return the card with its rows, unless it was called up by "gone" or "closed"."""
        match card:
            case Table(result="gone"):
                return Text(GONE, "problem")
            case File(connection="closed"):
                return Text(CLOSED, "problem")
            case Table():
                whole = {"wide": wide(), "tall": tall()}.get(card.result, rows(card.offset))
                return replace(card, rows=whole.rows)
            case Chart():
                return chart(card.result)
            case _:
                return card

    def file(self, user: User, card: File) -> Card:
        """Return a file as it may be fetched, which is as it is drawn."""
        return self.redraw(user, card)

    def _work(self, post: Callable[[Reply], None], stopping: Stopping) -> None:
        for text in ("Reading the schema…", "Writing the SQL…"):
            post(Reply((Progress(text),), working=True))
            if stopping.asked.wait(0.1 if text.startswith("R") else 120):
                break


def _word(incoming: Incoming) -> str:
    match incoming.input:
        case Said(text):
            return text.strip().lower()
        case Pressed(answer, more=more):
            return " ".join((answer, *more))
        case Filled(values):
            return f"filled {values}"
        case Opened():
            return "opened"


def _cards(word: str) -> tuple[Card, ...]:
    mode = (Option("new", "New table"), Option("append", "Add rows"))
    fields = (
        Field("mode", "How", "radio", "new", options=mode),
        Field("key", "Key", when=("mode", ("append",)), hint="Several with commas"),
        Field("at", "At", "time", "08:00"),
        Field("people", "To", "people", "ana@example.com"),
        Field("room", "Channel", "channel", optional=True),
    )
    mail = Option("mail@r1", "E-mail", form=Form("Send the rows", fields, "Send"))
    ways = (
        Option("yes", "Run on Sales", "primary"),
        Option("csv", "CSV", group="Download"),
        Option("xlsx", "Excel", group="Download"),
        Option("mail", "E-mail", overflow=True, form=Form("Send the rows", fields, "Send")),
        Option("share", "Share", overflow=True, confirm="Everybody will see these rows. Share them?"),
        Option("hidden", "Only for Bob", only=("os:bob",)),
    )
    steps = ("Joins orders to customers.", "Keeps five.")
    tables = tuple(Option(f"menu:table_{i}", f"table_{i}") for i in range(150))
    scripts: dict[str, tuple[Card, ...]] = {
        "text": (
            Text("The five customers with the most *revenue* this year, from `orders`.\nAnd: 2 * 3 * 4, count(*)."),
            Text("The planner expects about 5 rows.", "quiet"),
            Text(f"The database refused this: no such column {NASTY}.", "problem"),
            Buttons("", ()),
        ),
        "sql": (
            Text("You asked: which five customers brought the most revenue?"),
            Code(SQL, "Sales"),
            Buttons("Run this on Sales?", RUN),
        ),
        "ways": (
            Text("The five largest *customers*", "title"),
            Code(SQL, "Sales", steps=steps, folded=True),
            Text("The model guessed.", "problem"),
            Buttons("", ways),
        ),
        "offer": (rows(0), Buttons("", PAGES[:2], lasting=True)),
        "held": (rows(0), Buttons("", (mail, Option("share@r1", "Share", overflow=True)), lasting=True)),
        "tall": (tall(), Buttons("Ask the next question, or:", PAGES)),
        "wide": (wide(), Buttons("Ask the next question, or:", PAGES)),
        "choice": (
            Choice("Which database is it about?", (Option("a", "Sales"), Option("b", "Personnel")), chosen=("a",)),
        ),
        "many": (Choice("Which tables is it about?", tables, many=True, chosen=("menu:table_3", "menu:table_5")),),
        "form": (
            Form(
                "Edit the SQL",
                (
                    Field("sql", "SQL (one SELECT)", "code", SQL),
                    Field("name", "Name"),
                    Field("note", "Note", "text", optional=True),
                ),
                "Check it",
            ),
        ),
    }
    if word.startswith("sort:"):
        return (Text(f"You pressed {word}."), rows(0), Buttons("Ask the next question, or:", PAGES))
    table = (rows(5 if word == "next" else 0), Buttons("Ask the next question, or:", PAGES))
    scripts["gone"] = (replace(rows(0), result="gone"), table[1])
    scripts |= dict.fromkeys(("yes", "next", "previous", "csv", "table"), table)
    return scripts.get(word, (Text(f"You said: {word}"), Buttons("What's next?", RUN)))


def bot_of(core: Router, database: Database) -> Bot:
    """Return as much of a bot as the page needs of one, around a core."""
    services = SimpleNamespace(connections=Connections([]), approvals=None, humans=Humans())
    found = SimpleNamespace(database=database, router=core, services=services, timer=None, housekeeping=Housekeeping())
    return cast(Bot, found)


def main(folder: str, *words: str) -> None:
    """Serve the gallery until the process is told to end; "public" opens it to others, "open" a browser at it.

    A number is its port.
    """
    core = cast(Router, cast(Any, Scripted(Path(folder))))
    info = WebInfo(
        databases=lambda: ("Sales", "Personnel"),
        model="a script",
        examples=lambda user: ("sql", "table", "form", "many"),
        notice="All data here is invented.",
        version="0.1.2",
        mail=Path(folder) / "mail",
    )
    turns, database = Turns(core), home_database(Path(folder))
    bot = bot_of(core, database)
    talks = page_talks(bot, turns, None)
    me, public = User("os:me", "Me"), "public" in words
    port = next((int(word) for word in words if word.isdigit()), 0)
    show = "open" in words
    serve(
        talks,
        lambda: at_work(talks, bot),
        host="127.0.0.1",
        port=port,
        folder=Path(folder),
        database=database,
        user=me,
        info=info,
        public=public,
        open_browser=show,
    )
    turns.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
