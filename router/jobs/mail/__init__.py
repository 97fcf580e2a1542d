"""E-mails: addresses, the body, the MIME message, and the mailer that hands it to a mail server."""
