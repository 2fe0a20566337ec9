# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""ullnic-trigger and ullnic-info, word by word, on registers that the test plants."""

import json
import subprocess

import pytest

from played_daemon import ENGINE, HOST_PATH, MAC, PORT, ROOT, USER, PlayedDaemon, offsets

TRIGGER = "cards/trigger/regs/generated/trigger_regs.h"
PORT_REGS = "cards/common/regs/generated/card_port_regs.h"
MAC_REGS = "cores/macpcs/regs/generated/macpcs_regs.h"
AT = {name: USER + place for name, place in offsets(TRIGGER).items()}
ARMED, BUSY, WINDOW, LIMIT, BAD_LENGTH, BAD_CONNECTION = 1, 2, 4, 16, 32, 64
COUNTERS = ["TRIGGERS", "ORDERS", "REFUSED_DISARMED", "REFUSED_WINDOW", "REFUSED_BUSY", "REFUSED_ATE", "NUMBER"]
VERSION = (ROOT / "VERSION").read_text().strip()


@pytest.fixture
def played(tmp_path, layout):
    daemon = PlayedDaemon(tmp_path / "s", layout)
    yield daemon
    daemon.close()


@pytest.fixture
def run(played, host_build):
    """Runs a tool on the played card; returns its exit code and outputs."""

    def call(tool: str, *argv: str):
        command = [host_build / "bin" / tool, "--card", f"ullnicd:{played.path}", *argv]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    return call


def plant_trigger(played, minor: int = 1) -> None:
    played.plant_card(1)
    played.plant(USER, TRIGGER, ID=0x54524947, VERSION=0x10000 | minor)
    played.plant(USER, TRIGGER, **{name: 100 + n for n, name in enumerate([*COUNTERS, "WAITED"])})


def status_text(minor: int = 1, number: int = 106, *, states=()) -> str:
    said = {name: name in states for name in ("armed", "busy", "window_available", "limit_reached")}
    said |= {name.lower(): 100 + n for n, name in enumerate(COUNTERS)} | {"number": number}
    said |= {"waited": 107} if minor > 0 else {}
    return json.dumps(said) + "\n"


@pytest.mark.parametrize("minor", [0, 1])
def test_trigger_tells_its_state(played, run, minor):
    """Each bit by itself, and each counter; only those that this version of the registers has."""
    plant_trigger(played, minor)
    for bit, name in ((ARMED, "armed"), (BUSY, "busy"), (WINDOW, "window_available"), (LIMIT, "limit_reached")):
        played.registers[AT["STATUS"]] = bit
        done = run("ullnic-trigger", "status")
        assert (done.returncode, done.stdout) == (0, status_text(minor, states=[name])), done.stderr
    assert played.written == []


PAYLOAD = bytes(range(1, 10))


@pytest.mark.parametrize("waits", [False, True])
def test_trigger_is_armed(played, run, waits):
    """It is disarmed first, until its last order has ended; then each setting is written, and it is armed."""
    plant_trigger(played)

    def answer(address, value):
        if address == AT["CONTROL"]:
            played.coming[AT["STATUS"]] = [WINDOW, LIMIT] if value & 1 else [ARMED | BUSY, BUSY, ARMED]
            played.registers[AT["STATUS"]] = ARMED | LIMIT if value & 1 else WINDOW

    played.answer = answer
    options = ["-C", "65535", "-p", PAYLOAD.hex().upper(), "-L", "4294967295", "-n", "0x10", *["-w"] * waits]
    done = run("ullnic-trigger", "arm", *options)
    words = PAYLOAD.ljust(256, b"\0")
    template = [(AT["TEMPLATE"] + at, int.from_bytes(words[at : at + 4], "little")) for at in range(0, 256, 4)]
    settings = {"CONNECTION": 65535, "LENGTH": len(PAYLOAD), "LIMIT": 4294967295, "NUMBER": 16}
    wanted = [(AT["CONTROL"], 0), *template, *((AT[name], value) for name, value in settings.items())]
    assert played.written == [*wanted, (AT["CONTROL"], 3 if waits else 1)]
    assert done.stdout == status_text(number=16, states=["armed", "limit_reached"]), done.stderr
    assert played.reads.count(AT["STATUS"]) == 4 + 3 + 2


def test_trigger_is_disarmed(played, run):
    plant_trigger(played)
    done = run("ullnic-trigger", "disarm")
    assert played.written == [(AT["CONTROL"], 0)] and done.stdout == status_text()


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (BAD_LENGTH, "not armed: --length is not one the card can send"),
        (BAD_CONNECTION, "not armed: the engine has no connection of that number; ullnic-info tells how many it has"),
        (0, "the user logic does not answer: its clock stands still"),
        (
            None,
            "an order does not end: the port's link is down, or the engine waits for its mirror to be read",
        ),
    ],
)
def test_trigger_that_cannot_be_armed(played, run, status, text):
    """It says why; it asks a thousand times whether the card has done it."""
    plant_trigger(played)
    played.registers[AT["STATUS"]] = BUSY if status is None else 0

    def answer(address, value):
        if address == AT["CONTROL"] and value & 1:
            played.registers[AT["STATUS"]] = status

    played.answer = answer
    done = run("ullnic-trigger", "arm", "--length", "8")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"ullnic-trigger: {text}\n")
    tries = played.reads.count(AT["STATUS"])
    assert tries == {None: 1000, 0: 1 + 1000}.get(status, 1 + 2)


