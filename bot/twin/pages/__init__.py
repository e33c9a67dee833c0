"""Pages for people, drawn on the server. A page asks and changes only through `rest/`.

`table.py`    the table of pages: a page is one decorated function, read or write.
`serve.py`    from HTTP to a page and back: who is there, one transaction, errors in words, headers.
`session.py`  who sits in front of the browser, and whether a form is really ours.
`visit.py`    what a page gets; `ask` calls a function of the API as that person, rights and all.
`draw.py`     templates and their filters; `markdown.py` makes people's text safe to show.
The rest is one file per chapter: `front`, `code`, `issues`, `pulls`, `checks`, `runs`, `releases`.
"""
