"""What is alike on all chat platforms.

One message: the platform says what was heard as a `Heard` of `surface`, which is also where it says what it can do.
`desk` keeps that in `inbox`, so that it is worked on once, whatever is repeated or killed, and `gate` looks at who says
it and where. `adapters.turns` has the router work on it, and tells `delivery` each reply: progress is `ticker`'s, one
message that changes; an answer takes its place, or stands below it. What went out is noted in `shown`, by which the
next click is known; `outlet` draws it again once it is answered, and `replies` tells what is in a reply. `statuses`
says in between that the bot is at work, and `catching_up` finds the answer that a killed process had and did not show.
"""
