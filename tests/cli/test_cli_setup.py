# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The set-up of a fresh tree: interrupted, twice at once, without a network, and where it cannot work."""

import os
import signal
import subprocess
import sys
import time

import pytest

from cli_call import run
from setting_up import SETTING_UP

# The set-up of these copies would install missing system packages, as root: `./ullnic test` has already ensured that
# none that a test needs is missing.
INTERRUPTED_AFTER_S = [0.05, 0.4, 1.0, 2.0, 3.0]


def stamp_of(root):
    return root / ".venv" / "ullnic-stamp"


@SETTING_UP
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_interrupted_set_up_is_taken_up_again(bare_copy, sign):
    for delay_s in INTERRUPTED_AFTER_S:
        process = subprocess.Popen(
            [bare_copy / "ullnic", "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        time.sleep(delay_s)
        os.killpg(process.pid, sign)
        _, err = process.communicate(timeout=60)
        assert b"Traceback" not in err, err
    done = run(bare_copy / "ullnic", "--help")
    assert done.returncode == 0, done.stderr
    assert stamp_of(bare_copy).exists()
    again = run(bare_copy / "ullnic", "--help")
    assert again.returncode == 0 and again.stderr == "", "the second call does nothing more"


@SETTING_UP
def test_two_at_once_do_it_once(bare_copy):
    both = [
        subprocess.Popen([bare_copy / "ullnic", "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=300) for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert sum("setting up" in err for _, err in outputs) == 1, outputs


@SETTING_UP
def test_changed_lock_file_and_moved_tree_set_up_anew(bare_copy):
    assert run(bare_copy / "ullnic", "--help").returncode == 0
    with (bare_copy / "requirements.lock").open("a") as lock:
        lock.write("# changed\n")
    changed = run(bare_copy / "ullnic", "--help")
    assert changed.returncode == 0 and "setting up" in changed.stderr
    moved = bare_copy.rename(bare_copy.with_name("moved"))
    after = run(moved / "ullnic", "--help")
    assert after.returncode == 0 and "setting up" in after.stderr
    assert "downloading" not in after.stderr, "the packages are in the cache"


@SETTING_UP
def test_no_network_is_a_clear_error(bare_copy):
    failed = run(
        bare_copy / "ullnic", "--help",
        PIP_INDEX_URL="http://127.0.0.1:1/simple", PIP_FIND_LINKS=None, PIP_NO_INDEX=None, PIP_RETRIES="1",
    )  # fmt: skip
    assert failed.returncode == 1
    assert "Traceback" not in failed.stderr
    assert failed.stderr.count("trying again") == 2
    assert "error: downloading Python packages failed" in failed.stderr
    assert "Connection refused" in failed.stderr
    assert "remedy: check the network" in failed.stderr
    assert not stamp_of(bare_copy).exists()


def test_the_lock_file_has_all_dependencies():
    """pip does not resolve any when it installs them."""
    checked = subprocess.run(
        [sys.executable, "-I", "-m", "pip", "check"], capture_output=True, text=True, timeout=60, check=False
    )
    assert checked.returncode == 0, checked.stdout


@SETTING_UP
def test_tampered_package_is_refused(bare_copy):
    lock = bare_copy / "requirements.lock"
    hashes = [part for part in lock.read_text().replace("\\\n", " ").split() if part.startswith("--hash=sha256:")]
    text = lock.read_text()
    for part in hashes:
        text = text.replace(part, "--hash=sha256:" + "0" * 64)
    lock.write_text(text)
    failed = run(bare_copy / "ullnic", "--help")
    assert failed.returncode == 1
    assert "DO NOT MATCH THE HASHES" in (bare_copy / "build" / "setup.log").read_text()
    assert not stamp_of(bare_copy).exists()


def test_path_with_a_space_is_refused(bare_copy):
    spaced = bare_copy.rename(bare_copy.with_name("a tree"))
    refused = run(spaced / "ullnic", "doctor")
    assert refused.returncode == 1
    assert "has a space in it" in refused.stderr and "remedy: move it" in refused.stderr
    assert not (spaced / ".venv").exists()


def test_unusable_python_is_refused(bare_copy):
    refused = run(bare_copy / "ullnic", "doctor", ULLNIC_PYTHON="/bin/false")
    assert refused.returncode == 1
    assert "error: ULLNIC_PYTHON=/bin/false is not Python 3.10 or newer" in refused.stderr


def test_unwritable_directory_is_a_clear_error(bare_copy):
    (bare_copy / "build").write_text("a file where a directory must be")
    refused = run(bare_copy / "ullnic", "doctor")
    assert refused.returncode == 1
    assert refused.stderr.startswith("error: cannot write") and "remedy:" in refused.stderr
