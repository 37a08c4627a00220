"""Search: the reference oracle, which judges everything else."""
