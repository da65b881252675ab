"""Output of commands on the terminal."""

import sys


def say(text: str) -> None:
    """Print a line of progress on the terminal."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
