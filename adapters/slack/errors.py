"""Slack's words for refusals that another drawing does not mend."""

GONE = frozenset({"message_not_found", "cant_update_message", "edit_window_closed"})
"""Slack's words for a message that cannot be changed any more."""

OUTSIDE = frozenset({"not_in_channel", "channel_not_found", "is_archived", "restricted_action", "thread_not_found"})
"""Slack's words for a channel or a thread that the bot cannot write to."""

OF_THIS_TOKEN = frozenset(
    {
        "access_denied",
        "account_inactive",
        "ekm_access_denied",
        "enterprise_is_restricted",
        "invalid_auth",
        "missing_scope",
        "no_permission",
        "not_allowed_token_type",
        "not_authed",
        "org_login_required",
        "team_access_not_granted",
        "token_expired",
        "token_revoked",
        "two_factor_setup_required",
    }
)
"""Slack's words for a token that it will not take later either; all else may pass."""

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
