"""A save that fails changes nothing, leaves nothing behind, and says why."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from suffice.core.errors import BadInput
from suffice.persistence import load, save, to_bytes
from tests.persistence.values import identical, summary

OLD, NEW = summary(2), summary(4)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    save(OLD, tmp_path / "model.suffice")
    return tmp_path / "model.suffice"


def untouched(path: Path) -> bool:
    return identical(load(path), OLD) and os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("call", ["open", "write", "fsync", "replace"])
@pytest.mark.parametrize(
    ("code", "rule"),
    [
        (
            errno.ENOSPC,
            "on a disk with room for it, got '{}'. Nothing was changed. Free some space or choose another disk.",
        ),
        (
            errno.EDQUOT,
            "on a disk with room for it, got '{}'. Nothing was changed. Free some space or choose another disk.",
        ),
        (errno.EROFS, "in a folder that may be written, got '{}'. Nothing was changed. Choose another folder."),
        (errno.EIO, "writable, got '{}'. Nothing was changed. The system says: Input/output error."),
    ],
    ids=["full", "quota", "read-only", "broken"],
)
def test_whatever_step_fails(path: Path, call: str, code: int, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*arguments: Any) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fails)
        with pytest.raises(BadInput) as caught:
            save(NEW, path)
    assert str(caught.value) == f"save: path must be {rule.format(path)}"
    assert untouched(path)


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_an_interrupt_leaves_nothing_behind(path: Path, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, call, interrupt)
        with pytest.raises(KeyboardInterrupt):
            save(NEW, path)
    assert untouched(path)


def test_a_system_that_writes_a_little_at_a_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:7]))
        save(NEW, path)
    assert path.read_bytes() == to_bytes(NEW)


def test_a_folder_that_cannot_be_synced_is_no_reason_to_fail(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sync = os.fsync

    def files_only(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not for folders")
        sync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", files_only)
        save(NEW, path)
    assert identical(load(path), NEW)


def refusal_of_a_child(path: Path, handicap: str) -> str:
    """What `save` says in a process that gives up rights or room for good."""
    program = (
        "import os, resource, sys; import numpy as np; from suffice.persistence import save, to_bytes\n"
        "to_bytes(0)  # imports what it needs, which later it may not be allowed to read\n"
        f"{handicap}\n"
        "try: save(np.zeros(100_000), sys.argv[1])\n"
        "except ValueError as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout


def test_a_file_larger_than_allowed(path: Path) -> None:
    said = refusal_of_a_child(path, "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))")
    assert said.startswith("BadInput save: path must be on a disk with room for it, got ")
    assert untouched(path)


def test_a_folder_that_may_only_be_read() -> None:
    with tempfile.TemporaryDirectory() as folder:  # not below the tests' own folder, where a stranger may not even look
        path = Path(folder) / "model.suffice"
        save(OLD, path)
        os.chmod(folder, 0o555)
        said = refusal_of_a_child(path, "os.getuid() or os.setuid(65534)")
        assert said.startswith("BadInput save: path must be in a folder that may be written, got ")
        assert untouched(path)
        os.chmod(folder, 0o755)


def test_a_full_disk(tmp_path: Path) -> None:
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(tmp_path)]
    mounted = subprocess.run(mount, check=False, capture_output=True).returncode == 0
    try:
        save(OLD, tmp_path / "model.suffice")
        if mounted:  # as root; elsewhere the injected ENOSPC above has to do
            with pytest.raises(BadInput, match="must be on a disk with room for it"):
                save(np.zeros(100_000), tmp_path / "model.suffice")
        assert untouched(tmp_path / "model.suffice")
    finally:
        if mounted:
            subprocess.run(["umount", str(tmp_path)], check=True)


@pytest.mark.parametrize(
    ("where", "rule"),
    [
        ("no/folder/model", "in a folder that exists, got '{}'. Nothing was changed. Make the folder first."),
        ("file/model", "in a folder that exists, got '{}'. Nothing was changed. Make the folder first."),
        ("folder", "the name of a file, got '{}'. There is a folder or a device of that name."),
        ("x" * 300, "writable, got '{}'. Nothing was changed. The system says: File name too long."),
    ],
)
def test_a_place_that_is_none(tmp_path: Path, where: str, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadInput) as caught:
        save(NEW, where)
    assert str(caught.value) == f"save: path must be {rule.format(where)}"
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        (None, "save: path must be a path, got None. Give a str or an os.PathLike."),
        ("", "save: path must be the name of a file, got ''."),
        ("a\0b", "save: path must be the name of a file, got 'a\\x00b'."),
        (
            "/dev/full",
            "save: path must be the name of a file, got '/dev/full'. There is a folder or a device of that name.",
        ),
    ],
)
def test_a_path_that_makes_no_sense(path: Any, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        save(NEW, path)
    assert str(caught.value) == sentence


def test_a_value_that_cannot_be_saved_leaves_the_file(path: Path) -> None:
    with pytest.raises(BadInput):
        save(object(), path)
    assert untouched(path)


def test_names_of_any_length_and_kind(tmp_path: Path) -> None:
    for name in ["x" * 255, "ü" * 127, "a b\n'c'", ".hidden", "-"]:
        save(NEW, tmp_path / name)
        assert identical(load(str(tmp_path / name)), NEW)


def test_permissions_and_links_are_kept(path: Path) -> None:
    path.chmod(0o640)
    link = path.parent / "link"
    link.symlink_to(path.name)
    save(NEW, link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert identical(load(path), NEW)


def test_what_killed_savers_left_is_removed_but_not_what_is_being_written(path: Path) -> None:
    import fcntl

    dead, alive, other = (
        path.parent / name
        for name in (f".suffice-{'0' * 16}.saving", f".suffice-{'a' * 16}.saving", ".suffice-x.saving")
    )
    for file in (dead, alive, other):
        file.write_bytes(b"half a file")
    with alive.open("rb+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        save(OLD, path)
        assert not dead.exists()
        assert alive.exists()
        assert other.exists()  # not a name of ours
    save(OLD, path)
    assert not alive.exists()


def test_a_file_swept_away_before_it_was_locked_is_begun_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    flock = fcntl.flock
    swept: list[str] = []

    def sweep_first(descriptor: int, how: int) -> None:
        if not swept:
            swept.extend(name for name in os.listdir(path.parent) if name.endswith(".saving"))
            os.unlink(path.parent / swept[0])
        flock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", sweep_first)
    save(NEW, path)
    assert len(swept) == 1
    assert identical(load(path), NEW)
    assert os.listdir(path.parent) == [path.name]


def test_many_threads_save_and_read_one_file(path: Path) -> None:
    troubles: list[BaseException] = []

    def work(value: Any) -> None:
        try:
            for _ in range(40):
                save(value, path)
                found = load(path)
                assert identical(found, OLD) or identical(found, NEW)
        except BaseException as error:
            troubles.append(error)

    threads = [threading.Thread(target=work, args=(value,)) for value in (OLD, NEW) * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == []
    assert os.listdir(path.parent) == [path.name]


def test_saving_needs_no_installed_package() -> None:
    program = (
        "from importlib import metadata\n"
        "def version(name): raise metadata.PackageNotFoundError(name)\n"
        "metadata.version = version\n"
        "from suffice.persistence import from_bytes, to_bytes\n"
        'data = to_bytes(5); assert from_bytes(data) == 5; print(b\'"library":"unknown"\' in data)'
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")
