# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A real guest: what Linux finds of the card and its virtual functions, and the first packet that a program receives.

Deep: each boots Linux in simulation, and the first one fetches 150 MB. A change of the distribution's packages does not
rerun them.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ullnic.build import build_host, build_sim
from ullnic.cards import DEFAULT
from ullnic.deep import deep
from ullnic.errors import UllnicError
from ullnic.guest.command import EXAMPLE, EXAMPLE_PROGRAM, LOOPS, MOST_VFS
from ullnic.guest.store import prepare
from ullnic.paths import ROOT

HERE = Path(__file__).parent
TIMEOUT_S = 600  # on a machine that others may use, too
SLEEPS = 3
SCRIPTS = [HERE / name for name in ("probe.sh", "first_packet.sh", "first_packet.c")]  # not deep.tsv beside them
DEEP = deep(__file__, *SCRIPTS, "python/ullnic/guest", "sim/src/vfio", "sim/src/pcie", "host/libullnic")
SRIOV = deep(__file__, HERE / "sriov.sh", "python/ullnic/guest", "sim/src/vfio", "sim/src/qdma_example")


@pytest.fixture(scope="module", autouse=True)
def fetched():
    """QEMU, kernel and packages, fetched if they are not in the cache."""
    try:
        prepare("linux-image-amd64")
    except UllnicError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"a guest cannot be had here: {error}")


def guest(*arguments: object) -> subprocess.CompletedProcess:
    command = [str(each) for each in (ROOT / "ullnic", "guest", *arguments)]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT_S)


def named(output: str) -> dict[str, str]:
    """The lines NAME=VALUE of a script."""
    return dict(line.split("=", 1) for line in output.splitlines() if re.match(r"[a-z0-9_]+=", line))


@DEEP
def test_what_linux_finds_of_the_card(tmp_path):
    build_sim(progress=False, targets=(LOOPS["rtl"],))
    (tmp_path / "greeting").write_text("from this machine\n")
    done = guest("--dma", "rtl", "--share", tmp_path, "--run", HERE / "probe.sh", "--", "one two", 41)
    assert done.returncode == 41, done.stderr
    assert "a complaint\n" in done.stderr
    assert (tmp_path / "answer").read_text() == "from the guest\n"
    assert named(done.stdout) == {
        "arguments": "one two 41",
        "id": "0x10ee/0x903f",
        "bar0": str(256 << 10),
        "bar2": str(512 << 10),
        "link": "8.0 GT/s PCIe, 16",
        "reset": "flr bus",
        "identification": "0x1FD30000",
        "after_reset": "0x10ee",
        "share": "from this machine",
        "address": "10.0.2.15/24",
        "vfio_pci": "1",
    }
    for said in (
        "MSI-X: Enable- Count=32 ",
        "Vector table: BAR=0 ",
        "FLReset+",
        "Express (v2) Endpoint",
        "Power Management",
    ):
        assert said in done.stdout
    assert "!!!" not in done.stdout  # what lspci prints for an impossible value


@DEEP
def test_first_packet_by_the_cards_interrupt(tmp_path):
    """The user-space driver on Linux's VFIO, with an IOMMU, as for a real card."""
    host = build_host(progress=False, targets=("ullnic",))
    build_sim(progress=False, targets=("ullnic-card",), configs=(DEFAULT,))
    compiled = ["cc", "-Wall", "-Werror", "-O1", f"-I{ROOT}/host/include", "-o", tmp_path / "first_packet"]
    subprocess.run([*compiled, HERE / "first_packet.c", f"-L{host}/lib", "-lullnic"], check=True)
    for library in (host / "lib").glob("libullnic.so.*"):
        shutil.copy(library, tmp_path)
    traffic = "0=gen:frames=1000000000,len=64-64,gap=60000-60000"  # rare, so that the program sleeps in between
    done = guest(
        *("--iommu", "--card", DEFAULT, "--port", traffic),
        *("--share", tmp_path, "--run", HERE / "first_packet.sh", "--", SLEEPS),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    frames, shortest = re.search(r"frames (\d+), shortest (\d+)", done.stdout).groups()
    assert int(frames) >= SLEEPS - 1  # the first interrupt may be one that was pending
    assert int(shortest) == 64


@SRIOV
def test_linux_enables_virtual_functions():
    """By sriov_numvfs of a driver of Linux. Each has its own memory, and none is there when it is disabled."""
    build_sim(progress=False, targets=(EXAMPLE_PROGRAM,))
    done = guest("--card", EXAMPLE, "--vfs", MOST_VFS, "--run", HERE / "sriov.sh")
    assert done.returncode == 0, done.stdout + done.stderr
    functions = ["01:00.0/10ee:903f", *(f"01:00.{number}/10ee:a03f" for number in range(1, MOST_VFS + 1))]
    version = "0x1FD30220"
    expected = {
        "before": functions[0],
        "most": str(MOST_VFS),
        "two": " ".join(functions[:3]),
        "none": functions[0],
        "absent": "0xFFFFFFFF",
        "four": " ".join(functions),
        "after_reset": version,
        "version_of_4": version,
    }
    for number in (1, 2):
        expected |= {
            f"physical_of_{number}": "0000:01:00.0",
            f"bytes_of_{number}": str(32 << 10),
            f"reset_of_{number}": "flr",
            f"version_of_{number}": version,
            f"after_reset_of_{number}": version,
        }
    assert named(done.stdout) == expected
    for said in ("IOVCtl:\tEnable+", "Total VFs: 4, Number of VFs: 2", "VF offset: 1, stride: 1, Device ID: a03f"):
        assert said in done.stdout
    assert "MSI-X: Enable- Count=8 " in done.stdout
    assert "FLReset+" in done.stdout
