"""The bot's own storage: the one place that opens databases of ours, makes ids, tells the time and tidies up.

`tables` declares every table once, `database` opens them, `migrations` brings a database of an earlier version up, and
`takeover` moves in what earlier versions kept in files of its own. Threads lie in `threads`, stored rows in
`router.jobs.results.store`.
"""
