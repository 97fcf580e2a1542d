"""sqlglot's parsers and generators, corrected to keep what is typed: a dialect is read, and written as it was read.

What sqlglot would write otherwise was found by running statements before and after on real databases, and by reading
the manuals of the others; `typed_text` finds what is left.
"""

from collections.abc import Collection
from functools import cache, partial
from typing import Any, cast

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.expressions import DType
from sqlglot.generator import Generator
from sqlglot.tokenizer_core import Token, TokenType

from router.sql.dialect import DIALECTS, EVERY_DIALECT, Name


@cache
def settings(dialect: Name) -> Dialect:
    """Return the dialect's rules, with indexes of arrays and paths of JSON as they are typed."""
    rules: Any = Dialect.get_or_raise(dialect)
    rules.INDEX_OFFSET = 0
    rules.to_json_path = lambda path: path
    if dialect == "tsql":
        own = rules.tokenizer_class
        keywords = {**own.KEYWORDS, "!<": TokenType.GTE, "!>": TokenType.LTE}
        rules.tokenizer_class = type(own.__name__, (own,), {"KEYWORDS": keywords})
    return cast(Dialect, rules)


_TYPED = "typed"
"""The key under which a type has its text; sqlglot has one node for several types that a database tells apart."""
_CHAINED, _SIGN, _BRACED = "chained", "sign", "braced"
"""The keys under which a call notes that it is typed as name.upper() or as @ x, and a CAST as {d '2026-01-31'}."""
_GLUED = frozenset("()[],.<>")
_JSON_OPTIONS = frozenset(EVERY_DIALECT["words"]["json_options"].split())
"""Words that may follow the path of JSON_QUERY."""


def corrected_parser(dialect: Name) -> Any:
    """Return the dialect's parser class, which knows no function but those of `calls_with_syntax`.

    A call keeps its name and its arguments as they are typed; sqlglot would write another function for many of them,
    with casts, or with a column's name as a text. An arrow among the arguments reads JSON, but for DuckDB's lambdas.
    """
    own: Any = Dialect.get_or_raise(dialect).parser_class
    calls = _without(own.FUNCTION_PARSERS, own.FUNCTION_PARSERS.keys() - DIALECTS[dialect].calls_with_syntax)
    if dialect in ("oracle", "postgres"):
        calls["JSON_QUERY"] = _ReadAsTyped.parse_json_query
    radix = {kind: partial(_radix_literal, own.PRIMARY_PARSERS.get(kind)) for kind in _RADIX_TOKENS}
    changed = {
        "FUNCTIONS": {},
        "FUNCTION_PARSERS": calls,
        "NO_PAREN_FUNCTION_PARSERS": _without(own.NO_PAREN_FUNCTION_PARSERS, {"IF"}),
        "LAMBDAS": _without(own.LAMBDAS, {TokenType.ARROW}),
        "ARRAY_CONSTRUCTORS": _without(own.ARRAY_CONSTRUCTORS, {"LIST"}),  # list(x)[1] is a call
        "TYPE_LITERAL_PARSERS": dict.fromkeys(DType, _typed_literal),
        "UNARY_PARSERS": {**own.UNARY_PARSERS, TokenType.PLUS: lambda self: UnaryPlus(this=self._parse_unary())},
        "PRIMARY_PARSERS": {**own.PRIMARY_PARSERS, **radix},
    }
    if dialect == "postgres":
        changed["UNARY_PARSERS"][TokenType.PARAMETER] = _ReadAsTyped.parse_parameter
    known = type(own.__name__, (_ReadAsTyped, own), changed)
    return _duckdb_parser(known) if dialect == "duckdb" else known


