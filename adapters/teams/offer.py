"""Messages about a file that is handed over: the question whether it may be, and what became of it."""

from typing import Any, Final

from adapters.teams.consents import Consent
from adapters.teams.markdown import escaped
from adapters.teams.upload import Upload

CONSENT: Final = "application/vnd.microsoft.teams.card.file.consent"
INFO: Final = "application/vnd.microsoft.teams.card.file.info"

LONGEST: Final = 3_000

Json = dict[str, Any]


def draw_offer(consent: Consent, size: int) -> Json:
    """Return the question whether a file of so many bytes may be put into the person's OneDrive."""
    context = {"token": consent.token}
    content = {
        "description": f"{size_words(size)}, for your OneDrive.",
        "sizeInBytes": size,
        "acceptContext": context,
        "declineContext": context,
    }
    return {
        "type": "message",
        "summary": f"File: {consent.name}",
        "attachments": [{"contentType": CONSENT, "name": consent.name, "content": content}],
    }


def draw_file_there(consent: Consent, upload: Upload) -> Json:
    """Return the file itself, which is in the person's OneDrive now."""
    name = upload.name or consent.name
    if not upload.content_url or not upload.unique_id:
        return draw_sentence(f"{name} is in your OneDrive.")
    content = {"uniqueId": upload.unique_id, "fileType": upload.file_type or name.rpartition(".")[2]}
    attachment = {"contentType": INFO, "contentUrl": upload.content_url, "name": name, "content": content}
    return {"type": "message", "summary": f"{name} is in your OneDrive.", "attachments": [attachment]}


def draw_sentence(text: str) -> Json:
    """Return plain text as a message."""
    return {"type": "message", "text": escaped(text, LONGEST), "textFormat": "markdown"}


def size_words(size: int) -> str:
    """Return a number of bytes as people say it."""
    for unit, word in ((1024 * 1024, "MB"), (1024, "KB")):
        if size >= unit:
            return f"{size / unit:,.1f} {word}"
    return f"{size} bytes"
