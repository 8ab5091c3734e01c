"""The demos: every module here that has ``ABOUT``, a title of a few words, and ``play``."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from ledger.games import MODULES


def _titles() -> dict[str, str]:
    names = [each.name for each in iter_modules(__path__)]
    modules = {
        name: import_module(f"{__name__}.{name}") for name in (*MODULES, *names) if name in names
    }
    return {name: each.ABOUT for name, each in modules.items() if hasattr(each, "ABOUT")}


DEMOS: Final = _titles()
"""Their titles by name, in the order to be tried: those of the games as the registry has them,
then the others."""
