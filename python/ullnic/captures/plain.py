# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the frames of a capture that can cross the line to a plain pcap file, and records why the others cannot."""

import struct
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from ullnic.captures.opening import Capture
from ullnic.captures.packets import ETHERNET, FCS_BYTES, Damaged, Packet
from ullnic.errors import UllnicError
from ullnic.progress import StatusLine

MIN_FRAME_BYTES = 60  # without FCS; the transmitter pads shorter frames with zeros
MAX_FRAME_BYTES = 9618
HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, ETHERNET)
STEP_FRAMES, QUIET_S = 4096, 2.0  # how often progress is shown, and after how long
MOST_RANGES, SHOWN_RANGES, SHOWN_REASONS = 1000, 8, 12

CUT = "cut by the capture's snap length"
EMPTY = "empty"
TOO_LONG = f"longer than {MAX_FRAME_BYTES} bytes"
MORE_THAN_THERE_WAS = "longer in the capture than on the wire"
BAD_FCS = "with a wrong FCS"
STRANGE_FCS = f"with an FCS of another length than Ethernet's {FCS_BYTES} bytes"
REMEDIES = {CUT: "capture whole frames (tcpdump -s 0)"}
ETHERNET_REMEDY = "capture on one Ethernet interface, not on 'any'"


@dataclass
class Frames:
    """Numbers of frames, rising, as ranges; if there are very many ranges, only the first."""

    count: int = 0
    ranges: list[list[int]] = field(default_factory=list)

    def add(self, number: int) -> None:
        self.count += 1
        if self.ranges and self.ranges[-1][1] == number - 1:
            self.ranges[-1][1] = number
        elif len(self.ranges) < MOST_RANGES:
            self.ranges.append([number, number])

    def text(self) -> str:
        shown = [str(first) if first == last else f"{first}-{last}" for first, last in self.ranges[:SHOWN_RANGES]]
        more = self.count - sum(last - first + 1 for first, last in self.ranges[:SHOWN_RANGES])
        return ", ".join(shown) + (f" and {more} more" if more else "")


@dataclass
class Played:
    """What became of a capture's frames. They are numbered from 1 over all interfaces, as in Wireshark."""

    frames: int = 0
    sent: int = 0
    padded: int = 0
    fcs_removed: int = 0
    left_out: dict[str, Frames] = field(default_factory=dict)  # by reason
    interfaces: Counter[tuple[str, str]] = field(default_factory=Counter)  # left out, by name and kind: packets

    def notes(self) -> list[str]:
        lost = [f"{packets} of interface {name} ({kind})" for (name, kind), packets in self.interfaces.items()]
        lost += [f"{each.count} {reason} (number {each.text()})" for reason, each in self.left_out.items()]
        found = [f"left out of {self.frames} frames: {each}" for each in lost[:SHOWN_REASONS]]
        if len(lost) > SHOWN_REASONS:
            found.append(f"{len(lost) - SHOWN_REASONS} more such notes are in summary.json")
        if self.padded:
            found.append(
                f"frames shorter than {MIN_FRAME_BYTES} bytes, padded with zeros by the transmitter: {self.padded}"
            )
        if self.fcs_removed:
            found.append(f"frames that had their FCS in the capture, replaced by the MAC's own: {self.fcs_removed}")
        return found

    def report(self) -> dict:
        """For the summary, as plain values."""
        return {
            "frames": self.frames,
            "sent": self.sent,
            "padded": self.padded,
            "fcs_removed": self.fcs_removed,
            "left_out": [{"reason": reason, **vars(frames)} for reason, frames in self.left_out.items()],
            "interfaces_left_out": [
                {"name": name, "kind": kind, "packets": packets} for (name, kind), packets in self.interfaces.items()
            ],
        }

    def nothing(self, path: Path) -> UllnicError:
        """The error if no frame can cross."""
        why = "; ".join(self.notes()) or "it has no frames"
        remedies = [remedy for reason, remedy in REMEDIES.items() if reason in self.left_out]
        if self.interfaces or not remedies:
            remedies.append(ETHERNET_REMEDY)
        return UllnicError(f"the capture {path} holds no frame that can cross the link: {why}", "; ".join(remedies))


def write_plain(capture: Capture, target: Path) -> Played:
    """Reads the capture to its end. Raises an error if it is damaged, or if no frame can cross."""
    played = Played()
    target.unlink(missing_ok=True)  # it may be a link to another file
    try:
        with closing(capture), open(target, "wb") as file:
            file.write(HEADER)
            copy(capture, file, played)
    except Damaged as damage:
        said = f"the capture {capture.path} is damaged after frame {played.frames}: {damage}"
        raise UllnicError(said, capture.repair(played.frames)) from damage
    except OSError as error:
        raise UllnicError(
            f"{target} cannot be written: {error.strerror}", "free some disk space, or choose another with --out DIR"
        ) from error
    if not played.sent:
        raise played.nothing(capture.path)
    return played


def copy(capture: Capture, file: BinaryIO, played: Played) -> None:
    status = StatusLine(f"reading {capture.path}")
    for packet in capture.packets():
        played.frames += 1
        if packet.interface and packet.interface.link_type != ETHERNET:
            played.interfaces[packet.interface.name, packet.interface.kind] += 1
        elif reason := why_left_out(packet):
            played.left_out.setdefault(reason, Frames()).add(played.frames)
        else:
            frame = packet.data[: len(packet.data) - packet.fcs_bytes]
            file.write(struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame)
            played.sent += 1
            played.padded += len(frame) < MIN_FRAME_BYTES
            played.fcs_removed += packet.fcs_bytes > 0
        if played.frames % STEP_FRAMES == 0 and time.monotonic() - status.start_s > QUIET_S:
            status.step = f"{played.frames} frames"
            status.update()


def why_left_out(packet: Packet) -> str | None:
    size_bytes = len(packet.data)
    if packet.problem:
        return packet.problem
    if size_bytes < packet.wire_bytes:
        return CUT
    if size_bytes > packet.wire_bytes:
        return MORE_THAN_THERE_WAS
    if packet.fcs_bytes not in (0, FCS_BYTES):
        return STRANGE_FCS
    if size_bytes <= packet.fcs_bytes:
        return EMPTY
    if packet.fcs_bytes and zlib.crc32(packet.data[:-FCS_BYTES]).to_bytes(4, "little") != packet.data[-FCS_BYTES:]:
        return BAD_FCS
    return TOO_LONG if size_bytes - packet.fcs_bytes > MAX_FRAME_BYTES else None


def frames_of(path: Path) -> Iterator[bytes]:
    """Frames of a capture that this project has written."""
    with closing(Capture(path)) as capture:
        for packet in capture.packets():
            yield packet.data
