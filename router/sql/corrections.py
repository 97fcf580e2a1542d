"""Where sqlglot, from a dialect to the same dialect, would write something else than was written.

Found by running statements before and after on real databases, and by reading the manuals of the others.
"""

from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from router.sql.dialect import Name

AS_WRITTEN: dict[Name, frozenset[str]] = {
    "sqlite": frozenset({"MOD"}),  # % cuts its operands to integers
    "mysql": frozenset({"TO_DAYS", "MONTHNAME", "DAYNAME", "TIMESTAMPADD"}),
    "tsql": frozenset({"DATENAME", "SYSDATETIME"}),  # GETDATE is less precise
}
"""Functions that keep their names; sqlglot would replace them by others."""


def parser(dialect: Name) -> Any:
    """Return the dialect's parser class, which leaves the functions of AS_WRITTEN alone."""
    known: Any = Dialect.get_or_raise(dialect).parser_class
    functions = {name: build for name, build in known.FUNCTIONS.items() if name not in AS_WRITTEN.get(dialect, ())}
    return type(known.__name__, (known,), {"FUNCTIONS": functions})


def generator(dialect: Name) -> Any:
    """Return the dialect's generator class, corrected."""
    known: Any = Dialect.get_or_raise(dialect).generator_class
    if dialect == "mysql":
        return type("MySQL", (known,), {"TRANSFORMS": {**known.TRANSFORMS, exp.RegexpLike: _regexp}})
    return _oracle(known) if dialect == "oracle" else known


def _regexp(self: Any, expression: exp.RegexpLike) -> str:
    """MariaDB has the operator only, MySQL has both."""
    if expression.args.get("flag"):
        return str(self.function_fallback_sql(expression))
    return str(self.binary(expression, "REGEXP"))


def _oracle(known: Any) -> Any:
    class Oracle(known):  # type: ignore[misc]
        """Oracle's generator, with APPLY left as it is and no AS before the alias of a LATERAL query."""

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
