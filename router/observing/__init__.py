"""What is counted and measured while the bot works, and which talk a line of the log belongs to."""