class _ReadAsTyped:
    """The part of a parser that keeps the spelling of types, intervals and the options of JSON_QUERY."""

    def __getattr__(self, name: str) -> Any:  # for the type checker: the parser's own methods
        raise AttributeError(name)

    def _parse_types(self, *args: Any, **options: Any) -> exp.Expr | None:
        begin = self._index
        parsed: exp.Expr | None = cast(Any, super())._parse_types(*args, **options)
        if isinstance(parsed, exp.DataType):
            parsed.meta[_TYPED] = _text_of(self._tokens[begin : self._index])
        return parsed

    def _parse_interval_span(self, this: exp.Expr, parse_function_unit: bool = True) -> exp.Interval:
        is_unit = self._curr and self._curr.text.upper() in self.dialect.VALID_INTERVAL_UNITS
        unit: exp.Expr | None = self._parse_interval_unit() if is_unit else None
        if unit and self._match_text_seq("TO"):
            unit = exp.IntervalSpan(this=unit, expression=self._parse_interval_unit())
        return exp.Interval(this=this, unit=unit)

    def _parse_interval(self, *args: Any, **options: Any) -> exp.Expr | None:
        """Return an interval; what is added to it is one only if it has a unit."""
        parsed: exp.Expr | None = cast(Any, super())._parse_interval(*args, **options)
        added = parsed.expression if isinstance(parsed, exp.Add) else None
        if isinstance(added, exp.Interval) and not added.args.get("unit"):
            added.replace(added.this)
        return parsed

    def _parse_odbc_datetime_literal(self) -> exp.Expr:
        self._advance()
        kind, literal = self._prev.text, self._parse_string()
        if not self._match(TokenType.R_BRACE) or literal is None or kind.lower() == "t":  # that is a time of today
            self.raise_error("Expected }")
        date = exp.Cast(this=literal, to=exp.DataType.build("datetime", dialect="tsql"))
        date.meta[_BRACED] = kind
        return date

    def parse_parameter(self) -> exp.Expr | None:
        """Return the absolute value behind the sign @, which stands before a sum: @ 1 - 3 is @ (1 - 3)."""
        if self._prev.text != "@":
            self._retreat(self._index - 1)
            parsed: exp.Expr | None = self._parse_type()
            return parsed
        call = exp.Anonymous(this="ABS", expressions=[self._parse_term()])
        call.meta[_SIGN] = True
        return call

    def _parse_interval_unit(self) -> exp.Var:
        """Return DAY, or DAY(3) with its precision."""
        begin = self._index
        self._advance()
        if self._match(TokenType.L_PAREN):
            while self._match_set((TokenType.NUMBER, TokenType.COMMA)):
                pass
            self._match_r_paren()
        return exp.var(_text_of(self._tokens[begin : self._index]))

    def parse_json_query(self) -> exp.Anonymous:
        """Return JSON_QUERY, with what may follow its path."""
        arguments = self._parse_csv(self._parse_bitwise)
        if self._match_text_seq("RETURNING"):
            returned = exp.Introducer(this=exp.var("RETURNING"), expression=self._parse_types())
            arguments[-1] = exp.Introducer(this=arguments[-1], expression=returned)
        begin = self._index
        while self._curr and self._curr.text.upper() in _JSON_OPTIONS:
            self._advance()
        if options := _text_of(self._tokens[begin : self._index]):
            arguments[-1] = exp.Introducer(this=arguments[-1], expression=exp.var(options))
        return exp.Anonymous(this="JSON_QUERY", expressions=arguments)


def _without(parsers: dict[Any, Any], keys: Collection[Any]) -> dict[Any, Any]:
    return {key: build for key, build in parsers.items() if key not in keys}


def _text_of(tokens: list[Token]) -> str:
    """Return a type, or other words with numbers in parentheses, as they are typed; "" if some are in quotes."""
    if any(token.token_type in (TokenType.STRING, TokenType.IDENTIFIER) for token in tokens):
        return ""
    text = ""
    for token in tokens:
        is_apart = text[-1:] == "," or not (token.text in _GLUED or text[-1:] in _GLUED)
        text += f" {token.text}" if text and is_apart else token.text
    return text.upper()


_RADIX_TOKENS = (TokenType.HEX_STRING, TokenType.BIT_STRING)


def _typed_literal(parser: Any, literal: exp.Expr, of_type: exp.DataType) -> exp.Expr:
    """Return DATE '2026-01-01' and its like; a CAST of the text may read it otherwise, or drop parts of a second."""
    typed: exp.Expr = parser.expression(exp.Introducer(this=of_type, expression=literal))
    return typed


def _radix_literal(known: Any, parser: Any, token: Token) -> exp.Expr:
    """Return 0x1F and 0b11 as numbers, which they are in most databases, other than x'1F'."""
    written = parser.sql[token.start : token.end + 1]
    if written[:1] == "0":
        return exp.Literal.number(written)
    other: exp.Expr = known(parser, token)
    return other


