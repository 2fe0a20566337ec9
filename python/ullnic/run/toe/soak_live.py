# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The rounds of `ullnic soak toe`, inside the namespaces."""

import random
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue

from rich.console import Console

from ullnic.errors import UllnicError
from ullnic.run.display import Display, SharedLive, make_console
from ullnic.run.ending import write_summary
from ullnic.run.link.summary import kernel_counters
from ullnic.run.netns import END_A, End, Namespace
from ullnic.run.ports import choose_port
from ullnic.run.toe.display import toe_display
from ullnic.run.toe.judge import Judge
from ullnic.run.toe.live import start_card
from ullnic.run.toe.options import Options
from ullnic.run.toe.phases import CARD_IP, DISCARD, ECHO, Phases
from ullnic.run.toe.soak import SoakOptions

AT_ONCE = 12  # of the 16 sessions of a service: one whose last ACK was lost is not free yet
HOSTILE_PART = 10
HOSTILE_SESSIONS = 12  # the attacker sometimes holds some of the 16
REST_TIMEOUT_S = 600
SYSCTLS = {
    "ip_local_port_range": "1024 65535",  # a port is reusable a minute after its connection
}
CARD = End("card", "", "02:00:00:00:00:70", CARD_IP)
ATTACKER_MAC = "02:00:00:00:00:66"  # sim/src/stack/hostile_port.h
CAPTURES = ("port-0.pcapng", "faults.pcapng", "judged.pcapng")
CONCLUDED = ("closed", "reset", "timed_out")


def run_soak(options_json: str) -> int:
    options = SoakOptions.from_json(options_json)
    console = make_console(False)
    parts: list[dict] = []
    summary = {"simulated": True, "command": options.command, "config": asdict(options), "ok": True, "parts": parts}
    with SharedLive(console) as live:
        for ended in run_rounds(make_rounds(options), options.jobs, console, live):
            parts += ended
            parts.sort(key=lambda part: part["round"])
            failures = [f"round {part['round']}, {part['kind']}: {each}" for part in ended for each in part["failures"]]
            summary["ok"] = not failures
            write_summary(summary, Path(options.out_dir))
            for failure in failures:
                console.print(f"FAILED: {failure}", highlight=False, markup=False, soft_wrap=True)
            if failures:
                return 1  # rounds in progress end with this process
    console.print(f"{Path(options.out_dir) / 'summary.json'}", highlight=False, soft_wrap=True)
    return 0


