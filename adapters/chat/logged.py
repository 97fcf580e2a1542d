"""Work whose errors nobody hears of but the log."""

import logging
from collections.abc import Coroutine
from typing import Any

log = logging.getLogger("icc_bot")


async def logged(work: Coroutine[Any, Any, None]) -> None:
    """Have something done; what goes wrong in it is logged."""
    try:
        await work
    except Exception:
        log.exception("something was left undone")
