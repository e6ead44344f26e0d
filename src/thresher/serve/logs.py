"""What the daemon writes about itself: never a word of a message, a subject or an address."""

import traceback


def where(error: BaseException) -> str:
    """Say what failed and where, and not its text: that may quote the message it failed on."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__} at {frames[-1].filename}:{frames[-1].lineno}" if frames else type(error).__name__
