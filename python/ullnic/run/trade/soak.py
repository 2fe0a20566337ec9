# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic soak ate`: bulk data of hardware and software on one accelerated connection, over a faulty line, to a server
that sometimes stops reading.
"""

import random
import shlex
import sys

import click

from ullnic.cards import DEFAULT
from ullnic.cards import card as card_of
from ullnic.options import SEED, FaultSpec, Finite
from ullnic.run.folder import out_option, run_folder
from ullnic.run.link.options import ByteSize
from ullnic.run.trade.command import NAMES, WRITES, prepare
from ullnic.run.trade.market import MARKET
from ullnic.run.trade.options import Options
from ullnic.run.trade.records import RECORD_BYTES

BATCH = 45  # messages in one send(): a full segment
FAULTS = "drop=0.01,dup=0.01,reorder=0.01"
BYTES_A_TRIGGER = 1440  # of software's messages: an order for each of its segments
# A segment takes 1.2 µs of the line and about 2 ms of wall time. Market data arrives about as often, and software
# leaves room for orders: the trigger card refuses orders that cannot be sent at once.
MARKET_GAP = "250-2500"
MESSAGE_GAP_S = 0.003
STALL_S = 0.4

EXAMPLES = """\b
Examples:
  ./ullnic soak ate                     1 GB, about an hour
  ./ullnic soak ate --bytes 100M        a tenth of it
  ./ullnic soak ate --seed 7            the same faults and market data again"""


@click.command(epilog=EXAMPLES)
@click.option("--bytes", "size_bytes", type=ByteSize(), default="1G", show_default=True, help="Of software.")
@click.option("--card", type=click.Choice(NAMES), default=DEFAULT, show_default=True)
@click.option(
    "--fault", type=FaultSpec(), metavar="SPEC", default=FAULTS, show_default=True, help="Faults of the line, each way."
)
@click.option(
    "--stall",
    "stall_s",
    type=Finite(0, 30),
    default=STALL_S,
    show_default=True,
    help="Longest pause of the server in seconds, some 64 in all; 0: it always reads.",
)
@click.option("--seed", type=SEED, help="Drawn if it is not given.")
@out_option
def ate(size_bytes, card, fault, stall_s, seed, out_dir) -> int:
    """Orders of FPGA logic and bulk data of a program on one connection, with frames lost, doubled and out of order,
    and a window that closes and opens.

    Each byte has to arrive at the kernel's server, once and in order. Exit code 1 if anything went wrong.
    """
    from ullnic.run.sandbox import run_inside

    with run_folder(out_dir, (*WRITES, MARKET)) as folder:
        options = Options(
            **prepare(card, "soak", folder.path, "auto"),
            card=card,
            out_dir=str(folder.path),
            triggers=max(1, size_bytes // BYTES_A_TRIGGER),
            messages=size_bytes // RECORD_BYTES,
            batch=BATCH,
            message_gap_s=MESSAGE_GAP_S,
            market_gap=MARKET_GAP,
            delay_ui=card_of(card).transceiver_ui,
            fault=fault,
            stall_s=stall_s,
            seed=random.SystemRandom().randrange(2**31) if seed is None else seed,
            capture=False,  # it would be as large as the data
            command=shlex.join(["./ullnic", *sys.argv[1:]]),
        )
        print(f"seed {options.seed}", flush=True)
        folder.begin()
        return run_inside("ullnic.run.trade.story:run_story", options.to_json(), options.user_namespace)
