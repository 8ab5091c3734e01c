"""How the tests run: compiled modules are kept, properties have no time limits, and the same
examples come on every run that decides.

Hundreds of tests start the program as a process of its own; where Python may not keep what it has
compiled, each of them compiles all of it anew.
"""

from __future__ import annotations

import os
import sys

from hypothesis import settings

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")
