"""Looks at everything that e-mails need, for the doctor: it logs in to the mail server, and sends nothing."""

from collections.abc import Iterator

from adapters.finding import Finding
from bot.mail_settings import MailSettings
from router.errors import JobFailed, SettingsError
from router.jobs.mail.mailer import Mailer


def check_mail(settings: MailSettings) -> Iterator[Finding]:
    """Yield every finding about e-mail; none where nothing of it is set."""
    try:
        office = settings.office
    except SettingsError as error:
        yield from (Finding("FAILED", "e-mail", problem) for problem in error.problems)
        return
    if office is None:
        return
    try:
        Mailer(office, patience=10).probe()
    except JobFailed as error:
        yield Finding("FAILED", "e-mail", str(error))
    else:
        who = f" after a login as {office.server.user}" if office.server.user else ""
        yield Finding("ok", "e-mail", f"{office.server} lets the bot send as {office.sender.text}{who}.")
    if office.domains is None:
        yield Finding(
            "warning", "e-mail", "EMAIL_ALLOWED_DOMAINS=* lets results be sent to anybody; name the domains instead."
        )
    else:
        yield Finding("ok", "e-mail", f"e-mails go to addresses at {', '.join(sorted(office.domains))} only.")
