"""Comparing two queries row by row, wherever they run, in bounded memory.

    query ── wrapping ──► rows in order ── keys ──► Stream ┐
                                                           ├─ merging ──► Tally ──► Report, and rows for a Sink
    query ── wrapping ──► rows in order ── keys ──► Stream ┘

Without a key, rows that have no equal one wait as `leftovers` for one that is near. Where a database gives another
order than is needed, `spill` sorts its rows in a temporary file. `matching` and `keying` propose which columns belong
together and which tell the rows apart, `suggesting` what should not count; `aggregates` moves no rows at all, and
`measures` are what it asks for; `saying` and `layout` tell what was found, in words and as rows of a table.
"""
