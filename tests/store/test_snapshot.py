"""A snapshot loads as it was saved, or says why it does not."""

import math
import os
import stat
import struct
import zlib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from thresher.store.snapshot import Array, SnapshotCorrupt, load, save

# The file is written anew for each example.
one_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])

ARRAYS: dict[str, Array] = {
    "weights": np.linspace(-3, 3, 1000, dtype=np.float32),
    "counts": np.arange(300, dtype=np.uint32).reshape(100, 3),
    "seen": np.array([True, False, True]),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "model.snapshot"


def same(one: Array, other: Array) -> bool:
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


numbers = arrays_of.arrays(
    dtype=st.one_of(
        arrays_of.boolean_dtypes(),
        arrays_of.integer_dtypes(endianness="<"),
        arrays_of.unsigned_integer_dtypes(endianness="<"),
        arrays_of.floating_dtypes(endianness="<", sizes=(16, 32, 64)),
    ),
    shape=arrays_of.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=40),
)
plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@one_file
@given(header=st.dictionaries(st.text(), plain, max_size=4), arrays=st.dictionaries(st.text(), numbers, max_size=4))
def test_what_is_saved_loads_bit_for_bit(path: Path, header: dict[str, Any], arrays: dict[str, Array]) -> None:
    save(path, header, arrays)
    for copy in (False, True):
        found, loaded = load(path, copy=copy)
        assert found == header
        assert loaded.keys() == arrays.keys()
        assert [name for name in arrays if not same(arrays[name], loaded[name])] == []


@pytest.mark.parametrize(
    "array",
    [
        np.arange(24.0).reshape(4, 6)[::2, ::3],
        np.asfortranarray(np.arange(24.0).reshape(4, 6)),
        np.arange(5, dtype=">f8"),
        np.float32(1.5) * np.ones(()),
    ],
    ids=["strided", "column-major", "big-endian", "scalar"],
)
def test_an_array_laid_out_otherwise_loads_with_the_same_numbers(path: Path, array: Array) -> None:
    save(path, {}, {"a": array})
    loaded = load(path)[1]["a"]
    assert loaded.shape == array.shape
    assert np.array_equal(loaded, array)


@pytest.mark.parametrize("array", [np.array(["a"]), np.array([object()]), np.zeros(2, "i4,f8"), np.array([b"x"])])
def test_an_array_of_anything_but_numbers_is_refused(path: Path, array: Array) -> None:
    with pytest.raises(ValueError, match="holds numbers"):
        save(path, {}, {"a": array})
    assert not path.exists()


def test_arrays_are_mapped_read_only_and_aligned(path: Path) -> None:
    save(path, {}, ARRAYS)
    for array in load(path)[1].values():
        assert not array.flags.writeable
        assert array.ctypes.data % 64 == 0
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_copies_are_the_callers_own(path: Path) -> None:
    save(path, {}, ARRAYS)
    copies = load(path, copy=True)[1]
    copies["weights"][:] = 0
    assert same(load(path)[1]["weights"], ARRAYS["weights"])


def test_a_loaded_snapshot_stays_when_a_new_one_takes_its_place(path: Path) -> None:
    save(path, {}, ARRAYS)
    before = load(path)[1]["weights"]
    save(path, {}, {"weights": np.zeros(5)})
    path.unlink()
    assert same(before, ARRAYS["weights"])


