# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The Linux kernel module in a real guest, on the RTL, with a Linux at the far end of both ports.

Deep: it boots Linux in simulation.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ullnic.build import build_sim
from ullnic.deep import deep
from ullnic.errors import UllnicError
from ullnic.guest.store import prepare
from ullnic.paths import ROOT

sys.path.insert(0, str(ROOT / "host" / "tests" / "sockets"))  # bench
from bench import Namespace

HERE = Path(__file__).parent
LINUX = ROOT / "host" / "linux"
CARD = "trigger_pma32"  # port 0 without an engine, 1 with one; its words are wider, so it runs faster
BYTES, RESETS, RELOADS = 1_000_000, 3, 10
TIMEOUT_S = 1500  # on a machine that others may use, too
PARTS = [HERE / name for name in ("linux_module.sh", "linux_peer.py", "xdp_attach.c", "rx_stamp.c")]
RTL = ["cores/qdma/rtl", "cards/common/rtl", "cards/trigger/rtl"]
DEEP = deep(
    __file__,
    *PARTS,
    lambda: sorted(
        path for path in LINUX.rglob("*") if path.suffix in (".c", ".h") or path.name in ("Kbuild", "Makefile")
    ),
    *("python/ullnic/guest", "sim/src/vfio", "sim/src/pcie", "sim/src/card_dma"),
    *RTL,
)


def not_here(why: str) -> None:
    """As with the other guests: a machine without the prerequisites says why."""
    if os.environ.get("CI"):
        raise UllnicError(why)
    pytest.skip(why)


@pytest.fixture(scope="module")
def headers() -> Path:
    """Headers of the guest's kernel."""
    try:
        release = prepare("linux-image-amd64").kernel.release
    except UllnicError as error:
        not_here(f"a guest cannot be had here: {error}")
    for folder in (Path("/lib/modules", release, "build"), Path("/usr/src", f"linux-headers-{release}")):
        if (folder / "Makefile").exists():
            return folder
    not_here(f"the headers of the guest's kernel are missing; apt-get install linux-headers-{release}")


@pytest.fixture(scope="module")
def module(headers, tmp_path_factory) -> Path:
    """Built in a copy, as by DKMS."""
    place = tmp_path_factory.mktemp("linux")
    made = subprocess.run(["make", "-s", "-C", LINUX, "dkms-tree", f"DESTDIR={place}"], text=True, capture_output=True)
    assert made.returncode == 0, made.stderr
    [tree] = (place / "usr" / "src").iterdir()
    built = subprocess.run(["make", "-C", tree, f"KDIR={headers}", "W=1"], text=True, capture_output=True)
    assert built.returncode == 0, built.stdout + built.stderr
    assert "warning:" not in built.stdout + built.stderr
    return tree / "ullnic.ko"


class Guest:
    """The guest and the card share a network namespace, in which the ports' far ends are interfaces."""

    def __init__(self, share: Path):
        self.share = share
        self.network = Namespace()
        ports = [part for port in (0, 1) for part in ("--port", f"{port}=tap:line{port}")]
        command = [ROOT / "ullnic", "guest", "--card", CARD, *ports, "--share", share]
        command += ["--run", share / "linux_module.sh", "--", BYTES, RESETS, RELOADS]
        self.output = (share.parent / "stdout").open("w+")
        self.errors = (share.parent / "stderr").open("w+")
        self.process = subprocess.Popen(
            self.network.inside([str(each) for each in command]),
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=self.errors,
        )

    def wait_for(self, is_there) -> None:
        end = time.monotonic() + TIMEOUT_S
        while not is_there():
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < end, self.said()
            time.sleep(0.1)

    def said(self) -> str:
        texts = []
        for file in (self.output, self.errors):
            file.seek(0)
            texts.append(file.read())
        return "\n".join(texts)

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.network.close()


@pytest.fixture
def guest(module, tmp_path):
    build_sim(progress=False, targets=("ullnic-card",), configs=(CARD,))
    share = tmp_path / "share"
    share.mkdir()
    for file in (module, HERE / "linux_module.sh"):
        shutil.copy(file, share)
    for name in ("xdp_attach", "rx_stamp"):
        subprocess.run(["cc", "-Wall", "-Werror", "-O1", "-o", share / name, HERE / f"{name}.c"], check=True)
    guest = Guest(share)
    yield guest
    guest.close()


@DEEP
def test_ports_are_interfaces_of_linux(guest, seed):
    def lines_are_there() -> bool:
        return len(list_of(guest.network)) == 2

    guest.wait_for(lines_are_there)
    for port, mtu in ((0, 9000), (1, 1500)):
        guest.network.shell(f"ip link set line{port} mtu {mtu} up && ip address add 10.77.{port}.1/24 dev line{port}")
    arguments = [str(seed), str(BYTES), str(guest.share / "beat"), "line0", "line1"]
    peer = guest.network.start([sys.executable, str(HERE / "linux_peer.py"), *arguments])
    assert peer.read_line() == "ready"

    guest.wait_for((guest.share / "up").exists)
    for port in (0, 1):
        said = guest.network.shell(f"ping -n -c 10 -i 0.1 10.77.{port}.2")
        assert "10 packets transmitted, 10 received, 0% packet loss" in said
    (guest.share / "pinged").touch()
    assert guest.process.wait(TIMEOUT_S) == 0, guest.said()

    said = guest.said()
    found = dict(re.findall(r"^([a-z0-9_]+)=(.*)$", said, re.MULTILINE))
    beats = {name: int(found.pop(f"beats_{name}")) for name in ("line0", "line1")}
    moved = {name: [int(each) for each in found.pop(name).split(",")] for name in ("xdp_tx", "xdp_redirect")}
    assert found == {
        "ping": "10,10",
        "driver": "ullnic,0000:01:00.0",
        "speed": "10000Mb/s,yes",
        "rings": "4096,4096,1024,256",
        "small_rings": "same,same",
        "odd_ring": "refused",
        "offloads": "0",
        "transfer": "same,same,same,same",
        "coalesced": "same",
        "count_without_time": "refused",
        "long_ping": "3,same",
        "too_long": "refused",
        "tagged": "3,3",
        "xdp_pass": "3",
        "xdp_long": "refused",
        "xdp_drop": "0",
        "stamped": "50,1",
        "counted": "1,1",
        "errors": "0",
        "resets": f"{RESETS},{RESETS}",
        "reloaded": "10,10,same,same",
        "left": "0",
    }, said
    # What a program echoes or forwards is sent, and arrives; the kernel at the far end may send its own frames.
    for name, line in (("xdp_tx", "line0"), ("xdp_redirect", "line1")):
        returned, sent = moved[name]
        assert returned == sent >= beats[line] > 50, (name, returned, sent, beats)
    for word in ("BUG", "WARNING", "Call Trace", "Oops"):
        assert word not in said


def list_of(network: Namespace) -> list[str]:
    return [line for line in network.shell("ip -o link").splitlines() if re.match(r"\d+: line[01]:", line)]
