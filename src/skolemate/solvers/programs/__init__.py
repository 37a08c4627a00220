"""One small module per solver or preprocessor; each registers itself (see `solvers.program`)."""
