"""A query under repair: its tree, its schema, what was repaired and what could not be."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache

from sqlglot import exp

from router.catalog.schema import Schema
from router.language.folding import fold
from router.language.inflection import stem
from router.sql.dialect import DIALECTS, Name
from router.text_to_sql.repair import sources
from router.text_to_sql.repair.join_paths import Ways
from router.text_to_sql.repair.sources import Source


@dataclass(slots=True)
class Query:
    """`notes` say in words what was repaired, for the person; `problems` what was not, for the model."""

    tree: exp.Expr
    schema: Schema
    hops: Ways
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    deserted: set[tuple[int, str]] = field(default_factory=set)
    """SELECTs and aliases that a column was taken away from."""

    @property
    def dialect(self) -> Name:
        """The dialect of the schema's database."""
        return self.schema.dialect

    def selects(self) -> Iterator[exp.Select]:
        """Yield every SELECT, the inner ones first, so that outer ones see their repaired columns."""
        yield from reversed(list(self.tree.find_all(exp.Select)))

    def columns(self, select: exp.Select) -> list[exp.Column]:
        """Return the columns written in this SELECT itself, not in queries within it."""
        found = (node for node in select.find_all(exp.Column) if sources.owner(node) is select)
        return [node for node in found if not isinstance(node.this, exp.Star)]

    def sums(self, select: exp.Select) -> list[exp.Expr]:
        """Return the sums and averages of this SELECT itself: rows that occur several times would make them wrong."""
        return [node for node in select.find_all(exp.Sum, exp.Avg) if node.find_ancestor(exp.Select) is select]

    def redirect(self, column: exp.Column, label: exp.Identifier, name: str) -> None:
        """Let a column mean another one, qualified where it was, or where there are several tables."""
        column.set("this", self.identifier(name))
        if column.table or len(list(self.tree.find_all(exp.Table))) > 1:
            column.set("table", label.copy() if label.name else None)

    def sources(self, select: exp.Select) -> tuple[Source, ...]:
        """Return what the FROM and the JOINs of this SELECT offer."""
        return sources.sources(select, self.schema)

    def note(self, about: str, sentence: str) -> None:
        """Tell the person about a repair, once for each thing that it is about."""
        if about not in self.told:
            self.told.add(about)
            self.notes.append(sentence)

    def problem(self, sentence: str) -> None:
        """Tell the model what is wrong, once."""
        if sentence not in self.problems:
            self.problems.append(sentence)

    def quoted(self, name: str) -> str:
        """Return a name as this dialect writes it."""
        return quoted(name, self.dialect)

    def identifier(self, name: str) -> exp.Identifier:
        """Return the identifier that means `name` in this dialect."""
        return identifier(name, self.dialect)


# Names as a model misspells them: other case, blanks for underscores, plural for singular, a letter off.


_NEAR = 0.84  # measured: below it, "city" begins to match "entity"
_CLEAR = 0.05  # the best spelling must beat the next by this much
_RESERVED_WORDS = """
all and any as asc between by case check column constraint create cross current_date default delete desc distinct else
end except exists fetch for foreign from full group having in index inner insert intersect into is join key left like
limit natural not null offset on or order outer primary references right row rows select set size start table then to
union unique update user using values view when where with
"""
_RESERVED = frozenset(_RESERVED_WORDS.split())
_REMEMBERED = 30_000  # names of columns: a schema of a thousand tables has fewer different ones


def exact(name: str, names: Iterable[str]) -> str | None:
    """Return the one of `names` that is `name`, or else the first that is but for its case."""
    found = [each for each in names if each.lower() == name.lower()]
    return name if name in found else next(iter(found), None)


def alike(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return those of `names` that are `name` but for case, blanks, underscores and plural; each way in turn."""
    everything = tuple(dict.fromkeys(names))
    for key in (str.lower, _folded, _singular):
        found = tuple(each for each in everything if key(each) == key(name))
        if found:
            return found
    return ()


def near(name: str, names: Iterable[str]) -> str | None:
    """Return the one of `names` that `name` surely means, or None where none or several could be meant."""
    everything = tuple(dict.fromkeys(names))
    same = alike(name, everything)
    if same:
        return same[0] if len(same) == 1 else None
    ranked = sorted((SequenceMatcher(None, _folded(name), _folded(each)).ratio(), each) for each in everything)[::-1]
    if not ranked or ranked[0][0] < _NEAR or _folded(name)[:1] != _folded(ranked[0][1])[:1]:
        return None
    return ranked[0][1] if len(ranked) == 1 or ranked[0][0] - ranked[1][0] >= _CLEAR else None


def identifier(name: str, dialect: Name) -> exp.Identifier:
    """Return the identifier that means exactly `name` in this dialect, quoted where it must be."""
    return exp.Identifier(this=name, quoted=needs_quotes(name, dialect))


def needs_quotes(name: str, dialect: Name) -> bool:
    """Tell whether a name means something else, or nothing, when it is written without quotes."""
    regular = name.isascii() and name.isidentifier()
    return not regular or name != _as_folded(name, dialect) or is_reserved(name)


def is_reserved(name: str) -> bool:
    """Tell whether a name is a word of SQL, so that it has to be quoted."""
    return name.lower() in _RESERVED


def means(written: exp.Identifier, name: str, dialect: Name) -> bool:
    """Tell whether an identifier as written means `name` to the database."""
    if DIALECTS[dialect].folds == "none":
        return str(written.this).lower() == name.lower()
    return meaning(written, dialect) == name


def meaning(written: exp.Identifier, dialect: Name) -> str:
    """Return the name that an identifier as written means to the database."""
    text = str(written.this)
    return text if written.args.get("quoted") else _as_folded(text, dialect)


def _as_folded(name: str, dialect: Name) -> str:
    """Return a name as the database takes it where it is written without quotes."""
    return {"lower": name.lower(), "upper": name.upper(), "none": name}[DIALECTS[dialect].folds]


@lru_cache(_REMEMBERED)
def quoted(name: str, dialect: Name) -> str:
    """Return the name as it is written in this dialect."""
    return identifier(name, dialect).sql(dialect=dialect)


@lru_cache(_REMEMBERED)
def _folded(name: str) -> str:
    return fold(name)


@lru_cache(_REMEMBERED)
def _singular(name: str) -> str:
    return stem(_folded(name))
