"""Coroutines in tests: in a thread of their own, because a browser's tests leave a loop running in
this one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Found = TypeVar("Found")


def run(what: Coroutine[Any, Any, Found]) -> Found:
    with ThreadPoolExecutor(1) as alone:
        return alone.submit(asyncio.run, what).result()
