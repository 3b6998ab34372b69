"""The page: play, watch the search, learn what deceives it, follow matches. `tesuji web` serves it.

One connection is one session. It holds positions and trees, but no thread: searches run in slices of a few hundredths
of a second on the fixed pool of searchers (pool.py), and after each slice a session stands at the end of the queue. The
browser keeps the game: a connection that was lost comes back with the moves so far, and the server forgets the rest.

In order of dependency: messages.py (what a page may send), guard.py (who may send it), connections.py (and how much),
pool.py, session.py (one page), boards.py, game.py, a desk for each page (play.py, watch.py, learn.py, follow.py),
app.py (routes), server.py.
"""
