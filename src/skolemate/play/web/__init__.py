"""The page: a server for this machine, its HTTP interface, and the files that a browser gets.

The HTTP interface is the Python one in JSON: `handlers` has the table of endpoints and their
handlers, `schema` describes their parameters and checks them. `runs` has the bounded pool for
everything that takes time, and keeps uploaded files and strategies; `tasks` is what runs do.
`app` is the server, and refuses requests of other sites. The page itself is in `static`.
"""
