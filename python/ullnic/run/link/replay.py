# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic run --replay FILE`: a capture's frames cross the RTL from A to B and are compared; needs no privilege."""

import struct
import time
from pathlib import Path

from ullnic.configs import config as config_of
from ullnic.errors import UllnicError
from ullnic.run.display import make_console
from ullnic.run.link import summary as summaries
from ullnic.run.link.display import link_display
from ullnic.run.link.live import link_arguments
from ullnic.run.link.options import Options
from ullnic.run.link.report import finish
from ullnic.run.process import Simulator
from ullnic.run.signals import Interrupted, catch_signals, tell

MIN_FRAME_BYTES = 60  # the transmitter pads shorter frames with zeros
MAX_FRAME_BYTES = 9618  # without FCS
# A pcap file header and nothing else: end B sends no frames.
EMPTY_PCAP = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)


def run_replay(options: Options, source: Path) -> int:
    check_source(source)
    catch_signals()
    try:
        return replay(options, source)
    except Interrupted as interrupted:
        return tell(interrupted)


def replay(options: Options, source: Path) -> int:
    console = make_console(options.json)
    out_dir = Path(options.out_dir)
    received, nothing = out_dir / "out.pcapng", out_dir / "nothing.pcap"
    nothing.write_bytes(EMPTY_PCAP)
    a_spec, b_spec = f"pcap:{source.resolve()}", f"pcap:{nothing},out={received}"
    link = Simulator(
        "ullnic-link", options.bin_dir, link_arguments(options, a_spec, b_spec), out_dir / "ullnic-link.log"
    )
    try:
        with link_display(console) as display:
            display.line(f"{source} ── MAC+PCS ══ {options.delay_ui} UI ══ PCS+MAC ── out.pcapng\n{what(options)}")
            display.begin("replay")
            while link.process.poll() is None:
                display.update(link.status)
                time.sleep(0.05)
            counted = link.wait_end(timeout_s=5)
            comparison = compare(source, received)
            display.end("replay", comparison["ok"] or options.faults_wanted, describe(comparison))
    finally:
        link.kill()
        nothing.unlink()
    return finish(console, options, assemble(options, source, counted, comparison))


def check_source(source: Path) -> None:
    try:
        with open(source, "rb"):
            pass
    except OSError as error:
        raise UllnicError(
            f"the capture cannot be read: {error}", "give an existing pcap or pcapng file of an Ethernet interface"
        ) from error
    if "," in str(source.resolve()):
        raise UllnicError(f"the path of the capture has a comma in it: {source.resolve()}", "rename or copy the file")


def what(options: Options) -> str:
    far_end = {"rtl": "RTL", "partner": "C++ link partner"}[options.far_end]
    return f"end A: RTL, end B: {far_end}, {config_of(options.config).label} bit, replay, seed {options.seed}"


def compare(source: Path, received: Path) -> dict:
    """Every frame that could be sent must have arrived, in order, equal but for the padding."""
    all_sent, got = read_frames(source), [data for data, _ in read_frames(received)]
    sent = [
        data.ljust(MIN_FRAME_BYTES, b"\0")
        for data, wire_bytes in all_sent
        if len(data) == wire_bytes and 0 < wire_bytes <= MAX_FRAME_BYTES
    ]
    equal = sum(one == other for one, other in zip(sent, got, strict=False))
    return {
        "frames": len(all_sent),
        "refused": len(all_sent) - len(sent),
        "sent": len(sent),
        "received": len(got),
        "equal": equal,
        "ok": bool(sent) and equal == len(sent) == len(got),
    }


def read_frames(path: Path) -> list[tuple[bytes, int]]:
    """(what was captured, length on the wire) of each frame."""
    from scapy.utils import RawPcapReader

    with RawPcapReader(str(path)) as reader:
        return [(bytes(data), meta.wirelen) for data, meta in reader]


def describe(comparison: dict) -> str:
    return (
        f"{comparison['sent']} frames sent, {comparison['received']} received, {comparison['equal']} equal and in place"
    )


def assemble(options: Options, source: Path, link: dict, comparison: dict) -> dict:
    failures, notes = summaries.link_breaches(link), []
    if options.faults_wanted:
        notes += summaries.fault_notes(link)
    else:
        failures += summaries.link_failures(link)
    if comparison["refused"]:
        notes.append(
            f"{comparison['refused']} frames of the capture cannot cross: cut by its snap length, empty, "
            f"or longer than {MAX_FRAME_BYTES} bytes"
        )
    if not comparison["sent"]:
        failures.append("the capture holds no frame that can cross the link")
    elif not comparison["ok"] and not options.faults_wanted:
        failures.append(f"what arrived is not what was sent: {describe(comparison)}")
    return summaries.complete(
        options,
        what(options),
        link,
        failures,
        notes,
        "every frame arrived unchanged",
        replay={"file": str(source), **comparison},
    )
