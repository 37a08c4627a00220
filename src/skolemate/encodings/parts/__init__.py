"""Parts that several encodings share."""
