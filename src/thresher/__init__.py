"""thresher: a spam filter that learns from its owner's own mail."""
