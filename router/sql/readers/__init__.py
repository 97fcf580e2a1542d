"""Reading a database file in a process of its own: what a child process does.

The child imports these modules and the engine, and nothing else of the bot: it starts at once, and holds no secret.
"""
