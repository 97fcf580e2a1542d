"""The tables of the first release, as they are declared: later migrations change these."""

from alembic import op

from router.storage.database import create_task_tables
from router.storage.tables import METADATA

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    METADATA.create_all(op.get_bind())
    create_task_tables(op.get_bind())
