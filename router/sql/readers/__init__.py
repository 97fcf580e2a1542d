"""Reading a database file in a process of its own: what the child does that `router.sql.databases.child` starts.

The child imports these modules and the engine, and nothing else of the bot: it starts at once, and holds no secret.
"""
