"""Measures the SQL of a model: questions with known answers are asked, and results are compared."""
