"""The headline of a query: one short line on what comes out, true of the SQL, though it may leave things out.

Each way of saying it asks for the whole shape that it claims; where none fits, the columns and tables are named.
"""

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from router.language.wording import and_list
from router.sql.headline_line import HEADLINE_MAX_CHARS, Counted, Line, together
from router.sql.measures import Measures, date_part
from router.sql.query_names import foreign, identifies, is_time, key_of, names_it, one, several, words
from router.sql.query_shape import QueryShape, is_key, referred, sums_up
from router.sql.short_filters import filters_of, value
from router.sql.side_by_side import side_by_side

_NUMBERS = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SHOWN_MAX = 4


def headline(tree: exp.Expr, *, known: bool = True) -> tuple[str, str]:
    """Return the headline of a query, and the same as a title without a verb.

    `known`: every part of the query is of a kind that has words; of another, only what it reads is told.
    """
    first = tree.args.get("with_")
    known = known and len(list(tree.find_all(exp.With))) == (first is not None)
    made = {each.alias.lower(): each.this for each in first.expressions} if first else {}
    line = _line(tree, made, kept=foreign(tree)) if known else _modest(tree)
    texts = [line.said(verb=True), line.said(verb=False)]
    if max(map(len, texts)) > HEADLINE_MAX_CHARS:
        line = _modest(tree)
        texts = [line.said(verb=True), line.said(verb=False)]
    return texts[0], texts[1]


def _modest(tree: exp.Expr) -> Line:
    """Return a line that only tells what is read."""
    made = {each.alias.lower() for each in tree.find_all(exp.CTE)}
    tables = [each.name for each in tree.find_all(exp.Table) if each.name and each.name.lower() not in made]
    names = list(dict.fromkeys(words(each, kept=foreign(tree)) for each in tables))
    told = and_list(names) if len(and_list(names)) < 60 else f"{len(names)} tables" if len(names) > 1 else "one table"
    return Line("Shows", f"a result worked out from {told}" if names else "a calculated value")


def _line(node: exp.Expr, made: Mapping[str, exp.Expr], *, kept: bool) -> Line:
    match node:
        case exp.Subquery() | exp.Paren():
            bare = not any(node.args.get(each) for each in ("limit", "order", "offset", "joins"))
            return _line(node.this, made, kept=kept) if bare else _modest(node)
        case exp.SetOperation():
            return together(node, [_line(side, made, kept=kept) for side in (node.left, node.right)])
        case exp.Select():
            if node.args.get("from_") is None:
                return _modest(node)
            return _Writer(QueryShape(node, made), kept=kept).line()
    return _modest(node)


