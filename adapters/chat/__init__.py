"""The conversation service that all chat platforms share, and the page.

One message: the platform says what was heard as a `Heard` of `surface`, which is also where it says what it can do.
`conversation_service` keeps that in `inbox`, so that it is worked on once, whatever is repeated or killed, and
`admission` looks at who says it and where. `adapters.turns` has the router work on it, and tells `delivery` each
reply: `progress` is one message that changes; an answer takes its place, or stands below it. What went out is noted in
`shown_messages`, by which the next click is known; `reply_sender` draws it again once it is answered.
"""
