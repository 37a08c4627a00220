"""Search: the reference oracle, which judges everything else, and the native engine."""
