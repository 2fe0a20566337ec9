# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic run link --replay FILE`: a capture's frames cross the RTL from A to B and are compared, unprivileged."""

import time
from itertools import zip_longest
from pathlib import Path

from ullnic.captures.plain import HEADER, MIN_FRAME_BYTES, Played, frames_of
from ullnic.configs import config as config_of
from ullnic.run.display import make_console
from ullnic.run.folder import FRAMES
from ullnic.run.link import summary as summaries
from ullnic.run.link.display import link_display
from ullnic.run.link.live import link_arguments
from ullnic.run.link.options import Options
from ullnic.run.link.report import finish
from ullnic.run.process import Simulator
from ullnic.run.signals import Interrupted, catch_signals, tell

# In the folder of the run: end A sends FRAMES, end B sends the empty NOTHING, and captures what arrives.
NOTHING, RECEIVED = ".ullnic-nothing.pcap", "out.pcapng"


def run_replay(options: Options, source: Path, played: Played) -> int:
    """`source` is what the user named, FRAMES the part of it that is played."""
    catch_signals()
    try:
        return replay(options, source, played)
    except Interrupted as interrupted:
        return tell(interrupted)


def replay(options: Options, source: Path, played: Played) -> int:
    console = make_console(options.json)
    out_dir = Path(options.out_dir)
    (out_dir / NOTHING).write_bytes(HEADER)
    # Names without a path, since a comma in a path would end the name.
    argv = link_arguments(options, f"pcap:{FRAMES}", f"pcap:{NOTHING},out={RECEIVED}")
    link = Simulator("ullnic-link", options.bin_dir, argv, out_dir / "ullnic-link.log", folder=out_dir)
    try:
        with link_display(console) as display:
            display.line(f"{source} ── MAC+PCS ══ {options.delay_ui} UI ══ PCS+MAC ── out.pcapng\n{what(options)}")
            display.begin("replay")
            while link.process.poll() is None:
                display.update(link.status)
                time.sleep(0.05)
            counted = link.wait_end(timeout_s=5)
            comparison = compare(out_dir / FRAMES, out_dir / RECEIVED)
            display.end("replay", comparison["ok"] or options.faults_wanted, describe(comparison))
    finally:
        link.kill()
        (out_dir / NOTHING).unlink()
    return finish(console, options, assemble(options, source, played, counted, comparison))


def what(options: Options) -> str:
    far_end = {"rtl": "RTL", "partner": "C++ link partner"}[options.far_end]
    return f"end A: RTL, end B: {far_end}, {config_of(options.config).label} bit, replay, seed {options.seed}"


def compare(sent: Path, received: Path) -> dict:
    """Every frame that was sent must have arrived, in order, equal but for the padding."""
    counts = {"sent": 0, "received": 0, "equal": 0}
    for one, other in zip_longest(frames_of(sent), frames_of(received)):
        counts["sent"] += one is not None
        counts["received"] += other is not None
        counts["equal"] += None not in (one, other) and one.ljust(MIN_FRAME_BYTES, b"\0") == other
    return {**counts, "ok": counts["equal"] == counts["sent"] == counts["received"]}


def describe(comparison: dict) -> str:
    return (
        f"{comparison['sent']} frames sent, {comparison['received']} received, {comparison['equal']} equal and in place"
    )


def assemble(options: Options, source: Path, played: Played, link: dict, comparison: dict) -> dict:
    failures, notes = summaries.link_breaches(link), played.notes()
    if options.faults_wanted:
        notes += summaries.fault_notes(link)
    else:
        failures += summaries.link_failures(link)
    if not comparison["ok"] and not options.faults_wanted:
        failures.append(f"what arrived is not what was sent: {describe(comparison)}")
    return summaries.complete(
        options,
        what(options),
        link,
        failures,
        notes,
        verdict(options, played, comparison),
        replay={"file": str(source), **played.report(), **comparison},
    )


def verdict(options: Options, played: Played, comparison: dict) -> str:
    if options.faults_wanted:
        return f"{comparison['received']} frames arrived of {comparison['sent']} sent through the faults"
    if played.sent == played.frames:
        return "every frame arrived unchanged"
    return f"every frame that can cross arrived unchanged, {played.sent} of {played.frames}"
