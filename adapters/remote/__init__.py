"""Jobs that another process does: the bot's side of the jobs API."""
