"""`python -m tesuji` is the command line."""


def main() -> None:
    """Loads the command line only here: the workers of a match import this file, and have no use for the rest."""
    from tesuji import cli  # noqa: PLC0415

    cli.main()


if __name__ == "__main__":
    main()
