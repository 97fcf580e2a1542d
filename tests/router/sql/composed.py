"""Statements composed by chance of allowed and foreign names, in places where they may mean something else.

Most names are drawn from the sources of the same query, so that many statements run; the others are hidden columns,
tables of others, functions named as columns, and aliases that collide with all of these.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from router.sql.dialect import Name

TABLES = {
    "people": ("id", "name", "team"),
    "guests": ("id", "name", "host"),
    "badges": ("id", "ssn", "year"),
    "staff": ("id", "name"),
}
"""What may be read, with the readable columns in their order."""

HIDDEN = ("salary", "ssn")
FOREIGN_TABLES = ("secrets", "vault", "pay", "nosuch", "main.secrets", "public.secrets", "information_schema.tables")
FOREIGN_COLUMNS = (*HIDDEN, "pw", "leak", "upper", "count", "text", "ts_stat", "to_json", "rowid", "ctid", "nosuch")
ALIASES = ("a", "b", "people", "guests", "secrets", "pay", "salary", "ssn", "leak", "id", "name", "main", "public")
WIDTH = {"people": 5, "guests": 4, "badges": 3, "staff": 2}
"""How many columns each table really has, with the hidden ones."""

T = TypeVar("T")
TEXT: dict[Name, str] = {"sqlite": "TEXT", "duckdb": "TEXT", "postgres": "TEXT", "mysql": "CHAR"}


@dataclass(slots=True)
class Names:
    """The sources (name, columns) that are in sight, and the WITH queries."""

    sources: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    queries: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def inside(self) -> "Names":
        """Return what a query inside this one sees."""
        return Names(list(self.sources), list(self.queries))


class Composer:
    """Draws the parts of one statement."""

    def __init__(self, chance: Random, dialect: Name) -> None:
        self._chance, self._dialect = chance, dialect

    def query(self, names: Names, depth: int, width: int = 0) -> tuple[str, tuple[str, ...]]:
        """Return a SELECT, and the names of its columns as far as they are known."""
        names, opening = names.inside(), ""
        if depth > 0 and self._often(4):
            opening = self._with(names, depth - 1)
        before = len(names.sources)
        sources = self._sources(names, depth)
        names.sources = names.sources[before:] + names.sources[:before]  # the nearest first
        items, outputs = self._items(names, depth, width)
        text = f"{opening}SELECT {self._one(('', '', '', 'DISTINCT '))}{items} FROM {sources}"
        if self._often(2):
            text += f" WHERE {self._condition(names, depth)}"
        if self._often(12):
            text += f" GROUP BY {self._value(names, 0)}"
        if self._often(20):
            text += f" HAVING {self._condition(names, 0)}"
        if depth > 0 and self._often(6):
            text += f" {self._one(('UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT'))} "
            text += self.query(Names(queries=names.queries), 0, len(outputs))[0]
        elif self._often(3):
            text += f" ORDER BY {self._one(('1', '1', '4', *[self._value(names, depth - 1)] * 3))}"
        return text, outputs

    def _with(self, names: Names, depth: int) -> str:
        name = self._one(ALIASES)
        text, outputs = self.query(names, depth)
        renamed = self._often(3)
        columns = tuple(f"c{n}" for n in range(len(outputs) + self._one((0, 0, 0, 2)))) if renamed else outputs
        names.queries.append((name, columns))
        kind = self._one(("", "", "RECURSIVE "))
        return f"WITH {kind}{name}{'(' + ', '.join(columns) + ')' if renamed else ''} AS ({text}) "

    def _sources(self, names: Names, depth: int) -> str:
        text = self._source(names, depth)
        for _ in range(self._one((0, 0, 1, 1, 2))):
            kind = self._one((", ", " CROSS JOIN ", " NATURAL JOIN ", " JOIN ", " LEFT JOIN ", " JOIN ", " LEFT JOIN "))
            here = self._source(names, depth, lateral=kind != " NATURAL JOIN ")
            text += kind + here
            if kind in (" JOIN ", " LEFT JOIN "):
                column = self._one(("id", "id", "id", "id", "name", "name", "ssn", "salary"))
                using = f" USING ({column})"
                text += self._one((using, f" ON {self._condition(names, 0)}"))
        return text

    def _source(self, names: Names, depth: int, lateral: bool = False) -> str:
        inner = ("query",) * 4 + ("function",) * 2
        kind = self._one(("table",) * 16 + ("foreign",) + (inner if depth > 0 else ()))
        alias = self._one(ALIASES)
        if kind == "query":
            seen = names if lateral and self._often(2) else Names(queries=names.queries)
            text, columns = self.query(seen, depth - 1)
            text = f"{'LATERAL ' if seen is names else ''}({text})"
        elif kind == "function":
            text = self._function(names)
            columns = ({"postgres": alias, "duckdb": "unnest"}.get(self._dialect, "value"),)
        elif kind == "foreign":
            text, columns = self._one(FOREIGN_TABLES), ("id", "pw")
        elif names.queries and self._often(2):
            text, columns = self._one(names.queries)
        else:
            text = self._one(tuple(TABLES))
            columns = TABLES[text]
            if self._often(2):
                names.sources.append((text, columns))
                return text
        if self._often(8):
            count = self._one((len(columns), len(columns), WIDTH.get(text, len(columns))))
            columns = tuple(f"c{n}" for n in range(count))
            alias_text = f"{alias}({', '.join(columns)})" if columns else alias
        else:
            alias_text = alias
        names.sources.append((alias, columns))
        return f"{text} AS {alias_text}"

    def _function(self, names: Names) -> str:
        inner = self._value(names, 0)
        of: dict[Name, tuple[str, ...]] = {
            "sqlite": ("json_each({})", "json_each('[1, 2]')", "leak({})"),
            "duckdb": ("unnest([{}])", "unnest(['x'])", "query_table('secrets')", "histogram_values('pay', salary)"),
            "postgres": (
                *("unnest(ARRAY[{}])", "unnest(ARRAY[{}])", "unnest(ARRAY['x'])", "generate_series(1, 2)"),
                "concat({})",
            ),
            "mysql": (
                "JSON_TABLE(JSON_ARRAY({}), '$[*]' COLUMNS (value VARCHAR(40) PATH '$'))",
                "JSON_TABLE('[1, 2]', '$[*]' COLUMNS (value INT PATH '$'))",
            ),
        }
        return self._one(of[self._dialect]).format(inner)

    def _items(self, names: Names, depth: int, width: int) -> tuple[str, tuple[str, ...]]:
        if not width and self._often(4):
            name, columns = self._one(names.sources)
            if self._often(2):
                return "*", tuple(column for _, each in names.sources for column in each)
            return f"{name}.*", columns
        items, outputs = [], []
        for number in range(width or self._one((1, 1, 2, 3))):
            output = self._one((f"x{number}", f"x{number}", *HIDDEN, "id", "name", "leak"))
            items.append(f"{self._value(names, depth)} AS {output}")
            outputs.append(output)
        return ", ".join(items), tuple(outputs)

    def _condition(self, names: Names, depth: int) -> str:
        left, right = self._value(names, depth), self._value(names, 0)
        forms = [f"{left} = {right}", f"{left} <> ''", f"{left} IS NULL", f"{left} IS NOT NULL", f"{left} < {right}"]
        forms += [f"{left} IN ({right}, '1')", f"NOT ({left} LIKE '%1%')", f"{left} BETWEEN '1' AND {right}"]
        if depth > 0:
            inner = self.query(names, depth - 1, 1)[0]
            forms += [f"EXISTS ({inner})", f"{left} IN ({inner})", f"{left} = (SELECT MAX({right}) FROM badges)"]
        return self._one(tuple(forms))

    def _value(self, names: Names, depth: int) -> str:
        if depth <= 0 or self._often(2):
            return self._name(names)
        inner = self._value(names, depth - 1)
        forms = [
            *("UPPER({})", "COALESCE({}, 'none')", "MAX({})", "MIN({})", "({})", "NULLIF({}, '1')"),
            f"CAST(COUNT({{}}) AS {TEXT[self._dialect]})",
            f"CAST(COUNT(*) OVER (ORDER BY {{}}) AS {TEXT[self._dialect]})",
            "MAX({}) OVER (PARTITION BY " + self._name(names) + ")",
            "CASE WHEN " + self._condition(names, 0) + " THEN {} ELSE '' END",
            "(SELECT {})",
        ]
        if self._often(3):
            return f"({self.query(names, depth - 1, 1)[0]}{self._one(('', ' LIMIT 1'))})"
        return self._one(tuple(forms)).format(inner)

    def _name(self, names: Names) -> str:
        """Return a column that is in sight, or a name that had better be refused."""
        name, columns = self._one(names.sources) if names.sources else (self._one(ALIASES), ("id",))
        column = self._one(columns or ("id",))
        if not self._often(14):
            return f"{name}.{column}"
        other, foreign = self._one(ALIASES), self._one(FOREIGN_COLUMNS)
        forms = [column, column, f"'{column}'", f"{name}.{foreign}", foreign, name, f"{other}.{column}"]
        forms += [f"({name}).{foreign}", f"({name}.{column}).{foreign}", f"{name}.{column}.{foreign}", f'"{foreign}"']
        return self._one((*forms, f"main.{name}.{column}", f"public.{name}.{column}", f"{other}.{foreign}"))

    def _one(self, choices: Sequence[T]) -> T:
        return self._chance.choice(choices)

    def _often(self, one_in: int) -> bool:
        return self._chance.randrange(one_in) == 0


def statements(dialect: Name) -> st.SearchStrategy[str]:
    """Draw one statement: from a seed, since hypothesis repeats a drawn part too often for a statement to run."""
    seeds = st.integers(0, 2**64 - 1)
    return seeds.map(lambda seed: Composer(Random(seed), dialect).query(Names(), depth=2)[0])
