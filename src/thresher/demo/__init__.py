"""Made-up mail, deterministic and labelled, for demos, tests and benchmarks without a corpus.

All sentences are this project's own; all hosts and addresses are reserved for examples (RFC 2606, 5737, 3849).
"""

from thresher.demo.generate import START, DemoMessage, messages

__all__ = ["START", "DemoMessage", "messages"]
