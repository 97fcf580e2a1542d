"""Teams.

One message, from the socket to the card: `server` takes the request, `authentication` lets in what Microsoft signed,
with `keys`, and `process` makes it an activity of known fields and answers it. `app` keeps its address in `references`
and hands it on: `inbound` makes what was said an input, `clicks` what was pressed, which is answered with a card at
once. `adapters.chat.desk` takes it from there, and comes back to `surface` with what shall be shown. `message` and
`cards` draw it: `asks`, `tables`, `charts`, `code` and `texts` a kind of card each, `marks` what is said about it.
`streams` writes progress in personal chats; all else goes through `connector`, one call at a time a conversation, by
`calls`, with a token of `tokens`. What it is refused with stands in `undone`.

A file is a link of `downloads` and `links`, or is offered by `handover` and, once `agreements` hears that it is wanted,
put by `uploads`. `membership` hears where the bot comes and goes, `edits` what people change, `brought` what they
bring.
"""
