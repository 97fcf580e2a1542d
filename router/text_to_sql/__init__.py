"""From a question to SQL that the guard lets pass: `write_sql` is the entry, and leads the agents.

`schema_linking`, `named_values` and `ambiguous_columns` link the words of a question to the schema, `schema_text`
writes it down, and `periods` reads the times of the question as dates. `prompt` puts all that before the model, and
`repair.repair` puts its answer right from the schema.
"""
