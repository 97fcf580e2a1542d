"""Whole talks with the whole bot in Slack's stand-in."""
