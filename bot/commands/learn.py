"""`icc-bot learn`: takes over what a company wrote down elsewhere, once a person has read it."""

import getpass
import json
import os
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from bot.settings.environment import Settings, connections_file
from bot.wiring.bot import connections_of
from bot.wiring.knowledge import examples_of, glossary_file
from bot.wiring.state import database_of
from router.catalog.catalog import Catalog
from router.catalog.connections_file import connections_in, read_text
from router.catalog.reflect.reflection import definitions
from router.errors import JobFailed, SettingsError
from router.knowledge.example_file import read as read_examples
from router.knowledge.glossary import Glossary
from router.knowledge.glossary_file import term_problem
from router.knowledge.learn_dbt import from_dbt
from router.knowledge.learn_queries import from_queries, from_views
from router.knowledge.learned import Learned, read, written
from router.language.wording import counted
from router.storage.clock import now
from router.storage.edited_files import put

Say = Callable[[str], None]


def learn(settings: Settings, say: Say, kind: str, files: list[Path], connection: str, out: Path) -> int:
    """Write what dbt's files, files of SQL or a database's views say into a file to be reviewed."""
    if out.exists():
        raise JobFailed(f"{out} is there already. Nothing was written; accept it, remove it, or give another --out.")
    with closing(Catalog(_connections(settings))) as catalog:
        name = connection or _only(catalog)
        schema = catalog.schema(name)
        learned = Learned()
        if kind == "views":
            known = catalog.connections.demand(name)
            views = [table.name for table in schema.tables if table.view]
            learned.add(from_views(definitions(known, catalog.database(name), schema.name, views), schema))
        for file in files:
            text = _text(file)
            if kind == "dbt":
                learned.add(from_dbt(_json(file, text), schema))
                continue
            found, number = from_queries(text, schema)
            say(f"{file}: {counted(number, 'query')}.")
            learned.add(found)
    if not len(learned):
        say(f"Nothing was found about the tables of {name}. No file was written.")
        return 1
    put(out, written(name, out.name, learned).encode("utf-8"))
    say(f"{_counts(learned)} are in {out}. Read it, take out what is wrong, and run: icc-bot learn accept {out}")
    return 0


def accept(settings: Settings, say: Say, file: Path) -> int:
    """Take over what is left of a reviewed file: all of it, or, where something of it is wrong, nothing."""
    name, learned = read(_text(file))
    connections = _connections(settings)
    known = connections.demand(name)
    wrong = [
        f'the term "{term.name}": {why}'
        for term in learned.terms.values()
        if (why := term_problem(term, known.dialect.name))
    ]
    with ExitStack() as stack:
        catalog = stack.enter_context(closing(Catalog(connections)))
        lines = [json.dumps({"connection": name, "question": q, "sql": sql}) for q, sql in learned.examples.items()]
        by = f"console:{getpass.getuser()}"
        kept = read_examples("\n".join(lines), connections, catalog, by, lambda line: wrong.append(f"example, {line}"))
        if wrong:
            for each in wrong:
                say(f"{file}: {each}")
            say("Nothing was taken over.")
            return 1
        _add_to_connections(settings, known.name, learned)
        glossary = Glossary(glossary_file(settings), connections)
        for term in learned.terms.values():
            glossary.change(known.name, term.name, term)
        if kept:
            database = stack.enter_context(closing(database_of(settings)))
            examples_of(settings, database, catalog, now).store.keep(kept)
    say(f"{_counts(learned)} were taken over, and count from the next question on.")
    return 0


def _add_to_connections(settings: Settings, name: str, learned: Learned) -> None:
    """Put keys and descriptions into the connection's block; all else stays as somebody wrote it."""
    path = connections_file(settings)
    if path is None or not (learned.keys or learned.descriptions):
        return
    try:
        document: Any = tomlkit.parse(read_text(path))
        block = document["connections"][name]
        there = list(block.get("keys", []))
        if fresh := [key for key in learned.keys if key not in there]:
            block["keys"] = tomlkit.item([*there, *fresh]).multiline(True)
        if learned.descriptions:
            block["descriptions"] = {**block.get("descriptions", {}), **learned.descriptions}
        text = tomlkit.dumps(document)
    except (TOMLKitError, KeyError, TypeError) as error:
        raise JobFailed(
            f"{path.name} is written in a way that cannot be changed here ({error}). Nothing was taken over; add keys "
            "and descriptions by hand."
        ) from None
    connections_in(path, text, os.environ, addresses=False)
    put(path, text.encode("utf-8"))


def _connections(settings: Settings) -> Any:
    if settings.base_url.strip():
        raise SettingsError(["icc-bot learn runs where the databases are read: on the machine of the jobs API."])
    if connections_file(settings) is None:
        raise SettingsError(["There is no connections.toml: icc-bot learn is for databases of your own."])
    return connections_of(settings)


def _only(catalog: Catalog) -> str:
    names = list(catalog.connections)
    if len(names) > 1:
        raise SettingsError([f"Say which database it is about: --connection {' or '.join(names)}."])
    return names[0]


def _counts(learned: Learned) -> str:
    kinds = (("key", learned.keys), ("description", learned.descriptions), ("term", learned.terms))
    parts = [counted(len(found), word) for word, found in (*kinds, ("example", learned.examples)) if found]
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:]))) or "0 entries"


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise JobFailed(f"{file} cannot be read ({type(error).__name__}); it must be a text in UTF-8.") from None


def _json(file: Path, text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if not isinstance(data, dict) or not data.keys() & {"nodes", "sources", "semantic_models", "metrics"}:
        raise JobFailed(f"{file} is neither dbt's manifest.json nor its semantic_manifest.json. Nothing was written.")
    return data
