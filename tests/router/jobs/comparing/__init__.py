"""Comparisons as jobs."""
