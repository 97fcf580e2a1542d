"""Names as a model misspells them: other case, blanks for underscores, plural for singular, a letter off."""

from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

from sqlglot import exp

from router.language.folding import fold
from router.language.inflection import stem
from router.sql.dialect import DIALECTS, Name

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
    """Return the identifier that means exactly `name` in this dialect, quoted where it would mean something else."""
    regular = name.isascii() and name.isidentifier()
    plain = regular and name == _as_folded(name, dialect) and not is_reserved(name)
    return exp.Identifier(this=name, quoted=not plain)


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


_folded = lru_cache(_REMEMBERED)(fold)


@lru_cache(_REMEMBERED)
def _singular(name: str) -> str:
    return stem(_folded(name))
