"""JSON that others wrote: files, requests, and what a model answers."""

import json
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """Return the value; raises ValueError for what is no JSON, and for lists and objects nested beyond measure."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
