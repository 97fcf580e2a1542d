"""The queue of tasks on a server, which versions may work beside one another, and the modals that are open."""

import sqlalchemy as sa
from alembic import op

from router.storage.database import create_task_tables

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make them."""
    beside = op.create_table(
        "oldest_beside", sa.Column("revision", sa.Text(), nullable=False), sa.PrimaryKeyConstraint("revision")
    )
    op.bulk_insert(beside, [{"revision": "0005"}])
    op.create_table(
        "slack_modals",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("form", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    create_task_tables(op.get_bind())
