"""Which column of a result goes into which column of a table: as the request says, else by their names."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from adapters.api.bodies import Pair, Write
from adapters.api.problems import Wrong, unfit
from router.jobs.write_data import Columns
from router.sql.writing import Existing, Field
from router.sql.writing.matching import matched
from router.sql.writing.presence import unfilled


def columns_for(asked: Write, fields: Sequence[Field], there: Existing | None) -> Columns:
    """Return what the job writes; raises Refused with every column that finds no place, or must have a value."""
    kept = there if asked.mode in ("append", "truncate") else None
    if asked.columns is not None:
        return _said(asked.columns, fields, kept)
    if kept is None:
        return tuple(enumerate(fields))
    matching = matched(fields, kept.columns)
    wrong = [f'No column of {kept.name} has the name of the column "{name}".' for name in matching.unplaced]
    _demand(*(Wrong(field="columns", sentence=sentence) for sentence in (*wrong, *matching.problems)))
    return tuple((place, replace(fields[place], name=field.name)) for place, field in matching.pairs)


def _said(pairs: Sequence[Pair], fields: Sequence[Field], kept: Existing | None) -> Columns:
    names = [field.name for field in fields]
    there = {column.field.name: column for column in kept.columns} if kept else {}
    found: list[tuple[int, Field]] = []
    wrong: list[Wrong] = []
    for number, pair in enumerate(pairs):
        if names.count(pair.source) != 1:
            several = "several columns" if pair.source in names else "no column"
            wrong.append(_wrong(f"{number}.source", f"The result has {several} of this name."))
        elif kept and (pair.target not in there or there[pair.target].generated):
            wrong.append(_wrong(f"{number}.target", f"{kept.name} has no column of this name that can be written."))
        else:
            place = names.index(pair.source)
            found.append((place, replace(fields[place], name=pair.target)))
    for what, counted in (("source", [pair.source for pair in pairs]), ("target", [pair.target for pair in pairs])):
        twice = [name for name, count in Counter(counted).items() if count > 1]
        wrong += [_wrong(f"*.{what}", f'"{name}" is there more than once.') for name in twice]
    taken = {pair.target for pair in pairs}
    for name, column in there.items():
        if unfilled(column) and name not in taken:
            wrong.append(_wrong("*.target", f'The column "{name}" of the table must have a value.'))
    _demand(*wrong)
    return tuple(found)


def _wrong(field: str, sentence: str) -> Wrong:
    return Wrong(field=f"columns.{field}", sentence=sentence)


def _demand(*wrong: Wrong) -> None:
    if wrong:
        raise unfit(
            "The columns do not find each other. Nothing was written. Say in `columns` what goes where.", *wrong
        )