def test_only_the_owner_can_read_it_and_nothing_else_is_left_behind(path: Path) -> None:
    before = os.umask(0)
    try:
        save(path, {}, ARRAYS)
        save(path, {}, ARRAYS)
    finally:
        os.umask(before)
    assert [found.name for found in path.parent.iterdir()] == [path.name]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_missing_snapshot_is_missing_not_corrupt(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(path)


def test_every_flipped_bit_is_noticed(path: Path) -> None:
    """In magic, lengths, checksums, header, padding and arrays alike."""
    save(path, {"last": 12}, {name: array[:20] for name, array in ARRAYS.items()})
    whole = path.read_bytes()
    assert len(whole) < 2000
    passed = []
    for position in range(len(whole)):
        damaged = bytearray(whole)
        damaged[position] ^= 1 << position % 8
        path.write_bytes(damaged)
        try:
            load(path)
        except SnapshotCorrupt:
            continue
        passed.append(position)
    assert passed == []


def test_every_cut_is_noticed_without_reading_the_arrays(path: Path) -> None:
    save(path, {"last": 12}, ARRAYS)
    whole = path.read_bytes()
    for length in [*range(600), *range(600, len(whole), 97)]:
        path.write_bytes(whole[:length])
        with pytest.raises(SnapshotCorrupt, match="truncated"):
            load(path, verify=False)
    path.write_bytes(whole + b"\0")
    with pytest.raises(SnapshotCorrupt):
        load(path, verify=False)


@one_file
@given(noise=st.binary(max_size=300), at=st.integers(0, 3000))
def test_overwritten_bytes_are_noticed(path: Path, noise: bytes, at: int) -> None:
    save(path, {"last": 12}, ARRAYS)
    whole = path.read_bytes()
    damaged = (whole[:at] + noise + whole[at + len(noise) :])[: len(whole)]
    path.write_bytes(damaged)
    if damaged == whole:
        assert load(path)[0] == {"last": 12}
    else:
        with pytest.raises(SnapshotCorrupt):
            load(path)


@pytest.mark.parametrize("damage", ["zeroed page", "pages in another order", "one bit"])
def test_damage_to_a_large_array_is_noticed(path: Path, damage: str) -> None:
    save(path, {}, {"a": np.random.default_rng(1).random(2**18)})
    whole = bytearray(path.read_bytes())
    first, second = 256 * 4096, 100 * 4096
    match damage:
        case "zeroed page":
            whole[first : first + 4096] = bytes(4096)
        case "pages in another order":
            page = whole[first : first + 4096]
            whole[first : first + 4096] = whole[second : second + 4096]
            whole[second : second + 4096] = page
        case _:
            whole[first] ^= 64
    path.write_bytes(whole)
    with pytest.raises(SnapshotCorrupt, match="arrays"):
        load(path)


@pytest.mark.parametrize("content", [b"", b"x", b"SQLite format 3\0" + bytes(5000), bytes(5000)])
def test_another_file_is_no_snapshot(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(SnapshotCorrupt):
        load(path)


def forge(header: object, version: int = 1) -> bytes:
    """Make a file whose checksums are right whatever its header says."""
    text = msgspec.json.encode(header).ljust(992)
    prologue = struct.pack("<8sIIQI", b"THRSNAP\n", version, 992, 1024 + 64, zlib.crc32(text))
    return prologue + struct.pack("<I", zlib.crc32(prologue)) + text + bytes(64)


def place(**changes: object) -> dict[str, object]:
    return {"name": "a", "dtype": "<f8", "shape": [8], "start": 0} | changes


BODY = zlib.crc32(struct.pack("<Q", 0))


def test_the_forgery_of_the_tests_below_is_otherwise_a_snapshot(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(forge({"user": {}, "arrays": [place()], "body": BODY}))
    assert same(load(path)[1]["a"], np.zeros(8))


@pytest.mark.parametrize(
    "header",
    [
        [],
        {"user": {}},
        {"user": {}, "arrays": [place(start=8)], "body": BODY},
        {"user": {}, "arrays": [place(start=-8)], "body": BODY},
        {"user": {}, "arrays": [place(shape=[9])], "body": BODY},
        {"user": {}, "arrays": [place(shape=[-1])], "body": BODY},
        {"user": {}, "arrays": [place(shape=[-2, -4])], "body": BODY},
        {"user": {}, "arrays": [place(shape=[2**40, 2**40])], "body": BODY},
        {"user": {}, "arrays": [place(dtype="nonsense")], "body": BODY},
        {"user": {}, "arrays": [place(dtype="|O")], "body": BODY},
        {"user": {}, "arrays": [place(dtype="<f8,<f8")], "body": BODY},
        {"user": {}, "arrays": [place()], "body": BODY + 1},
    ],
    ids=repr,
)
def test_a_header_that_does_not_fit_the_file_is_refused(path: Path, header: object) -> None:
    """However it came there: nothing outside the file is ever read."""
    path.parent.mkdir()
    path.write_bytes(forge(header))
    with pytest.raises(SnapshotCorrupt):
        load(path)


def test_another_layout_is_refused_naming_both(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(forge({"user": {}, "arrays": [], "body": BODY}, version=2))
    with pytest.raises(SnapshotCorrupt, match=r"layout 2.*reads 1"):
        load(path)


def test_a_header_that_json_cannot_hold_is_refused(path: Path) -> None:
    with pytest.raises(TypeError):
        save(path, {"model": object()}, {})
    assert not path.exists()


def test_without_verifying_only_length_and_header_are_checked(path: Path) -> None:
    """For whoever has verified the same file before."""
    save(path, {"last": math.pi}, ARRAYS)
    whole = bytearray(path.read_bytes())
    whole[-100] ^= 1
    path.write_bytes(whole)
    assert load(path, verify=False)[0] == {"last": math.pi}
    with pytest.raises(SnapshotCorrupt):
        load(path)
