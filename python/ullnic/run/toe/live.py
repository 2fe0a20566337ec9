# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The live job, inside the namespaces: a kernel, the card at the other end of its interface, programs, summary."""

from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from ullnic.run.display import Display, Say, make_console
from ullnic.run.ending import exit_code, say_files, say_verdict, write_summary
from ullnic.run.link.summary import kernel_counters
from ullnic.run.link.tcp import configure_tcp
from ullnic.run.netns import END_A, Namespace, configure_port
from ullnic.run.options import arguments
from ullnic.run.ports import choose_port, port_spec
from ullnic.run.process import Simulator
from ullnic.run.toe.display import counters, toe_display
from ullnic.run.toe.options import PROGRAMS, Options
from ullnic.run.toe.phases import CARD_IP, DISCARD, ECHO, GENERATOR, HTTP, Phases
from ullnic.run.waiting import stay

MTU_BYTES = 1500
RTO_MIN_MS = 500  # of both ends: sim/src/stack/sources.cmake
STATUS_INTERVAL_S = 0.25


def run_live(options_json: str) -> int:
    options = Options.from_json(options_json)
    console = make_console(options.json)
    kind = choose_port(options.port)
    kernel = Namespace(END_A)
    card = None
    try:
        with toe_display(console) as display:
            display.line(f"kernel {END_A.ip} ── 10GBASE-R ── MAC+PCS ── TCP/IP in RTL {CARD_IP}\n{what(options, kind)}")
            card = start_card(options, kind, kernel, display)
            phases = Phases(options, card, kernel, display)
            phases.run_all()
        if options.keep:
            keep_up(console, options, card, kernel)
        figures = kernel_counters(kernel)
        return finish(console, options, assemble(options, what(options, kind), card.stop(), phases.results, figures))
    finally:
        if card:
            card.kill()
        kernel.close()


def what(options: Options, kind: str) -> str:
    faults = f", faults both ways: {options.fault}" if options.fault else ""
    stamps = ", timestamps" if options.timestamps else ""
    return f"card: toe, 64 sessions{stamps}, {kind}, MTU {MTU_BYTES}, seed {options.seed}{faults}"


def start_card(options: Options, kind: str, kernel: Namespace, display: Display) -> Simulator:
    display.begin("card")
    configure_tcp(kernel, lossless=not options.fault)
    settings = {
        "--port": port_spec(kind, kernel, MTU_BYTES),
        "--ip": CARD_IP,
        "--seed": options.seed,
        "--status-interval": STATUS_INTERVAL_S,
        "--fault-in": options.fault,
        "--fault-out": options.fault,
        "--hostile": options.hostile or None,
        "--pcapng-dir": options.out_dir if options.capture else None,
    }
    flags = ["--rest"] if options.rest else []
    program = PROGRAMS[options.timestamps]
    log = Path(options.out_dir) / f"{program}.log"
    card = Simulator(program, options.bin_dir, [*arguments(settings), *flags], log)
    card.wait_ready()
    configure_port(kernel, MTU_BYTES, RTO_MIN_MS)
    # With SACK the kernel would retransmit each tail not acknowledged within two round trips (RFC 8985, 7) of wall time
    kernel.sysctl("net/ipv4/tcp_early_retrans", "0")
    display.end("card", True, f"link up; echo on port {ECHO}, discard {DISCARD}, lines {GENERATOR}, HTTP {HTTP}")
    return card


def keep_up(console: Console, options: Options, card: Simulator, kernel: Namespace) -> None:
    user = " -U --preserve-credentials" if options.user_namespace else ""
    enter = f"nsenter -t {kernel.pid}{user} -n"
    lines = [
        "the card stays up; from another shell:",
        f"  {enter} ping {CARD_IP}",
        f"  {enter} curl http://{CARD_IP}/",
        f"  {enter} nc {CARD_IP} {ECHO}    # echo; {GENERATOR}: lines",
        f"  {enter} bash    # a shell beside the card",
        "Ctrl-C ends it, prints the summary and removes everything; end your own programs in there yourself",
    ]
    display = toe_display(console)

    def look() -> None:
        card.check()
        display.update(card.status)

    stay(console, lines, display, look)


def assemble(options: Options, description: str, card: dict, phases: dict, kernel: dict) -> dict:
    """Everything about the run; an empty list of failures is the verdict that it succeeded."""
    failures = [f"{name}: {result['text']}" for name, result in phases.items() if not result["ok"]]
    notes = []
    if "error" in card:
        failures.append(card["error"])
    times = phases.get("urgent", {}).get("times")
    if times is not None and card["sessions"]["urgent"] != times:
        failures.append(f"urgent data {times} times, reported {card['sessions']['urgent']} times")
    if card["port"]["dropped_in"]:
        failures.append(f"the kernel's frames dropped before the card: {card['port']['dropped_in']}")
    if card["port"]["dropped_out"]:
        count = card["port"]["dropped_out"]
        notes.append(f"frames that the kernel did not take: {count} (interface not up yet, or full)")
    if kernel["Tcp.RetransSegs"] and not options.fault:
        notes.append(
            f"the kernel sent {kernel['Tcp.RetransSegs']} TCP segments again: the card had no room for them, or was "
            "slower than the kernel's timers, which run in wall time"
        )
    return {
        "simulated": True,
        "command": options.command,
        "what": description,
        "config": asdict(options),
        "ok": not failures,
        "verdict": "failed" if failures else "every byte arrived once and in order",
        "failures": failures,
        "notes": notes,
        "phases": phases,
        "kernel": kernel,
        "card": card,
    }


def finish(console: Console, options: Options, summary: dict) -> int:
    """Writes summary.json, prints the summary, and returns the exit code."""
    write_summary(summary, Path(options.out_dir))
    say = Say(console)
    card, kernel = summary["card"], summary["kernel"]
    console.print()
    console.print(counters(card))
    say(
        "kernel",
        f"TCP segments sent again {kernel['Tcp.RetransSegs']}, bad checksums {kernel['Tcp.InCsumErrors']}, "
        f"frames dropped at its port {kernel['port_dropped_frames']}",
    )
    if options.fault:
        for way, label in (("to_card", "to the card"), ("from_card", "from it")):
            faults = card["port"][way]["faults"]
            say("faults", f"{label}: " + ", ".join(f"{name} {count}" for name, count in faults.items()))
    line_us = (card["virtual_ps"] - card["skipped_ps"]) / 1e6
    say(
        "time",
        f"{card['cycles'] / 1e6:.2f} Mcycle, {line_us:,.0f} µs of the card's time, simulated in "
        f"{card['busy_s']:.1f} s: {card['cycles'] / card['busy_s'] / 1e6:.2f} Mcycle/s",
    )
    say_files(say, summary, (".json", ".pcapng", ".html"), "port-0.pcapng", "-q -z expert")
    for note in summary["notes"]:
        say("note", note)
    say_verdict(say, summary, summary["verdict"])
    return exit_code(summary, options.json)
