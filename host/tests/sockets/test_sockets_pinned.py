# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""lwIP is byte for byte the version that host/sockets/lwip/README.md describes, or it is not built."""

import shutil
import subprocess
import sys
from pathlib import Path

FETCH = Path(__file__).parents[2] / "sockets" / "lwip" / "fetch_lwip.py"


def check(folder: Path) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, FETCH, "--check", folder], text=True, capture_output=True)


def test_other_sources_are_refused(host_build, tmp_path):
    assert check(host_build / "lwip").returncode == 0
    copy = tmp_path / "lwip"
    shutil.copytree(host_build / "lwip", copy)
    source = copy / "src" / "core" / "tcp_in.c"
    right = source.read_bytes()
    unix = right.replace(b"\r\n", b"\n")
    for data, code in ((unix, 0), (unix.replace(b"\n", b"\r\n"), 0), (right + b"\n", 1), (right[:-100], 1)):
        source.write_bytes(data)
        assert check(copy).returncode == code
    source.unlink()
    done = check(copy)
    assert (
        done.returncode == 1 and "does not hold lwIP 2.1.3" in done.stderr and "Remedy: get lwIP 2.1.3" in done.stderr
    )
    assert check(tmp_path / "nothing").returncode == 1
