"""Jobs: what they keep, write and tell."""
