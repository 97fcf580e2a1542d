"""A query under repair: its tree, its schema, its names, what each SELECT reads from, and what came of the repair."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TypeVar

from sqlglot import exp

from router.catalog.schema import Column, Schema, SchemaTable
from router.catalog.sensitive_columns import split_words
from router.language.folding import fold
from router.language.inflection import stem
from router.sql.dialect import DIALECTS, Name
from router.text_to_sql.repair.join_paths import Ways

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
    """Return the one of `names` that `name` surely means, or None if none or several could be meant."""
    everything = tuple(dict.fromkeys(names))
    same = alike(name, everything)
    if same:
        return same[0] if len(same) == 1 else None
    ranked = sorted((SequenceMatcher(None, _folded(name), _folded(each)).ratio(), each) for each in everything)[::-1]
    if not ranked or ranked[0][0] < _NEAR or _folded(name)[:1] != _folded(ranked[0][1])[:1]:
        return None
    return ranked[0][1] if len(ranked) == 1 or ranked[0][0] - ranked[1][0] >= _CLEAR else None


def identifier(name: str, dialect: Name) -> exp.Identifier:
    """Return the identifier that means exactly `name` in this dialect, quoted if it would mean something else."""
    regular = name.isascii() and name.isidentifier()
    plain = regular and name == _as_folded(name, dialect) and not is_reserved(name)
    return exp.Identifier(this=name, quoted=not plain)


def is_reserved(name: str) -> bool:
    """Return whether a name is a word of SQL, so that it has to be quoted."""
    return name.lower() in _RESERVED


def means(written: exp.Identifier, name: str, dialect: Name) -> bool:
    """Return whether an identifier as written means `name` to the database."""
    if DIALECTS[dialect].folds == "none":
        return str(written.this).lower() == name.lower()
    return meaning(written, dialect) == name


def meaning(written: exp.Identifier, dialect: Name) -> str:
    """Return the name that an identifier as written means to the database."""
    text = str(written.this)
    return text if written.args.get("quoted") else _as_folded(text, dialect)


def _as_folded(name: str, dialect: Name) -> str:
    """Return a name as the database takes it if it is written without quotes."""
    return {"lower": name.lower(), "upper": name.upper(), "none": name}[DIALECTS[dialect].folds]


@lru_cache(_REMEMBERED)
def quoted(name: str, dialect: Name) -> str:
    """Return the name as it is written in this dialect."""
    return identifier(name, dialect).sql(dialect=dialect)


_folded = lru_cache(_REMEMBERED)(fold)


@lru_cache(_REMEMBERED)
def _singular(name: str) -> str:
    return stem(_folded(name))


def words(text: str) -> frozenset[str]:
    """Return the words of a text or a name in lower case, without their plural."""
    return frozenset(stem(word) for word in split_words(text))


# The sources of each SELECT: tables, views and inner queries, with the columns that they offer.


@dataclass(frozen=True, slots=True)
class FromItem:
    """One entry of a FROM or JOIN: its columns, None if they cannot be known; `table` if it is one of the schema's.

    `label` is its alias (or name) as it is written.
    """

    label: exp.Identifier
    columns: tuple[str, ...] | None
    table: SchemaTable | None = None

    @property
    def alias(self) -> str:
        """The name that columns are qualified with."""
        return str(self.label.this)

    def has(self, column: str) -> bool:
        """Return whether a column of this name is there, compared without case; False if nothing is known."""
        return any(name.lower() == column.lower() for name in self.columns or ())


def sources(select: exp.Select, schema: Schema) -> tuple[FromItem, ...]:
    """Return what the FROM and the JOINs of one SELECT offer, in their order."""
    return tuple(_source(node, schema) for node in entries(select))


def entries(select: exp.Select) -> tuple[exp.Expr, ...]:
    """Return the nodes of FROM and JOIN, parentheses around joins opened."""
    found: list[exp.Expr] = []
    start = select.args.get("from_")
    nodes = [start.this] if start else []
    nodes += [join.this for join in select.args.get("joins") or ()] + list(select.args.get("laterals") or ())
    for node in nodes:
        found += _opened(node)
    return tuple(found)


def visible(select: exp.Select, schema: Schema) -> Iterator[tuple[FromItem, ...]]:
    """Yield the sources that names in this SELECT may mean: its own, then those of each query around it."""
    yield sources(select, schema)
    node: exp.Expr = select
    derived = False
    while (parent := node.parent) is not None and not isinstance(parent, exp.CTE):
        if isinstance(parent, exp.From | exp.Join):
            derived = node.arg_key == "this" and not isinstance(node, exp.Lateral)
        elif isinstance(parent, exp.Select):
            if not derived:
                yield sources(parent, schema)
            derived = False
        node = parent


def conjuncts(condition: exp.Expr | None) -> list[exp.Expr]:
    """Return the conditions that all have to hold: of a WHERE, of an ON, or of nothing."""
    whole = condition.this if isinstance(condition, exp.Where) else condition
    return [] if whole is None else list(whole.flatten()) if isinstance(whole, exp.And) else [whole]


def owner(node: exp.Expr) -> exp.Expr | None:
    """Return the nearest query around a node: the SELECT whose names it uses, or a UNION for its ORDER BY."""
    return node.find_ancestor(exp.Select, exp.SetOperation)


def is_output(select: exp.Select, column: exp.Column) -> bool:
    """Return whether the column is a name that this SELECT gives to one of its results."""
    return any(item.alias.lower() == column.name.lower() for item in select.expressions if item.alias)


def source_of(node: exp.Column, schema: Schema) -> FromItem | None:
    """Return the source that a column of the query is taken from, if that is certain."""
    select = owner(node)
    for scope in visible(select, schema) if isinstance(select, exp.Select) else ():
        wanted = [s for s in scope if not node.table or s.alias.lower() == node.table.lower()]
        found = [s for s in wanted if s.has(node.name)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def column_of(node: exp.Column, schema: Schema) -> Column | None:
    """Return the table's column that a column of the query means, if that is certain."""
    source = source_of(node, schema)
    columns = source.table.columns if source and source.table else ()
    return next((column for column in columns if column.name.lower() == node.name.lower()), None)


