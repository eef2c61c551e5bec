"""attnlib beside its peers: the same batches and sizes, in turn, in one run."""
