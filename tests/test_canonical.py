"""Canonical JSON: one spelling for every value of the profile, and a refusal for all the rest."""

from __future__ import annotations

import enum
import json
import time
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from ledger import canonical, unicode14
from ledger.canonical import MAX_BYTES, MAX_DEPTH, MAX_INTEGER
from ledger.errors import Refused, TabellionError

VECTORS = json.loads((Path(__file__).parent / "conformance/event.json").read_bytes())
PAYLOADS = [vector["payload"].encode() for vector in VECTORS["events"]]

# -- values and texts for properties ---------------------------------------------------------


NONCHARACTERS = [
    *range(0xFDD0, 0xFDF0),
    *(plane << 16 | end for plane in range(17) for end in (0xFFFE, 0xFFFF)),
]


def allowed(text: str) -> bool:
    """The profile for strings, said once more in Unicode's own terms."""
    bidirectional = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
    return unicodedata.is_normalized("NFC", text) and not any(
        unicodedata.category(character) in ("Cc", "Cs")
        or unicodedata.bidirectional(character) in bidirectional
        or ord(character) in NONCHARACTERS
        or unicode14.find_unknown(character)
        for character in text
    )


texts = st.text(max_size=12).map(lambda text: unicodedata.normalize("NFC", text)).filter(allowed)
keys = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
integers = st.integers(-MAX_INTEGER, MAX_INTEGER)
values = st.recursive(
    st.none() | st.booleans() | integers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=20,
)


def refusal(text: bytes) -> str:
    """The code of the refusal of ``text``."""
    with pytest.raises(Refused) as caught:
        canonical.decode(text)
    assert caught.value.exit_status == 1
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 250
    return caught.value.code


def refused_value(value: object) -> str:
    with pytest.raises(Refused) as caught:
        canonical.encode(value)
    return caught.value.code


# -- one spelling ----------------------------------------------------------------------------


@pytest.mark.parametrize("payload", PAYLOADS, ids=["names", "numbers"])
def test_the_vectors_are_read_and_written_byte_for_byte(payload: bytes) -> None:
    assert canonical.encode(json.loads(payload)) == payload
    assert canonical.encode(canonical.decode(payload)) == payload


@given(values)
def test_what_is_written_is_rfc_8785(value: Any) -> None:
    assert canonical.encode(value) == rfc8785.dumps(value)


@given(values)
def test_what_is_written_is_read_again(value: Any) -> None:
    assert canonical.decode(canonical.encode(value)) == value


@given(values, st.sampled_from([{"indent": 0}, {"separators": (", ", ": ")}, {}]), st.booleans())
def test_any_other_spelling_of_a_value_is_refused(
    value: Any, layout: dict[str, Any], escaped: bool
) -> None:
    one = canonical.encode(value)
    other = json.dumps(value, ensure_ascii=escaped, **layout).encode()
    if other != one:
        assert refusal(other) == "not-canonical"


def test_values_that_python_has_besides() -> None:
    class Suit(enum.StrEnum):
        CUPS = "cups"

    assert canonical.encode(("a", (1,))) == b'["a",[1]]'
    assert canonical.encode({Suit.CUPS: Suit.CUPS}) == b'{"cups":"cups"}'
    assert canonical.encode([True, 1, 0, False]) == b"[true,1,0,false]"


# -- refused as bytes ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b'{"a":1,"a":1}', "a key twice with one value"),
        (b'{"a":1,"a":2}', "a key twice with two values"),
        (b'{"b":1,"a":2}', "keys out of order"),
        (b'{"a": 1}', "white space inside"),
        (b'{"a":1}\n', "white space after"),
        (b" {}", "white space before"),
        (b'"\\u0041"', "an escape for a letter"),
        (b'"\\u00e9"', "an escape for a letter beyond ASCII"),
        (b'"\\ud83d\\ude00"', "escapes for an emoji"),
        (b'"\\/"', "an escape for a slash"),
        (b'"\\u0022"', "a long escape for a quotation mark"),
        (b'"\\u005C"', "a long escape for a backslash"),
        (b"-0", "minus nought"),
    ],
)
def test_another_spelling_is_not_canonical(text: bytes, why: str) -> None:
    assert refusal(text) == "not-canonical", why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "nothing"),
        (b"NaN", "not a number"),
        (b"Infinity", "infinity"),
        (b"-Infinity", "minus infinity"),
        (b"1e400", "a number beyond all floats"),
        (b"01", "a nought in front"),
        (b"+1", "a plus"),
        (b"0x10", "a hexadecimal number"),
        (b"1" + b"0" * 5000, "a number of 5001 digits"),
        (b"{}{}", "another value after"),
        (b"{}x", "bytes after"),
        (b"{}\0", "a zero byte after"),
        (b"\xef\xbb\xbf{}", "a byte order mark"),
        (b'"\xff"', "a byte that is not UTF-8"),
        (b'{"\xff":1}', "a key that is not UTF-8"),
        (b'"\xc0\xaf"', "UTF-8 longer than needed"),
        (b'"\xed\xa0\x80"', "a surrogate in UTF-8"),
        (b'"\xf4\x90\x80\x80"', "UTF-8 beyond U+10FFFF"),
        (b'"\\ud800"', "a high surrogate alone"),
        (b'"\\ud800\\ud800"', "two high surrogates"),
        (b'"\\ud800x"', "a high surrogate and a letter"),
        (b'"\\udc00"', "a low surrogate alone"),
        ("{}".encode("utf-16"), "UTF-16"),
        (b'"\x01"', "a control character as it is"),
        (b'"a\nb"', "a line end as it is"),
        (b"{'a':1}", "single quotation marks"),
        (b'{"a":1,}', "a comma too many"),
        (b"[1,]", "a comma too many"),
        (b"// no\n{}", "a comment"),
        (b'{"a"', "cut short"),
        (b"tru", "cut short"),
    ],
)
def test_what_is_not_json_is_refused(text: bytes, why: str) -> None:
    assert refusal(text) == "not-json", why


