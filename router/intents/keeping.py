"""Whether somebody wants the answer on show kept as an example; told by rules, without a model."""

import re

_KEEP = re.compile(
    r"(?:please )?(?:keep|save|store|add|remember|use) (?:(?:this|that|it|this answer|the answer|this one) )?"
    r"(?:as|for) (?:an? )?(?:good |verified |new )?example(?: please)?[.!]?"
    r"(?:\s*[:\u2013\u2014-]\s*(?P<question>\S.*))?",
    re.IGNORECASE | re.DOTALL,
)


def example_wished(text: str) -> str | None:
    """Return the question under which the answer is to be kept, empty where none is typed; None for anything else."""
    found = _KEEP.fullmatch(text.strip())
    return None if found is None else " ".join((found["question"] or "").split())