def corrected_generator(dialect: Name) -> Any:
    """Return the dialect's generator class, corrected."""
    own: Any = Dialect.get_or_raise(dialect).generator_class
    spelled = {exp.StrPosition: _position, UnaryPlus: lambda self, node: f"+{self.sql(node, 'this')}"}
    trim = own.TRANSFORMS.get(exp.Trim, own.trim_sql)
    spelled[exp.Trim] = lambda self, node: (
        _trim(self, node) if node.expression and node.args.get("position") else trim(self, node)
    )
    kept = {"MULTI_ARG_DISTINCT": True, "NORMALIZE_EXTRACT_DATE_PARTS": False}
    written = {"TRANSFORMS": {**own.TRANSFORMS, **spelled}, **kept}
    known: Any = type(own.__name__, (_WrittenAsTyped, own), written)
    match dialect:
        case "mysql":
            mysql = _changed(known, {exp.RegexpLike: _regexp})
            # In quotes, DUAL would be a table of somebody's.
            return type("MySQL", (mysql,), {"RESERVED_KEYWORDS": known.RESERVED_KEYWORDS - {"dual"}})
        case "tsql":
            changed = _changed(known, {exp.CurrentTimestamp: lambda self, node: "CURRENT_TIMESTAMP"})
            changed.TRANSFORMS = _without(changed.TRANSFORMS, {exp.CTE, exp.Subquery})  # they give names to columns
            return changed
        case "sqlite":
            return type("SQLite", (known,), {"cast_sql": Generator.cast_sql})
        case "oracle":
            return _oracle(known)
        case "duckdb":
            return _duckdb(known)
    return known


class UnaryPlus(exp.Unary):
    """A sign that SQLite knows: +name has no affinity, and uses no index."""


class _WrittenAsTyped:
    """The part of a generator that writes types, intervals, ordered groups and joins as they are typed."""

    sql: Any

    def datatype_sql(self, expression: exp.DataType) -> str:
        typed = "" if expression.args.get("kind") else expression.meta.get(_TYPED)
        return typed or str(cast(Any, super()).datatype_sql(expression))

    def interval_sql(self, expression: exp.Interval) -> str:
        parts = (self.sql(expression, "this"), self.sql(expression, "unit"))
        return " ".join(("INTERVAL", *filter(None, parts)))

    def cast_sql(self, expression: exp.Cast, safe_prefix: str | None = None) -> str:
        if kind := expression.meta.get(_BRACED):
            return f"{{{kind} {self.sql(expression, 'this')}}}"
        return str(cast(Any, super()).cast_sql(expression, safe_prefix))

    def anonymous_sql(self, expression: exp.Anonymous) -> str:
        if expression.meta.get(_SIGN):
            return f"@ {self.sql(expression.expressions[0])}"
        if expression.meta.get(_CHAINED):
            first, *rest = expression.expressions
            return f"{self.sql(first)}.{cast(Any, self).func(expression.name, *rest)}"
        return str(cast(Any, super()).anonymous_sql(expression))

    withingroup_sql = Generator.withingroup_sql
    join_sql = Generator.join_sql


def _changed(known: Any, transforms: dict[type[exp.Expr], Any]) -> Any:
    return type(known.__name__, (known,), {"TRANSFORMS": {**known.TRANSFORMS, **transforms}})


def _position(self: Any, expression: exp.StrPosition) -> str:
    return f"POSITION({self.sql(expression, 'substr')} IN {self.sql(expression, 'this')})"


def _trim(self: Any, expression: exp.Trim) -> str:
    """Write TRIM (LEADING '0' FROM x) as it is typed: LTRIM (x, 'ab') takes any of the letters away."""
    parts = [self.sql(expression, name) for name in ("position", "expression")]
    return f"TRIM({' '.join(filter(None, parts))} FROM {self.sql(expression, 'this')})"


def _regexp(self: Any, expression: exp.RegexpLike) -> str:
    """MariaDB has the operator only, MySQL has both."""
    if expression.args.get("flag"):
        return str(self.function_fallback_sql(expression))
    return str(self.binary(expression, "REGEXP"))


