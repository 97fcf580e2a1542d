"""The golden talks of `tests/conversations` on each platform: played there, and read back from what is drawn."""
