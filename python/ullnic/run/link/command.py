# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic run link`: its options, and the choice between live and replay."""

import shlex
import sys

import click

from ullnic import apt
from ullnic.build import build_sim
from ullnic.captures.plain import write_plain
from ullnic.configs import DEFAULT, NAMES, transceivers
from ullnic.configs import config as config_of
from ullnic.options import SEED, CaptureFile, FaultSpec
from ullnic.run.folder import FRAMES, open_input, out_option, run_folder
from ullnic.run.link.options import ByteSize, Options

EXAMPLES = """\b
Examples:
  ./ullnic run link                               the demonstration: ping, TCP both ways, HTTP download
  ./ullnic run link --bulk 100M                   more TCP
  ./ullnic run link --keep                        leave the link up and use it from another shell
  ./ullnic run link --mtu 9000 --offset-bits 17   jumbo frames, another bit offset of the transceivers
  ./ullnic run link --config rxfifo_pma16_mac16   another configuration of the MAC+PCS
  ./ullnic run link --fault-ab drop=0.001         lose one frame in a thousand from A to B
  ./ullnic run link --replay FILE.pcap            no privilege: send a capture's frames through the RTL"""

WRITES = (
    "ullnic-link.log",
    "port-a.pcapng",
    "port-b.pcapng",
    "out.pcapng",
    ".ullnic-nothing.pcap",
    "download",
    "summary.json",
    "latency.png",
)


@click.command(epilog=EXAMPLES)
@click.option(
    "--bulk",
    "bulk_bytes",
    type=ByteSize(),
    default="16M",
    show_default=True,
    help="TCP payload in total; half goes each way, both at once.",
)
@click.option("--keep", is_flag=True, help="Leave the link up afterwards, until Ctrl-C.")
@click.option(
    "--replay",
    type=CaptureFile(),
    metavar="FILE",
    help="Send the Ethernet frames of a pcap or pcapng file from A to B instead; needs no privilege. It may be "
    "compressed (gzip, zstd, bzip2, xz), a pipe, or '-' for standard input. Frames that cannot cross are left out and "
    "named.",
)
@click.option(
    "--mtu",
    "mtu_bytes",
    type=click.IntRange(576, 9000),
    default=1500,
    show_default=True,
    help="MTU of both ends, bytes.",
)
@click.option(
    "--port",
    type=click.Choice(["auto", "tap", "veth"]),
    default="auto",
    show_default=True,
    help="How the kernels are joined to the link; auto: TAP, or veth where /dev/net/tun cannot be used.",
)
@click.option(
    "--far-end",
    type=click.Choice(["rtl", "partner"]),
    default="rtl",
    show_default=True,
    help="End B: the RTL again, or the independent C++ link partner.",
)
@click.option(
    "--config",
    type=click.Choice(NAMES),
    metavar="NAME",
    default=DEFAULT,
    show_default=True,
    help=f"Configuration of the MAC+PCS, at both ends. One of: {', '.join(NAMES)}.",
)
@click.option(
    "--delay-ui",
    type=click.IntRange(0, 8000),
    show_default="the published transceiver's: "
    + ", ".join(f"{ui} with {bits}-bit words" for bits, ui in transceivers().items()),
    help="Transceiver constant: delay of each direction, in bit times (1 UI = 96.97 ps).",
)
@click.option(
    "--offset-bits",
    type=click.IntRange(0, 65),
    default=0,
    show_default=True,
    help="Bit offset of the receivers' words, on top of the delay.",
)
@click.option(
    "--fault-ab",
    type=FaultSpec(),
    metavar="SPEC",
    help="Faults from A to B: drop=P,dup=P,reorder=P,corrupt=P of frames, ber=P of bits on the line.",
)
@click.option("--fault-ba", type=FaultSpec(), metavar="SPEC", help="The same from B to A.")
@click.option(
    "--seed",
    type=SEED,
    default=1,
    show_default=True,
    help="Seed of the payload, the faults and the gearbox phases.",
)
@click.option("--no-capture", is_flag=True, help="Write no pcapng files.")
@click.option("--snaplen", "snaplen_bytes", type=click.IntRange(64, 65535), help="Capture only so many bytes a frame.")
@out_option
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON on standard output.")
def link(replay, keep, out_dir, no_capture, as_json, **chosen) -> int:
    """Traffic of the real Linux network stack across the simulated 10G link.

    Two network namespaces, A and B, whose only connection is a 10GBASE-R MAC+PCS in RTL at each end, with a model of
    the transceivers between them. Ping, bulk TCP and an HTTP download cross it; every checksum is compared. At the
    end: frames, bytes, errors, and the latency in virtual time. Captures, summary.json and latency.png are kept.

    Works as root, or as an ordinary user where unprivileged user namespaces are allowed. Exit code 1 if anything went
    wrong.
    """
    if replay and keep:
        raise click.UsageError("--keep is for the live link; it cannot go with --replay")
    from ullnic.run.link.replay import run_replay
    from ullnic.run.ports import choose_port
    from ullnic.run.sandbox import choose_user_namespace, run_inside

    config = config_of(chosen["config"])
    if chosen["delay_ui"] is None:
        chosen["delay_ui"] = config.transceiver_ui
    source = open_input(replay) if replay else None
    with run_folder(out_dir, WRITES, source) as folder:
        played = write_plain(source, folder.path / FRAMES) if source else None
        apt.ensure(apt.REPLAY if source else "run")
        if not source:
            choose_port(chosen["port"])
        options = Options(
            user_namespace=not source and choose_user_namespace(),  # before a build that would be wasted
            bin_dir=str(build_sim(targets=("ullnic-link",), configs=(config.name,))),
            out_dir=str(folder.path),
            capture=not no_capture,
            keep=keep,
            json=as_json,
            command=shlex.join(["./ullnic", *sys.argv[1:]]),
            **chosen,
        )
        folder.begin()
        if source:
            return run_replay(options, replay, played)
        return run_inside("ullnic.run.link.live:run_live", options.to_json(), options.user_namespace)
