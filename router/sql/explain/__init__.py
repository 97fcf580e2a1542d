"""Says in plain words what a query does: a title, and a list of steps; from its syntax tree, not by a model."""
