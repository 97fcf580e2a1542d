"""Counts, durations and spans of the bot's work, and the talk that a line of the log belongs to."""