def outputs(query: exp.Expr, schema: Schema, depth: int = 0) -> tuple[str, ...] | None:
    """Return the names of a query's columns, or None if a star hides them."""
    if isinstance(query, exp.Subquery):
        return outputs(query.this, schema, depth)
    if isinstance(query, exp.SetOperation):
        return outputs(query.left, schema, depth)
    if not isinstance(query, exp.Select) or depth > 20:
        return None
    names: list[str] = []
    for item in query.expressions:
        if item.is_star:
            qualifier = item.table if isinstance(item, exp.Column) else ""
            for source in (_source(node, schema, depth + 1) for node in entries(query)):
                if source.columns is None:
                    return None
                if not qualifier or source.alias.lower() == qualifier.lower():
                    names += source.columns
        else:
            names.append(item.output_name)
    return tuple(names)


def _opened(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.Paren) or (isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table)):
        inner = _opened(node.this)
    else:
        inner = [node]
    return inner + [n for join in node.args.get("joins") or () for n in _opened(join.this)]


def _source(node: exp.Expr, schema: Schema, depth: int = 0) -> FromItem:
    label = _label(node)
    renamed = tuple(node.alias_column_names) if isinstance(node, exp.Table | exp.Subquery) else ()
    if isinstance(node, exp.Subquery):
        return FromItem(label, renamed or outputs(node.this, schema, depth + 1))
    if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
        return FromItem(label, renamed or None)
    entry = None if node.db else cte(node)
    if entry is not None:
        named = tuple(entry.alias_column_names)
        return FromItem(label, renamed or named or outputs(entry.this, schema, depth + 1))
    elsewhere = node.db and node.db.lower() != schema.name.lower()  # of which nothing is known
    table = None if elsewhere else schema.table(node.name)
    columns = tuple(column.name for column in table.columns) if table else None
    return FromItem(label, renamed or columns, table)


