"""That AI errs: said below SQL and below rows."""

from router.cards import Code, Reply, Table

NOTICE_SQL = "AI makes mistakes: check the SQL before you run it."
NOTICE_ROWS = "AI makes mistakes: check the SQL before you rely on the rows."
"""True of SQL that a person wrote too: whether they did cannot be told from a card."""


def notice_of(reply: Reply, decided: bool) -> str:
    """Return what is said below SQL that may be run, and below rows; empty below anything else."""
    if decided:
        return ""
    if any(isinstance(card, Table) and card.total for card in reply.cards):
        return NOTICE_ROWS
    return NOTICE_SQL if any(isinstance(card, Code) for card in reply.cards) else ""
