"""The script that Alembic runs for each command: the migrations, within the caller's transaction."""

from alembic import context

from router.storage.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite changes a table by making another one
)
context.run_migrations()
