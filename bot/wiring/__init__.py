"""Builds the bot out of its settings: all of it in `bot.py`, what people teach it, and jobs done elsewhere."""
