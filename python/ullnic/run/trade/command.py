# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic run` without the name of a demonstration: its options."""

import os
import shlex
import sys
from pathlib import Path

import click

from ullnic import apt
from ullnic.captures.plain import write_plain
from ullnic.cards import DEFAULT, TRADING
from ullnic.cards import card as card_of
from ullnic.configs import transceivers
from ullnic.errors import UllnicError
from ullnic.options import SEED, CaptureFile, FaultSpec
from ullnic.run.folder import FRAMES, open_input, out_option, run_folder
from ullnic.run.trade.market import MARKET
from ullnic.run.trade.options import Options

RULE = "trigger"  # the rule of the market data and of the program that arms the logic
NAMES = tuple(card.name for card in TRADING if card.trade.rule == RULE and not card.crossing)
EXAMPLES = """\b
Examples:
  ./ullnic run                             market data in, orders out, the kernel's server receives them
  ./ullnic run --card trigger_pma32        the card with 32-bit transceivers
  ./ullnic run --triggers 100000           more market data
  ./ullnic run --market FILE.pcap          your own market data; broadcast frames are triggers
  ./ullnic run --fault drop=0.01           lose one frame in a hundred between the card and the server, each way
  ./ullnic run --dma model                 the DMA as a functional model: faster
  ./ullnic run --keep                      leave card and connection up and use them from another shell
  ./ullnic run link --help                 another demonstration: two kernels joined by the simulated link
  ./ullnic run toe --help                  another: the kernel and a card with TCP/IP in RTL"""

MOST_SOCKET_BYTES = 107  # sockaddr_un, with the final NUL
WRITES = (
    "ullnic-card.log",
    "card.sock",
    "ullnicd.sock",
    "market.start",
    "received.bin",
    "port-0.pcapng",
    "port-1.pcapng",
    "tick_to_trade.csv",
    "tick_to_trade.png",
    "summary.json",
)


@click.command(epilog=EXAMPLES)
@click.option(
    "--card",
    type=click.Choice(NAMES),
    metavar="NAME",
    default=DEFAULT,
    show_default=True,
    help=f"The card. One of: {', '.join(NAMES)}.",
)
@click.option(
    "--triggers",
    type=click.IntRange(1, 10_000_000),
    default=10_000,
    show_default=True,
    help="Frames of generated market data that ask for an order; as many others come between them.",
)
@click.option(
    "--messages",
    type=click.IntRange(0, 1_000_000),
    default=200,
    show_default=True,
    help="Messages that the program itself sends on the same connection meanwhile.",
)
@click.option(
    "--market",
    type=CaptureFile(),
    metavar="FILE",
    help="Market data from a pcap or pcapng file instead: what --replay of `run link` takes, pipes too.",
)
@click.option("--keep", is_flag=True, help="Leave everything up afterwards, until Ctrl-C.")
@click.option(
    "--port",
    type=click.Choice(["auto", "tap", "veth"]),
    default="auto",
    show_default=True,
    help="How the kernel is joined to the card; auto: TAP, or veth where /dev/net/tun cannot be used.",
)
@click.option(
    "--dma",
    type=click.Choice(["rtl", "model"]),
    default="rtl",
    show_default=True,
    help="The card's DMA: in RTL, or its functional model, which takes no time and less of yours.",
)
@click.option(
    "--delay-ui",
    type=click.IntRange(0, 8000),
    show_default="the published transceiver's: "
    + ", ".join(f"{ui} with {bits}-bit words" for bits, ui in transceivers().items()),
    help="Transceiver constant, both ways together, in bit times (1 UI = 96.97 ps).",
)
@click.option(
    "--fault",
    type=FaultSpec(),
    metavar="SPEC",
    help="Faults between card and server, each way: drop=P,dup=P,reorder=P,corrupt=P of frames, ber=P of bits.",
)
@click.option(
    "--seed",
    type=SEED,
    default=1,
    show_default=True,
    help="Seed of the market data, the faults and the gearbox phases.",
)
@click.option("--no-capture", is_flag=True, help="Write no pcapng files.")
@out_option
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON on standard output.")
def trade(card, market, out_dir, no_capture, as_json, **chosen) -> int:
    """Tick to trade on the virtual card: market data in on one port, TCP orders out on the other.

    An ordinary socket program, under the socket library, connects through the card to a plain TCP server on the Linux
    kernel's own stack. Market data makes the card's FPGA logic send orders on that connection with no cycle of
    delay, while the program sends on it too. Every order has to arrive, once and in order. At the end: tick to trade
    as measured on the wire in virtual time, beside the published figures. Captures, summary.json and
    tick_to_trade.png are kept.

    Works as root, or as an ordinary user where unprivileged user namespaces are allowed. Exit code 1 if anything went
    wrong.
    """
    from ullnic.run.sandbox import run_inside

    if chosen["delay_ui"] is None:
        chosen["delay_ui"] = card_of(card).transceiver_ui
    source = open_input(market) if market else None
    writes = WRITES if source else (*WRITES, MARKET)
    with run_folder(out_dir, writes, source) as folder:
        played = write_plain(source, folder.path / FRAMES) if source else None
        options = Options(
            **prepare(card, "run", folder.path, chosen["port"], keep=chosen["keep"]),
            card=card,
            out_dir=str(folder.path),
            market=str(market) if market else None,
            played=played and played.report() | {"notes": played.notes()},
            capture=not no_capture,
            json=as_json,
            command=shlex.join(["./ullnic", *sys.argv[1:]]),
            **chosen,
        )
        folder.begin()
        return run_inside("ullnic.run.trade.story:run_story", options.to_json(), options.user_namespace)


# Programs that a run starts, and those that are useful beside it while it is up.
HOST_PROGRAMS, HOST_TOOLS = ("ullnicd", "ullnic-sockets", "ullnic-trigger"), ("ullnic-info",)


def prepare(card: str, command: str, folder: Path, port: str, keep: bool = False) -> dict:
    """Builds what a command needs, unless something prevents the run; returns the options that follow from it."""
    from ullnic.build import build_host, build_sim
    from ullnic.run.ports import choose_port
    from ullnic.run.sandbox import choose_user_namespace

    socket_bytes = len(os.fsencode(folder / "ullnicd.sock"))
    if socket_bytes > MOST_SOCKET_BYTES:
        raise UllnicError(
            f"the path of a socket in {folder} has {socket_bytes} bytes; {MOST_SOCKET_BYTES} are the most",
            "choose a folder with a shorter path with --out DIR",
        )
    apt.ensure(command)
    choose_port(port)
    user_namespace = choose_user_namespace()  # before a build that would be wasted
    return {
        "user_namespace": user_namespace,
        "sim_dir": str(build_sim(targets=("ullnic-card",), configs=(card,))),
        "host_dir": str(build_host(targets=HOST_PROGRAMS + (HOST_TOOLS if keep else ()))),
    }
