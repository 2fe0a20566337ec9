# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic soak toe`: much data and many connections between the kernel and a TCP/IP stack in RTL, on a faulty line."""

import random
import shlex
import sys
from dataclasses import dataclass

import click

from ullnic import apt
from ullnic.build import build_sim
from ullnic.options import SEED, FaultSpec, Finite, jobs_option
from ullnic.run.folder import out_option, run_folder
from ullnic.run.link.options import ByteSize
from ullnic.run.options import Travelling

FAULTS = "drop=0.01,dup=0.01,reorder=0.01,corrupt=0.01"
HOSTILE = 0.1
# For each round: the most that its captures hold.
ROUND_BYTES = 100 << 20
ROUND_CONNECTIONS = 20_000

EXAMPLES = """\b
Examples:
  ./ullnic soak toe                                        1 GB each way and a million connections
  ./ullnic soak toe --bytes 100M --connections 20000       a tenth of the bytes, a fiftieth of the connections
  ./ullnic soak toe --seed 7                               the same faults and attacks again"""


@dataclass(frozen=True)
class SoakOptions(Travelling):
    bin_dir: str
    out_dir: str
    bytes: int
    connections: int
    fault: str
    hostile: float
    sessions: int
    jobs: int
    seed: int
    keep_captures: bool
    user_namespace: bool
    command: str

    def rounds(self) -> list[tuple[int, int]]:
        """Bytes and connections of each round."""
        count = max(1, -(-self.bytes // ROUND_BYTES), -(-self.connections // ROUND_CONNECTIONS))
        return [
            (self.bytes * (i + 1) // count - self.bytes * i // count,
             self.connections * (i + 1) // count - self.connections * i // count)
            for i in range(count)
        ]  # fmt: skip


@click.command(epilog=EXAMPLES)
@click.option("--bytes", "bytes", type=ByteSize(), default="1G", show_default=True, help="Each way.")
@click.option(
    "--connections",
    type=click.IntRange(1, 1_000_000_000),
    default=1_000_000,
    show_default=True,
    help="One after another.",
)
@click.option(
    "--sessions", type=click.IntRange(1, 16), default=16, show_default=True, help="That share the bytes, at once."
)
@click.option(
    "--fault", type=FaultSpec(), metavar="SPEC", default=FAULTS, show_default=True, help="Faults of the line, each way."
)
@click.option(
    "--hostile",
    type=Finite(0, 1),
    default=HOSTILE,
    show_default=True,
    help="Acts of an attacker for each frame to the card, in the second part of each round; 0: no such part.",
)
@jobs_option("Rounds at once. The kernel's timers run in wall time: do not load the machine besides.")
@click.option("--seed", type=SEED, help="Drawn if it is not given.")
@click.option("--keep-captures", is_flag=True, help="Also those of rounds that were good.")
@out_option
def toe(seed, out_dir, **chosen) -> int:
    """The Linux kernel and a TCP/IP stack in RTL, over a line that loses, doubles, reorders and damages frames.

    In rounds, some at once, each with a fresh card. First the line alone: echo over many sessions, then connections
    that are opened, used and closed. Each byte has to come back once and in order; tshark, reading the capture, has to
    find nothing but what the faults explain; in the end each session has to be free and the card empty. Then a tenth
    of that with an attacker, who floods with SYNs, forges RST, SYN, ACKs and windows, and sends whatever is malformed.

    Stops at the first round that fails, with exit code 1; its captures stay. The faults come of the seed; the kernel's
    timers run in wall time, so a second run is like the first, but not the same.
    """
    from ullnic.run.sandbox import choose_user_namespace, run_inside

    with run_folder(out_dir, ("summary.json",)) as folder:
        apt.ensure("soak")
        options = SoakOptions(
            user_namespace=choose_user_namespace(),
            bin_dir=str(build_sim(targets=("ullnic-stack",))),
            out_dir=str(folder.path),
            seed=random.SystemRandom().randrange(2**31) if seed is None else seed,
            command=shlex.join(["./ullnic", *sys.argv[1:]]),
            **chosen,
        )
        print(f"seed {options.seed}", flush=True)
        folder.begin()
        return run_inside("ullnic.run.toe.soak_live:run_soak", options.to_json(), options.user_namespace)
