"""Teams.

One message, from the socket to the card: `server` takes the request, `authentication` lets in what Microsoft signed,
and the request becomes an activity of known fields. `app` keeps its address in `conversations` and hands it on:
`inbound` makes what was said an input, `clicks` what was pressed, which is answered with a card at once.
`adapters.chat.conversation_service` takes it from there, and comes back to `surface` with what is to be shown.
`message` and `cards` draw it: `controls`, `forms`, `tables`, `charts` and `text_elements` a kind of card each, in the
first of the `DETAILS` of `drawing` that fits. It goes through `connector`, one call at a time a conversation, by
`calls`, with a token of `tokens`. What it is refused with stands in `failures`.

A file is a link of `files`, or is offered by `file_consent` and, once it is wanted, put by `uploads`. `app` also
hears where the bot comes and goes.
"""