def _oracle(known: Any) -> Any:
    class Oracle(known):  # type: ignore[misc]
        """Oracle's generator, with APPLY left as it is and no AS before the alias of a LATERAL query."""

        JSON_KEY_VALUE_PAIR_SEP = " VALUE"

        def set_operation(self, expression: exp.SetOperation) -> str:
            operation = str(super().set_operation(expression))
            return operation.replace("EXCEPT", "MINUS", 1)  # the word that every version knows

        def lateral_op(self, expression: exp.Lateral) -> str:
            crosses = expression.args.get("cross_apply")
            return "LATERAL" if crosses is None else "CROSS APPLY" if crosses else "OUTER APPLY"

        def lateral_sql(self, expression: exp.Lateral) -> str:
            alias = expression.args.get("alias")
            bare = expression.copy()
            bare.set("alias", None)
            text = str(super().lateral_sql(bare)).rstrip()
            return f"{text} {self.sql(alias)}" if alias else text

    return Oracle


LAMBDA_TAKERS = frozenset(
    f"{kind}_{what}" for kind in ("LIST", "ARRAY") for what in ("APPLY", "TRANSFORM", "FILTER", "REDUCE")
) | {"APPLY", "FILTER", "REDUCE", "COLUMNS"}
OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE})
CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE})
LOOK_BACK_TOKENS = 200
"""Words and signs."""


def _duckdb_parser(known: Any) -> Any:
    arrows = Dialect.get_or_raise("duckdb").parser_class.LAMBDAS

    class DuckDB(known):  # type: ignore[misc]
        """DuckDB's parser, which reads what may follow a PIVOT, and lambdas with an arrow where they can stand."""

        def _parse_lambda(self, alias: bool = False) -> exp.Expr | None:
            self.LAMBDAS = arrows if self._called() in LAMBDA_TAKERS else known.LAMBDAS
            parsed: exp.Expr | None = super()._parse_lambda(alias)
            return parsed

        def _parse_column_ops(self, this: exp.Expr | None) -> exp.Expr | None:
            parsed: exp.Expr | None = super()._parse_column_ops(this)
            for dot in reversed(list(parsed.find_all(exp.Dot))) if parsed is not None and parsed is not this else ():
                if isinstance(dot.expression, exp.Anonymous):
                    call = _chained_call(dot)
                    parsed = call if dot is parsed else parsed
                    dot.replace(call)
            return parsed

        def _called(self) -> str:
            """Return the name of the function among whose arguments the parser is, "" if that is far away."""
            depth = 0
            for place in range(self._index - 1, max(0, self._index - LOOK_BACK_TOKENS), -1):
                kind = self._tokens[place].token_type
                depth += (kind in CLOSING) - (kind in OPENING)
                if depth < 0:
                    return str(self._tokens[place - 1].text).upper()
            return ""

        def _parse_simplified_pivot(self, is_unpivot: bool | None = None) -> exp.Pivot:
            pivot: exp.Pivot = super()._parse_simplified_pivot(is_unpivot)
            pivot.set("order", self._parse_order())
            pivot.set("limit", self._parse_limit())
            return pivot

    return DuckDB


def _chained_call(dot: exp.Expr) -> exp.Expr:
    """Return x.f(y) as f(x, y); x may be a column, whose names sqlglot takes for those of packages."""
    call, first = dot.expression, dot.this
    match first:
        case exp.Identifier():
            first = exp.Column(this=first)
        case exp.Dot(this=exp.Identifier() as table, expression=exp.Identifier() as name):
            first = exp.Column(this=name, table=table)
    if isinstance(first, exp.Dot):
        return dot
    made = exp.Anonymous(this=call.this, expressions=[first, *call.expressions])
    made.meta[_CHAINED] = True
    return made


def _duckdb(known: Any) -> Any:
    transforms = _without(known.TRANSFORMS, {exp.Pivot})
    transforms[exp.RegexpLike] = lambda self, expression: self.binary(expression, "~")  # of the whole text

    class DuckDB(known):  # type: ignore[misc]
        """DuckDB's generator, which can say where the columns of an UNPIVOT go, and what follows a PIVOT."""

        TRANSFORMS = transforms  # without the one that takes the tables' names from a PIVOT's columns

        def unpivotcolumns_sql(self, expression: exp.UnpivotColumns) -> str:
            return f"NAME {self.sql(expression.this)} VALUE {self.expressions(expression, flat=True)}"

        def pivot_sql(self, expression: exp.Pivot) -> str:
            return "".join(
                map(str, (super().pivot_sql(expression), *(self.sql(expression, part) for part in ("order", "limit"))))
            )

    return DuckDB
