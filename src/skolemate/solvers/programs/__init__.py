"""The registered solvers and preprocessors. Every module here is imported (see `registry`)."""
