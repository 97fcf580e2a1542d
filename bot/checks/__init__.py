"""Checks settings, databases and platforms before people ask: the doctor, and the checks at a start."""
