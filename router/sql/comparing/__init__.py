"""Comparing two queries row by row, wherever they run, in bounded memory.

    query ── queries ──► rows in order ── RowKeys ──► RowStream ┐
                                                                ├─ merge ──► Tally ──► Report, and rows for a Sink
    query ── queries ──► rows in order ── RowKeys ──► RowStream ┘

Rows with one key are paired; without a key, all columns that must be equal are one. If a database gives another
order than is needed, `spill` sorts its rows in a temporary file. `proposals` say which columns belong together and
which tell rows apart; `totals` move no rows at all; `wording` and `difference_rows` tell what was found, in words and
as rows of a table.
"""
