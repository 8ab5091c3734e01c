"""A cold ``tabellion show`` into a pipe, beside a script that only imports what it must.

Fresh processes in turns; a match of about sixty events. The bare script imports sqlite3, msgspec
and cryptography's Ed25519 and ends. Bytecode is compiled by the first run of each, which does not
count: ``python tests/bench/show.py``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent))

import table

GOAL = 2.5
RUNS = 25
WALK = ("e3-f3", "e2-h2", "f3-e3", "h2-e2")
SHOW = "import cli; cli.main()"
BARE = "import sqlite3, msgspec; from cryptography.hazmat.primitives.asymmetric import ed25519"
ROOT = Path(__file__).parent.parent.parent


def milliseconds(*arguments: str) -> float:
    """Wall time of one fresh Python; its output goes into a pipe and is read."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, check=False
    )
    took = time.perf_counter() - begun
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    return took * 1000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.db"
        with table.new_service(path) as service:
            plans = [table.accept("swedes"), table.accept("muscovites")]
            plans += [table.play(WALK[number % 4]) for number in range(57)]
            opened = service.open_match(table.opening(), table.ARBITER)
            service.append(opened.match, plans, table.KEYS)
        show = ("-c", SHOW, "show", opened.match[:8], "--ledger", str(path))
        runs = [
            (milliseconds(*show), milliseconds("-c", BARE), milliseconds("-c", "pass"))
            for _ in range(RUNS + 1)
        ][1:]
    ours, bare, nothing = (median(column) for column in zip(*runs, strict=True))
    print(f"tabellion show:   {ours:6.1f} ms")
    print(f"bare imports:     {bare:6.1f} ms")
    print(f"python alone:     {nothing:6.1f} ms")
    print(f"ratio: {median(a / b for a, b, _ in runs):.2f} (goal: {GOAL})")


if __name__ == "__main__":
    main()