def test_trigger_that_is_none(played, run):
    played.plant_card(2)
    done = run("ullnic-trigger", "arm")
    assert (done.returncode, played.written) == (1, []) and "user logic is not that of the trigger card" in done.stderr
    plant_trigger(played, minor=0)
    done = run("ullnic-trigger", "--wait", "arm")
    assert (done.returncode, played.written) == (1, []) and "cannot let a trigger wait" in done.stderr
    for refused in (AT["ID"], AT["STATUS"], AT["REFUSED_ATE"]):
        played.refused = {refused}
        done = run("ullnic-trigger", "status")
        assert (done.returncode, done.stderr.endswith("refused\n")) == (1, True)
    played.refused = {AT["CONTROL"]}
    assert run("ullnic-trigger", "disarm").returncode == 1


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["-l", "257"], "--length 257: give a number from 0 to 256"),
        (["-C", "65536"], "--connection 65536: give a number from 0 to 65535"),
        (["-L", "4294967296"], "--limit 4294967296: give a number from 0 to 4294967295"),
        (["-n", "-1"], "--number -1: give a number"),
        (["-n", ""], "--number : give a number"),
        (["-n", "1x"], "--number 1x: give a number"),
        (["-n", "99999999999999999999"], "give a number from 0 to"),
        (["-p", "012"], "--payload: give an even number of hexadecimal digits, 512 at most"),
        (["-p", "0g"], "--payload: give an even number"),
        (["-p", "00" * 257], "--payload: give an even number"),
        (["--nonsense"], "usage: ullnic-trigger"),
        (["more"], "usage: ullnic-trigger"),
    ],
)
def test_trigger_options(played, run, options, text):
    done = run("ullnic-trigger", "arm", *options)
    assert (done.returncode, done.stdout, played.reads) == (2, "", []) and text in done.stderr


def test_the_longest_payload(played, run):
    plant_trigger(played)

    def answer(address, value):
        if address == AT["CONTROL"]:
            played.registers[AT["STATUS"]] = ARMED if value == 1 else 0

    played.answer = answer
    assert run("ullnic-trigger", "arm", "-p", "ab" * 256).returncode == 0
    assert played.registers[AT["LENGTH"]] == 256 and played.registers[AT["TEMPLATE"] + 252] == 0xABABABAB
    assert run("ullnic-trigger", "arm", "-p", "ab" * 256, "-l", "255").returncode == 0
    assert played.registers[AT["LENGTH"]] == 255


@pytest.mark.parametrize("tool", ["ullnic-trigger", "ullnic-info", "ullnic-latency"])
def test_version_and_help(run, tool):
    assert run(tool, "--version").stdout == f"{tool} {VERSION}\n"
    done = run(tool, "--help")
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith(f"usage: {tool} ")
    wrong = run(tool, "--nonsense")
    assert (wrong.returncode, wrong.stdout) == (2, "") and wrong.stderr.endswith(done.stdout)


HOST_COUNTERS = {
    "frames to host": "RX_FRAMES", "frames bad": "RX_BAD", "frames no room": "RX_NO_ROOM", "frames cut": "RX_CUT",
    "mirror frames": "MIRROR_FRAMES", "mirror cut": "MIRROR_CUT", "packets to host": "PACKETS",
    "chunks sent": "CHUNKS", "chunks refused": "CHUNKS_REFUSED", "chunks cut": "CHUNKS_CUT",
}  # fmt: skip
ENGINE_COUNTERS = {
    "ate user": 0, "ate host": 1, "ate raw": 2, "ate no conn": 4, "ate no room": 5, "ate no window": 6,
    "ate bad late": 8, "ate bad length": 9, "ate bad window": 10, "ate bad raw": 11, "ate bad chunk": 12,
    "ate aborted": 13, "ate no frame": 7,
}  # fmt: skip
MAC_COUNTERS = {
    "mac rx frames": "RX_STATS.FRAMES_GOOD", "mac rx bytes": "RX_STATS.BYTES_GOOD", "mac rx bad": "RX_STATS.FRAMES_BAD",
    "mac rx fcs": "RX_STATS.FCS_ERRORS", "mac rx code": "RX_STATS.CODE_ERRORS", "mac rx runts": "RX_STATS.RUNTS",
    "mac rx oversize": "RX_STATS.OVERSIZE", "mac rx pause": "RX_STATS.PAUSE",
    "pcs lock losses": "RX_STATS.LOCK_LOSSES", "pcs high ber": "RX_STATS.HI_BER",
    "pcs bad blocks": "RX_STATS.BAD_BLOCKS", "mac tx frames": "TX_STATS.FRAMES", "mac tx bytes": "TX_STATS.BYTES",
    "mac tx poisoned": "TX_STATS.POISONED", "mac tx underruns": "TX_STATS.UNDERRUNS",
}  # fmt: skip


