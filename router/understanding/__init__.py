"""A free sentence and what it asks for, told by rules and examples; a model is asked only for parameters.

`interpretation.understand` is the entry: it parts wishes from the question (`wishes`), takes the intent from
`intent_service`, and makes a full question of a follow-up (`followup.full_question`). `parameters.reader` reads the
table or the recipients in a wish.
"""
