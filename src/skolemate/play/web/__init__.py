"""The page: a server for this machine, its HTTP interface, and what a browser gets.

The HTTP interface is the Python one in JSON: `endpoints` lists it, `handlers` answer, `openapi`
describes it. `shelf` keeps files and strategies, `runs` the bounded pool in which everything that
takes time is done, `work` what is done there. `guard` decides who may ask at all. The page itself
is in `static`.
"""
