"""Who acts in a request: the token's own person, or whoever a token that speaks for others names."""

from collections.abc import Mapping
from http import HTTPStatus

from adapters.api.problems import Refused, unfit
from adapters.api.tokens import Token
from adapters.wire.people import ACTING, APPROVED, person_of
from router.errors import Unclear
from router.memory import User

OURS = "api:"
"""What the ids of people begin with whom the API knows by a token of their own."""


def people_of(token: Token, headers: Mapping[str, str], demanded: bool) -> tuple[User | None, User | None]:
    """Return who acts, and who approved, where the headers name them; raises Refused where the token may not."""
    acting, approver = (_named(token, name, headers.get(name)) for name in (ACTING, APPROVED))
    if demanded and acting is None:
        raise unfit(f"This needs the header {ACTING}, which names whoever asks for it.")
    if approver and not acting:
        raise unfit(f"The header {APPROVED} goes with the header {ACTING} only.")
    return acting, approver


def _named(token: Token, header: str, text: str | None) -> User | None:
    if text is None:
        return None
    if "act_for" not in token.scopes:
        raise Refused(HTTPStatus.FORBIDDEN, f"This token lacks the scope act_for, without which {header} says nothing.")
    try:
        user = person_of(text)
    except Unclear as error:
        raise unfit(f"{header}: {error}") from None
    if user.id.startswith(OURS):
        raise Refused(HTTPStatus.FORBIDDEN, f"{header}: nobody acts for those who have a token of their own.")
    return user
