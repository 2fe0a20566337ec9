# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A parser of a subset of packetdrill's language: what the scripts in tests/packetdrill use.

A script is a list of lines:

    // a comment, also after an event
    --so_flags="rto_min=1000"                          an option, before all events
    0.000 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3    a system call at this time, and its result
    +0.1 < S 0:0(0) win 8192 <mss 1000>                a packet to the engine, 0.1 s after the event before
    +0...0.2 read(3, ..., 100) = -1 ETIMEDOUT (text)   a call that blocks during this interval
    +0~+0.01 > S. 0:0(0) ack 1 <...>                   a packet from the engine, at a time in this range
    * > R 1:1(0)                                       at any time
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from ullnic.errors import UllnicError

OPTIONS = ("so_flags", "tolerance_usecs")
TIME = re.compile(r"(?P<any>\*)|(?P<plus>\+?)(?P<at>\d+(\.\d+)?)((?P<kind>\.\.\.|~)\+?(?P<end>\d+(\.\d+)?))?")
CALL = re.compile(r"(?P<name>\w+)\s*\((?P<arguments>.*)\)\s*=\s*(?P<result>[-\w]+)(\s+(?P<errno>E\w+))?(\s+\(.*\))?")
PACKET = re.compile(
    r"(?P<direction>[<>])\s+(?P<flags>[FSRPUEWC.]+|-)\s+(?P<seq>\d+):(?P<end>\d+)\((?P<length>\d+)\)"
    r"(\s+ack\s+(?P<ack>\d+))?(\s+win\s+(?P<window>\d+))?(\s+<(?P<options>[^>]*)>)?"
)
FLAG_NAMES = {"F": "F", "S": "S", "R": "R", "P": "P", ".": "A"}
OPTION_WORDS = {"nop": ("NOP", None), "sackOK": ("SAckOK", b""), "eol": ("EOL", None)}
OPTION_BYTES = {"NOP": 1, "EOL": 1, "SAckOK": 2, "MSS": 4, "WScale": 3, "Timestamp": 10}


@dataclass(frozen=True)
class When:
    """Seconds; relative to the event before. `end`: of a range, or when a blocking call returns."""

    start_s: float | None  # None: any time
    relative: bool = False
    end_s: float | None = None
    blocks: bool = False


@dataclass(frozen=True)
class Packet:
    inbound: bool
    flags: str  # as in scapy
    seq: int
    length: int
    ack: int | None = None
    window: int | None = None  # None: not checked
    options: tuple[tuple[str, object], ...] | None = ()  # as in scapy; None: not checked


@dataclass(frozen=True)
class Call:
    name: str
    arguments: tuple[str, ...]
    result: str
    errno: str | None = None


@dataclass(frozen=True)
class Event:
    line: int
    text: str
    when: When
    what: Packet | Call


@dataclass
class Script:
    path: Path
    options: dict[str, str] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)


def parse(path: Path) -> Script:
    script = Script(path)
    for number, line in enumerate(path.read_text().splitlines(), 1):
        text = line.split("//")[0].strip()
        if not text:
            continue
        try:
            if text.startswith("--"):
                _option(script, text)
            else:
                script.events.append(_event(number, text))
        except ValueError as error:
            raise UllnicError(
                f"{path}:{number}: {error}", "see python/ullnic/packetdrill/script.py, or run it with packetdrill"
            ) from None
    if script.events and script.events[0].when != When(0.0):
        raise UllnicError(f"{path}:{script.events[0].line}: the first event is not at time 0", "begin with 0.000")
    return script


def _option(script: Script, text: str) -> None:
    name, _, value = text[2:].partition("=")
    if script.events or name not in OPTIONS:
        raise ValueError(f"only --{' and --'.join(OPTIONS)} are known here, and stand before all events")
    script.options[name] = value.strip("`\"'")


def _event(number: int, text: str) -> Event:
    time, _, rest = text.partition(" ")
    match = TIME.fullmatch(time)
    if not match:
        raise ValueError(f"'{time}' is no time")
    end_s = float(match["end"]) if match["end"] else None
    blocks = match["kind"] == "..."
    when = When(None) if match["any"] else When(float(match["at"]), bool(match["plus"]), end_s, blocks)
    rest = rest.strip()
    return Event(number, text, when, _packet(rest) if rest[:1] in "<>" else _call(rest))


def _packet(text: str) -> Packet:
    match = PACKET.fullmatch(text)
    if not match:
        raise ValueError(f"'{text}' is no packet that is known here")
    if set(match["flags"]) - set(FLAG_NAMES):
        raise ValueError(f"the flags '{match['flags']}' are not known here")
    seq, length = int(match["seq"]), int(match["length"])
    if (int(match["end"]) - seq) & 0xFFFFFFFF != length:
        raise ValueError(f"{match['seq']}:{match['end']} are not {length} bytes")
    if ("." in match["flags"]) != (match["ack"] is not None):
        raise ValueError("flag '.' and 'ack' go together")
    options = None if match["options"] == "..." else _tcp_options(match["options"] or "")
    return Packet(
        inbound=match["direction"] == "<",
        flags="".join(FLAG_NAMES[flag] for flag in match["flags"]),
        seq=seq,
        length=length,
        ack=None if match["ack"] is None else int(match["ack"]),
        window=None if match["window"] is None else int(match["window"]),
        options=options,
    )


def _tcp_options(text: str) -> tuple[tuple[str, object], ...]:
    found: list[tuple[str, object]] = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        if word in OPTION_WORDS:
            found.append(OPTION_WORDS[word])
        elif match := re.fullmatch(r"(mss|wscale) (\d+)", word):
            found.append(({"mss": "MSS", "wscale": "WScale"}[match[1]], int(match[2])))
        elif match := re.fullmatch(r"TS val (\d+) ecr (\d+)", word):
            found.append(("Timestamp", (int(match[1]), int(match[2]))))
        elif match := re.fullmatch(r"sack (\d+:\d+( \d+:\d+)*)", word):
            found.append(("SAck", tuple(int(edge) for edge in re.split("[ :]", match[1]))))
        else:
            raise ValueError(f"the option '{word}' is not known here")
    if sum(OPTION_BYTES.get(name) or 2 + 4 * len(value) for name, value in found) % 4:
        raise ValueError("the options do not end with a word of 32 bits: write nop or eol where they are to be")
    return tuple(found)


def _call(text: str) -> Call:
    match = CALL.fullmatch(text)
    if not match:
        raise ValueError(f"'{text}' is no call with a result")
    return Call(match["name"], tuple(_split(match["arguments"])), match["result"], match["errno"])


def _split(text: str) -> list[str]:
    """Arguments: commas inside brackets do not separate."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]
