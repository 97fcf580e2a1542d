"""What people are told on the way to a table: what becomes of its rows, and why nothing was written."""

from pathlib import Path

from tests.support.golden_talk import check_words


def test_what_becomes_of_the_rows_is_said_before(tmp_path: Path) -> None:
    """The card says what is added to, emptied or deleted; what was written already is asked about again."""
    check_words(tmp_path, MODES)


def test_what_a_table_cannot_hold_exactly_is_kept_as_a_text(tmp_path: Path) -> None:
    """The card names the columns for which the database of a new table has no exact type."""
    check_words(
        tmp_path,
        """A new table.
@connections warehouse, backup
> database warehouse
> select id, cast('12345678901234567890.5' as decimal(38, 1)) as exact from orders where id < 3
@press yes
> write it to exact_orders in backup
The table is new. exact is kept as a text, as no type of SQLite would hold all of the values exactly.
""",
    )


def test_where_nothing_can_be_written_is_said(tmp_path: Path) -> None:
    """Databases, schemas and tables that cannot be written to are named, and nothing was written."""
    check_words(tmp_path, NOWHERE)


def test_a_name_is_taken_only_where_it_looks_like_one(tmp_path: Path) -> None:
    """A sentence is no name of a table or of a job; a No keeps the card."""
    check_words(tmp_path, NAMES)


MODES = """Old tables.
@connections shop, backup
@model SELECT id, name FROM regions ORDER BY id
> list all regions by number
@press menu:shop
@press yes
@press write
@fill table=places
The columns of the table: name (TEXT), country (TEXT)
@fill c0=town
The table has no column "town". It has: name, country.
@fill c0= & c1=
At least one column must be written.
@fill c0=country & c1=
@press columns
@fill c0= & c1=name
Write 2 rows to `main.places` in Backup. They are added to the row that is there.
@press write
✓ Added 2 rows to `main.places` in Backup.
> write
@fill table=places
@fill c1=name
Exactly these rows were written there already. Write them again?
@press cancel
Nothing was written.
@press write
@fill table=places & mode=truncate
@fill c1=name
⚠️ First, the 3 rows that are there will be deleted.
@press cancel
@press write
@fill table=places & mode=drop
⚠️ The table and the 3 rows that are there are deleted first, then it is created again.
Type the table's name, places, to confirm:
"""

NOWHERE = """Nowhere to write to.
@connections shop, backup, store, shelf
@model SELECT id, name FROM regions ORDER BY id
> list all regions by number
@press menu:shop
@press yes
@press write
@fill database=shelf & table=t
Shelf has no schema that rows may be written into. Nothing was written. Your administrator can name one under
@press write
> backup
> districts
I know no such table. To make a new one, type for example: new table orders_2026
@press cancel
> write it to store.main.regions
There is no schema `main` that you may write to.
> write it into Shop
You may not write to Shop.
"""

NAMES = """Sentences instead of names.
@connections shop, backup
@model SELECT id, name FROM regions ORDER BY id
> list all regions by number
@press menu:shop
@press yes
> write it to a table
> new table icc_bot_jobs
The bot keeps names that begin with "icc_bot_" for itself. Nothing was written. Choose another name.
> new table sqlite_master
SQLite keeps names that begin with "sqlite_" for itself. Nothing was written. Choose another name.
> new table regions_copy
Write 2 rows to `main.regions_copy` in Backup. The table is new.
> call the job weekly load
Job: weekly load
> no
Nothing was written. What should I change? Type it, such as `append instead`, `table orders_2026` or `amount = total`,
"""
