"""The third layer of safety: what may run is decided on the syntax tree, and what runs is rendered from that tree.

    text ── parsing ──► tree ── its nodes, resolution ──► rendered text ── parsing.lexical_problem ──► what may run
       one statement      what it is made of and reads       every sign and function, as the database will see it

Each step has one question; the first step that objects gives the reason. The text is run as it stands, without
parameters, so placeholders of every kind are refused.
"""

from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from router.sql import parsing, resolution, step_limit, typed_text
from router.sql.dialect import DIALECTS, Name
from router.sql.names import ascii_lower
from router.sql.scope import Scope
from router.sql.sizes import size_problem


@dataclass(frozen=True, slots=True)
class Verdict:
    """The guard's answer: `sql` is what may run, rendered from the tree without comments ("" when refused)."""

    allowed: bool
    reason: str
    sql: str


GUARD_SECONDS = 1.0
"""The guard's own time for one statement; what takes longer is refused."""

REMEMBERED_MAX_CHARS = 10_000
"""Characters of a text whose judgement is remembered: SQL is judged when it is shown, when it runs, and again later."""

_AMBIGUOUS = "This SQL can be read in more than one way, so it does not run; please write it more simply."


def check(sql: str, dialect: Name, scope: Scope | None = None) -> Verdict:
    """Judge one SQL text; never raises, whatever the text."""
    try:
        with step_limit.budget(GUARD_SECONDS):
            return (_remembered if len(sql) <= REMEMBERED_MAX_CHARS else _judge)(sql, dialect, scope)
    except RecursionError:
        return Verdict(False, "This SQL is nested too deeply to be judged, so it does not run.", "")
    except SqlglotError as error:
        return Verdict(False, parsing.syntax_error(error, dialect), "")
    except Exception:  # whatever a parser trips over, the answer is no
        return Verdict(False, "This SQL could not be judged, so it does not run.", "")


def _judge(sql: str, dialect: Name, scope: Scope | None) -> Verdict:
    if reason := parsing.problem(sql, dialect):
        return Verdict(False, reason, "")
    signs = parsing.tokens(sql, dialect)
    tree = parsing.tree_of(signs, sql, dialect)
    if isinstance(tree, str):
        return Verdict(False, tree, "")
    if reason := node_problem(tree, dialect):
        return Verdict(False, reason, "")
    plain = parsing.tokens(step_limit.generate(tree, dialect), dialect)  # before names are resolved, which adds some
    reason = _reading_problem(tree, dialect, scope) or _change(signs, plain, dialect)
    if not reason and dialect == "mysql" and scope is not None:
        reason = _column_or_text(signs, sql, tree, scope)
    return Verdict(False, reason, "") if reason else _settled(signs, tree, dialect, scope)


def _change(typed: list[Token], rendered: list[Token], dialect: Name) -> str:
    """Return the refusal of a statement that would be sent with other words than it was typed with, or ""."""
    lost, added = typed_text.changed_words(typed, rendered, dialect)
    if not lost and not added:
        word = typed_text.moved_word(typed, rendered, dialect)
        return word and (
            f"This SQL cannot be sent as it is typed, as {word[:50]} stands where it does not belong, so it does not "
            "run; please write that part otherwise."
        )
    if lost and added:
        return (
            f"{DIALECTS[dialect].label} may not know {lost} as it is typed here, so this SQL does not run; please "
            "write that part otherwise."
        )
    change = f"without {lost}" if lost else f"with {added}"
    return f"This SQL cannot be sent as it is typed ({change}), so it does not run; please write that part otherwise."


_remembered = lru_cache(256)(_judge)
"""The same text against the same tables is judged the same; a judgement that was not finished is not remembered."""


def _settled(signs: list[Token], tree: exp.Expr, dialect: Name, scope: Scope | None) -> Verdict:
    """Render the tree, and allow the text if the database will read in it what was judged."""
    rendered = step_limit.generate(tree, dialect)
    if reason := parsing.problem(rendered, dialect) or parsing.lexical_problem(rendered, tree, dialect):
        return Verdict(False, reason, "")
    written = parsing.tokens(rendered, dialect)
    step_limit.require_time()
    if not parsing.has_same_tokens(signs, written):
        # The database reads the rendered text: it must say what was judged, neither more nor something else.
        again = parsing.tree_of(written, rendered, dialect)
        if again != tree:
            if isinstance(again, str) or not has_same_meaning(tree, again, dialect):
                return Verdict(False, _AMBIGUOUS, "")
            if reason := node_problem(again, dialect) or _reading_problem(again, dialect, scope):
                return Verdict(False, reason, "")
            if step_limit.generate(again, dialect) != rendered:
                return Verdict(False, _AMBIGUOUS, "")
    return Verdict(True, "This only reads.", rendered)


