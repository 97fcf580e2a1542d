"""The keys with which tokens are encrypted."""

from cryptography.fernet import Fernet, MultiFernet

from router.errors import SettingsError


def new_key() -> str:
    """Return a new key for tokens."""
    return Fernet.generate_key().decode()


def cipher(keys: str) -> MultiFernet:
    """Return what encrypts with the first of several keys and decrypts with all; raises SettingsError."""
    problems, fernets = [], []
    for number, key in enumerate((key.strip() for key in keys.split(",")), start=1):
        try:
            fernets.append(Fernet(key))
        except ValueError:
            problems.append(f"SLACK_TOKEN_KEY: key {number} is none; icc-bot slack --new-key prints one that is.")
    if problems:
        raise SettingsError(problems)
    return MultiFernet(fernets)
