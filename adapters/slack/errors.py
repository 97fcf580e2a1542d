"""Slack's words for refusals that another drawing does not mend."""

MESSAGE_GONE_ERRORS = frozenset({"message_not_found", "cant_update_message", "edit_window_closed"})
"""Slack's words for a message that cannot be changed any more."""

CHANNEL_ERRORS = frozenset(
    {
        "cannot_dm_bot",
        "cannot_reply_to_message",
        "channel_not_found",
        "is_archived",
        "messages_tab_disabled",
        "method_not_supported_for_channel_type",
        "not_in_channel",
        "thread_not_found",
        "user_disabled",
        "user_not_found",
        "user_not_visible",
    }
)
"""Slack's words for a channel, a thread or a person that the bot cannot write to."""

RESTRICTED = ("restricted_action", "posting_to_general_channel_denied")
"""The beginnings of Slack's words for channels in which only some may post."""

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

TRANSIENT_ERRORS = frozenset(
    {
        "accesslimited",
        "message_limit_exceeded",
        "rate_limited",
        "ratelimited",
        "service_unavailable",
        "team_added_to_org",
    }
)
"""Slack's words for what it may do later."""


def is_outside(word: str) -> bool:
    """Return whether Slack's word says that the bot cannot write to a channel, a thread or a person."""
    return word in CHANNEL_ERRORS or word.startswith(RESTRICTED)


def is_of_this_drawing(word: str) -> bool:
    """Return whether Slack may take a simpler message, as far as its word says."""
    return not (is_outside(word) or word in MESSAGE_GONE_ERRORS | OF_THIS_TOKEN | TRANSIENT_ERRORS)
