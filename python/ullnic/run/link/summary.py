# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The result of a run as a dictionary (summary.json) and the verdict on it."""

from dataclasses import asdict

from ullnic.run.link.display import WAYS
from ullnic.run.link.options import Options

DAMAGE = ("fcs_errors", "code_errors", "runts", "oversize")
MUST_BE_ZERO = (
    "errors",
    "lost",
    "tx_underruns",
    "tx_errors",
    "rx_bad_headers",
    "rx_lock_losses",
    "rx_bad_blocks",
    "rx_overflows",
    "port_refused",
    "port_dropped_in",
    "port_dropped_out",
)
FAULTS = ("dropped_by_fault", "duplicated_by_fault", "reordered_by_fault", "corrupted_by_fault", "bit_errors_by_fault")
KERNEL_COUNTERS = (
    "Tcp.RetransSegs",
    "Tcp.InErrs",
    "Tcp.InCsumErrors",
    "Tcp.OutRsts",
    "Tcp.TCPTimeouts",
    "Tcp.TCPLossProbes",
    "Tcp.TCPSpuriousRTOs",
)


def link_failures(link: dict) -> list[str]:
    """Counts of the simulator that must be 0 on a link without faults."""
    found = []
    for way, label in WAYS:
        figures = link[way]
        for name in MUST_BE_ZERO:
            if figures[name]:
                detail = ", ".join(f"{each} {figures[each]}" for each in DAMAGE if figures[each])
                found.append(f"{label}: {name.replace('_', ' ')} {figures[name]}" + (f" ({detail})" if detail else ""))
    return found


def link_breaches(link: dict) -> list[str]:
    """Counts that no fault on the line may cause."""
    found = [
        f"{label}: wrong frames taken for good {link[way]['wrong_as_good']}"
        for way, label in WAYS
        if link[way]["wrong_as_good"]
    ]
    return found + ([link["error"]] if "error" in link else [])


def fault_notes(link: dict) -> list[str]:
    found = [
        f"{label}: {name.replace('_', ' ')} {link[way][name]}"
        for way, label in WAYS
        for name in FAULTS
        if link[way][name]
    ]
    return [
        "faults were asked for: losses and retransmissions are expected, wrong checksums are not",
        *found,
        *link_failures(link),
    ]


def phase_failures(phases: dict[str, dict]) -> list[str]:
    found = []
    if not phases["ping"]["ok"]:
        found.append(f"ping: {phases['ping']['received']} of {phases['ping']['sent']} replies")
    if not phases["bulk"]["ok"]:
        found.append("bulk TCP: what arrived is not what was sent (bytes or SHA-256)")
    if not phases["http"]["ok"]:
        found.append("HTTP: the downloaded file differs from the original (SHA-256)")
    return found


def kernel_counters(namespace) -> dict[str, int]:
    counters = {**namespace.counters("netstat"), **namespace.counters("snmp")}
    kept = {name: counters[name] for name in KERNEL_COUNTERS if name in counters}
    return {**kept, "port_dropped_frames": namespace.dropped_frames()}


def assemble(options: Options, what: str, link: dict, phases: dict, kernel: dict) -> dict:
    """Everything about a live run; an empty list of failures is the verdict that it succeeded."""
    failures, notes = phase_failures(phases) + link_breaches(link), []
    verdict = "every byte arrived; no error, no lost frame"
    if options.faults_wanted:
        verdict = "every byte arrived in spite of the faults"
        notes += fault_notes(link)
    else:
        failures += link_failures(link)
        for end, counters in kernel.items():
            if counters["port_dropped_frames"]:
                failures.append(f"kernel {end} dropped {counters['port_dropped_frames']} frames at its port")
            if counters["Tcp.RetransSegs"]:
                notes.append(
                    f"kernel {end} sent {counters['Tcp.RetransSegs']} TCP segments again although the link "
                    "lost none: its timers run in wall time, and this machine was slow"
                )
    return complete(options, what, link, failures, notes, verdict, phases=phases, kernel=kernel)


def complete(
    options: Options, what: str, link: dict, failures: list[str], notes: list[str], verdict: str, **more
) -> dict:
    return {
        "simulated": True,
        "command": options.command,
        "what": what,
        "config": asdict(options),
        "ok": not failures,
        "verdict": "failed" if failures else verdict,
        "failures": failures,
        "notes": notes,
        **more,
        "link": link,
    }
