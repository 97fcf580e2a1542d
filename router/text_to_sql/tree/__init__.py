"""A question as a tree of nodes, and the agents that work on them.

    schema_linker ──► sql_generator ──► sql_evaluator ──► good: the next sibling, or the parent
          ▲  query_analyzer (parts)           │
          └──────── another view ◄─────── bad, at most three times

A simple question is a tree of one node, and costs one call of the model. `status.check` says which node is worked on
and which agents may be next; `orchestrator.solve` runs them until none is left.
"""