def _label(node: exp.Expr) -> exp.Identifier:
    alias = node.args.get("alias")
    written = alias.this if isinstance(alias, exp.TableAlias) else node.this
    return written if isinstance(written, exp.Identifier) else exp.Identifier(this=node.alias_or_name, quoted=False)


def cte(table: exp.Table) -> exp.CTE | None:
    """Return the WITH entry that a bare table name means; an entry sees those before it, and itself if recursive."""
    node: exp.Expr | None = table
    inside: exp.Expr | None = None
    while node is not None:
        inside = node if isinstance(node, exp.CTE) else inside
        with_ = node.args.get("with_") or exp.With()
        for entry in with_.expressions:
            if entry is inside and not with_.args.get("recursive"):
                break
            if isinstance(entry, exp.CTE) and entry.alias.lower() == table.name.lower():
                return entry
        node = node.parent
    return None


# The query.

Node = TypeVar("Node", bound=exp.Expr)


@dataclass(slots=True)
class Query:
    """`notes` say in words what was repaired, for the person; `problems` what was not, for the model."""

    tree: exp.Expr
    schema: Schema
    hops: Ways
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    said: frozenset[str] = frozenset()
    """The words of the question in lower case, without their plural."""
    told: set[str] = field(default_factory=set)
    added: dict[tuple[int, str, str], exp.Identifier] = field(default_factory=dict)
    """Labels of tables that were joined since the question names them, by SELECT, by the alias that leads there."""

    @property
    def dialect(self) -> Name:
        """The dialect of the schema's database."""
        return self.schema.dialect

    def selects(self) -> Iterator[exp.Select]:
        """Yield every SELECT, the inner ones first, so that outer ones see their repaired columns."""
        yield from reversed(list(self.tree.find_all(exp.Select)))

    def columns(self, select: exp.Select) -> list[exp.Column]:
        """Return the columns written in this SELECT itself, not in queries within it."""
        found = (node for node in select.find_all(exp.Column) if owner(node) is select)
        return [node for node in found if not isinstance(node.this, exp.Star)]

    def sums(self, select: exp.Select) -> list[exp.Expr]:
        """Return the sums and averages of this SELECT itself: rows that occur several times would make them wrong."""
        return self.nodes(select, exp.Sum, exp.Avg)

    def nodes(self, select: exp.Select, *kinds: type[Node]) -> list[Node]:
        """Return the nodes of these kinds in this SELECT itself, not in queries within it."""
        return [node for node in select.find_all(*kinds) if node.find_ancestor(exp.Select) is select]

    def redirect(self, column: exp.Column, label: exp.Identifier, name: str) -> None:
        """Let a column mean another one, qualified where it was, or if there are several tables."""
        column.set("this", self.identifier(name))
        if column.table or len(list(self.tree.find_all(exp.Table))) > 1:
            column.set("table", label.copy() if label.name else None)

    def sources(self, select: exp.Select) -> tuple[FromItem, ...]:
        """Return what the FROM and the JOINs of this SELECT offer."""
        return sources(select, self.schema)

    def note(self, about: str, sentence: str) -> None:
        """Note a repair for the person, once for each thing that it is about."""
        if about not in self.told:
            self.told.add(about)
            self.notes.append(sentence)

    def problem(self, sentence: str) -> None:
        """Note a problem for the model, once."""
        if sentence not in self.problems:
            self.problems.append(sentence)

    def quoted(self, name: str) -> str:
        """Return a name as this dialect writes it."""
        return quoted(name, self.dialect)

    def identifier(self, name: str) -> exp.Identifier:
        """Return the identifier that means `name` in this dialect."""
        return identifier(name, self.dialect)