@pytest.mark.parametrize("text", [b"1.0", b"1e3", b"1E3", b"-0.0", b"0.1", b'[1,{"a":1.5}]'])
def test_floats_are_refused(text: bytes) -> None:
    assert refusal(text) == "float"


@pytest.mark.parametrize("number", [MAX_INTEGER, -MAX_INTEGER, 0, 1, -1])
def test_integers_that_every_reader_holds_exactly(number: int) -> None:
    assert canonical.decode(b"%d" % number) == number
    assert canonical.encode(number) == b"%d" % number


@pytest.mark.parametrize("number", [2**53, -(2**53), 2**63, 2**64, -(2**63) - 1, 10**400])
def test_larger_integers_are_refused(number: int) -> None:
    assert refusal(b"%d" % number) == "too-large-integer"
    assert refused_value(number) == "too-large-integer"


def test_the_first_integer_too_large_is_named_so() -> None:
    assert refusal(b"%d" % 2**53) == "too-large-integer"
    assert refusal(b"%d" % -(2**53)) == "too-large-integer"


@pytest.mark.parametrize(
    "name", ["Zoe\u0308", "Jesu\u0301s", "A\u030akesson", "\u1112\u1161\u11ab", "\u212b"]
)
def test_names_not_in_composed_form_are_refused(name: str) -> None:
    assert refusal(f'"{name}"'.encode()) == "not-nfc"
    composed = unicodedata.normalize("NFC", name)
    assert canonical.decode(f'"{composed}"'.encode()) == composed


FORBIDDEN = [
    *range(0x20),
    *range(0x7F, 0xA0),
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    *NONCHARACTERS,
]


@pytest.mark.parametrize("point", FORBIDDEN, ids=lambda point: f"U+{point:04X}")
def test_control_and_direction_changing_characters_are_refused(point: int) -> None:
    for text in (chr(point), f"a{chr(point)}", f"é{chr(point)}a"):
        assert refused_value([text]) == "forbidden-character"
        escaped = json.dumps(text)
        assert refusal(escaped.encode()) == "forbidden-character"


def test_every_other_character_of_unicode_is_allowed_where_it_is_composed() -> None:
    for point in range(0x110000):
        if point in FORBIDDEN or 0xD800 <= point < 0xE000:
            continue
        if unicode14.find_unknown(chr(point)):
            continue
        if unicodedata.is_normalized("NFC", chr(point)):
            assert canonical.check_text(chr(point)) == chr(point), hex(point)


UNICODE_14 = unicodedata.unidata_version == "14.0.0"


def test_a_character_newer_than_unicode_14_is_refused_by_every_python() -> None:
    """Its composed form could change with the Unicode that a Python knows."""
    for text in ("a\U0001e08f\u0323", "\U0001fae8", "name \u0378"):
        with pytest.raises(Refused) as caught:
            canonical.check_text(text)
        assert caught.value.code == "unknown-character"


def test_the_table_of_unicode_14_is_that_of_a_python_which_has_it() -> None:
    """On a later Python the characters that were known are known still."""
    for point in range(0x110000):
        unknown = unicodedata.category(chr(point)) == "Cn"
        found = unicode14.find_unknown(chr(point)) is not None
        assert found == unknown if UNICODE_14 else found or not unknown, hex(point)


@given(st.text(st.characters(), max_size=8))
def test_a_text_is_let_in_exactly_if_the_profile_allows_it(text: str) -> None:
    if allowed(text):
        assert canonical.check_text(text) == text
    else:
        with pytest.raises(Refused) as caught:
            canonical.check_text(text)
        assert caught.value.code in ("not-nfc", "forbidden-character", "unknown-character")
        assert str(caught.value).isascii() or "±" in str(caught.value)


