"""`python -m tesuji` is the command line."""

import signal
import sys


def main() -> None:
    """Loads the command line only here: the workers of a match import this file, and have no use for the rest."""
    try:
        from tesuji import cli  # noqa: PLC0415  Ctrl-C while it loads is caught here
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a further one would show Python's own end
        print("interrupted", file=sys.stderr)
        sys.exit(130)

    cli.main()


if __name__ == "__main__":
    main()
