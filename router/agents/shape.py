"""Reading a model's JSON into a value."""

import json
from typing import TypeVar

from pydantic import BaseModel, ValidationError

Shape = TypeVar("Shape", bound=BaseModel)


def read(shape: type[Shape], answer: str) -> Shape:
    """Return the value in `answer`, which may have words or a fence around its JSON; raises ValidationError."""
    begin, end = answer.find("{"), answer.rfind("}")
    try:
        value = json.loads(answer[begin : end + 1])
    except ValueError:
        return shape.model_validate_json(answer)
    return shape.model_validate(value)


def complaint(error: ValidationError) -> str:
    """Return the first thing that is wrong, in one sentence."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}." if place else f"{first['msg']}."
