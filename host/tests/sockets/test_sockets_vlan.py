# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A port in a VLAN: ARP, UDP, TCP, the transmit engine's connections and programs' own frames, all tagged, to a kernel
behind tagger.py, which checks every frame.
"""

import os
import subprocess
import sys

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Dot1Q, Ether

from bench import PEER, Bench
from test_sockets_ate import SINK, writer
from test_sockets_delegated import ANSWERING, PLACES
from test_sockets_stream import ECHO, exchange

HERE = os.path.dirname(__file__)
VLAN, PRIORITY = 7, 5
TAG = PRIORITY << 13 | VLAN
# Sends frames given in hexadecimal.
RAW_SENDER = """
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
wire.bind(("tap0", 0))
say("ready")
for frame in FRAMES:
    wire.send(bytes.fromhex(frame))
"""


def add_peer(bench: Bench):
    """The kernel as a host of the VLAN, in place of the one on the cable."""
    bench.shell("ip addr flush dev tap0 && sysctl -qw net.ipv6.conf.tap0.disable_ipv6=1 || true")
    switch = bench.start([sys.executable, f"{HERE}/tagger.py", "tap0", "tap1", str(TAG)])
    assert switch.read_line() == "ready", switch.process.stderr.read()
    bench.shell(f"sysctl -qw net.ipv6.conf.tap1.disable_ipv6=1 || true; ip addr add {PEER}/24 dev tap1")
    bench.shell("ip link set tap1 up")
    return switch


@pytest.fixture
def make_tagged(make_bench):
    def make(**card):
        bench = make_bench(daemon=("--vlan", f"0={VLAN}:{PRIORITY}"), **card)
        return bench, add_peer(bench)

    return make


def is_content(switch) -> None:
    assert switch.process.poll() in (None, 0), switch.process.stderr.read()


def test_vlan_stream(make_tagged, seed):
    bench, switch = make_tagged()
    bench.peer(ECHO)
    assert bench.program(exchange(500_000, seed)).finish() == "same\n"
    is_content(switch)


def test_vlan_engine(make_tagged, seed):
    """Hardware's orders and software's payloads, pure ACKs and retransmissions."""
    bench, switch = make_tagged(orders=5, order_gap_us=300, drop_out=0.03, seed=seed)
    peer = bench.peer(SINK)
    bench.program(writer(500, seed) + "link.close()").finish()
    hardware, software, end = peer.finish().split()
    stats = bench.stop_daemon()
    assert (int(hardware), int(software), end) == (stats["orders_sent"], 500, "end")
    assert stats["orders_sent"] > 20 and stats["dropped_out"] > 0
    is_content(switch)


def test_vlan_delegated(make_tagged, client):
    bench, switch = make_tagged()
    peer = bench.peer(SINK)
    assert bench.command([str(client), "onload", PEER, "5000", "30"]).finish() == "sent\n"
    assert peer.finish() == "0 30 end\n"
    is_content(switch)


def test_vlan_delegated_places(make_tagged):
    bench, switch = make_tagged()
    peer = bench.peer(ANSWERING)
    bench.program(PLACES.replace("HEADER", "18")).finish()
    assert peer.finish() == "b''\n"
    assert bench.stop_daemon()["raw_payloads"] == 2
    is_content(switch)


@pytest.mark.parametrize(
    ("daemon", "heard"),
    [(("--vlan", "0=7:5"), ["tag 7", "tag 7, another priority"]), ((), ["no tag", "priority only"])],
    ids=["vlan", "none"],
)
def test_vlan_of_others(make_bench, daemon, heard):
    """Only frames of the port's own network are received."""
    bench = make_bench(daemon=daemon)
    mac = "02:55:4c:4c:02:00"

    def frame(text: str, *tags: Dot1Q) -> str:
        packet = Ether(dst=mac, src="02:00:00:00:00:03")
        for tag in tags:
            packet /= tag
        packet /= IP(src=PEER, dst="10.9.1.2") / UDP(sport=6000, dport=6001) / text
        return bytes(packet).hex()

    frames = [
        frame("no tag"),
        frame("tag 8", Dot1Q(vlan=8)),
        frame("tag 7", Dot1Q(vlan=7)),
        frame("tag 7, another priority", Dot1Q(vlan=7, prio=3)),
        frame("priority only", Dot1Q(vlan=0, prio=5)),
        frame("in another", Dot1Q(vlan=7), Dot1Q(vlan=7)),
    ]
    program = bench.program("""
link = socket.socket(type=socket.SOCK_DGRAM)
link.bind(("10.9.1.2", 6001))
say("bound")
try:
    while True:
        say(link.recv(100).decode())
        link.settimeout(0.5)
except TimeoutError:
    pass
""")
    assert program.read_line() == "bound"
    bench.peer(RAW_SENDER.replace("FRAMES", repr(frames))).finish()
    assert program.finish().splitlines() == heard


@pytest.mark.parametrize("tag", ["0", "4095", "7:", "7:8", "7:5:1", "7,5", "7x", "-7"])
def test_vlan_that_is_none(tmp_path, host_build, tag):
    daemon = [str(host_build / "bin" / "ullnicd"), "--address", "0=10.9.1.2/24", "--vlan", f"0={tag}"]
    said = subprocess.run([*daemon, "--socket", tmp_path / "socket"], capture_output=True, text=True, timeout=10)
    assert said.returncode == 2
    assert said.stderr == f"ullnicd: --vlan 0={tag}: give PORT=ID[:PRIORITY], ID from 1 to 4094, PRIORITY from 0 to 7\n"
