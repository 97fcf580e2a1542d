"""How often the bot asks back which value, or which column, a question means.

`uv run python -m tests.bench.bench_asking --questions FILE` looks at the questions of a file as `icc-bot eval` takes
them, whose databases are found beside it, or in `--databases FOLDER`; without a file, at `asking.jsonl` on the sample
company, in which `asks` are the words that a careful colleague would ask about.
"""

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from bot.evaluation.questions import Golden
from bot.evaluation.run import connections_for
from bot.settings.environment import read_settings
from router.catalog.catalog import Catalog
from router.text_to_sql.ambiguous_columns import Home, spoken_of, unsure_columns
from router.text_to_sql.named_values import named_in, unsure

OWN = Path(__file__).with_name("asking.jsonl")


def questions(file: Path, databases: Path) -> Iterator[tuple[Golden, list[str] | None]]:
    """Yield the questions of a file, and of what it says that they leave open, if it does."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        said = json.loads(line)
        at = databases / said["database"] if said.get("database") else None
        if at and not at.is_file():
            at = databases / at.name
        where = said.get("connection") or ""
        golden = Golden(str(number), said["question"], (), at, where, evidence=said.get("evidence") or "")
        yield golden, said.get("asks")


def called(home: Home) -> str:
    """Return a column, and how it is reached."""
    return f"{home.table}.{home.column}" + (f" by {home.owner}.{home.through}" if home.through else "")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--questions", type=Path, default=OWN)
    parser.add_argument("--databases", type=Path)
    given = parser.parse_args()
    asked = list(questions(given.questions, given.databases or given.questions.parent))
    settings = read_settings()
    values = columns = either = right = missed = wrong = 0
    seconds = 0.0
    with closing(
        Catalog(connections_for(settings, [golden for golden, _ in asked], demo=given.questions == OWN))
    ) as catalog:
        for golden, asks in asked:
            schema, index = catalog.schema(golden.place), catalog.values(golden.place)
            named = named_in(golden.question, index)
            began = time.thread_time()
            found = unsure_columns(golden.question, schema, golden.evidence, tables=spoken_of(named))
            seconds += time.thread_time() - began
            value = unsure(named, golden.question, schema)
            values, columns, either = values + bool(value), columns + bool(found), either + bool(found or value)
            words = [each.words for each in found]
            right += sum(word in words for word in asks or ())
            missed += sum(word not in words for word in asks or ())
            wrong += sum(word not in asks for word in words) if asks is not None else 0
            if value or found or (asks and asks != words):
                print(f"{golden.place}: {golden.question}")
            if value:
                print(f"    “{value.words}” may be {', '.join(each.text for each in value.values)}")
            for each in found:
                doubtful = asks is not None and each.words not in asks
                print(f"  {'!' if doubtful else ' '} “{each.words}” may be {', '.join(map(called, each.homes))}")
            for word in asks or ():
                if word not in words:
                    print(f"  ? “{word}” was not asked about")
    count = len(asked)
    print(f"{'questions':32} {count:6}")
    for name, number in (
        ("asked about columns", columns),
        ("asked about values", values),
        ("asked about either", either),
    ):
        print(f"{name:32} {number:6} {number / count:7.1%}")
    if any(asks is not None for _, asks in asked):
        print(f"{'as a colleague would':32} {right:6} asked, {missed} not asked, {wrong} asked in vain")
    print(f"{'a look at the columns':32} {seconds / count * 1000:6.2f} ms")


if __name__ == "__main__":
    main()
