"""How right the SQL is that a model writes: questions with known answers are asked, and results are compared."""
