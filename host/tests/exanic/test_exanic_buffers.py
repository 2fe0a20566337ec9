# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Chunks, filters, flow hashing, preloaded frames and payload, between a card and its tester in one program."""

import zlib

from scapy.layers.inet import IP, TCP, UDP, IPOption_NOP
from scapy.layers.l2 import ARP, Dot1Q, Ether

CHUNK = 120
CARD = "trigger_pma32"  # half as many clock cycles as trigger_pma16, which test_exanic.py has
MACS = {"src": "02:00:00:00:00:01", "dst": "02:00:00:00:00:02"}


def with_fcs(frame: bytes) -> bytes:
    return frame + zlib.crc32(frame).to_bytes(4, "little")


def padded(packet) -> bytes:
    return bytes(packet).ljust(60, b"\0")


class Script:
    """Commands for calls_script.c, and their results."""

    def __init__(self, bench):
        self.bench, self.lines = bench, []

    def add(self, line: str) -> int:
        """Its number among the answers."""
        self.lines.append(line)
        return len(self.lines) - 1

    def run(self) -> list[str]:
        out = self.bench.run("exanic-test-calls", "script", stdin="\n".join(self.lines) + "\n").splitlines()
        silent = [line for line in self.lines if line.split()[0] in ("drop", "nohash", "write")]
        assert len(out) == len(self.lines) - len(silent)
        answers = iter(out)
        return ["" if line in silent else next(answers) for line in self.lines]


def got(answer: str) -> dict[int, tuple[str, bytes]]:
    """For each listener, the filter and frame."""
    word, *parts = answer.split()
    assert word == "got", answer
    pairs = [part.replace("=", ":").split(":") for part in parts]
    return {int(listener): (match, bytes.fromhex(frame)) for listener, match, frame in pairs}


