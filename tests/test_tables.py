"""Tables set out: codes, phones that come, and that a match is opened once, whoever opens it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from table import ALBA, ARBITER, BOTH, BRUNO, STRANGER, accept, clock, new_service, opening

from ledger import joincodes, seating, tables
from ledger.cup import Cup
from ledger.errors import NotFound, Refused, Stale, TabellionError, Unreadable
from ledger.events import CommitReveal, Opening, Replacement
from ledger.keys import SigningKey
from ledger.service import Draft, planned
from ledger.tables import Place, Replacing, Server, SetOut, State, Tables, beside

NOW = clock()
LATER = "2026-11-30T18:00:00Z"
KEYID = ARBITER.public.fingerprint
PHONES = {"white": "Alba", "black": "Bruno"}
KEYS = {"white": ALBA.public.line, "black": BRUNO.public.line}


def entropy(first: int = 1) -> Callable[[int], bytes]:
    """Other bytes at every call, and the same in every run."""
    calls = iter(range(first, 250))
    return lambda count: bytes([next(calls)]) * count


def plan(**changes: object) -> Opening:
    return opening("tabula", keyed=(), dice=BOTH, **changes)  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return beside(tmp_path / "ledger.db")


@pytest.fixture
def hall(path: Path) -> Iterator[Tables]:
    with Tables.open(path, create=True) as opened:
        yield opened


def set_out(hall: Tables, given: Opening | None = None) -> tuple[SetOut, dict[str, str]]:
    return hall.set_out(given or plan(), KEYID, PHONES, NOW, entropy())


def welcome(*_: object) -> None:
    """Nothing is against this key."""


def join(hall: Tables, code: str, line: str, now: str = NOW) -> SetOut:
    return hall.join(code, line, now, welcome)[0]


def all_come(hall: Tables) -> SetOut:
    table, codes = set_out(hall)
    for seat, code in codes.items():
        table = join(hall, code, KEYS[seat])
    return table


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(TabellionError) as error:
        act()
    return error.value.code


# -- codes ---------------------------------------------------------------------------------


def test_a_code_has_ten_letters_that_nobody_takes_for_others() -> None:
    codes = [joincodes.fresh(lambda count, n=n: bytes([n]) * count) for n in range(256)]
    assert {len(code) for code in codes} == {10}
    assert not set("".join(codes)) & set("ILOU")
    assert len(set(codes)) == 256, "every bit counts that there is room for"
    assert joincodes.grouped("ABCDEFGHJK") == "ABCD-EFGH-JK"


@pytest.mark.parametrize("typed", ["ABCD-EFGH-10", "abcdefgh10", "AbCd EfGh-1o", "abcd-efgh-LO"])
def test_case_hyphens_and_letters_that_look_like_digits_do_not_matter(typed: str) -> None:
    assert joincodes.digest(typed) == joincodes.digest("ABCDEFGH10")


@pytest.mark.parametrize(
    "typed", ["", "WXYZ", "ABCDEFGHJK1", "ABCDEFGHJÄ", "A" * 999, "\ud800" * 10]
)
def test_what_is_no_code_is_refused_and_not_repeated(typed: str) -> None:
    with pytest.raises(Unreadable) as error:
        joincodes.digest(typed)
    assert error.value.code == "bad-code"
    assert not typed or typed not in error.value.message


# -- the file ------------------------------------------------------------------------------


def test_the_file_lies_beside_the_ledger_and_is_its_owners_alone(hall: Tables, path: Path) -> None:
    assert path.name == "ledger.db.tables"
    assert path.stat().st_mode & 0o777 == 0o600


def test_no_code_stands_in_the_file(hall: Tables, path: Path) -> None:
    _, codes = set_out(hall)
    join(hall, codes["white"], KEYS["white"])
    data = path.read_bytes()
    for code in codes.values():
        assert code.encode() not in data
        assert joincodes.grouped(code).encode() not in data
        assert joincodes.digest(code).encode() in data


def test_without_a_file_no_table_is_set_out(path: Path) -> None:
    assert refused(lambda: Tables.open(path)) == "no-tables"
    assert not path.exists()


def make_foreign(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE tables (id)")
        other.execute("PRAGMA application_id=7")
    other.close()


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"no database" * 100),
        lambda path: path.mkdir(),
        make_foreign,
    ],
)
def test_what_is_no_file_of_tables_is_said(path: Path, damage: Callable[[Path], None]) -> None:
    damage(path)
    with pytest.raises(Unreadable) as error:
        Tables.open(path, create=True)
    assert error.value.code == "tables-damaged"
    assert "ledger is not touched" in error.value.hint


def test_a_newer_format_is_left_alone(hall: Tables, path: Path) -> None:
    hall.connection.execute("PRAGMA user_version=9")
    assert refused(lambda: Tables.open(path)) == "future-tables"


@pytest.mark.parametrize("spoilt", [b"{", b"[]", b"{}", b'{"seats":1}', b"[" * 5000])
def test_a_spoilt_plan_is_an_error_of_ours(hall: Tables, spoilt: bytes) -> None:
    table, codes = set_out(hall)
    hall.connection.execute("UPDATE tables SET plan = ?", (spoilt,))
    assert refused(lambda: hall.table(table.id)) == "tables-damaged"
    assert refused(lambda: hall.by_code(codes["white"], NOW)) == "tables-damaged"


def test_a_table_that_somebody_dropped_is_an_error_of_ours(hall: Tables) -> None:
    table, _ = set_out(hall)
    hall.connection.execute("DROP TABLE places")
    assert refused(lambda: hall.table(table.id)) == "tables-damaged"


# -- phones that come ----------------------------------------------------------------------


def test_phones_come_one_after_the_other(hall: Tables) -> None:
    table, codes = set_out(hall)
    assert [place.name for place in table.waiting_for] == ["Alba", "Bruno"]
    table = join(hall, codes["black"].lower(), KEYS["black"])
    assert [place.name for place in table.waiting_for] == ["Alba"]
    assert not table.complete
    table = join(hall, codes["white"], KEYS["white"])
    assert table.complete
    assert table.places == (
        Place("white", "Alba", KEYS["white"]),
        Place("black", "Bruno", KEYS["black"]),
    )
    assert hall.complete(KEYID, NOW) == [table]
    assert hall.complete(STRANGER.public.fingerprint, NOW) == []


def test_the_first_key_takes_the_code_and_may_come_again(hall: Tables) -> None:
    _, codes = set_out(hall)
    first = join(hall, codes["white"], KEYS["white"])
    assert join(hall, codes["white"], KEYS["white"]) == first
    with pytest.raises(Stale) as error:
        join(hall, codes["white"], STRANGER.public.line)
    assert error.value.code == "code-used"
    assert hall.table(first.id) == first


def test_what_is_refused_leaves_the_table_as_it_was(hall: Tables) -> None:
    table, codes = set_out(hall)

    def check(*_: object) -> None:
        raise Refused("key-twice", "No.")

    assert refused(lambda: hall.join(codes["white"], KEYS["white"], NOW, check)) == "key-twice"
    assert hall.table(table.id) == table


def test_a_code_is_good_for_a_day(hall: Tables) -> None:
    _, codes = set_out(hall)
    almost = "2026-11-30T17:59:59Z"
    join(hall, codes["white"], KEYS["white"], almost)
    assert refused(lambda: join(hall, codes["black"], KEYS["black"], LATER)) == "no-such-code"
    assert refused(lambda: hall.by_code(codes["white"], LATER)) == "no-such-code"


def test_a_table_that_expired_is_not_opened_any_more(hall: Tables) -> None:
    table = all_come(hall)
    assert hall.complete(KEYID, "2026-11-30T17:59:59Z") == [table]
    assert hall.complete(KEYID, LATER) == []


def test_old_tables_are_cleared_away(hall: Tables) -> None:
    old, _ = set_out(hall)
    hall.set_out(plan(), KEYID, PHONES, "2026-12-01T17:59:59Z", entropy(50))
    assert hall.table(old.id) == old
    hall.withdraw(old.id)
    hall.set_out(plan(), KEYID, PHONES, "2026-12-01T18:00:01Z", entropy(100))
    assert refused(lambda: hall.table(old.id)) == "no-table"


def test_two_phones_at_once_with_one_code(path: Path, hall: Tables) -> None:
    _, codes = set_out(hall)
    said: list[str] = []

    def come(line: str) -> None:
        with Tables.open(path) as here:
            try:
                join(here, codes["white"], line)
                said.append("joined")
            except TabellionError as error:
                said.append(error.code)

    lines = [KEYS["white"], STRANGER.public.line, KEYS["black"]]
    threads = [threading.Thread(target=come, args=(line,)) for line in lines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(said) == ["code-used", "code-used", "joined"]


# -- opened once ---------------------------------------------------------------------------


def test_the_arbiter_opens_it_with_the_keys_that_came(tmp_path: Path, hall: Tables) -> None:
    table = all_come(hall)
    with new_service(tmp_path / "ledger.db") as service:
        after = seating.settle(service, hall, table.id, ARBITER, tmp_path)
        assert after.state is State.DONE
        state = service.state(after.match or "")
        assert {seat: state.roster[seat].key for seat in PHONES} == {
            "white": ALBA.public,
            "black": BRUNO.public,
        }
        assert [state.roster[seat].name for seat in PHONES] == ["Alba", "Bruno"]
        assert state.contributors == ("white", "black")
        assert (state.seq, state.phase.value) == (0, "before-acceptance")


def test_an_arbiter_who_makes_dice_commits_at_once(tmp_path: Path, hall: Tables) -> None:
    three = CommitReveal(contributors=("white", "black", "arbiter"))
    given = opening("tabula", keyed=(), dice=three)
    table, codes = set_out(hall, given)
    for seat, code in codes.items():
        join(hall, code, KEYS[seat])
    with new_service(tmp_path / "ledger.db") as service:
        after = seating.settle(service, hall, table.id, ARBITER, tmp_path)
        state = service.state(after.match or "")
    bound = Cup(state, {"arbiter": ARBITER}, tmp_path).commit("arbiter").data
    assert state.rolling.commitments == {"arbiter": bound.commitment}  # type: ignore[attr-defined]


def test_it_waits_until_all_have_come(tmp_path: Path, hall: Tables) -> None:
    table, codes = set_out(hall)
    join(hall, codes["white"], KEYS["white"])
    with new_service(tmp_path / "ledger.db") as service:
        assert seating.settle(service, hall, table.id, ARBITER, tmp_path).state is State.WAITING
        assert service.store.matches() == []


def test_another_arbiters_key_opens_nothing(tmp_path: Path, hall: Tables) -> None:
    table = all_come(hall)
    with new_service(tmp_path / "ledger.db") as service:
        act = lambda: seating.settle(service, hall, table.id, STRANGER, tmp_path)  # noqa: E731
        assert refused(act) == "wrong-signer"
        assert service.store.matches() == []
    assert hall.table(table.id) == table


def test_two_programs_open_one_match(tmp_path: Path, path: Path, hall: Tables) -> None:
    table = all_come(hall)
    new_service(tmp_path / "ledger.db").close()
    found: list[str | None] = []
    ready = threading.Barrier(4)

    def settle() -> None:
        with new_service(tmp_path / "ledger.db") as service, Tables.open(path) as here:
            ready.wait()
            found.append(seating.settle(service, here, table.id, ARBITER, tmp_path).match)

    threads = [threading.Thread(target=settle) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with new_service(tmp_path / "ledger.db") as service:
        assert [service.store.matches()] * 4 == [[each] for each in found]


def test_a_program_that_died_between_ledger_and_table(tmp_path: Path, hall: Tables) -> None:
    """The ledger has the match, the table does not know it: nobody opens a second one."""
    table = all_come(hall)
    with new_service(tmp_path / "ledger.db") as service:
        given = tables.with_keys(plan(), table.places)
        match = service.open_match(given, ARBITER).match
        other = opening("tabula", nonce="11" * 16, dice=BOTH)
        service.open_match(other, ARBITER)
        after = seating.settle(service, hall, table.id, ARBITER, tmp_path)
        assert (after.state, after.match) == (State.DONE, match)
        assert len(service.store.matches()) == 2


def test_what_fails_is_tried_again_and_what_is_done_is_not(tmp_path: Path, hall: Tables) -> None:
    table = all_come(hall)
    tried = []

    def fail(_: SetOut) -> str:
        tried.append("failed")
        raise Stale("busy", "In use.")

    def succeed(_: SetOut) -> str:
        tried.append("opened")
        return "ab" * 32

    assert refused(lambda: hall.settle(table.id, fail)) == "busy"
    assert hall.table(table.id) == table
    for _ in range(2):
        assert hall.settle(table.id, succeed).match == "ab" * 32
    assert tried == ["failed", "opened"]


def test_a_withdrawn_table_is_not_opened_and_an_open_one_not_withdrawn(hall: Tables) -> None:
    table, codes = set_out(hall)
    assert hall.withdraw(table.id).state is State.WITHDRAWN
    for act in (
        lambda: join(hall, codes["white"], KEYS["white"]),
        lambda: hall.by_code(codes["black"], NOW),
    ):
        assert refused(act) == "table-withdrawn"
    assert refused(lambda: hall.by_code(codes["white"], LATER)) == "no-such-code"
    table, codes = hall.set_out(plan(), KEYID, PHONES, NOW, entropy(50))
    for seat, code in codes.items():
        join(hall, code, KEYS[seat])
    hall.settle(table.id, lambda _: "ab" * 32)
    assert hall.withdraw(table.id).match == "ab" * 32


def test_only_tables_that_wait_are_listed(hall: Tables) -> None:
    first, codes = set_out(hall)
    second, third = (hall.set_out(plan(), KEYID, PHONES, NOW, entropy(n))[0] for n in (50, 100))
    join(hall, codes["white"], KEYS["white"])
    assert [each.id for each in hall.waiting(NOW)] == [first.id, second.id, third.id]
    hall.withdraw(second.id)
    assert [each.id for each in hall.waiting(NOW)] == [first.id, third.id]
    assert hall.waiting(LATER) == []


def test_what_the_arbiter_sees_of_a_table(hall: Tables) -> None:
    keyed = opening("tabula", keyed=("black",))
    table, codes = hall.set_out(keyed, KEYID, {"white": "Alba"}, NOW, entropy())
    seats = table.view().seats
    assert [(each.seat, each.joins, each.keyid) for each in seats] == [
        ("white", True, None),
        ("black", False, BRUNO.public.fingerprint),
    ]
    seats = join(hall, codes["white"], KEYS["white"]).view().seats
    assert seats[0].keyid == ALBA.public.fingerprint
    new = hall.set_out(replacing("ab" * 32), KEYID, {"white": "Alba"}, NOW, entropy(50))[0].view()
    assert (new.match, new.ruleset, new.arbiter) == ("ab" * 32, "tabula", "Zoë")
    assert [each.seat for each in new.seats] == ["white"]


def test_a_table_is_named_by_its_id_or_its_number(hall: Tables) -> None:
    first, _ = set_out(hall, replace(plan(), table="4"))
    second, _ = hall.set_out(replace(plan(), table="4"), KEYID, PHONES, NOW, entropy(50))
    third, _ = hall.set_out(replace(plan(), table="5"), KEYID, PHONES, NOW, entropy(100))
    hall.set_out(plan(), KEYID, PHONES, NOW, entropy(150))
    assert hall.named(second.id[:6].upper(), NOW) == second
    assert hall.named("T5", NOW) == third
    assert refused(lambda: hall.named("t4", NOW)) == "ambiguous-table"
    for nobody in ("", " ", "t", "t44", "tNone", "%"):
        assert refused(lambda nobody=nobody: hall.named(nobody, NOW)) == "no-table"
    hall.withdraw(first.id)
    assert hall.named("t4", NOW) == second


def test_what_could_never_be_opened_is_refused_before_anybody_gets_a_code() -> None:
    places = tuple(Place(seat, name) for seat, name in PHONES.items())
    seating.rehearse(plan(), places, entropy(100))
    wrong = opening("tabula", keyed=(), dice=CommitReveal(contributors=("black", "white")))
    with pytest.raises(Refused) as error:
        seating.rehearse(wrong, places, entropy(100))
    assert error.value.code == "bad-contributors"


@pytest.mark.parametrize("whose", [ARBITER, BRUNO])
def test_one_key_has_one_role_at_a_table(tmp_path: Path, hall: Tables, whose: SigningKey) -> None:
    _, codes = set_out(hall)
    join(hall, codes["black"], KEYS["black"])
    with new_service(tmp_path / "ledger.db") as service:
        line = whose.public.line
        check = lambda *given: seating.check_key(service, *given)  # noqa: E731
        act = lambda: hall.join(codes["white"], line, NOW, check)  # noqa: E731
        assert refused(act) == "key-twice"
        assert hall.join(codes["white"], KEYS["white"], NOW, check)[0].complete


# -- another phone -------------------------------------------------------------------------


def replacing(match: str, old: str = KEYS["white"]) -> Replacing:
    return Replacing(
        match=match,
        role="white",
        name="Alba",
        reason="lost",
        ruleset="tabula",
        arbiter="Zoë",
        table=None,
        old=old,
    )


def test_a_new_phone_is_put_in_once(tmp_path: Path, hall: Tables) -> None:
    with new_service(tmp_path / "ledger.db") as service:
        match = service.open_match(opening("tabula", dice=BOTH), ARBITER).match
        keys = {"white": ALBA, "black": BRUNO}
        service.append(match, [accept("white"), accept("black")], keys)
        table, codes = hall.set_out(replacing(match), KEYID, {"white": "Alba"}, NOW, entropy())
        check = lambda *given: seating.check_key(service, *given)  # noqa: E731
        for line in KEYS.values():
            act = lambda line=line: hall.join(codes["white"], line, NOW, check)  # noqa: E731
            assert refused(act) == "key-twice"
        hall.join(codes["white"], STRANGER.public.line, NOW, check)
        for _ in range(2):
            after = seating.settle(service, hall, table.id, ARBITER, tmp_path)
            assert after.match == match
        state = service.state(match)
        assert (state.seq, state.roster["white"].key) == (3, STRANGER.public)
        assert state.unaccepted == ("white",), "the new phone accepts before play goes on"


def test_a_key_that_was_replaced_otherwise_meanwhile_stays(tmp_path: Path, hall: Tables) -> None:
    with new_service(tmp_path / "ledger.db") as service:
        match = service.open_match(opening("tabula", dice=BOTH), ARBITER).match
        table, codes = hall.set_out(replacing(match), KEYID, {"white": "Alba"}, NOW, entropy())
        hall.join(codes["white"], STRANGER.public.line, NOW, welcome)
        given = Replacement(role="white", name="Alba", reason="found a pen", key=None)
        dead = [planned(Draft("key.replaced", given, "arbiter"))]
        with pytest.raises(TabellionError):
            service.append(match, dead, {"white": ALBA})
        service.append(match, dead, {"arbiter": ARBITER})
        act = lambda: seating.settle(service, hall, table.id, ARBITER, tmp_path)  # noqa: E731
        assert refused(act) == "stale-table"
        assert service.state(match).roster["white"].key is None


# -- servers -------------------------------------------------------------------------------


def test_a_server_is_known_for_as_long_as_it_runs(path: Path) -> None:
    here = Server(4711, "https://192.168.1.5:8765", "AB:CD", KEYID)
    with tables.serving(path, here), Tables.open(path) as hall:
        assert hall.servers(lambda pid: pid == 4711) == [here]
        assert hall.servers(lambda _: False) == [], "one that was killed could not say so"
    with Tables.open(path) as hall:
        assert hall.servers(lambda _: True) == []


def test_a_server_that_starts_again_is_one(hall: Tables) -> None:
    first, again = Server(7, "http://localhost:1", None, None), Server(7, "http://a:2", "AB", KEYID)
    hall.note_server(first)
    hall.note_server(again)
    assert hall.servers(lambda _: True) == [again]


def test_no_table_has_an_unknown_name(hall: Tables) -> None:
    with pytest.raises(NotFound):
        hall.table("00" * 8)


def test_ctrl_c_when_a_transaction_has_just_begun_leaves_none_open(
    hall: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begun(act: Callable[[], object]) -> None:
        act()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("ledger.tablesfile.retry_while_busy", begun)
        for transaction in (hall.writing, hall.reading):
            with pytest.raises(KeyboardInterrupt), transaction():
                pass
            assert not hall.connection.in_transaction
    table, _ = set_out(hall)
    assert hall.withdraw(table.id).state is State.WITHDRAWN
