"""Microsoft's botbuilder-core, as far as it is sound, and what is mended in it.

`adapter.py` is a `BotAdapter` that makes a `TurnContext` of an activity that was let in, and answers invokes.
`handler.py` is a `TeamsActivityHandler`: the one list of what can arrive, with what it lacks.

What was wrong, by the numbers in the tests: an invoke's body was written down twice (B1); a card's action has no
attributes (B2); a change of members without channelData raised (B9); an error inside of an invoke was told as "not
implemented" (B13); five invokes have no handler (B14). Beyond this folder an activity is a plain dict. Tokens, calls
and retries are not botbuilder's: see `authentication.py` and `calls.py`.
"""
