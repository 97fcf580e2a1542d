"""Approvals that wait for somebody else, and who was told of them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make them."""
    texts = ("platform", "team", "thread", "digest", "asker", "asker_name", "connection", "kind", "about")
    op.create_table(
        "approval_requests",
        sa.Column("number", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in texts),
        sa.Column("people", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("state", "decider", "decider_name")),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("approval_requests_by_thread", "approval_requests", ["thread", "state"])
    op.create_index("approval_requests_by_team", "approval_requests", ["platform", "team", "state"])
    op.create_index("approval_requests_by_age", "approval_requests", ["at"])
    op.create_table(
        "approval_notices",
        sa.Column("request", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("request", "person"),
    )
