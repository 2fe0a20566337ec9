# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A port in a VLAN, over the card's RTL: the kernel is behind a tagging switch port, made in Python. tshark checks tags
and checksums of what the card has sent, as captured on the line.
"""

import subprocess
import sys

import pytest
from scapy.utils import RawPcapNgReader, mac2str

from bench import wait_until
from held_card import HeldCard
from trade_bench import TradeBench, trade
from ullnic.paths import ROOT
from ullnic.run.trade.parts import CARD_IP, ORDER_PORT, SERVER
from ullnic.run.trade.records import RECORD_BYTES, order

TAGGER = ROOT / "host" / "tests" / "sockets" / "tagger.py"
CONNECTION, VLAN, PRIORITY = 5, 7, 5
TAG = PRIORITY << 13 | VLAN
LOST_ORDER = 30
OTHER_MAC = "02:00:00:00:00:66"  # of frames that no daemon handles
LENGTHS = (0, 1, 2, 3, 18, 535, 1459, 1460)  # of software's payloads
HEADERS_BYTES, LEAST_BYTES = 58, 60
FIELDS = ("vlan.id", "vlan.priority", "ip.checksum.status", "tcp.checksum.status")
RIGHT = (str(VLAN), str(PRIORITY), "1", "1")  # 1: as computed by tshark


class VlanBench(TradeBench):
    cable = "cable"
    daemon_options = ("--vlan", f"{ORDER_PORT}={VLAN}:{PRIORITY}")

    def join_server(self) -> None:
        self.shell(f"sysctl -qw net.ipv6.conf.{self.cable}.disable_ipv6=1 || true; ip link set {self.cable} up")
        command = [sys.executable, str(TAGGER), self.cable, SERVER.ifname, str(TAG), order(LOST_ORDER).hex()]
        self.switch = self.start(command)
        assert self.switch.read_line() == "ready", self.switch.process.stderr.read()
        super().join_server()

    @property
    def capture(self):
        return self.folder / f"port-{ORDER_PORT}.pcapng"

    def sent(self, *fields: str, only: str = "frame", mac: str = "") -> list[list[str]]:
        """What the card has sent on its order port, as ullnicd's host or another."""
        wanted = f"eth.src=={mac or self.card_mac} && {only}"
        options = ["-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE", "-Y", wanted, "-T", "fields"]
        options += [part for field in fields for part in ("-e", field)]
        for _ in range(20):
            done = subprocess.run(["tshark", "-r", self.capture, *options], capture_output=True, text=True)
            if "cut short" not in done.stderr:  # else a frame is being written
                break
        assert done.returncode == 0, done.stderr
        return [line.split("\t") for line in done.stdout.splitlines()]

    def raw(self, mac: str) -> list[bytes]:
        """Frames on the order port's line from there. The capture is complete when the card is idle."""
        with RawPcapNgReader(str(self.capture)) as frames:
            return [frame for frame, _ in frames if frame[6:12] == mac2str(mac)]

    @property
    def card_mac(self) -> str:
        return next(line.split()[4] for line in self.shell("ip neigh").splitlines() if line.startswith(CARD_IP + " "))


@pytest.fixture(scope="module")
def bench(tmp_path_factory, programs):
    folder = tmp_path_factory.mktemp("vlan") / "bench"
    bench = VlanBench(folder, *programs, "--pcapng-dir", str(folder))
    yield bench
    assert bench.switch.process.poll() is None, bench.switch.process.stderr.read()
    bench.close()


def stream_of(segments: list[list[str]]) -> bytes:
    """The stream of TCP payloads with sequence numbers; repeated bytes must be the same."""
    first = int(segments[0][0])
    stream = bytearray()
    for number, payload in segments:
        place, data = (int(number) - first) % 2**32, bytes.fromhex(payload)
        assert place <= len(stream), f"a gap before byte {place}"
        known = stream[place : place + len(data)]
        assert data.startswith(known), f"byte {place} is repeated as another"
        stream[place : place + len(data)] = data
    return bytes(stream)


def test_vlan_orders(bench):
    """Orders, software's messages and the peer's bytes arrive in order once. Software retransmits an order that the
    line loses, from the mirror; everything the card sends is tagged, with correct checksums.
    """
    trade(bench, CONNECTION)
    bench.program("sink = Sink(link)")
    bench.net("back = Writer(sink.link, 0.001)")
    wait_until(lambda: bench.sink()["orders"] > LOST_ORDER + 30)
    bench.silence()
    orders, messages, answers = bench.disarm(), bench.program("writer.stop()"), bench.net("back.stop()")
    wait_until(lambda: bench.program("sink.stream.messages") == answers)
    bench.program("link.shutdown(socket.SHUT_WR)")
    wait_until(lambda: bench.sink()["end"])
    whole = (orders + messages) * RECORD_BYTES
    wanted = {"orders": orders, "messages": messages, "bytes": whole, "end": "end"}
    assert bench.sink() | wanted == bench.sink()
    bench.net("sink.link.close()")
    wait_until(lambda: bench.program("sink.end") == "end")
    assert bench.program("sink.stream.faults") == [] and answers > 20

    wait_until(lambda: bench.sent("tcp.flags", only="tcp.flags.fin==1"))
    assert {tuple(each) for each in bench.sent(*FIELDS, only="tcp")} == {RIGHT}
    assert {tuple(each) for each in bench.sent(*FIELDS[:2])} == {RIGHT[:2]}  # ARP, too
    segments = bench.sent("tcp.seq_raw", "tcp.payload", only="tcp.len>0")
    assert len(stream_of(segments)) == whole
    lost = [payload for _, payload in segments if order(LOST_ORDER).hex() in payload]
    assert len(lost) > 1, "it was not lost, or not repeated"


def test_vlan_mirror(bench):
    """Each mirror frame is the tagged frame that was on the line: hardware's orders and software's payloads."""
    bench.stop_daemon()
    card = HeldCard(bench.build / "lib" / "libullnic.so", bench.sockets.card)
    try:
        card.connect(CONNECTION, TAG, OTHER_MAC, seq=2**32 - 2000)
        card.arm(CONNECTION)
        mirrors, payloads = [], []
        for number, length in enumerate(LENGTHS, 1):
            payloads += [bytes(each & 0xFF for each in range(length, 2 * length)), order(number)]
            card.send(CONNECTION, payloads[-2])
            mirrors += card.mirrors(1)
            bench.net("market.fire(1)")
            mirrors += card.mirrors(1)
    finally:
        card.close()
        bench.start_daemon()
    wait_until(lambda: len(bench.raw(OTHER_MAC)) >= len(mirrors))
    line = bench.raw(OTHER_MAC)
    assert [frame.ljust(LEAST_BYTES, bytes(1)) for frame in mirrors] == line
    assert [frame[HEADERS_BYTES:] for frame in mirrors] == payloads
    assert stream_of(bench.sent("tcp.seq_raw", "tcp.payload", mac=OTHER_MAC)) == b"".join(payloads)
    assert {tuple(each) for each in bench.sent(*FIELDS, mac=OTHER_MAC)} == {RIGHT}