class _Writer:
    """Writes the line of one SELECT."""

    def __init__(self, shape: QueryShape, *, kept: bool) -> None:
        self.shape, self.select, self.kept = shape, shape.select, kept
        self.measures = Measures(shape, kept=kept)
        self.filters = filters_of(shape, self.measures)
        items = list(self.select.expressions)
        self.sums = [item for item in items if sums_up(item)]
        self.plain = [item for item in items if not sums_up(item)]

    def line(self) -> Line:
        if not _plain_query(self.select):
            return _modest(self.select)
        compared = side_by_side(self.shape, self.measures)
        if compared:
            return Line(
                "Puts", compared, filters_of(self.shape, self.measures, inside=False), aside=True, end=self._cut()
            )
        if self.shape.keys:
            line = self._ranked() or self._grouped()
        elif self.sums:
            line = self._whole()
        else:
            line = self._first() or self._listed()
        return line

    # Groups.

    def group(self) -> tuple[str, ...]:
        """Return what the query groups by, each as a noun; names and details of what has a key are left to the key."""
        found: list[str] = []
        named = [key for key in self.shape.keys if isinstance(key, exp.Column)]
        whole = {self._source(key) for key in named if self._is_key(key)}
        for key in self.shape.keys:
            if isinstance(key, exp.Column):
                if self._source(key) in whole - {""} and not self._is_key(key) and not key_of(key.name):
                    continue
                found.append(self._thing(key))
            else:
                found.append(date_part(key) or "a calculated value")
        return tuple(dict.fromkeys(found))

    def _source(self, column: exp.Column) -> str:
        source = self.shape.source_of(column)
        return source.alias if source else ""

    def _is_key(self, column: exp.Column) -> bool:
        source = self.shape.source_of(column)
        return bool(source and source.table) and identifies(column.name, source.table if source else "") == 2

    def _thing(self, column: exp.Column) -> str:
        """Return what a column stands for: "customer" for their ids and names."""
        source = self.shape.source_of(column)
        known = source is not None and source.table
        if source is not None and known and (identifies(column.name, known) or names_it(column.name, known)):
            return one(self.measures.role(source), kept=self.kept)
        if source is not None and source.query is not None:
            inner = self._inner_column(source.query, column)
            if inner is not None:
                return inner
        name = words(column.name, kept=self.kept)
        return (
            key_of(column.name)
            if key_of(column.name) and column.name.lower().endswith("id")
            else (self.measures.column(column) if name else name)
        )

    def _inner_column(self, query: exp.Expr, column: exp.Column) -> str | None:
        """Return what a column of an inner query stands for there, where it is a column there too."""
        if not isinstance(query, exp.Select) or query.args.get("from_") is None or query is self.select:
            return None
        items = [each for each in query.expressions if each.alias_or_name.lower() == column.name.lower()]
        if len(items) != 1:
            return None
        inner, writer = items[0].unalias(), _Writer(QueryShape(query, self.shape.made), kept=self.kept)
        if isinstance(inner, exp.Column) and not isinstance(inner.this, exp.Star):
            return writer._thing(inner)
        return date_part(inner) or None

    def _shown_figures(self) -> list[str]:
        said = [self.measures.of(item) for item in self.select.expressions if self._is_figure(item)]
        return _joined(list(dict.fromkeys(said)))

    def _is_figure(self, item: exp.Expr) -> bool:
        plain = isinstance(item.unalias(), exp.Column | exp.Star) or is_key(item, self.shape.keys)
        return sums_up(item) or (not plain and not date_part(item.unalias()))

    def _grouped(self) -> Line:
        """Return "revenue by region"."""
        groups, figures = self.group(), self._shown_figures()
        by = and_list(groups)
        having = self._having()
        filters = replace(self.filters, more=self.filters.more or having is None)
        whose = f" with {having}" if having else ""
        if not figures:
            # Groups without a figure are a list of what is different.
            shown = and_list([self._column(item) for item in self.plain][:_SHOWN_MAX])
            things = and_list([several(each, kept=self.kept) for each in groups])
            if self._tells(groups):
                return Line("Lists", f"{things}{whose}", filters, aside=True, end=self._cut())
            owner = and_list([f"each {each}" for each in groups])
            return Line("Lists", f"{shown} of {owner}{whose}", filters, aside=True, end=self._cut())
        what = and_list(figures) if len(figures) <= _SHOWN_MAX else f"{len(figures)} figures"
        where = f", only those{whose}" if whose else ""
        return Line(
            "",
            f"{what} by {by}{where}",
            filters,
            aside=True,
            short=f"{len(figures)} figures by {by}{where}" if len(figures) > 1 else "",
            end=self._cut(),
        )

    def _tells(self, groups: tuple[str, ...]) -> bool:
        """Tell whether the columns shown are the names or keys of the groups, and no more."""
        if any(item.is_star for item in self.plain):
            return False
        shown = [self._thing(each) for item in self.plain if isinstance(each := item.unalias(), exp.Column)]
        return bool(shown) and set(shown) <= set(groups)

    def _column(self, item: exp.Expr) -> str:
        if item.is_star:
            return "all columns"
        node = item.unalias()
        return self.measures.of(item) if not isinstance(node, exp.Column) else self.measures.of(node)

    def _having(self) -> str | None:
        """Return the condition on groups as what follows "with", "" where there is none, None where it is long."""
        having = self.select.args.get("having")
        if having is None:
            return ""
        node = having.this.unnest()
        right = value(node.args["expression"]) if isinstance(node.args.get("expression"), exp.Expr) else ""
        if not right or not isinstance(node, exp.EQ | exp.GT | exp.GTE | exp.LT | exp.LTE):
            return None
        left = node.this
        if isinstance(left, exp.Column):
            left = next((i.unalias() for i in self.sums if i.alias.lower() == left.name.lower()), left)
        if isinstance(left, exp.Count):
            how = {
                exp.EQ: "exactly",
                exp.GT: "more than",
                exp.GTE: "at least",
                exp.LT: "fewer than",
                exp.LTE: "at most",
            }
            what = self.measures.counted(left)
            return f"{how[type(node)]} {right} {one(what, kept=self.kept) if right == '1' else what}"
        how = {exp.EQ: "of", exp.GT: "over", exp.GTE: "of at least", exp.LT: "under", exp.LTE: "of at most"}
        what = self.measures.of(left) if sums_up(left) else ""
        return f"{what} {how[type(node)]} {right}" if what and "calculated" not in what else None

    # Rankings.

    def _limit(self) -> int | None:
        """Return the number of rows that are shown, 0 for all, None for a number that is not known."""
        limit = self.select.args.get("limit")
        if limit is None:
            return 0
        count = limit.args.get("expression") or limit.args.get("count")
        options = limit.args.get("limit_options")
        plain = isinstance(count, exp.Literal) and count.is_int and not options
        return int(count.name) if plain and count is not None else None

    def _cut(self) -> str:
        """Return that not all rows are shown."""
        limit, offset = self._limit(), self.select.args.get("offset")
        if offset is not None or limit is None:
            return ", some of the rows"
        if not limit:
            return ""
        order = "first" if self.select.args.get("order") else "any"
        return f", {order} {limit} row{'s' if limit > 1 else ''}"

    def _top(self) -> tuple[str, bool, exp.Expr] | None:
        """Return how many come out, whether from the top, and by what; None where the query is no ranking."""
        order, limit = self.select.args.get("order"), self._limit()
        if not order or not limit or self.select.args.get("offset") or self.select.args.get("distinct"):
            return None
        key = order.expressions[0]
        count = "" if limit == 1 else _NUMBERS[limit] if limit < len(_NUMBERS) else str(limit)
        node = referred(self.select, key.this)
        return count, bool(key.args.get("desc")), node

    def _ranked(self) -> Line | None:
        """Return "the five customers with the most revenue"."""
        top, groups = self._top(), self.group()
        if top is None or len(groups) != 1:
            return None
        count, down, node = top
        item = next((each for each in self.sums if each.unalias() == node and each.alias), node)
        if not sums_up(node) or (isinstance(node, exp.Column)):
            return None
        thing = groups[0] if not count else several(groups[0], kept=self.kept)
        having = self._having()
        extra = f" and {having}" if having else ""
        filters = replace(self.filters, more=self.filters.more or having is None)
        noun = short = f"the {count} {thing} with the {self._most(item, down)}{extra}".replace("the  ", "the ")
        shown = [self._column(each) for each in self.plain]
        if self.plain and not self._tells(groups):
            noun = f"{and_list(shown[:_SHOWN_MAX])} of {noun}"
        elif not self.plain:
            noun = f"{and_list(self._shown_figures())} of {noun}"
        verb = "" if noun.startswith("the ") else "Shows"
        return Line(verb, noun, filters, aside=True, short=short if self.plain else "")

    def _most(self, item: exp.Expr, down: bool) -> str:
        node = item.unalias()
        if isinstance(node, exp.Count):
            return f"{'most' if down else 'fewest'} {self.measures.counted(node)}"
        said = self.measures.of(item)
        if isinstance(node, exp.Sum) and not said.startswith("total "):
            return f"{'most' if down else 'least'} {said}"
        timely = any(is_time(each.name) for each in node.find_all(exp.Column)) and isinstance(node, exp.Max | exp.Min)
        return f"{('latest' if down else 'earliest') if timely else ('highest' if down else 'lowest')} {said}"

    def _first(self) -> Line | None:
        """Return "the three stores with the highest size"."""
        top = self._top()
        if top is None or not self.shape.entity or any(source.query for source in self.shape.sources.values()):
            return None
        count, down, node = top
        if not isinstance(node, exp.Column) or node.name.lower().endswith(("name", "title", "id", "code")):
            return None
        things = self.measures.entity()
        entity = self.shape.sources[self.shape.entity]
        thing = things if count else one(things, kept=self.kept)
        by = self.measures.column(node)
        word = ("latest" if down else "earliest") if is_time(node.name) else ("highest" if down else "lowest")
        noun = short = f"the {count} {thing} with the {word} {by}".replace("the  ", "the ")
        columns = [each for item in self.plain if isinstance(each := item.unalias(), exp.Column)]
        tells = any(names_it(c.name, entity.table) and self._source(c) in (entity.alias, "") for c in columns)
        if not tells and not any(item.is_star for item in self.plain):
            noun = f"{self._columns()} of {noun}"
        verb = "" if noun.startswith("the ") else "Shows"
        return Line(verb, noun, self.filters, aside=True, short=short)

    # Lists and figures of the whole.

    def _columns(self) -> str:
        shown = list(dict.fromkeys(self._column(item) for item in self.plain))
        if len(shown) > _SHOWN_MAX:
            return f"{', '.join(shown[: _SHOWN_MAX - 1])} and {len(shown) - _SHOWN_MAX + 1} more columns"
        return and_list(shown)

    def _shortened(self) -> str:
        """Return the first column, and how many more there are."""
        more = len(self.plain) - 1
        first = self._column(self.plain[0]) if self.plain else ""
        return f"{first} and {more} more column{'s' if more > 1 else ''}" if more else first

    def _of(self) -> str:
        """Return where the rows come from: " of orders", or " from orders and items"."""
        if self.shape.entity:
            noun = self.measures.entity()
            return f"of {noun}" if noun != "rows" else self._each()
        nouns = dict.fromkeys(self.measures.entity(alias) for alias in self.shape.sources)
        tables = [noun for noun in nouns if noun != "rows"]
        return f"from {and_list(tables)}" if tables else ""

    def _each(self) -> str:
        """Return what a row of the only inner query stands for: "for each customer", or ""."""
        queries = [each.query for each in self.shape.sources.values()]
        inner = queries[0] if len(queries) == 1 else None
        if not isinstance(inner, exp.Select) or inner is self.select or not self.sums:
            return ""
        groups = _Writer(QueryShape(inner, self.shape.made), kept=self.kept).group()
        return f"by {and_list(groups)}" if groups else ""

    def _listed(self) -> Line:
        of = self._of()
        if self.select.args.get("distinct"):
            shown = list(dict.fromkeys(self._column(item) for item in self.plain))
            what = short = several(shown[0], kept=self.kept)
            if len(shown) > 1:
                what, short = f"combinations of {self._columns()}", f"combinations of {self._shortened()}"
            return Line("Lists", f"different {what} {of}", self.filters, short=f"different {short}", end=self._cut())
        own = any(item.is_star for item in self.plain)
        if own and len(self.plain) == 1 and self.shape.entity:
            return Line("Lists", self.measures.entity(), self.filters, end=self._cut())
        return Line(
            "Lists",
            f"{self._columns()} {of}",
            self.filters,
            short=f"{self._shortened()} {of}",
            aside="from" in of[:4],
            end=self._cut(),
        )

    def _whole(self) -> Line:
        """Return "number of orders with status “open”"."""
        figures = self._shown_figures()
        having = ", only if a condition is met" if self.select.args.get("having") else ""
        cut = having + (", some of the rows" if self.select.args.get("offset") else "")
        if len(figures) == 1 and isinstance(self.sums[0].unalias(), exp.Count) and len(self.sums) == 1:
            counted = self.measures.counted(self.sums[0].unalias())
            node = self.sums[0].unalias()
            apart = " " + self._of() if isinstance(node.this, exp.Distinct) or counted == "rows" else ""
            if not self.plain:
                title = Line("Number of", f"{counted}{apart}", self.filters, end=cut)
                return Counted(title.verb, title.noun, title.filters, end=cut)
        of = self._of()
        together = [self._column(item) for item in self.plain if not self._is_figure(item)]
        what = and_list([*figures, *together][:_SHOWN_MAX])
        says = any(figure.startswith("number of") for figure in figures) and of.startswith("of")
        noun = what if says and of.removeprefix("of ") in what else f"{what} {of}"
        return Line(
            "",
            noun,
            self.filters,
            aside=says and noun is what,
            short=f"{len(figures)} figures {of}" if len(figures) > 1 else "",
            end=cut,
        )


def _joined(figures: list[str]) -> list[str]:
    """Return "lowest and highest age" for two figures of one thing."""
    things = {figure.partition(" ")[2] for figure in figures}
    first = [figure.partition(" ")[0] for figure in figures]
    if len(figures) > 1 and len(things) == 1 and set(first) <= {"average", "total", "lowest", "highest"}:
        return [f"{and_list(first)} {things.pop()}"]
    return figures


_KNOWN = {"expressions", "from_", "joins", "where", "group", "having", "order", "limit", "offset", "distinct", "with_"}


def _plain_query(select: exp.Select) -> bool:
    """Tell whether a SELECT has only clauses that are known here."""
    group, distinct = select.args.get("group"), select.args.get("distinct")
    odd = any(found and key not in _KNOWN for key, found in select.args.items())
    grouping = group is not None and any(found and key != "expressions" for key, found in group.args.items())
    grouping = grouping or (group is not None and group.find(exp.Rollup, exp.Cube, exp.GroupingSets) is not None)
    picky = distinct is not None and bool(distinct.args.get("on"))
    kinds = any((j.kind or "").upper() not in ("", "INNER", "OUTER", "CROSS") for j in select.args.get("joins") or ())
    return not (odd or grouping or picky or kinds)
