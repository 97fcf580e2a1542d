"""A headline in parts, and how it is cut to its length; and the headlines of queries that are put together."""

from dataclasses import dataclass, replace

from sqlglot import exp

from router.sql.short_filters import NO_FILTERS, Filters

HEADLINE_MAX_CHARS = 90


@dataclass(frozen=True, slots=True)
class Line:
    """A headline in parts: the verb, what comes out, and the conditions that what comes out meets."""

    verb: str
    noun: str
    filters: Filters = NO_FILTERS
    aside: bool = False
    """The conditions are not of what the noun ends with."""
    short: str = ""
    """A shorter noun."""
    end: str = ""

    def said(self, *, verb: bool) -> str:
        """Return the line, as long as it may be; what there is no room for is said to be left out."""
        bare = replace(self.filters, with_=(), without=(), more=True)
        choices = [(self.noun, self.filters), (self.short or self.noun, self.filters), (self.noun, bare)]
        choices += [(self.short or self.noun, bare), (self.short or self.noun, Filters(more=_any(self.filters)))]
        text = ""
        for noun, filters in choices:
            tail = filters.aside() if self.aside else filters.attached()
            noun = noun.strip()
            text = f"{self.verb} {noun}{tail}{self.end}".strip() if verb else f"{noun}{tail}{self.end}"
            if len(text) <= HEADLINE_MAX_CHARS:
                break
        return text[:1].upper() + text[1:]


def _any(filters: Filters) -> bool:
    return bool(filters.with_ or filters.without or filters.periods or filters.more)


class Counted(Line):
    """A count, which has a verb of its own."""

    def said(self, *, verb: bool) -> str:
        return Line(
            "Counts" if verb else "", self.noun if verb else f"number of {self.noun}", self.filters, end=self.end
        ).said(verb=verb)


def together(node: exp.SetOperation, sides: list[Line]) -> Line:
    """Return the line of a UNION, an INTERSECT or an EXCEPT."""
    left, right = (_lowered(side.said(verb=False)) for side in sides)
    limit = ", some of them" if node.args.get("limit") else ""
    match node:
        case exp.Union() if isinstance(node.left.unnest(), exp.SetOperation):
            count = _parts(node)
            return Line("Puts together", f"the results of {count} queries", end=limit)
        case exp.Union() if sides[0].noun == sides[1].noun:
            short = f"{sides[0].noun}, from two queries together"
            return Line("Lists", _found(sides, "either", "or") or short, short=short, end=limit)
        case exp.Union():
            return Line("Puts together", f"{left}; and {right}", short="the results of two queries", end=limit)
        case exp.Intersect():
            short = f"{sides[0].noun} that two queries both find"
            return Line("Lists", _found(sides, "both", "and") or short, short=short, end=limit)
    return Line("Lists", _but(sides), short=f"{sides[0].noun}, except those of a second query", end=limit)


def _found(sides: list[Line], word: str, between: str) -> str:
    """Return what two queries of the same thing find, by the conditions of each; "" where they are no such queries."""
    said = [side.filters.attached().strip(" ,") for side in sides]
    alike = sides[0].noun == sides[1].noun and all(said) and not any(side.filters.more or side.end for side in sides)
    said = [each if each.startswith("with") else f"in {each}" for each in said]
    return f"{sides[0].noun} found {word} {f' {between} '.join(said)}" if alike else ""


def _but(sides: list[Line]) -> str:
    """Return what one query finds and another one does not."""
    first, second = sides[0].said(verb=False), sides[1].filters.attached()
    alike = sides[0].noun == sides[1].noun and second and not sides[1].filters.more and not sides[1].end
    said = f"found {second.strip(' ,')}" if alike else "of a second query"
    return f"{_lowered(first)}, except those {said}"


def _parts(node: exp.Expr) -> int:
    bare = node.unnest()
    return _parts(bare.left) + _parts(bare.right) if isinstance(bare, exp.SetOperation) else 1


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:] if not text[1:2].isupper() else text
