"""A local GitHub: REST, git over HTTP and Actions, over bare git repositories and SQLite.

It is a program of its own that clients reach over HTTP; it imports nothing of the bot's. The way of
a request, and where to add something:

`server.py`  listens on loopback, starts the background threads, prints the ready line.
`wire.py`    one thread reads whole requests; quick writes that come together share a commit there,
             the rest is done by a few threads.
`faults.py`  the outermost layer: breaks what it was told to break.
`asked.py`   a request from the wire, the bytes of an answer.
`app.py`     finds the route, the caller, the repository and the right to do it; then limits,
             errors, `ETag`. A GET reads a snapshot, everything else is one SQLite transaction.
`rest/`      one file per chapter of GitHub's API: plain functions under `@route`.
`shapes/`    rows -> GitHub's JSON. Pure reading: no shape changes anything.
`gitrepo.py` all that is asked of a bare repository; `githttp.py` clone, fetch and push.
`events.py`  what happened, kept in the same transaction as its cause; `telling.py` starts what it
             starts, `hooks.py` delivers it.
`actions/`   which workflows an event starts, what waits, and who runs the steps.

`pages/`     for people, on `/<owner>/<repo>/...` for `Accept: text/html`: the API has no path there
             (only `/<owner>/<repo>.git/` is git's). A page calls the functions in `rest/` with a
             `Call`, so that it may do what the API may do and no more.
"""
