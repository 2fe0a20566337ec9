# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The live job, inside the namespaces: two kernels' ends, the simulated link between them, traffic, summary."""

from pathlib import Path

from rich.console import Console

from ullnic.configs import config as config_of
from ullnic.run.display import Display, make_console
from ullnic.run.link import summary as summaries
from ullnic.run.link.display import link_display
from ullnic.run.link.options import Options
from ullnic.run.link.phases import Phases
from ullnic.run.link.report import finish
from ullnic.run.link.tcp import RTO_MIN_MS, configure_tcp
from ullnic.run.netns import END_A, END_B, Namespace, configure_port
from ullnic.run.options import arguments
from ullnic.run.ports import choose_port, port_spec
from ullnic.run.process import Simulator
from ullnic.run.waiting import stay

STATUS_INTERVAL_S = 0.25


def run_live(options_json: str) -> int:
    options = Options.from_json(options_json)
    console = make_console(options.json)
    kind = choose_port(options.port)
    a, b = Namespace(END_A), Namespace(END_B)
    link = None
    try:
        with link_display(console) as display:
            display.line(
                f"kernel A {END_A.ip} ── MAC+PCS ══ {options.delay_ui} UI ══ PCS+MAC ── kernel B {END_B.ip}\n"
                f"{what(options, kind)}"
            )
            link = start_link(options, kind, a, b, display)
            phases = Phases(options, link, a, b, display)
            phases.run_all()
        if options.keep:
            keep_up(console, options, link, a, b)
        kernel = {end.end.name: summaries.kernel_counters(end) for end in (a, b)}
        result = summaries.assemble(options, what(options, kind), link.stop(), phases.results, kernel)
        return finish(console, options, result)
    finally:
        if link:
            link.kill()
        a.close()
        b.close()


def what(options: Options, kind: str) -> str:
    far_end = {"rtl": "RTL", "partner": "C++ link partner"}[options.far_end]
    label = config_of(options.config).label
    return f"end A: RTL, end B: {far_end}, {label} bit, {kind}, MTU {options.mtu_bytes}, seed {options.seed}"


def start_link(options: Options, kind: str, a: Namespace, b: Namespace, display: Display) -> Simulator:
    display.begin("link")
    for namespace in (a, b):
        configure_tcp(namespace, lossless=not options.faults_wanted)
    specs = [port_spec(kind, namespace, options.mtu_bytes) for namespace in (a, b)]
    link = Simulator(
        "ullnic-link", options.bin_dir, link_arguments(options, *specs), Path(options.out_dir) / "ullnic-link.log"
    )
    link.wait_ready()
    for namespace in (a, b):
        configure_port(namespace, options.mtu_bytes, None if options.faults_wanted else RTO_MIN_MS)
    display.end("link", True, "block lock on both sides")
    return link


def link_arguments(options: Options, a_spec: str, b_spec: str) -> list[str]:
    settings = {
        "--a": a_spec,
        "--b": b_spec,
        "--config": options.config,
        "--far-end": options.far_end,
        "--delay-ui": options.delay_ui,
        "--offset-bits": options.offset_bits,
        "--seed": options.seed,
        "--status-interval": STATUS_INTERVAL_S,
        "--fault-ab": options.fault_ab,
        "--fault-ba": options.fault_ba,
        "--pcapng-dir": options.out_dir if options.capture else None,
        "--snaplen": options.snaplen_bytes if options.capture else None,
    }
    return arguments(settings)


def keep_up(console: Console, options: Options, link: Simulator, a: Namespace, b: Namespace) -> None:
    """Leaves the link up until a signal; a link that dies in the meantime is an error."""
    user = " -U --preserve-credentials" if options.user_namespace else ""
    enter_a, enter_b = (f"nsenter -t {each.pid}{user} -n" for each in (a, b))
    lines = [
        "the link stays up; from another shell:",
        f"  {enter_a} ping {b.end.ip}",
        f"  {enter_b} python3 -m http.server --bind {b.end.ip} 8000",
        f"  {enter_a} curl -O http://{b.end.ip}:8000/FILE",
        f"  {enter_a} bash    # a shell at end A; {b.pid} instead of {a.pid}: at end B",
        "Ctrl-C ends it, prints the summary and removes everything; end your own programs in there yourself",
    ]
    display = link_display(console)

    def look() -> None:
        link.check()
        display.update(link.status)

    stay(console, lines, display, look)
