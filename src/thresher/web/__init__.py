"""The page: what a person without a terminal needs of the filter, in a browser.

    desk.py      what the page asks of the running filter; the daemon's scanner is one
    site.py      what all pages share: settings, accounts, the log of what was judged, templates
    guard.py     what holds for every request: host, origin, size, headers, failures that tell nothing
    visit.py     one request of one person: who it is, what the form says, what is answered
    app.py       the application: every address and what answers it

How a page plugs in: a function from a Visit to a Response, run in a thread of its own, wrapped by `visit.page`, which
says who may see it; a form is read only once its token is proved. Its law: what came with mail is text. Templates
escape everything, scripts get it only as text, and the browser is told (Content-Security-Policy) to load, run and send
nothing that is not of this page.
"""
