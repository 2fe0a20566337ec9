# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic run toe`: its options."""

import shlex
import sys

import click

from ullnic import apt
from ullnic.build import build_sim
from ullnic.options import SEED, FaultSpec
from ullnic.run.folder import out_option, run_folder
from ullnic.run.link.options import ByteSize
from ullnic.run.toe.options import PROGRAMS, Options

EXAMPLES = """\b
Examples:
  ./ullnic run toe                                     ping, a page, echo, many sessions, bulk both ways
  ./ullnic run toe --keep                              leave the card up and use it from another shell
  ./ullnic run toe --bulk 64M --sessions 16            more of it
  ./ullnic run toe --fault drop=0.01,reorder=0.01      lose and reorder frames, each way"""
ECHO_SESSIONS = 16  # cards/toe: a quarter of 64
WRITES = (
    *(f"{program}.log" for program in PROGRAMS.values()),
    "port-0.pcapng",
    "faults.pcapng",
    "page.html",
    "summary.json",
)


@click.command(epilog=EXAMPLES)
@click.option(
    "--bulk", "bulk_bytes", type=ByteSize(), default="4M", show_default=True, help="Bytes of each bulk phase."
)
@click.option(
    "--sessions",
    type=click.IntRange(1, ECHO_SESSIONS),
    default=ECHO_SESSIONS,
    show_default=True,
    help="Connections at once.",
)
@click.option(
    "--fault",
    type=FaultSpec(),
    metavar="SPEC",
    help="Faults of the line, each way: drop=P,dup=P,reorder=P,corrupt=P of frames, ber=P of bits.",
)
@click.option("--timestamps", is_flag=True, help="The card with timestamps (RFC 7323): a model of its own.")
@click.option("--keep", is_flag=True, help="Leave the card up afterwards, until Ctrl-C.")
@click.option(
    "--port",
    type=click.Choice(["auto", "tap", "veth"]),
    default="auto",
    show_default=True,
    help="How the kernel is joined to the card; auto: TAP, or veth where /dev/net/tun cannot be used.",
)
@click.option(
    "--seed",
    type=SEED,
    default=1,
    show_default=True,
    help="Seed of the payload, the faults and the gearbox phases.",
)
@click.option("--no-capture", is_flag=True, help="Write no pcapng file.")
@out_option
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON on standard output.")
def toe(out_dir, no_capture, as_json, **chosen) -> int:
    """Ordinary programs use a TCP/IP stack in RTL.

    A card with macpcs, toe and four small applications in RTL sits at the other end of a TAP interface. The Linux
    kernel pings it, fetches a page from it, and opens connections to it; every byte that comes back is compared.

    Works as root, or as an ordinary user where unprivileged user namespaces are allowed. Exit code 1 if anything went
    wrong.
    """
    from ullnic.run.ports import choose_port
    from ullnic.run.sandbox import choose_user_namespace, run_inside

    with run_folder(out_dir, WRITES) as folder:
        apt.ensure("run")
        choose_port(chosen["port"])
        options = Options(
            user_namespace=choose_user_namespace(),  # before a build that would be for nothing
            bin_dir=str(build_sim(targets=(PROGRAMS[chosen["timestamps"]],))),
            out_dir=str(folder.path),
            capture=not no_capture,
            json=as_json,
            command=shlex.join(["./ullnic", *sys.argv[1:]]),
            **chosen,
        )
        folder.begin()
        return run_inside("ullnic.run.toe.live:run_live", options.to_json(), options.user_namespace)
