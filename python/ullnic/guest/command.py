# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The `guest` subcommand: its options."""

import re
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ullnic import apt, cards
from ullnic.build import build_sim
from ullnic.errors import UllnicError
from ullnic.guest.image import KERNEL_PACKAGE
from ullnic.guest.machine import ESCAPE, Forward, kvm_works
from ullnic.guest.session import CardProgram, Session, terminal_kept
from ullnic.guest.store import prepare

LOOPS = {"rtl": "ullnic-qdma-rtl-loop", "model": "ullnic-qdma-loop"}
EXAMPLE = "qdma_example"  # the card for the public driver's tools; it has its own program
EXAMPLE_PROGRAM = "ullnic-qdma-example"
MOST_VFS = 4  # as in its model
EXAMPLES = f"""\b
Examples:
  ./ullnic guest                                     a shell in the guest; the DMA in RTL with a loop behind it
  ./ullnic guest --share drivers                     the folder drivers is /share in the guest
  ./ullnic guest --share drivers --run try.sh        run a script in the guest; its exit code is the command's
  ./ullnic guest --run try.sh -- --mode 2            the same, with arguments
  ./ullnic guest --card trigger_pma16 --port 0=gen:frames=1000
                                                     a whole card
  ./ullnic guest --forward 2222:22                   a TCP port of this machine leads to one of the guest

\b
In the shell: poweroff or Ctrl-D ends the guest, {ESCAPE} ends it at once. The first use fetches packages of Debian
(about 120 MB) into the project's cache; ULLNIC_QEMU names a QEMU of your own."""


class ForwardSpec(click.ParamType):
    """HOST:GUEST; HOST must be free on this machine."""

    name = "ports"

    def convert(self, value, param, ctx):
        match = re.fullmatch(r"(\d{1,5}):(\d{1,5})", value, re.ASCII)
        ports = [int(each) for each in match.groups()] if match else []
        if not match or not all(1 <= each <= 65535 for each in ports):
            self.fail(f"'{value}' is not HOST:GUEST, two TCP ports from 1 to 65535.", param, ctx)
        with socket.socket() as attempt:
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                attempt.bind(("127.0.0.1", ports[0]))
            except OSError as error:
                self.fail(f"port {ports[0]} of this machine cannot be used: {error.strerror}.", param, ctx)
        return Forward(*ports)


def each_once(_context, _parameter, forwards: tuple[Forward, ...]) -> tuple[Forward, ...]:
    hosts = [each.host for each in forwards]
    if twice := {host for host in hosts if hosts.count(host) > 1}:
        raise click.BadParameter(f"port {min(twice)} of this machine is given twice.")
    return forwards


def matching(pattern: re.Pattern[str], what: str):
    def check(_context, _parameter, value: str | None) -> str | None:
        if value is not None and not pattern.fullmatch(value):
            raise click.BadParameter(f"'{value}' is not {what}.")
        return value

    return check


