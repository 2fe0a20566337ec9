# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of a run besides the card: the daemon, the program under the socket library, the user logic's tool."""

import json
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.paths import module_command
from ullnic.run.netns import End
from ullnic.run.trade.options import Options
from ullnic.run.trade.records import ORDER_TEXT, RECORD_BYTES
from ullnic.run.worker import Worker

SERVER = End("exchange", "exchange", "02:00:00:00:00:0b", "198.18.0.2")
CARD_IP = "198.18.0.1"
ORDER_PORT, MARKET_PORT = 1, 0  # of the card
TCP_PORT = 50000  # an unassigned port: tshark would decode orders as the protocol of an assigned one
CONNECTION_ID = 0
READY_TIMEOUT_S = 10
TOOL_TIMEOUT_S = 20


class Sockets:
    """The paths of one run's sockets, which name each other."""

    def __init__(self, folder: str | Path):
        self.card = Path(folder) / "card.sock"
        self.daemon = Path(folder) / "ullnicd.sock"
        # For programs under the socket library, and for the tools.
        self.environment = {"ULLNICD_SOCKET": str(self.daemon), "ULLNIC_CARD": f"ullnicd:{self.daemon}"}


def program(host_dir: str | Path, name: str) -> str:
    return str(Path(host_dir) / "bin" / name)


def start_daemon(
    host_dir: str | Path,
    sockets: Sockets,
    addresses: Sequence[str] = (f"{ORDER_PORT}={CARD_IP}/24",),
    prefix: Sequence[str] = (),
    options: Sequence[str] = (),
) -> Worker:
    """`prefix`: a command that runs it, nsenter for instance; `options`: further options of the daemon."""
    argv = [*prefix, program(host_dir, "ullnicd"), "--card", f"vfio-user:{sockets.card}"]
    argv += ["--socket", str(sockets.daemon), *(part for each in addresses for part in ("--address", each)), *options]
    daemon = Worker(None, "ullnicd", argv)
    deadline_s = time.monotonic() + READY_TIMEOUT_S
    while "ready" not in daemon.lines:
        if daemon.ended() or time.monotonic() > deadline_s:
            said = " | ".join(daemon.complaints)[-500:] or "it said nothing"
            daemon.kill()
            raise UllnicError(f"ullnicd is not ready after {READY_TIMEOUT_S} s: {said}")
        time.sleep(0.02)
    return daemon


def start_client(options: Options, sockets: Sockets) -> Worker:
    """The ordinary program, under the socket library."""
    arguments = [SERVER.ip, TCP_PORT, CONNECTION_ID, options.messages, options.batch, options.message_gap_s]
    client = module_command("ullnic.run.trade.client", *arguments)
    return Worker(None, "program", [program(options.host_dir, "exasock"), *client], sockets.environment)


def user_logic(host_dir: str | Path, daemon_socket: str | Path, *arguments: str) -> dict:
    """Calls the tool of the trigger card's user logic; returns its output as a dictionary."""
    argv = [program(host_dir, "ullnic-trigger"), "--card", f"ullnicd:{daemon_socket}", *arguments]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=TOOL_TIMEOUT_S)
    if done.returncode != 0:
        raise UllnicError(f"ullnic-trigger {arguments[0]} failed: {done.stderr.strip()}")
    return json.loads(done.stdout)


def arm(host_dir: str | Path, daemon_socket: str | Path, connection_id: int) -> None:
    """From now on orders are sent on this connection, numbered from 1 (records.py)."""
    payload = (b"\0\0\0\0" + ORDER_TEXT).hex()
    options = ["--connection", str(connection_id), "--length", str(RECORD_BYTES), "--payload", payload]
    state = user_logic(host_dir, daemon_socket, "arm", *options)
    if not state["armed"]:
        raise UllnicError(f"the user logic is not armed: {state}")
