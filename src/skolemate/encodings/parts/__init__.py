"""Pieces that several encodings share, each stated once."""
