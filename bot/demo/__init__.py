"""The demo: a sample company with its warehouse, a mailbox, and a small model inside the process."""
