"""Servers, bots, talks and data that tests in several rooms share."""