def _column_or_text(signs: list[Token], sql: str, tree: exp.Expr, scope: Scope) -> str:
    """Return why a text in double quotes that names a column is refused: with ANSI_QUOTES it would be that column."""
    quoted = {
        each.text.lower(): each.text for each in signs if each.token_type == TokenType.STRING and sql[each.start] == '"'
    }
    if not quoted:
        return ""
    texts = {literal.name.lower() for literal in tree.find_all(exp.Literal) if literal.is_string}
    read = {table.name.lower() for table in tree.find_all(exp.Table)}
    columns = {
        name.lower() for (_, table), names in scope.columns.items() if table.lower() in read for name in names or ()
    }
    for name in sorted(texts & columns & set(quoted)):
        return (
            f'Here "{quoted[name]}" would be a text, the same in every row, and there is a column of this name. '
            f"Write `{quoted[name]}` for the column, or '{quoted[name]}' for the text."
        )
    return ""


def _reading_problem(tree: exp.Expr, dialect: Name, scope: Scope | None) -> str:
    """Resolve the names, and return why what the tree reads may not be read or would be too large, or ""."""
    return resolution.resolve(tree, dialect, scope) or size_problem(tree, dialect)


_OPERATORS = (exp.Binary, exp.Unary, exp.Between, exp.In)
_OPERANDS = (exp.Binary, exp.Unary, exp.Between, exp.In, exp.Func)
_COMMA_PARENTS = (exp.JSONPath, exp.Dot, exp.Alias, exp.PropertyEQ, exp.Kwarg, exp.Paren)


def has_same_meaning(tree: exp.Expr, again: exp.Expr, dialect: Name) -> bool:
    """Return whether `again`, read from the text of `tree`, means the same although its nodes differ.

    sqlglot knows two nodes for some spellings, such as DATE '2026-01-01' and TO_DATE. What must not happen is that an
    operand changes sides: the text with every operand in parentheses has to read like the text without them.
    """
    wrapped = parsing.statement(step_limit.generate(_wrap(tree.copy()), dialect), dialect)
    return not isinstance(wrapped, str) and _bare(wrapped) == _bare(again.copy())


def _wrap(tree: exp.Expr) -> exp.Expr:
    for node in list(tree.walk()):
        if (
            isinstance(node, _OPERANDS)
            and isinstance(node.parent, _OPERATORS)
            and not isinstance(node.parent, _COMMA_PARENTS)
        ):
            node.replace(exp.Paren(this=node.copy()))
    return tree


def _bare(tree: exp.Expr) -> exp.Expr:
    for paren in reversed(list(tree.find_all(exp.Paren))):
        paren.replace(paren.this)
    return tree


# The list of sqlglot's nodes that a reading statement may be made of; anything else is refused.

