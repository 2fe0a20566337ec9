# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""libexanic's calls against a card in RTL, from real programs."""

import re
import signal
import time
import zlib

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.utils import rdpcap

TICK_PS = 250


def parse(out: str) -> list[tuple[int, int, int, bytes]]:
    lines = [line.split() for line in out.splitlines()]
    return [(int(sent), int(came), int(ps), bytes.fromhex(frame)) for sent, came, ps, frame in lines]


def turns(bench, count: int, size: int) -> list[tuple[int, int, int, bytes]]:
    return parse(bench.run("exanic-test-calls", "turns", "exanic0", 0, 1, count, size))


def right_checksums(frame: bytes) -> bool:
    packet = Ether(frame)
    again = packet.copy()
    del again[IP].chksum, again[TCP].chksum
    return bytes(again) == frame


def test_frames_and_their_times(make_bench):
    """Received frames are those that the card has sent, with a correct FCS, and times are those on the lines."""
    bench = make_bench()
    count = 30
    time.sleep(1.2)  # virtual time, too: the low 32 bits have wrapped
    seen = turns(bench, count, 100)
    assert bench.err == ""
    assert seen[0][0] > 1 << 32
    summary = bench.stop_card()
    assert summary["answered"] == bench.mirrored == len(seen) == count
    for number, ((sent, came, ps, frame), sample) in enumerate(zip(seen, bench.samples(), strict=True), 1):
        # To 0.25 ns: the time of the frame's start on the wire, not of the program's request.
        assert sent == int(sample["trigger_ps"]) // TICK_PS
        assert came == int(sample["order_ps"]) // TICK_PS
        assert ps == (came - sent) * TICK_PS
        assert abs(ps / 1000 - float(sample["sof_to_sof_ns"])) <= TICK_PS / 1000
        body, fcs = frame[:-4], frame[-4:]
        assert fcs == zlib.crc32(body).to_bytes(4, "little")
        assert right_checksums(body)
        payload = bytes(Ether(body)[TCP].payload)[:12]
        assert payload == number.to_bytes(4, "big") + bytes(8)
    triggers = rdpcap(str(bench.folder / "port-0.pcapng"))
    assert len(triggers) == count
    for number, packet in enumerate(triggers):
        frame = bytes(packet)
        assert len(frame) in (100, 104)  # without and with FCS
        assert frame[:18] == b"\xff" * 6 + b"\x22" * 6 + bytes(2) + number.to_bytes(4, "little")


def test_sender_stops_a_slow_listener(make_bench):
    """A program may stop listening once its last frame has left: all answers have been received by then."""
    bench = make_bench("stac_t0_pma16", setting=0)
    assert bench.run("exanic-test-calls", "threads", "exanic0", 1, 0, 8, 64) == "8 8\n"


