"""Slack's words for refusals that another drawing does not mend."""

GONE = frozenset({"message_not_found", "cant_update_message", "edit_window_closed"})
"""Slack's words for a message that cannot be changed any more."""

NO_DRAWING_HELPS = frozenset(
    {
        "invalid_auth",
        "not_authed",
        "account_inactive",
        "token_revoked",
        "missing_scope",
        "thread_not_found",
        "no_permission",
        "ratelimited",
    }
)
"""Slack's words for what a simpler message would not get around."""