_SYNTAX = """
    Add Adjacent Alias Aliases All Anonymous Any AtTimeZone Between BitString BitwiseAnd BitwiseLeftShift BitwiseNot
    BitwiseOr BitwiseRightShift BitwiseXor Boolean Bracket ByteString CTE CharacterSet Column ColumnDef
    Comprehension Connect Cube DPipe DataType DataTypeParam Distance Distinct Div Dot EQ Escape Except ExtendsLeft
    ExtendsRight Fetch Filter ForClause FormatJson From GT GTE Glob Group GroupingSets Having HavingMax Heredoc
    HexString ILike Identifier IgnoreNulls In IndexTableHint IntDiv Intersect Interval IntervalOp IntervalSpan
    Introducer Is JSON JSONColumnDef JSONKeyValue JSONPath JSONPathFilter JSONPathKey JSONPathRecursive JSONPathRoot
    JSONPathScript JSONPathSelector JSONPathSlice JSONPathSubscript JSONPathUnion JSONPathWildcard JSONSchema
    JSONValue Join Kwarg LT LTE Lambda Lateral Like Limit LimitOptions Literal Match Mod Mul NEQ National Neg Not
    Null NullSafeEQ NullSafeNEQ Offset OnCondition OpenJSONColumnDef Order Ordered OverflowTruncateBehavior Overlaps
    Paren Pivot PivotAlias PivotAny PositionalColumn Prior PropertyEQ Pseudocolumn Qualify QueryOption RawString
    RecursiveWithSearch RespectNulls Rollup Select SimilarTo Slice Star Sub Subquery Table TableAlias TableColumn
    TableSample TimeUnit TranslateCharacters Tuple Union Values Var Variadic Where Window WindowSpec With
    UnaryPlus UnpivotColumns WithTableHint WithinGroup XMLKeyValueOption
"""
_CALLS = """
    And Array ArrayContainsAll ArrayOverlaps Case Cast Cbrt Chr Collate Columns ConnectByRoot Convert CurrentDate
    CurrentDatetime CurrentTime CurrentTimestamp DateStrToDate Exists Extract GroupConcat If JSONArray JSONArrayAgg
    JSONBContains JSONBContainsAllTopKeys JSONBContainsAnyTopKeys JSONBContainsTopKey JSONBDeleteAtPath JSONBExtract
    JSONBExtractScalar JSONBPathExists JSONExists JSONExtract JSONExtractScalar JSONObject JSONObjectAgg JSONTable
    JSONValueArray Localtime Localtimestamp Map MatchAgainst Normalize OpenJSON Or Overlay Pow RegexpILike RegexpLike
    Sqrt StartsWith StrPosition StrToTime Struct Substring Systimestamp ToMap ToNumber Trim TryCast Unnest
    WeightString Xor
"""
_TYPE_NAMES = """
    ARRAY BIGDECIMAL BIGINT BIGNUM BINARY BIT BLOB BOOLEAN BPCHAR CHAR CHARACTER_SET DATE DATERANGE DATETIME
    DATETIME2 DECIMAL DOUBLE FLOAT HSTORE INET INT INT128 INT4RANGE INT8RANGE INTERVAL JSON JSONB LIST LONGBLOB
    LONGTEXT MAP MEDIUMBLOB MEDIUMINT MEDIUMTEXT MONEY NCHAR NULL NUMRANGE NVARCHAR POINT SMALLDATETIME SMALLINT
    SMALLMONEY STRUCT TEXT TIME TIMESTAMP TIMESTAMPLTZ TIMESTAMPNTZ TIMESTAMPTZ TIMESTAMP_MS TIMESTAMP_NS
    TIMESTAMP_S TIMETZ TIME_NS TINYBLOB TINYINT TINYTEXT TSRANGE TSTZRANGE UBIGINT UINT UINT128 UMEDIUMINT USMALLINT
    UTINYINT UUID VARBINARY VARCHAR VARIANT VECTOR YEAR
"""
ALLOWED_NODES = frozenset(f"{_SYNTAX} {_CALLS}".split())
"""Syntax, and what is an operator or has words of its own; every other call is Anonymous, and judged by its name."""
ALLOWED_TYPES = frozenset(_TYPE_NAMES.split())

_MEANINGS = {
    "Insert": "the statement would change data (INSERT)",
    "Update": "the statement would change data (UPDATE)",
    "Delete": "the statement would change data (DELETE)",
    "Merge": "the statement would change data (MERGE)",
    "Create": "the statement would change the database (CREATE)",
    "Drop": "the statement would change the database (DROP)",
    "Into": "SELECT ... INTO would write its rows somewhere",
    "Lock": "FOR UPDATE and its like would lock rows",
    "Parameter": "there is a variable or a placeholder, and no value is sent with it",
    "Placeholder": "there is a placeholder, and no value is sent with it",
    "SessionParameter": "settings of the server are not shown",
    "ObjectIdentifier": "names of database objects are not looked up",
    "PseudoType": "names of database objects are not looked up",
    "NextValueFor": "taking a number from a sequence changes it",
    "HistoricalData": "only today's rows are read, not those of the past",
    "Version": "only today's rows are read, not those of the past",
    "Describe": "the list of tables and columns is not read by SQL",
    "Summarize": "SUMMARIZE cannot run",
    "Command": "the statement is a command",
    "UnicodeString": "text with U& could be read in two ways",
}
_AFTER_PATH = (exp.DataType, exp.Introducer, exp.Var)
"""Nodes that may follow the path of JSON_QUERY: RETURNING and a type, and words."""
_TABLE_HINTS = frozenset({"nolock", "readuncommitted", "readpast", "readcommitted", "forceseek", "forcescan"})
_QUERY_OPTIONS = frozenset({"maxrecursion", "recompile"})
_MODIFIERS = frozenset({"STRAIGHT_JOIN", "SQL_NO_CACHE", "HIGH_PRIORITY"})
_JSON_MAX_DEPTH = 2_000
"""Brackets in one text, which may be a JSON document of as many levels."""
_NUMBER_MAX_DIGITS = 1_000
"""Digits of a number that is written out, and the highest exponent is ten times that."""


