"""How an e-mail is addressed, put together and handed to a mail server."""
