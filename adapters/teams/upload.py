"""Where a person has a file put, as Teams says when they allow it."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from adapters.teams.fields import text


@dataclass(frozen=True, slots=True)
class Upload:
    """`url` takes the bytes, and whoever knows it may write there; the rest is what people open the file by."""

    url: str = field(repr=False)
    content_url: str
    unique_id: str
    file_type: str
    name: str

    def to_json(self) -> str:
        """Return it as text to be stored."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, stored: str) -> "Upload":
        """Return what was stored."""
        return cls(**json.loads(stored))


def upload_of(info: Any) -> Upload | None:
    """Return the `uploadInfo` of an activity; None where it holds no address."""
    if not (url := text(info, "uploadUrl")):
        return None
    return Upload(url, text(info, "contentUrl"), text(info, "uniqueId"), text(info, "fileType"), text(info, "name"))
