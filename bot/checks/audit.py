"""Checks the audit trail of this installation: what was changed or is missing."""

from collections.abc import Iterator

from adapters.check_finding import Finding
from bot.settings.environment import Settings
from router.jobs.audit_check import verify
from router.jobs.audit_seal import head_path, key_path

TORN_LINES_NAMED_MAX = 5
"""Torn lines of the trail that are named by their numbers."""


def check_audit(settings: Settings) -> Iterator[Finding]:
    """Yield what is to be said of the trail: what was changed or is missing, and its head, to be noted elsewhere."""
    trail = settings.audit_trail
    if not any(path.exists() for path in (trail, head_path(trail), key_path(trail))):
        return
    found = verify(trail, settings.audit_secret)
    if found.broken:
        first, more = found.broken[0], len(found.broken) > 1
        some = f"{len(found.broken)} lines from {first} on" if more else f"line {first}"
        yield Finding("FAILED", "audit", f"{trail} was changed at {some}; compare it with your copy.")
    for alarm in found.alarms:
        yield Finding("FAILED", "audit", f"{trail}: {alarm} Compare it with your copy.")
    kinds = []
    if found.unsealed:
        kinds.append(f"{found.unsealed} without a seal, as an earlier version wrote them")
    if found.torn:
        places = ", ".join(map(str, found.torn[:TORN_LINES_NAMED_MAX])) + ", …" * (
            len(found.torn) > TORN_LINES_NAMED_MAX
        )
        kinds.append(f"{len(found.torn)} torn as by a crash (line {places} of the file): look at what stands there")
    some = f" ({'; '.join(kinds)})" if kinds else ""
    if found.broken or found.alarms:
        if some:
            yield Finding("FAILED", "audit", f"{trail} has {found.lines} lines{some}.")
        return
    yield Finding(
        "ok",
        "audit",
        f"{found.lines} lines, none changed, none missing{some}; the head is {found.head.short}: note it elsewhere, "
        "and the line with this number and the MAC that begins so must still be there later.",
    )
