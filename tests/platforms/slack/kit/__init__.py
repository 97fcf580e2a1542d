"""The checks by which Slack refuses blocks and views, with its words and its pointers."""

from tests.platforms.slack.kit.payload import message_problems, options_problems, view_problems

__all__ = ["message_problems", "options_problems", "view_problems"]
