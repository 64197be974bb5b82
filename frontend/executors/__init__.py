"""Who computes the parts of a statement: threads, processes, a cluster."""