def plant_info(played, first: int) -> list[tuple[str, int]]:
    """Counters of port 1, from `first` on; those of port 0 are 0. Returns their lines."""
    played.plant_card(1, VERSION=0x10002, TCP_ENABLES=2, PORT_STATUS=0x203, TIME_LO=500_000, TIME_HI=1)
    lines = []
    places = [(HOST_PATH + PORT + offsets(PORT_REGS)[place], 4) for place in HOST_COUNTERS.values()]
    places += [(ENGINE + PORT + 0x40 + 4 * number, 4) for number in ENGINE_COUNTERS.values()]
    places += [(MAC + PORT + offsets(MAC_REGS)[place], 8) for place in MAC_COUNTERS.values()]
    names = [*HOST_COUNTERS, *ENGINE_COUNTERS, *MAC_COUNTERS]
    for number, (name, (address, size)) in enumerate(zip(names, places, strict=True), first):
        value = number << 32 | number + 1000 if size == 8 and number else number
        for part in range(0, size, 4):
            played.registers[address + part] = value >> 8 * part & 0xFFFFFFFF
        lines.append((name, value))
    played.registers |= {ENGINE + PORT: 0x41544530, ENGINE + PORT + 4: 0x10000, ENGINE + PORT + 8: 1400 << 16 | 63}
    played.registers |= {MAC + port * PORT: 0x4D504353 for port in range(2)}
    played.registers[MAC + offsets(MAC_REGS)["SNAPSHOT"]] = 0

    def answer(address, value):  # a snapshot is complete at the next read
        assert value == 3 and address in (MAC + port * PORT + offsets(MAC_REGS)["SNAPSHOT"] for port in range(2))
        played.registers[address] = 0

    played.answer = answer
    return lines


HEAD = """card trigger, registers 1.2, 2 ports, 16-bit transceivers, up for 17.181869 s
  held by ullnicd: connections of the engines, and frames, are the daemon's alone
  port 0: link down
"""
ENGINE_LINE = "  port 1: link up, TCP transmit engine with 64 connections, payload up to 1400 bytes\n"


def text_of(lines) -> str:
    return "".join(f"    {name:<16} {value}\n" for name, value in lines)


@pytest.mark.parametrize("zeros", [False, True])
def test_info_of_each_counter(played, run, zeros):
    """Without --zeros those that are 0 are left out, and the first of port 1 is."""
    lines = plant_info(played, first=0)
    done = run("ullnic-info", *["--zeros"] * zeros)
    none = [(name, 0) for name in [*HOST_COUNTERS, *MAC_COUNTERS]]
    assert done.stdout == HEAD + text_of(none * zeros) + ENGINE_LINE + text_of(lines[not zeros :]), done.stderr


def test_info_of_a_port_whose_clock_stands_still(played, run):
    plant_info(played, first=1)
    played.answer = lambda address, value: None
    said = run("ullnic-info").stdout
    assert said.count("    no counters of the MAC: a clock of the port stands still\n") == 2 and "mac " not in said
    assert played.reads.count(MAC + PORT + offsets(MAC_REGS)["SNAPSHOT"]) == 1001


def test_info_of_a_tester(played, run):
    """No transceivers, host path, MAC or engine; a kind that this tool does not know."""
    for kind, name, tick in (
        (3, "tester", 250),
        (4, "mirror", 4000),
        (5, "of a kind that is newer than this tool", 4000),
    ):
        played.plant_card(kind, CARD=2 << 8 | kind, TIME_LO=4_000_000)
        played.registers |= {HOST_PATH + port * PORT: 0xFFFFFFFF for port in range(2)}
        done = run("ullnic-info", "-z")
        lines = done.stdout.splitlines()
        assert lines[0] == f"card {name}, registers 1.1, 2 ports, up for {4e-6 * tick:.6f} s", done.stderr
        assert lines[2:] == ["  port 0: link down", "  port 1: link down"]


def test_info_of_a_card_that_fails(played, run):
    """At each register that it reads or writes: the reason, and an exit code."""
    plant_info(played, first=1)
    run("ullnic-info")
    for address in [*dict.fromkeys(played.reads), *dict.fromkeys(address for address, _ in played.written)][::5]:
        played.refused = {address}
        done = run("ullnic-info")
        assert (done.returncode, done.stderr) == (1, f"ullnic-info: ullnicd:{played.path}: refused\n"), hex(address)
