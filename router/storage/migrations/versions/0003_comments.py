"""What people write with a rating."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column; earlier ratings have no words."""
    op.add_column("ratings", sa.Column("comment", sa.Text(), nullable=False, server_default=""))
