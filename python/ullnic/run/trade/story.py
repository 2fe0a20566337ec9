# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The phases of a run, inside the namespaces: card, daemon, server, program, market data; then the verdict."""

import random
import time
from pathlib import Path

from ullnic.cards import card as card_of
from ullnic.errors import UllnicError
from ullnic.measure.ate import OFFSETS
from ullnic.paths import module_command
from ullnic.run.display import Display, make_console, size_text
from ullnic.run.folder import FRAMES
from ullnic.run.link.tcp import RTO_MIN_MS, configure_tcp
from ullnic.run.netns import Namespace, configure_port
from ullnic.run.options import arguments
from ullnic.run.ports import choose_port, port_spec
from ullnic.run.process import Simulator
from ullnic.run.trade import parts
from ullnic.run.trade.display import amount, counters, errors
from ullnic.run.trade.market import MARKET, write_market
from ullnic.run.trade.options import Options
from ullnic.run.trade.records import RECORD_BYTES, check
from ullnic.run.trade.report import finish
from ullnic.run.trade.summary import assemble
from ullnic.run.waiting import stay, wait_until
from ullnic.run.worker import Worker

MTU_BYTES = 1500
STATUS_INTERVAL_S = 0.25
STALLS = 64  # of the server in a whole run, about


def run_story(options_json: str) -> int:
    options = Options.from_json(options_json)
    console = make_console(options.json)
    story = Story(options)
    try:
        with Display(console, counters, errors, amount) as display:
            display.line(
                f"{card_of(options.card).label} card, {options.delay_ui} UI of transceiver: "
                f"market data ══ port 0 │ FPGA logic │ port 1 ══ Linux kernel {parts.SERVER.ip}, seed {options.seed}"
            )
            story.run(display)
        if options.keep:
            story.stay(console)
        return finish(console, options, story.close_card())
    finally:
        story.kill()