@pytest.mark.parametrize(
    "point", [0xD800, 0xDBFF, 0xDC00, 0xDFFF], ids=lambda point: f"U+{point:X}"
)
def test_surrogates_in_a_python_text_are_refused(point: int) -> None:
    assert refused_value(chr(point)) == "forbidden-character"
    assert refused_value({"a": [f"a{chr(point)}b"]}) == "forbidden-character"
    assert refused_value({chr(point): 1}) == "bad-key"


@pytest.mark.parametrize(
    "key", ["", "A", "aB", "1a", "_a", "a-b", "a.b", "a b", "é", "a\n", "__proto__"]
)
def test_keys_are_plain_names(key: str) -> None:
    assert refused_value({key: 1}) == "bad-key"
    assert refused_value([{"a": {key: 1}}]) == "bad-key"
    spelled = json.dumps({key: 1}, ensure_ascii=False, separators=(",", ":"))
    assert refusal(spelled.encode()) == "bad-key"


def test_keys_may_have_digits_and_underscores() -> None:
    assert canonical.encode({"a_1": 1, "a1": 2, "a": 3}) == b'{"a":3,"a1":2,"a_1":1}'


# -- large and deep --------------------------------------------------------------------------


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


def test_nesting_ends_at_its_limit() -> None:
    assert canonical.encode(canonical.decode(nested(MAX_DEPTH))) == nested(MAX_DEPTH)
    assert refusal(nested(MAX_DEPTH + 1)) == "too-deep"


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":'], ids=["lists", "objects", "both"])
@pytest.mark.parametrize("depth", [1_000, 10_000, 100_000])
def test_a_bomb_of_brackets_is_refused(opening: bytes, depth: int) -> None:
    assert refusal(opening * depth) in ("too-deep", "too-large")


def test_the_deepest_bombs_that_fit() -> None:
    assert refusal(nested(MAX_BYTES // 2)) == "too-deep"
    assert refusal(b"[" * MAX_BYTES) == "too-deep"
    assert refusal(b"[" * 100_000) == "too-large"


def test_a_list_inside_itself_is_refused() -> None:
    loop: list[object] = []
    loop.append(loop)
    assert refused_value(loop) == "too-deep"


def test_size_ends_at_60_kib() -> None:
    largest = b'"%b"' % (b"x" * (MAX_BYTES - 2))
    assert canonical.encode(canonical.decode(largest)) == largest
    assert refusal(largest + b" ") == "too-large"
    assert refusal(b'"%b"' % (b"x" * 70_000)) == "too-large"
    assert refused_value("x" * 70_000) == "too-large"
    assert refused_value("é" * (MAX_BYTES // 2)) == "too-large"


@pytest.mark.parametrize(
    "text",
    [
        "a" + "\u0316" * 15_000 + "\u0301" * 15_000,
        "a" + "\u0316\u0301" * 15_000,
        "\u1100\u1161" * 10_000,
        "\u0344" * 30_000,
    ],
    ids=["marks in order", "marks out of order", "Korean letters", "marks that come apart"],
)
def test_no_text_takes_long_to_judge(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(Refused):
        canonical.decode(f'"{text}'.encode()[: MAX_BYTES - 4] + b'"')
    assert time.perf_counter() - start < 1


# -- refused as values -----------------------------------------------------------------------


class Name(str):
    """A text that only looks plain."""


class Number(int):
    """A number that only looks plain."""


@pytest.mark.parametrize("value", [{"a"}, b"a", object(), range(3), Name("a"), Number(1), 1j])
def test_other_python_values_are_refused(value: object) -> None:
    assert refused_value(value) == "not-json"
    assert refused_value({"a": [value]}) == "not-json"


@pytest.mark.parametrize("value", [1.0, 0.5, -0.0, float("nan"), float("inf"), 1e300])
def test_python_floats_are_refused(value: float) -> None:
    assert refused_value(value) == "float"


@pytest.mark.parametrize("key", [1, None, True, b"a", 1.5, ("a",)])
def test_keys_that_are_not_text_are_refused(key: object) -> None:
    assert refused_value({key: 1}) == "bad-key"


# -- hostile bytes ---------------------------------------------------------------------------


@given(
    st.binary(max_size=64) | st.text(max_size=32).map(lambda text: text.encode("utf-8", "replace"))
)
def test_random_bytes_are_read_in_their_one_spelling_or_refused(text: bytes) -> None:
    try:
        value = canonical.decode(text)
    except TabellionError:
        return
    assert canonical.encode(value) == text


@given(st.sampled_from(PAYLOADS), st.data())
def test_altered_payloads_are_read_in_their_one_spelling_or_refused(
    payload: bytes, data: st.DataObject
) -> None:
    altered = bytearray(payload)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(altered)))
        end = data.draw(st.integers(start, min(len(altered), start + 4)))
        altered[start:end] = data.draw(st.binary(max_size=4))
    try:
        value = canonical.decode(bytes(altered))
    except TabellionError:
        return
    assert canonical.encode(value) == altered
