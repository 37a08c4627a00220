"""One small module per family of games; each registers itself (see `games.family`)."""
