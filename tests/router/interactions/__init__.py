"""Tests of what works at every card."""
