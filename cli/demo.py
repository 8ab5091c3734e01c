"""The demo: to be written."""

import typer


def register(app: typer.Typer) -> None:
    """Nothing yet."""
