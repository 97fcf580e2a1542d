"""A free sentence and what it asks for, told by rules and examples; a model is asked only for parameters.

`interpretation.understand` is the entry: it parts wishes from the question (`wishes`), takes the intent from
`intent_service`, and keeps with a question the one that it stands below, for the model that writes the SQL.
`parameters.reader` reads the table or the recipients in a wish.
"""
