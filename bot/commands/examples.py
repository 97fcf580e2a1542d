"""`icc-bot examples`: lists verified examples, checks them, and writes and reads files of them."""

import getpass
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from pathlib import Path

from tabulate import tabulate

from adapters.check_finding import Finding
from bot.command_line import Say
from bot.settings.environment import Settings
from bot.wiring.bot import opened_tables
from bot.wiring.knowledge import examples_of
from bot.wiring.state import database_of, was_started
from router.catalog.connection import Connections
from router.catalog.tables import Tables
from router.errors import BotError, JobFailed, SettingsError
from router.knowledge.example_file import read, written
from router.knowledge.example_store import ExampleStore, KeptExample
from router.language.wording import counted, verb
from router.storage.clock import now


def list_examples(settings: Settings, say: Say, connection: str = "") -> int:
    """Say which examples are kept."""
    with _store(settings) as store:
        kept = store.every(connection)
    rows = [(each.id, _where(each), each.question, each.by, _day(each.at), _state(each)) for each in kept]
    heads = ("example", "connection", "question", "kept by", "on", "state")
    say(tabulate(rows, heads, maxcolwidths=[None, None, 60, None, None, 60]) if rows else "There are no examples.")
    return 0


def check_examples(settings: Settings, say: Say, connection: str = "") -> int:
    """Have the databases look at all examples, and print those that do not run; returns 1 if there are such."""
    broken = unknown = 0
    with ExitStack() as stack:
        _, tables = _tables(settings, stack)
        examples = examples_of(settings, stack.enter_context(closing(database_of(settings))), tables, now)
        kept = examples.store.every(connection)
        for each in kept:
            try:
                looked = examples.verify(each)
            except BotError as error:
                unknown += 1
                say(f"{each.id} {each.question}: it cannot be told whether it runs. {error}")
                continue
            if looked.problem:
                broken += 1
                say(f"{each.id} {each.question}: {looked.problem}")
    runs = len(kept) - broken - unknown
    say(f"{runs} of {len(kept)} examples run{f'; {broken} do not, and are shown to no model' if broken else ''}.")
    return 1 if broken or unknown else 0


def export_examples(settings: Settings, say: Say, file: str, connection: str = "") -> int:
    """Write examples to a file, or to the terminal."""
    with _store(settings) as store:
        kept = store.every(connection)
    if file == "-":
        say(written(kept).removesuffix("\n"))
        return 0
    path = Path(file)
    try:
        fresh = path.with_name(f".{path.name}.new")
        fresh.write_text(written(kept), encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        raise JobFailed(f"{path} cannot be written ({error.strerror}). Nothing was exported.") from None
    say(f"{counted(len(kept), 'example')} {verb(len(kept), 'is', 'are')} in {path}.")
    return 0


def import_examples(settings: Settings, say: Say, file: Path) -> int:
    """Keep all examples of a file; if one is refused, say why, keep none and return 1."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise JobFailed(f"{file} cannot be read ({type(error).__name__}); it must be a text in UTF-8.") from None
    refused: list[str] = []
    with ExitStack() as stack:
        connections, tables = _tables(settings, stack)
        store = examples_of(settings, stack.enter_context(closing(database_of(settings))), tables, now).store
        kept = read(text, connections, tables, f"console:{getpass.getuser()}", refused.append)
        if refused:
            for line in refused:
                say(f"{file.name}, {line}")
            say("Nothing was imported.")
            return 1
        before = {each.id: each.sql for each in store.every()}
        changed = [each for each in kept if before.get(each.id) != each.sql]
        store.keep(changed)
    replaced = sum(each.id in before for each in changed)
    new = len(changed) - replaced
    fresh = f"{counted(new, 'example')} {verb(new, 'is', 'are')} new"
    say(f"{fresh}, {replaced} replaced, {len(kept) - len(changed)} were there already.")
    return 0


def remove_example(settings: Settings, say: Say, id: str) -> int:
    """Keep an example no longer."""
    with _store(settings) as store:
        kept = store.remove(id.upper())
    if kept is None:
        raise JobFailed(f"There is no example {id}; `icc-bot examples list` shows all.")
    say(f"Removed: {kept.question} ({kept.id}).")
    return 0


def look_at_examples(settings: Settings) -> Iterator[Finding]:
    """Yield what the doctor says of the examples, if there are any."""
    if not was_started(settings):
        return
    with _store(settings) as store:
        kept = store.every()
    broken = sum(bool(each.problem) for each in kept)
    if broken:
        said = f"{broken} of {len(kept)} do not run any more, and are shown to no model; `icc-bot examples list` names"
        yield Finding("warning", "examples", f"{said} them, `icc-bot examples check` looks again.")
    elif kept:
        yield Finding("ok", "examples", f"{len(kept)} {verb(len(kept), 'is', 'are')} kept.")


@contextmanager
def _store(settings: Settings) -> Iterator[ExampleStore]:
    with closing(database_of(settings)) as database:
        yield ExampleStore(database, now)


def _tables(settings: Settings, stack: ExitStack) -> tuple[Connections, Tables]:
    """Return the connections and their tables; raises JobFailed if the file of connections is wrong."""
    try:
        return opened_tables(settings, stack)
    except SettingsError as error:
        if settings.base_url.strip():
            raise
        raise JobFailed(" ".join(error.problems)) from None


def _where(kept: KeptExample) -> str:
    return f"{kept.connection}.{kept.schema}"


def _state(kept: KeptExample) -> str:
    if kept.problem:
        return f"does not run: {kept.problem}"
    return f"runs, {_day(kept.checked)}" if kept.checked else ""


def _day(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d}" if time else ""
