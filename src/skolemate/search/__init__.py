"""Search: the reference oracle, with which everything else is compared, and the native engine."""
