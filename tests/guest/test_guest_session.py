# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A guest's life with stand-ins for QEMU and card: its results, and that nothing is left over."""

import os
import shutil
import signal
import threading
import time
from pathlib import Path

import pytest

from guest_parts import parts, script
from ullnic.errors import UllnicError
from ullnic.guest import session
from ullnic.guest.session import CardProgram, Session, session_folder
from ullnic.run.signals import SIGNALS

READY = """echo '{"event": "ready"}'"""
# Finds the job's folder among QEMU's arguments.
FIND_JOB = """for each; do case $each in local,id=job,*) job=${each#*path=}; job=${job%%,*};; esac; done"""
SLEEP = 'echo $$ > "$0.pid"; exec sleep 60'


@pytest.fixture
def guest(tmp_path, monkeypatch):
    """Makes a session whose QEMU and card run these lines of shell."""
    monkeypatch.setattr(session, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(session.tempfile, "tempdir", str(tmp_path))
    script(tmp_path / "script", "exit 0")

    def make(qemu: str, card: str = f"{READY}; {SLEEP}", arguments=(), job: bool = True) -> Session:
        script(tmp_path / "card", card)
        return Session(
            parts=parts(tmp_path, script(tmp_path / "qemu", qemu)),
            card=CardProgram(tmp_path, "card", ("--port", "0=sink")),
            memory_mib=512,
            cpus=1,
            kvm=False,
            iommu=False,
            share=None,
            forwards=(),
            script=tmp_path / "script" if job else None,
            arguments=tuple(arguments),
        )

    yield make
    assert not list(tmp_path.glob("ullnic-guest-*"))
    for name in ("qemu.pid", "card.pid"):
        if (tmp_path / name).exists():
            assert gone(int((tmp_path / name).read_text())), name


def gone(pid: int) -> bool:
    deadline_s = time.monotonic() + 5
    while time.monotonic() < deadline_s:
        try:
            if "State:\tZ" in Path(f"/proc/{pid}/status").read_text():
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def test_output_and_exit_code_of_the_script(guest, capfdbinary):
    body = f"{FIND_JOB}; : > $job/started; printf 'a\\377b' > $job/stdout; cat $job/command >> $job/stdout; "
    body += "echo oops > $job/stderr; echo 37 > $job/code"
    assert guest(body, arguments=["one two", "$x"]).run() == 37
    out, err = capfdbinary.readouterr()
    assert out == b"a\xffbcd /share\nexec /run/job/script 'one two' '$x'\n"
    assert b"oops\n" in err
    assert b"booting the guest: done" in err


def test_output_comes_while_the_script_runs(guest, tmp_path, capfd):
    body = (
        f"{FIND_JOB}; : > $job/started; echo early > $job/stdout; while ! [ -e {tmp_path}/go ]; do sleep 0.05; done; "
    )
    body += "echo late >> $job/stdout; echo 0 > $job/code"
    seen = []

    def watch():
        deadline_s = time.monotonic() + 20
        while "early" not in "".join(seen) and time.monotonic() < deadline_s:
            seen.append(capfd.readouterr().out)
            time.sleep(0.05)
        (tmp_path / "go").touch()

    watcher = threading.Thread(target=watch)
    watcher.start()
    assert guest(body).run() == 0
    watcher.join()
    assert "early" in "".join(seen)
    assert "late" not in "".join(seen)
    assert "late" in capfd.readouterr().out


def test_a_guest_that_ends_before_its_script(guest, tmp_path):
    body = 'for each; do case $each in file:*) echo "Kernel panic" > "${each#file:}";; esac; done'
    with pytest.raises(UllnicError, match="ended before the script did") as error:
        guest(body).run()
    assert "Kernel panic" in error.value.message
    assert (tmp_path / "kept" / "console.log").read_text() == "Kernel panic\n"
    assert "build/guest" in error.value.remedy


def test_qemu_that_fails(guest):
    with pytest.raises(UllnicError, match="exit code 3") as error:
        guest("echo no such device >&2; exit 3").run()
    assert "no such device" in error.value.message


def test_a_card_that_ends_takes_the_guest_with_it(guest):
    with pytest.raises(UllnicError, match="card ended with exit code 4"):
        guest(SLEEP, card=f"{READY}; sleep 0.3; exit 4").run()


def test_a_card_that_does_not_start(guest, tmp_path):
    with pytest.raises(UllnicError, match="no such port"):
        guest(SLEEP, card="""echo '{"event": "error", "message": "no such port"}'; exit 1""").run()
    assert not (tmp_path / "qemu.pid").exists()


def test_a_guest_that_does_not_boot(guest, monkeypatch):
    monkeypatch.setattr(session, "BOOT_TIMEOUT_S", 0.3)
    with pytest.raises(UllnicError, match="did not boot"):
        guest(SLEEP).run()


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_all(guest, tmp_path, number, capfd):
    before = signal.getsignal(number)

    def interrupt():
        deadline_s = time.monotonic() + 20
        while not (tmp_path / "qemu.pid").exists() and time.monotonic() < deadline_s:
            time.sleep(0.02)
        os.kill(os.getpid(), number)

    sender = threading.Thread(target=interrupt)
    sender.start()
    assert guest(SLEEP).run() == 128 + number
    sender.join()
    assert f"stopped by {number.name}" in capfd.readouterr().err
    assert signal.getsignal(number) == before


def test_a_signal_while_qemu_is_started_ends_it_too(guest, tmp_path, monkeypatch):
    """It arrived between the start and the moment at which this program knew the process."""
    start = session.start

    def slow_start(*arguments):
        process = start(*arguments)
        while not (tmp_path / "qemu.pid").exists():
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGTERM)
        return process

    monkeypatch.setattr(session, "start", slow_start)
    assert guest(SLEEP).run() == 128 + signal.SIGTERM
    with pytest.raises(ChildProcessError):  # it has been waited for
        os.waitpid(int((tmp_path / "qemu.pid").read_text()), os.WNOHANG)


def test_a_shell_gets_the_console_and_ends_with_0(guest, capfd):
    assert guest('echo "$@"', job=False).run() == 0
    assert "-serial mon:stdio" in capfd.readouterr().out


def test_the_sockets_path_is_short_enough(monkeypatch, tmp_path):
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr(session.tempfile, "tempdir", str(long))
    with session_folder() as folder:
        assert len(os.fsencode(folder / "card")) <= 107
        assert folder.is_dir()
    assert not folder.exists()


def test_qemu_dies_with_this_program(guest, tmp_path):
    made = guest(SLEEP)
    pid = os.fork()
    if pid == 0:
        os.setsid()
        made.run()
        os._exit(1)
    deadline_s = time.monotonic() + 20
    while not (tmp_path / "qemu.pid").exists() and time.monotonic() < deadline_s:
        time.sleep(0.02)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    assert gone(int((tmp_path / "qemu.pid").read_text()))
    os.kill(int((tmp_path / "card.pid").read_text()), signal.SIGTERM)  # a real card ends with its parent
    for left in tmp_path.glob("ullnic-guest-*"):
        shutil.rmtree(left)
