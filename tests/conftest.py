"""How the tests run: compiled modules are kept, properties have no time limits, and the same
examples come on every run that decides.

Hundreds of tests start the program as a process of its own; where Python may not keep what it has
compiled, each of them compiles all of it anew.
"""

from __future__ import annotations

import os
import sys

import pytest
from hypothesis import settings

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


LONGEST = (
    *("test_readme.py", "test_page_agreement.py", "test_evening.py", "test_table_machine.py"),
    *("test_page_authority.py", "test_concurrency.py", "test_play.py", "test_rolls_properties.py"),
    *("test_dice_machine.py", "test_match_machine.py", "test_page.py", "test_page_replay.py"),
)
"""What takes long begins first, the longest tests before others: else one process works alone at
the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    place = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.name, len(place)))