def node_problem(tree: exp.Expr, dialect: Name) -> str:
    """Return the sentence for the first node that may not be in a reading statement, or ""."""
    for number, node in enumerate(tree.walk()):
        if number % 256 == 0:
            step_limit.require_time()
        if reason := _node(node, dialect):
            return reason
    return ""


def _node(node: exp.Expr, dialect: Name) -> str:
    kind = type(node).__name__
    if kind not in ALLOWED_NODES:
        if isinstance(node, exp.Func) and kind not in _MEANINGS:
            return parsing.unlisted_function(node.sql_name().lower())
        return f"Only reading is possible here: {_MEANINGS.get(kind, f'this kind of expression may not run ({kind})')}."
    if isinstance(node, exp.Anonymous):
        return _function(node, dialect)
    if kind == "Literal":
        return _literal(node)
    if isinstance(node, exp.DataType):
        return _type(node)
    return _detail(node, dialect)


def _function(node: exp.Anonymous, dialect: Name) -> str:
    """Refuse a call that is not on the dialect's list; a name in quotes is on none."""
    name = ascii_lower(node.name)
    is_listed = isinstance(node.this, str) and name in DIALECTS[dialect].functions
    return "" if is_listed else parsing.unlisted_function(name)


def _detail(node: exp.Expr, dialect: Name) -> str:
    match node:
        case exp.Select() if node.args.get("kind") or not (node.expressions or isinstance(node.parent, exp.Exists)):
            return "Only plain SELECT statements can run here, with a list of what is selected."
        case exp.Select() if (
            not {each.name.upper() for each in node.args.get("operation_modifiers") or ()} <= _MODIFIERS
        ):
            return "Only reading is possible here: this word after SELECT sets something in the session."
        case exp.ForClause() if str(node.args.get("kind")).upper() not in ("JSON", "XML"):
            return "Only reading is possible here: this FOR clause would lock rows."
        case exp.In() if node.args.get("field") and dialect != "duckdb":  # SQLite reads a table there
            return "After IN there must be a list or a query in parentheses."
        case exp.WithTableHint() if not {hint.name.lower() for hint in node.expressions} <= _TABLE_HINTS:
            return "Only reading is possible here: this table hint would lock rows."
        case exp.QueryOption() if not (isinstance(node.parent, exp.ForClause) or node.name.lower() in _QUERY_OPTIONS):
            return "Of the options after OPTION, only MAXRECURSION and RECOMPILE may be used here."
        case exp.Introducer() if not (
            isinstance(node.this, exp.DataType)
            or isinstance(node.expression, _AFTER_PATH)
            or (node.name.lower() == "_utf8mb4" and isinstance(node.expression, exp.Literal))
        ):
            return "A character set before a text could be read in two ways, so this SQL does not run."
        case exp.Interval() if dialect == "oracle" and not node.this.is_string:  # else it could be somebody's function
            return "After INTERVAL there must be a text in quotes, such as INTERVAL '3' DAY."
        case exp.BitwiseAnd() if node.this.name.lower() == "u" and isinstance(node.expression, exp.Column):
            return "Only reading is possible here: names with U& could be read in two ways."
    return ""


def _type(node: exp.DataType) -> str:
    kind = node.this
    if isinstance(kind, exp.Expr):  # INTERVAL DAY TO SECOND and its like; the parts are judged as nodes
        return ""
    if getattr(kind, "name", "") not in ALLOWED_TYPES:
        return f"The data type {node.sql()[:60]} is not on the list of types that may be used."
    return ""


def _literal(node: exp.Expr) -> str:
    if node.args.get("is_string"):
        deep = sum(map(node.this.count, "[{")) > _JSON_MAX_DEPTH if len(node.this) > _JSON_MAX_DEPTH else False
        return "A text with so many brackets would burden the database, so it does not run." if deep else ""
    digits, _, exponent = node.this.lower().partition("e")
    if len(digits) > _NUMBER_MAX_DIGITS or len(exponent) > 5:
        return f"A number of more than {_NUMBER_MAX_DIGITS:,} digits would burden the database, so it does not run."
    return ""
