"""What is said below SQL and below rows: that AI errs, and how sensitive they are."""

from router.cards import Code, Reply, Table

NOTICE_SQL = "AI makes mistakes: check the SQL before you run it."
NOTICE_ROWS = "AI makes mistakes: check the SQL before you rely on the rows."
"""True of SQL that a person wrote too: whether they did cannot be told from a card."""


def notice_of(reply: Reply, decided: bool) -> str:
    """Return what is said below SQL and rows; empty below anything else."""
    return " · ".join(filter(None, (reply.sensitivity, "" if decided else _warning(reply))))


def _warning(reply: Reply) -> str:
    if any(isinstance(card, Table) and card.total and card.result for card in reply.cards):
        return NOTICE_ROWS
    return NOTICE_SQL if any(isinstance(card, Code) for card in reply.cards) else ""
