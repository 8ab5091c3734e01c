"""The page as a file: the same bytes for everyone, one script that may run, and nothing from
outside."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ledger import page, record
from ledger.carriers import record_in

PAGE = page.page().decode()
GOLDEN = Path(__file__).parent / "golden"
FORBIDDEN = {
    "a network": r"\bfetch\b|XMLHttpRequest|WebSocket|sendBeacon|EventSource|\bimport\(",
    "markup from a text": r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser",
    "a text that runs": r"\beval\b|\bFunction\(|setTimeout\(['\"]",
    "a store": r"localStorage|sessionStorage|indexedDB|document\.cookie",
}


class Elements(HTMLParser):
    """Every element with its attributes, and what stands in those that hold text as it is."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem:
            self.inside.append((self.cdata_elem, data))


def elements() -> Elements:
    read = Elements()
    read.feed(PAGE)
    return read


def script() -> str:
    (found,) = (data for tag, data in elements().inside if tag == "script" and "=>" in data)
    return found


def test_it_is_the_same_on_other_machines() -> None:
    code = "from ledger import page; print(page.digest())"
    for seed, zone in (("1", "Asia/Tokyo"), ("2", "America/Lima")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C"}
        run = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == page.digest() == sha256(page.page()).hexdigest()


def test_every_module_is_in_it_once_and_after_what_it_imports() -> None:
    here = Path(page.__file__).parent
    assert {each.stem for each in here.rglob("*.mjs")} == set(page.modules())
    assert len(list(here.rglob("*.mjs"))) == len(page.modules())
    order = list(page.modules())
    for place, (name, text) in enumerate(page.modules().items()):
        imported = re.findall(r'^import \{.*\} from "\.[a-z./]*/([a-z]+)\.mjs";$', text, re.M)
        assert set(imported) <= set(order[:place]), name
        assert len(imported) == len(re.findall(r"^import\b", text, re.M)), name


def test_what_judges_does_not_know_the_face() -> None:
    for path in (Path(page.__file__).parent / "verifier").iterdir():
        assert not re.search(r"\.\./face/|\bdocument\.|\bwindow\.", path.read_text("utf-8")), path


def test_no_name_is_taken_twice() -> None:
    form = r"^(?:async )?(?:const|let|function\*?|class) ([A-Za-z_$][\w$]*)"
    named = Counter(re.findall(form, script(), re.MULTILINE))
    assert len(named) > 200
    assert [name for name, count in named.items() if count > 1] == []
    assert not re.search(r"^(?:import|export)\b", script(), re.MULTILINE)


@pytest.mark.parametrize("what", FORBIDDEN)
def test_it_never_needs(what: str) -> None:
    assert re.findall(FORBIDDEN[what], script()) == []


def test_nothing_in_it_is_from_elsewhere() -> None:
    for tag, attributes in elements().found:
        assert (
            tag not in ("link", "img", "iframe", "object", "embed", "base", "form", "meta")
            or (tag == "meta" and "http-equiv" not in attributes)
            or attributes.get("http-equiv") == "Content-Security-Policy"
        ), tag
        assert not {name for name in attributes if name.startswith("on") or name == "style"}
        for name in ("src", "href", "action"):
            assert (attributes.get(name) or "#").startswith("#"), (tag, attributes)
    assert not re.search(r"url\(|@import", PAGE)


def test_the_policy_lets_this_script_and_style_run_and_nothing_else() -> None:
    read = elements()
    (policy,) = (each["content"] for _, each in read.found if "http-equiv" in each)
    rules = dict(part.strip().split(" ", 1) for part in (policy or "").split(";"))
    (style,) = (data for tag, data in read.inside if tag == "style")
    for name, text in (("script-src", script()), ("style-src", style)):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert rules.pop(name) == f"'sha256-{digest}'"
    assert rules == {
        "default-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
    }


def test_a_record_stands_on_a_line_of_its_own_and_comes_out_as_it_was() -> None:
    for file in sorted(GOLDEN.glob("*.tabellion.json")):
        data = file.read_bytes()
        lines = page.with_record(data).splitlines(keepends=True)
        assert lines.count(data) == 1
        assert b"".join(line for line in lines if line != data) == page.page()
        assert record_in(page.with_record(data)) == data
        assert record.read(record_in(page.with_record(data))).frame == ()