@dataclass(frozen=True)
class Round:
    """A fresh card for each part: the line alone, then, if requested, a tenth of that with an attacker."""

    soak: SoakOptions
    number: int  # from 1
    count: int
    total_bytes: int
    connections: int
    seeds: tuple[int, ...]  # one for each part

    def run(self, console: Console, live: SharedLive, job: int) -> list[dict]:
        """Runs the parts up to the first that fails."""
        settings = {"label": f"{self.number}/{self.count} " if self.count > 1 else "", "live": live.place(job)}
        display = toe_display(console, **settings)
        tenth = (max(1, self.total_bytes // HOSTILE_PART), max(1, self.connections // HOSTILE_PART))
        amounts = {
            "line": (self.total_bytes, self.connections, self.soak.sessions),
            "hostile": (*tenth, min(self.soak.sessions, HOSTILE_SESSIONS)),
        }
        done: list[dict] = []
        for (kind, amount), seed in zip(amounts.items(), self.seeds, strict=False):
            part = Part(self.soak, self.number, kind, seed, *amount, display)
            display.line(f"round {self.number} of {self.count}, {kind}, seed {seed}")
            done.append({"round": self.number, **part.run()})
            if done[-1]["failures"]:
                break
        return done


def make_rounds(options: SoakOptions) -> list[Round]:
    numbers = random.Random(options.seed)
    amounts = options.rounds()
    kinds = 2 if options.hostile else 1
    return [
        Round(options, number, len(amounts), *amount, tuple(numbers.randrange(2**31) for _ in range(kinds)))
        for number, amount in enumerate(amounts, 1)
    ]


def run_rounds(rounds: list[Round], jobs: int, console: Console, live: SharedLive) -> Iterator[list[dict]]:
    """The result of each round, as it ends."""
    waiting: SimpleQueue[Round] = SimpleQueue()
    ended: SimpleQueue[list[dict] | BaseException] = SimpleQueue()
    for each in rounds:
        waiting.put(each)

    def work(job: int) -> None:
        try:
            while True:
                ended.put(waiting.get_nowait().run(console, live, job))
        except Empty:
            return
        except BaseException as error:
            ended.put(error)

    for job in range(min(jobs, len(rounds))):
        # Daemons: an early end does not wait for rounds; their processes end with this one, the first of its namespace
        threading.Thread(target=work, args=(job,), daemon=True).start()
    for _ in rounds:
        result = ended.get()
        if isinstance(result, BaseException):
            raise result
        yield result


class Part:
    """One card: bulk, connections, rest, judgement."""

    def __init__(
        self,
        soak: SoakOptions,
        number: int,
        kind: str,
        seed: int,
        total_bytes: int,
        connections: int,
        sessions: int,
        display: Display,
    ):
        self.soak, self.number, self.kind, self.display = soak, number, kind, display
        self.hostile = kind == "hostile"
        self.total_bytes, self.connections, self.sessions = total_bytes, connections, sessions
        folder = Path(soak.out_dir) / f"round-{number}" / kind
        folder.mkdir(parents=True, exist_ok=True)
        self.options = Options(
            bin_dir=soak.bin_dir,
            out_dir=str(folder),
            bulk_bytes=total_bytes,
            sessions=sessions,
            port="auto",
            seed=seed,
            fault=soak.fault or None,
            capture=True,
            keep=False,
            timestamps=False,
            json=False,
            user_namespace=soak.user_namespace,
            command=soak.command,
            hostile=soak.hostile if self.hostile else 0,
            rest=True,
        )
        self.failures: list[str] = []

    def run(self) -> dict:
        # Without a TAP, the name is also that of a device outside the namespace
        kernel = Namespace(replace(END_A, name=f"{END_A.name}{self.number}"))
        for name, value in SYSCTLS.items():
            kernel.sysctl(f"net/ipv4/{name}", value)
        card = None
        try:
            card = start_card(self.options, choose_port("auto"), kernel, self.display)
            phases = Phases(self.options, card, kernel, self.display)
            self.traffic(phases)
            figures = kernel_counters(kernel)
            summary = card.stop(REST_TIMEOUT_S)
        except UllnicError as error:
            self.failures.append(error.message)
            return {"kind": self.kind, "seed": self.options.seed, "failures": self.failures}
        finally:
            if card:
                card.kill()
            kernel.close()
        self.failures += [f"{name}: {result['text']}" for name, result in phases.results.items() if not result["ok"]]
        self.check_card(summary)
        judged = self.judge(summary["drops"]["syn_dropped"])
        if not self.failures and not self.soak.keep_captures:
            for name in CAPTURES:
                (Path(self.options.out_dir) / name).unlink(missing_ok=True)
        return {
            "kind": self.kind,
            "seed": self.options.seed,
            "failures": self.failures,
            "phases": phases.results,
            "kernel": figures,
            "judged": judged,
            "card": summary,
        }

    def traffic(self, phases: Phases) -> None:
        size, seed = self.total_bytes, self.options.seed
        with ExitStack() as stack:
            victims = None
            if self.hostile:
                victims = phases.start("victims", DISCARD)
                stack.callback(victims.kill)
            phases.phase("bulk", lambda: phases.client("echo", size, ECHO, self.sessions, size, seed))
            # The attacker may legitimately end those to the sink
            sink = 0 if self.hostile else DISCARD
            phases.phase("churn", lambda: phases.churn(self.connections, AT_ONCE, sink, lossless=not self.hostile))
            if victims:
                victims.close_stdin()
                phases.finish(victims, "the victims")
                count = victims.event.get("victims", 0)
                phases.results["victims"] = {"ok": True, "text": f"{count} connections reset", "connections": count}

    def check_card(self, summary: dict) -> None:
        """Checks events, and what is left on the card."""
        sessions, rest = summary["sessions"], summary["rest"]
        if "error" in summary:
            self.failures.append(summary["error"])
        if rest["stuck"]:
            self.failures.append(f"sessions that did not end: {rest['stuck']}")
        self.failures += rest["left_inside"]
        concluded = sum(sessions[name] for name in CONCLUDED)
        if sessions["connected"] != concluded:
            self.failures.append(f"{sessions['connected']} connections, {concluded} ends")
        if self.hostile:
            return
        for name in ("timed_out", "tx_dropped", "tx_cut", "tx_late"):
            if sessions[name]:
                self.failures.append(f"event {name}: {sessions[name]}")
        if summary["drops"]["no_room"]:
            self.failures.append(f"no room for {summary['drops']['no_room']} segments")

    def judge(self, dropped_syns: int) -> dict:
        self.display.begin("judge")
        start_s = time.monotonic()
        attacker_mac = ATTACKER_MAC if self.hostile else None
        judge = Judge(Path(self.options.out_dir), CARD, END_A, attacker_mac, dropped_syns)
        said = judge.run()
        self.failures += said.failures
        text = f"{said.frames} frames, {sum(said.faults.values())} faults, {sum(said.findings.values())} findings"
        self.display.end("judge", not said.failures, text)
        return asdict(said) | {"wall_s": round(time.monotonic() - start_s, 3)}
