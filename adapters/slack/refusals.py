"""Slack's words for refusals that another drawing does not mend."""

GONE = frozenset({"message_not_found", "cant_update_message", "edit_window_closed"})
"""Slack's words for a message that cannot be changed any more."""

OUTSIDE = frozenset({"not_in_channel", "channel_not_found", "is_archived", "restricted_action", "thread_not_found"})
"""Slack's words for a channel or a thread that the bot cannot write to."""

NO_DRAWING_HELPS = frozenset(
    {
        "invalid_auth",
        "not_authed",
        "account_inactive",
        "token_revoked",
        "missing_scope",
        "no_permission",
        "ratelimited",
    }
)
"""Slack's words for what a simpler message would not get around."""
