"""The bot's own storage: the one place that opens databases of ours, makes ids, tells the time and tidies up.

`tables` declares every table once, `database` opens them, `migrations` brings a database of an earlier version up.
Threads lie in `threads`, stored rows in `router.jobs.results.store`.
"""