class Story:
    """`results` collects the findings of each phase."""

    def __init__(self, options: Options):
        self.options = options
        self.sockets = parts.Sockets(options.out_dir)
        self.folder = Path(options.out_dir)
        self.start_path = self.folder / "market.start"
        self.received = self.folder / "received.bin"
        self.namespace = Namespace(parts.SERVER)
        self.workers: list[Worker] = []
        self.card: Simulator | None = None
        self.results: dict[str, dict] = {}

    def run(self, display: Display) -> None:
        self.display = display
        self.phase("card", self.start_card)
        self.phase("sockets", self.connect)
        self.phase("market", self.trade)
        if not self.options.keep:
            self.phase("close", self.close)

    def phase(self, name: str, job) -> None:
        self.display.begin(name)
        start_s = time.monotonic()
        said = job()
        self.results.setdefault(name, {})["wall_s"] = round(time.monotonic() - start_s, 3)
        self.display.end(name, True, said)

    def start(self, worker: Worker) -> Worker:
        self.workers.append(worker)
        return worker

    def check(self) -> None:
        """Raises an error if any of the parts has ended early."""
        self.card.check()
        if self.daemon.ended():
            raise UllnicError("ullnicd ended before its time: " + " | ".join(self.daemon.complaints)[-500:])
        self.server.ended()
        self.client.ended()

    def look(self) -> None:
        self.check()
        self.display.update(self.card.status)

    def wait_until(self, condition, what: str, progress=lambda: None) -> None:
        wait_until(condition, what, self.look, progress, lambda: [*self.daemon.complaints, *self.client.complaints])

    def user_logic(self, what: str) -> dict:
        return parts.user_logic(self.options.host_dir, self.sockets.daemon, what)

    # ---- phases

    def start_card(self) -> str:
        kind = choose_port(self.options.port)
        lossless = not self.options.fault
        configure_tcp(self.namespace, lossless=lossless)
        order_port = port_spec(kind, self.namespace, MTU_BYTES)
        self.card = Simulator(
            "ullnic-card",
            self.options.sim_dir,
            self.card_arguments(order_port),
            self.folder / "ullnic-card.log",
            folder=self.folder,
        )
        self.card.wait_ready()
        configure_port(self.namespace, MTU_BYTES, RTO_MIN_MS if lossless else None)
        dma = "its DMA in RTL" if self.options.dma == "rtl" else "its DMA a functional model"
        return f"{self.options.card} is up, {dma}, its order port joined to the kernel by {kind}"

    def card_arguments(self, order_port: str) -> list[str]:
        market = FRAMES
        if not self.options.market:
            market = MARKET
            write_market(self.folder / market, self.options.triggers, self.options.seed)
        settings = {
            "--card": self.options.card,
            "--socket": self.sockets.card,
            "--dma": self.options.dma,
            "--delay-ui": self.options.delay_ui,
            # The receiver's block alignment relative to the transmitter's: constant as long as a link is up.
            "--offset-bits": random.Random(self.options.seed).randrange(OFFSETS),
            "--first-order": 1,
            "--seed": self.options.seed,
            "--samples": self.folder / "tick_to_trade.csv",
            "--status-interval": STATUS_INTERVAL_S,
            "--pcapng-dir": self.folder if self.options.capture else None,
            "--fault-in": f"{parts.ORDER_PORT}={self.options.fault}" if self.options.fault else None,
            "--fault-out": f"{parts.ORDER_PORT}={self.options.fault}" if self.options.fault else None,
        }
        # Names without a path, since a comma in a path would end the name.
        feed = f"{parts.MARKET_PORT}=pcap:{market},gap={self.options.market_gap},start={self.start_path.name}"
        ports = ["--port", feed, "--port", f"{parts.ORDER_PORT}={order_port}"]
        return [*arguments(settings), *ports]

    def connect(self) -> str:
        self.server = self.start(
            Worker(
                self.namespace,
                "server",
                module_command(
                    "ullnic.run.trade.server",
                    parts.SERVER.ip,
                    parts.TCP_PORT,
                    self.received,
                    self.options.stall_s,
                    max(1, self.options.messages * RECORD_BYTES // STALLS),
                    self.options.seed,
                ),
            )
        )
        self.daemon = self.start(parts.start_daemon(self.options.host_dir, self.sockets))
        wait_until(
            lambda: "event" in self.server.event,
            "start of the server",
            self.server.ended,
            complaints=lambda: self.server.complaints,
        )
        self.client = self.start(parts.start_client(self.options, self.sockets))
        self.wait_until(lambda: "event" in self.client.event, "connecting")
        return (
            f"a program under the socket library has connected to {parts.SERVER.ip}:{parts.TCP_PORT} "
            f"with SO_EXA_ATE {parts.CONNECTION_ID}"
        )

    def trade(self) -> str:
        parts.arm(self.options.host_dir, self.sockets.daemon, parts.CONNECTION_ID)
        self.start_path.touch()
        self.wait_until(self.market_done, "market data", self.market_progress)
        self.wait_until(self.all_delivered, "delivery", lambda: self.server.count_bytes)
        logic = self.results["logic"] = self.user_logic("status")
        refused = sum(value for key, value in logic.items() if key.startswith("refused"))
        return f"{logic['triggers']:,} triggers, {logic['orders']:,} orders sent by FPGA logic, {refused:,} refused"

    def market_progress(self) -> int:
        seen, wanted = self.market()
        self.display.progress(seen, wanted)
        return seen

    def market_done(self) -> bool:
        seen, wanted = self.market()
        return seen >= wanted

    def market(self) -> tuple[int, int]:
        """Triggers that the card has seen, of those expected; with a file of the user: frames."""
        if not self.options.market:
            return self.card.status.get("triggers", 0), self.options.triggers
        port = self.card.status.get("ports", [{}])[parts.MARKET_PORT]
        return port.get("to_card", {}).get("frames", 0), self.options.played["sent"]

    def all_delivered(self) -> bool:
        """Everything that was sent is in the server's file."""
        logic = self.user_logic("status")
        wanted_bytes = (logic["orders"] + self.options.messages) * RECORD_BYTES
        sent = self.client.event.get("sent", 0) >= self.options.messages
        return sent and not logic["busy"] and self.received.stat().st_size >= wanted_bytes

    def close(self) -> str:
        self.user_logic("disarm")
        self.client.close_stdin()
        self.wait_until(self.client.ended, "end of the program")
        self.wait_until(self.server.ended, "end of the server")
        size_bytes = self.received.stat().st_size
        self.results["stream"] = check(self.received).report() | {
            name: self.server.event.get(name) for name in ("end", "stalls")
        }
        self.results["client"] = self.client.event
        self.results["kernel"] = self.namespace.counters("snmp")
        return f"program and server have closed in order, {size_text(size_bytes)} received"

    # ---- the end

    def stay(self, console) -> None:
        """Leaves everything up until a signal."""
        user = " -U --preserve-credentials" if self.options.user_namespace else ""
        environment = " ".join(f"{name}={value}" for name, value in self.sockets.environment.items())
        lines = (
            "card and connection stay up; from another shell, with",
            f"  export {environment} PATH={self.options.host_dir}/bin:$PATH",
            "  ullnic-trigger status              the user logic's counters",
            "  ullnic-info                        the card, its ports and their counters",
            f"  exasock nc {parts.SERVER.ip} PORT          a program of yours through the card",
            f"  nsenter -t {self.namespace.pid}{user} -n bash   a shell where the server is",
            "Ctrl-C ends it, prints the summary and removes everything",
        )
        self.display = Display(console, counters, errors, amount)
        stay(console, lines, self.display, self.look)
        with Display(console, counters, errors, amount) as self.display:
            self.phase("close", self.close)

    def close_card(self) -> dict:
        self.daemon.process.terminate()
        return assemble(self.options, self.card.stop(), self.results)

    def kill(self) -> None:
        for worker in reversed(self.workers):
            worker.kill()
        if self.card:
            self.card.kill()
        self.namespace.close()
