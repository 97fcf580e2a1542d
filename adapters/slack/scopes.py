"""The scopes and events that the code uses, each with its reason; the manifest is held against them."""

EVENTS = {
    "app_mention": "a question in a channel",
    "message.channels": "follow-ups without a mention, in threads of public channels",
    "message.groups": "follow-ups without a mention, in threads of private channels",
    "message.im": "direct messages",
    "message.mpim": "questions and follow-ups in group direct messages",
    "app_home_opened": "the Home tab, and suggested questions in the Messages tab",
    "agent_session_stopped": "the Stop button that Slack shows while the bot works",
    "app_uninstalled": "deleting what is kept of a workspace",
    "tokens_revoked": "deleting what is kept of a workspace",
}

SCOPES = {
    "app_mentions:read": "to hear a question in a channel",
    "assistant:write": "to show what it is doing, and suggested questions",
    "channels:history": "to hear follow-ups in its threads without a mention, and to see whether an answer arrived",
    "chat:write": "to answer",
    "commands": "for /ask, “Ask about this” and “Ask a question”",
    "files:write": "to hand over CSV and Excel files",
    "groups:history": "the same in private channels",
    "im:history": "to hear direct messages",
    "users:read": "to answer people of the workspace alone, and call them by their names",
}

OPTIONAL_SCOPES = {
    "mpim:history": "to hear follow-ups in group direct messages",
    "users:read.email": "for rights by e-mail address in connections.toml, and to tell approvers named there",
}

COMMAND = "/ask"
SHORTCUT = "ask_about_this"
"""The one in the menu of a message."""
GLOBAL_SHORTCUT = "ask_a_question"
"""The one that stands everywhere."""