def test_chunks(make_bench):
    """Each way of reading chunks delivers the whole frame and its time; skipped or overwritten chunks are reported."""
    bench = make_bench(CARD, setting=None)
    *frames, abort, lapped, after = bench.run("exanic-test-calls", "chunks").splitlines()
    lengths = [60, 115, 116, 117, 236, 237, 1514, 9618]
    assert len(frames) == len(lengths) * 5
    for number, line in enumerate(frames):
        way, size, time_apart, data = line.split()
        length = lengths[number // 5]
        pattern = bytes((i * 7 + i // 256) & 0xFF for i in range(length))
        assert (int(way), int(size), int(time_apart)) == (number % 5, length + 4, 0)
        assert bytes.fromhex(data) == with_fcs(pattern), (way, length)
    assert abort == "abort 1 0 64 0 2"
    assert (
        lapped == "lapped 1 0 -256 exanic0: port 0: frames of buffer 0 were overwritten, as they were not taken in time"
    )
    assert after == "next 64 4"


def test_ring(make_bench):
    """A program that reads the ring directly finds the same frames there."""
    bench = make_bench(CARD, setting=None)
    wanted = [f"{60 + i * 90 + 4} {2 * i}" for i in range(10)]
    assert bench.run("exanic-test-calls", "ring", 10).splitlines() == wanted


UDP_FLOW = {"src": "10.0.0.1", "dst": "10.0.0.2"}
FRAMES = {
    "arp": Ether(**MACS) / ARP(),
    "udp": Ether(**MACS) / IP(**UDP_FLOW) / UDP(sport=1000, dport=2000),
    "back": Ether(**MACS) / IP(src="10.0.0.2", dst="10.0.0.1") / UDP(sport=2000, dport=1000),
    "tcp": Ether(**MACS) / IP(**UDP_FLOW) / TCP(sport=1000, dport=2000),
    "other": Ether(**MACS) / IP(**UDP_FLOW) / UDP(sport=1000, dport=2001),
    "options": Ether(**MACS) / IP(**UDP_FLOW, options=[IPOption_NOP()] * 4) / UDP(sport=1000, dport=2000),
    "fragment": Ether(**MACS) / IP(**UDP_FLOW, frag=10, proto=17) / UDP(sport=1000, dport=2000),
    "tagged": Ether(**MACS) / Dot1Q(vlan=5, prio=3) / IP(**UDP_FLOW) / UDP(sport=1000, dport=2000),
    "vlan6": Ether(src=MACS["src"], dst="02:00:00:00:00:99") / Dot1Q(vlan=6) / ARP(),
    "zero": Ether(**MACS) / Dot1Q(vlan=0) / ARP(),
    "short": Ether(**MACS, type=0x0800) / b"\x45\0",
}
IP_FRAMES = {"udp", "back", "tcp", "other", "options", "fragment", "tagged", "short"}  # padding makes "short" one
TAGGED = {"tagged", "vlan6", "zero"}
FILTERS = {
    "ip 0 0.0.0.0 0.0.0.0 0 0 0": IP_FRAMES,
    "ip 0 10.0.0.1 0.0.0.0 0 0 0": IP_FRAMES - {"back", "short"},
    "ip 0 0.0.0.0 10.0.0.1 0 0 0": {"back"},
    "ip 0 0.0.0.0 0.0.0.0 1000 0 0": {"udp", "tcp", "other", "options", "tagged"},
    "ip 0 0.0.0.0 0.0.0.0 0 2000 17": {"udp", "options", "tagged"},
    "ip 0 10.0.0.1 10.0.0.2 1000 2000 6": {"tcp"},
    "ip 0 0.0.0.0 0.0.0.0 0 0 17": IP_FRAMES - {"tcp", "short"},
    "mac 0 000000000000 0 0 0": set(FRAMES),
    "mac 0 020000000099 0 0 0": {"vlan6"},
    "mac 0 000000000000 806 0 0": {"arp", "vlan6", "zero"},
    "mac 0 000000000000 0 5 1": {"tagged"},
    "mac 0 000000000000 0 0 1": {"zero"},
    "mac 0 000000000000 0 0 2": set(FRAMES) - TAGGED,
    "mac 0 000000000000 0 0 3": TAGGED,
    "mac 0 020000000002 800 0 2": IP_FRAMES - TAGGED,
}


def test_filters(make_bench):
    """A frame is in the buffer of the filter that it matches, and nowhere else; all others are in buffer 0."""
    bench = make_bench(CARD, setting=None)
    script = Script(bench)
    answers = {"listen": script.add("rx 0 -1"), "rest": script.add("rx 0 0"), "second": script.add("rx 0 0")}
    places = {}
    for filter_line in FILTERS:
        script.add(filter_line)
        for name, packet in FRAMES.items():
            places[filter_line, name] = script.add(f"send 0 {padded(packet).hex()}")
        script.add(f"rm{filter_line.split()[0]} 0 0")
    out = script.run()
    assert [out[answers[name]] for name in ("listen", "rest", "second")] == ["buffer 1", "buffer 0", "buffer 0"]
    assert not any(line.startswith("error") for line in out)
    for (filter_line, name), place in places.items():
        matches = name in FILTERS[filter_line]
        frame = with_fcs(padded(FRAMES[name]))
        region = 1 if filter_line.startswith("ip") else 0
        wanted = {0: (f"{region}.0", frame)} if matches else {1: ("0.0", frame), 2: ("0.0", frame)}
        assert got(out[place]) == wanted, (filter_line, name)


def test_buffers_and_hashing(make_bench):
    """Order of filters, what closing a buffer removes, what is refused; both directions of a flow in one buffer."""
    bench = make_bench(CARD, setting=None)
    script = Script(bench)
    send = {name: f"send 0 {padded(packet).hex()}" for name, packet in FRAMES.items()}
    steps = [
        ("rx 0 33", "error exanic0: buffer 33: a port has the buffers 0 to 32"),
        ("rx 0 0", "buffer 0"),
        ("rx 0 7", "buffer 7"),
        ("rx 0 -1", "buffer 1"),
        ("ip 0 0.0.0.0 0.0.0.0 0 0 0", "error exanic0: buffer 0 has what no filter takes"),
        ("mac 1 000000000000 0 0 0", "filter 0"),
        ("ip 1 0.0.0.0 0.0.0.0 0 0 17", "filter 0"),
        ("ip 2 0.0.0.0 0.0.0.0 0 2000 0", "filter 1"),
        ("mac 1 000000000000 0 0 4", "error exanic0: vlan_match_method 4"),
        (send["udp"], {1: "1.0"}),  # the lower number
        (send["tcp"], {2: "1.1"}),  # IP before MAC
        (send["arp"], {1: "0.0"}),
        ("rmip 0 0", "removed 0"),
        ("rmip 0 0", "error exanic0: port 0: there is no IP filter 0"),
        (send["udp"], {2: "1.1"}),
        ("drop 1", ""),
        (send["arp"], {0: "0.0"}),  # its filters were removed with the buffer
        ("hash 0 3 0", "error exanic0: 3 buffers: give a power of 2 from 1 to 32"),
        ("hash 0 4 9", "error exanic0: hash function 9"),
        ("hash 0 4 0", "error exanic0: port 0: buffer 1 is in use"),
        ("drop 2", ""),
        ("hash 0 4 2", "buffers 4"),
        ("hash 0 4 2", "error exanic0: port 0: it hashes already"),
        ("rx 0 -1", "buffer 5"),
        *((f"rx 0 {buffer}", f"buffer {buffer}") for buffer in range(1, 5)),
        (send["arp"], {0: "0.0"}),
        (send["fragment"], {0: "0.0"}),
    ]
    for line, _ in steps:
        script.add(line)
    flows = []
    for number in range(24):
        forth = Ether(**MACS) / IP(src=f"10.1.{number}.1", dst="10.2.0.1") / UDP(sport=5000 + number * 3, dport=53)
        back = Ether(**MACS) / IP(src="10.2.0.1", dst=f"10.1.{number}.1") / UDP(sport=53, dport=5000 + number * 3)
        flows.append(tuple(script.add(f"send 0 {padded(packet).hex()}") for packet in (forth, back)))
    script.add("nohash 0")
    last = script.add(send["udp"])
    out = script.run()
    for (line, wanted), answer in zip(steps, out, strict=False):
        if isinstance(wanted, dict):
            assert {listener: match for listener, (match, _) in got(answer).items()} == wanted, line
        else:
            assert answer.startswith(wanted), line
    used = set()
    for forth, back in flows:
        (buffer,) = got(out[forth])
        assert {buffer} == set(got(out[back]))
        used.add(buffer)
    assert used == {4, 5, 6, 7}  # listeners to the buffers 1 to 4
    assert set(got(out[last])) == {0}


def set_up_connection(script: Script, port: int, number: int) -> None:
    """Sets up a connection as software does, with the registers of the engine."""
    sums = 0x0A09 + 0x0102 + 0x0A09 + 0x0103
    seeds = {"tcp": 0x501A + 40000 + 40001, "ip": 0xC506}  # of the constant part of each frame
    folded = {name: (sums + seed) % 0xFFFF for name, seed in seeds.items()}
    values = {
        0: bytes.fromhex("02000000"), 4: bytes.fromhex("00020200"), 8: bytes.fromhex("00000001"),
        12: (folded["tcp"] << 16 | folded["ip"]).to_bytes(4, "little"),
        16: bytes([10, 9, 1, 2]), 20: bytes([10, 9, 1, 3]),
        24: (40000).to_bytes(2, "big") + (40001).to_bytes(2, "big"),
        28: (1000).to_bytes(4, "big"), 32: (2000).to_bytes(4, "big"), 36: bytes([0, 0, 2, 0]),
        48: (1).to_bytes(4, "little"),
    }  # fmt: skip
    for offset, value in values.items():
        address = 0x40000 + (port << 15) + (number << 6) + offset
        script.add(f"write {address // 4} {int.from_bytes(value, 'little')}")


def test_preloaded_and_payload(make_bench):
    """A register write sends a staged frame; payload is sent by the engine, or refused with a reason."""
    bench = make_bench(CARD, setting=None)
    script = Script(bench)
    frame = padded(FRAMES["udp"])
    metadata = (0).to_bytes(2, "big") + (7).to_bytes(2, "little") + bytes(14)
    set_up_connection(script, 1, 7)
    lines = (
        *("rx 0 0", "rx 1 0", f"preload 0 1 0x8000 {frame.hex()}", f"preload 0 1 3 {frame.hex()}"),
        *(f"preload 1 2 0x8000 {(metadata + b'staged').hex()}", f"preload 0 7 0x8000 {frame.hex()}"),
        *(f"pay 1 7 {b'at once'.hex()}", f"paybegin 1 7 {b'in steps'.hex()}", "pay 0 7 00", "pay 1 600 00"),
        f"read {(0x40000 + (1 << 15) + (7 << 6) + 28) // 4}",
        *(f"read {(0x400 + 0x40 * port) // 4 + 1}" for port in (0, 1)),  # REG_PORT_STAT_TX
        *("read 14", "read 19", "read 133", "read 9999"),  # CAPS, PORTS_ATE_STATUS, port 0's MAC address
    )
    for line in lines:
        script.add(line)
    *results, seq, sent_0, sent_1, caps, engines, no_register, outside = script.run()
    *_, raw, feedback, staged, unknown, once, steps, no_engine, no_connection = results
    assert (sent_0, sent_1) == ("value 1", "value 3")
    assert (int(caps.split()[1]), engines) == (0x04000110, "value 2")  # 10G, HW_TIME_HI, ATE
    assert no_register == outside == f"value {0xFFFFFFFF}"
    sent_bytes = len(b"staged" + b"at once" + b"in steps")
    assert seq == f"value {int.from_bytes((1000 + sent_bytes).to_bytes(4, 'big'), 'little')}"
    assert got(raw) == {0: ("0.0", with_fcs(b"\x10" + frame[1:]))}  # the second of two
    assert got(feedback) == got(unknown) == {}
    assert "asks for feedback, which is not there: set feedback_slot_index to 0x8000" in bench.err
    assert "is of type 7" in bench.err
    payloads = []
    for answer in (staged, once, steps):
        ((_, sent),) = got(answer).values()
        packet = Ether(sent[:-4])
        assert sent == with_fcs(sent[:-4])
        length = packet[IP].len - 4 * packet[IP].ihl - 4 * packet[TCP].dataofs
        payloads.append(bytes(packet[TCP].payload)[:length])
        checked = packet.copy()
        del checked[IP].chksum, checked[TCP].chksum
        assert bytes(checked) == bytes(packet)
    assert payloads == [b"staged", b"at once", b"in steps"]
    assert no_engine.startswith("error exanic1: ")
    assert no_connection.startswith("error exanic1: ")


def test_children_are_refused(make_bench):
    """A child made by fork() has no access to its parent's card: an error, not misdirected frames."""
    bench = make_bench(CARD, setting=None)
    assert bench.run("exanic-test-calls", "fork") == "refused\n"
    assert "a child made by fork() cannot: use threads" in bench.err
