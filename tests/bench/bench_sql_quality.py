"""The table of docs/sql-quality.md for your own model: plain prompting, as shipped, and one thing left out each.

`uv run python -m tests.bench.bench_sql_quality QUESTIONS.jsonl [--limit 200] [--folder answers]` asks the model that
the settings name, such as `SQL_MODEL_NAME=qwen2.5-coder:7b`. A run that was ended goes on where it was; without a
file, the questions on the sample company are asked.
"""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

from tabulate import tabulate

from bot.evaluation.answers import MeasuredAnswer, read_answers
from bot.evaluation.run import Wanted, evaluate
from bot.settings.environment import read_settings

WAYS: Mapping[str, Mapping[str, str]] = {
    "plain: tables and question, one call": {"way": "plain"},
    "as shipped": {},
    "nothing is mended": {"repair": "off"},
    "no values of columns in the tables": {"samples": "off"},
    "no values that the question names": {"values": "off"},
    "one statement, no second look": {"tries": "1"},
    "no doubts": {"doubts": "off"},
    "comparisons in one statement": {"decomposition": "off"},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", nargs="?", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--folder", type=Path, default=Path("answers"))
    given = parser.parse_args()
    given.folder.mkdir(exist_ok=True)
    rows = []
    for title, options in WAYS.items():
        out = given.folder / ("-".join(f"{name}-{value}" for name, value in options.items()) or "shipped")
        out = out.with_suffix(".jsonl")
        if evaluate(read_settings(), Wanted(given.questions, given.limit, out=out, options=options), print):
            raise SystemExit(1)
        rows.append([title, *figures(list(read_answers(out).given.values()))])
    heads = ("", "right", "runs", "tokens read", "written", "calls", "median s")
    print(tabulate(rows, heads, tablefmt="github"))


def figures(answers: list[MeasuredAnswer]) -> Iterator[str]:
    """Yield what the table says of a run."""
    count = len(answers)
    yield f"{sum(answer.right for answer in answers) / count:.1%}"
    yield f"{sum(answer.runs for answer in answers) / count:.1%}"
    yield f"{sum(answer.read for answer in answers) / count:,.0f}"
    yield f"{sum(answer.written for answer in answers) / count:,.0f}"
    yield f"{sum(answer.calls for answer in answers) / count:.2f}"
    yield f"{median(answer.seconds for answer in answers):.1f}"


if __name__ == "__main__":
    main()