def test_facts(make_bench):
    bench = make_bench()
    time.sleep(1.2)  # virtual time, too: a timestamp of 32 bits is only its lower part
    lines = bench.run("exanic-test-calls", "facts", "exanic0").splitlines()
    facts = dict(line.split(" ", 1) for line in lines)
    assert len(facts) == len(lines)
    wanted = {
        **dict.fromkeys(("same_handle", "hpt", "enabled", "rx_usable", "tx_usable", "found"), "1"),
        **dict.fromkeys(("own_rx", "begin", "late", "overflow_big", "again"), "1"),
        **dict.fromkeys(("interface", "find", "abort", "end", "transmit", "empty", "overflow"), "0"),
        **dict.fromkeys(("caps", "configurable", "promiscuous", "tx_types", "counter", "reg_version"), "1"),
        **dict.fromkeys(("port_1", "counter_back", "all_ports_1"), "1"),
        **dict.fromkeys(("supported", "function", "demo", "free", "firewall", "autoneg", "stats"), "0"),
        "cap_bits": str(0x04000100),  # 10G, HW_TIME_HI
        "status": str(0x0D),  # enabled, signal, link
        "reg_status": str(0x0D),
        "hz": "4000000000",
        "reg_hz": "4000000000",
        "reg_region": str(256 << 10),
        "function_text": "network interface",
        "hw_text": "ExaNIC X10-HPT",
        "tx_text": "tcp_accel",
        "all_ports": "2",
        "own_error": "own text 7",
        "ports": "2",
        "speed": "10000",
        "interface_name": "exanic0:1",
        "ps_sec": "3",
        "ps_psec": "1750",
        "ns_sec": "3",
        "ns_nsec": "1",
        "ns": "3000000001",
        "ps": "3000000001750",
        "mtu": "9618",
        "expand_before": "-999",
        "expand_behind": "999",
        "truncated": "-257",
        "second": str(14 + 40 + 12 + 4),
    }
    assert {name: facts.pop(name) for name in wanted} == wanted
    errors = {
        "no_device": "give exanic0",
        "unset": "set ULLNIC_EXANIC7 to vfio-user:PATH",
        "nonsense": "a device is exanic0, exanic1 and so on",
        "port_9": "a port is named as in exanic0:1",
        "port_5": "it has the ports 0 to 1",
        "busy": "another program",
        "bad_port": "it has the ports 0 to 1",
        "bad_rx_port": "it has the ports 0 to 1",
        "bad_enabled": "it has the ports 0 to 1",
        "odd_size": "1000 bytes: a buffer has a multiple of 4096",
        "no_room": "266240 bytes in a row are not free of 262144",
        "reg_none": "there is no register 4000",
        "reg_command": "TX_COMMAND 0x8: no chunk is there",
        "reg_write": "cannot be written; pcie_if.h names those that can",
        "flags": "only EXA_FRAME_WARM is known",
        "not_payload": "payload is of EXANIC_TX_TYPE_TCP_ACCEL",
        "no_engine": "engine",
        "too_much": "61 bytes are more than the 60 that were begun",
        "bad_status": "it has the ports 0 to 1",
        "short_name": "3 bytes are too few",
        "bad_name": "a port is named as in exanic0:1",
        "too_short": "14 to 9618 bytes",
        "too_long": "20000 bytes",
        "not_begun": "no frame is begun",
        "begun": "exanic0: port 0: end or abort the frame",
        "truncated_error": "does not fit a buffer of 16",
    }
    for name, text in errors.items():
        assert text in facts.pop(name), name
    assert not facts


def test_what_came_before_is_not_delivered(make_bench):
    """A new listener receives what arrives from then on, even if the port was open for sending before."""
    bench = make_bench()
    assert len(turns(bench, 2, 60)) == 2
    late = parse(bench.run("exanic-test-calls", "late", "exanic0", 3))
    assert [int.from_bytes(frame[54:58], "big") for *_, frame in late] == [6]


def test_frames_without_room_are_reported(make_bench):
    """More answers than ring and tester hold: lost frames are reported and counted, and no others are lost."""
    bench = make_bench()
    count = 6400  # 2047 in the ring, 4096 in the tester
    error, frames, *other = bench.run("exanic-test-calls", "flood", "exanic0", count).splitlines()
    status, lost = re.fullmatch(r"(-?\d+) exanic0: port 1: (\d+) frames were lost, .*", error).groups()
    summary = bench.stop_card()
    assert summary["tester"]["ports"][1] | {"heard": count, "dropped": int(lost)} == summary["tester"]["ports"][1]
    assert status == "-256"
    assert int(lost) > 0
    assert int(frames) + int(lost) == count
    assert other == [error, frames]  # a second listener, by chunks, later


@pytest.mark.parametrize("mode", ["turns", "ring"])
def test_card_goes_away(make_bench, mode):
    """A program in an endless loop learns of it and ends, also if it makes no call; it does not spin forever."""
    bench = make_bench(setting=0 if mode == "turns" else None)
    arguments = ("exanic0", 0, 1, 100000, 60) if mode == "turns" else (0,)
    process = bench.start("exanic-test-calls", mode, *arguments)
    assert process.stdout.readline()
    bench.kill_card()
    begin = time.monotonic()
    bench.finish(process)
    assert process.returncode == -signal.SIGTERM
    assert time.monotonic() - begin < 30
    assert "the virtual card has ended" in bench.err and "it is ended" in bench.err
