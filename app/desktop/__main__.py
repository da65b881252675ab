"""``python -m app.desktop``; also the script that the packaged application starts with."""

import sys

from app.desktop.main import run

if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