@click.command(epilog=EXAMPLES)
@click.option(
    "--card",
    type=click.Choice((*cards.NAMES, EXAMPLE)),
    help=f"A whole card; {EXAMPLE} is for the public driver's tools.  [default: its DMA, with a loop behind it]",
)
@click.option(
    "--port",
    "ports",
    multiple=True,
    metavar="N=WHAT",
    help="With --card: what port N is joined to, as ullnic-card has it (sim/README.md); a sink otherwise.",
)
@click.option(
    "--dma",
    type=click.Choice(tuple(LOOPS)),
    default="rtl",
    show_default=True,
    help="The DMA: its RTL, or the functional model.",
)
@click.option(
    "--vfs",
    type=click.IntRange(0, MOST_VFS),
    default=0,
    show_default=True,
    help=f"With --card {EXAMPLE}: the most virtual functions that sriov_numvfs can enable; 01:00.1 is the first.",
)
@click.option(
    "--share",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of this machine that is /share in the guest, which may write there.",
)
@click.option(
    "--forward",
    "forwards",
    multiple=True,
    type=ForwardSpec(),
    callback=each_once,
    metavar="HOST:GUEST",
    help="Join a TCP port of 127.0.0.1 to a port of the guest; may be given several times.",
)
@click.option(
    "--run",
    "script",
    type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path),
    metavar="SCRIPT",
    help="Run this script in the guest, with the ARGUMENTS, instead of a shell. Its exit code is the command's.",
)
@click.option("--memory", "memory_mib", type=click.IntRange(192, 65536), default=512, show_default=True, metavar="MIB")
@click.option("--cpus", type=click.IntRange(1, 16), default=1, show_default=True, help="Processors of the guest.")
@click.option(
    "--accel",
    type=click.Choice(["auto", "kvm", "tcg"]),
    default="auto",
    show_default=True,
    help="How QEMU runs the guest; auto: KVM where it can be used, else TCG.",
)
@click.option("--iommu", is_flag=True, help="Give the guest an IOMMU, which vfio-pci needs.")
@click.option(
    "--kernel-package",
    default="linux-image-amd64",
    show_default=True,
    callback=matching(KERNEL_PACKAGE, "the name of a package of a kernel, linux-image-..."),
    metavar="NAME",
    help="Debian's package of the guest's kernel.",
)
@click.option(
    "--mirror",
    callback=matching(re.compile(r"https?://[^\s|\]]+"), "a URL, http://... or https://..."),
    metavar="URL",
    help="A Debian mirror to fetch packages from.  [default: that of this machine's apt]",
)
@click.option("--renew", is_flag=True, help="Fetch the packages again, in their newest versions.")
@click.argument("arguments", nargs=-1)
def guest(card, ports, dma, vfs, script, accel, kernel_package, mirror, renew, **chosen) -> int:
    """Boot a small Debian guest with the virtual card.

    QEMU 10.1 or newer plugs the card in by vfio-user. Where the machine has none, Debian's packages of a newer one are
    unpacked into the project's cache and run from there; nothing of the system is changed. Works as an ordinary user.
    """
    if chosen["arguments"] and not script:
        raise click.UsageError("ARGUMENTS are for the script of --run.")
    if ports and not card:
        raise click.UsageError("--port is for --card: a loop has nothing that its ports could be joined to.")
    if ports and card == EXAMPLE:
        raise click.UsageError(f"{EXAMPLE} has no ports that --port could join to something.")
    if vfs and card != EXAMPLE:
        raise click.UsageError(f"only {EXAMPLE} has virtual functions: give --card {EXAMPLE}, or leave --vfs out.")
    if card == EXAMPLE and dma != "rtl":
        raise click.UsageError(f"{EXAMPLE} is RTL only: leave --dma out.")
    if not script and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("the shell needs a terminal; without one, use --run SCRIPT.")
    kvm = choose_kvm(accel)
    apt.ensure("guest")
    parts = prepare(kernel_package, mirror, renew)
    session = Session(parts=parts, card=build_card(card, ports, dma, vfs), kvm=kvm, script=script, **chosen)
    with terminal_kept():
        return session.run()


def choose_kvm(accel: str) -> bool:
    if accel == "tcg":
        return False
    works = kvm_works()
    if accel == "kvm" and not works:
        raise UllnicError(
            "KVM cannot be used: /dev/kvm cannot be opened, or the processor does not virtualize",
            "leave --accel out; or join the group kvm, and turn nested virtualization on in a virtual machine",
        )
    return works


def build_card(card: str | None, ports: Sequence[str], dma: str, vfs: int) -> CardProgram:
    """Without a card: its DMA, with a loopback."""
    if not card:
        return CardProgram(build_sim(targets=(LOOPS[dma],)), LOOPS[dma], ())
    if card == EXAMPLE:
        return CardProgram(build_sim(targets=(EXAMPLE_PROGRAM,)), EXAMPLE_PROGRAM, ("--vfs", str(vfs)), vfs)
    joined = [part for each in ports for part in ("--port", each)]
    bin_dir = build_sim(targets=("ullnic-card",), configs=(card,))
    return CardProgram(bin_dir, "ullnic-card", ("--card", card, "--dma", dma, *joined))
