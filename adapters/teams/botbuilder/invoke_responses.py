"""The answers to invokes: a status and a body that is JSON already (B1), and no error that passes for an answer (B13).

botbuilder writes a body down twice, which fails, and answers 501 for whatever is raised by its own reading of a value.
Here a body stays as the handler made it. What is raised goes on to the HTTP side, which logs it and answers an error.
"""

from typing import Any, cast

from botbuilder.schema import InvokeResponse
from msrest.serialization import Model

Json = dict[str, Any]


def response_of(answer: Json | None) -> InvokeResponse | None:
    """Return our answer, `{"status": int, "body": dict}`, as botbuilder's; None stays None."""
    return None if answer is None else InvokeResponse(status=answer["status"], body=answer.get("body"))


def answer_of(response: InvokeResponse | None) -> Json | None:
    """Return botbuilder's answer as ours; None, "not implemented", where there is none."""
    if response is None or response.status == 501:
        return None
    body = response.body
    return {"status": int(response.status), "body": cast(Any, body).serialize() if isinstance(body, Model) else body}
