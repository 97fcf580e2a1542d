"""The commands: their arguments in one file, and one file for what each of them does."""
