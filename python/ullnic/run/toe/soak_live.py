# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The rounds of `ullnic soak toe`, inside the namespaces."""

import random
import time
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.run.display import Display, make_console
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

AT_ONCE = 12  # of the 16 sessions: one whose last ACK was lost is not free yet
HOSTILE_PART = 10
HOSTILE_SESSIONS = 12  # others of the 16 are the attacker's at times
REST_TIMEOUT_S = 600
SYSCTLS = {
    "ip_local_port_range": "1024 65535",  # a port is free again a minute after its connection
}
CARD = End("card", "", "02:00:00:00:00:70", CARD_IP)
ATTACKER_MAC = "02:00:00:00:00:66"  # sim/src/stack/hostile_port.h
CAPTURES = ("port-0.pcapng", "faults.pcapng", "judged.pcapng")
CONCLUDED = ("closed", "reset", "timed_out")


def run_soak(options_json: str) -> int:
    options = SoakOptions.from_json(options_json)
    console = make_console(False)
    numbers = random.Random(options.seed)
    parts: list[dict] = []
    summary = {"simulated": True, "command": options.command, "config": asdict(options), "ok": True, "parts": parts}
    rounds = options.rounds()
    with toe_display(console) as display:
        for index, (total_bytes, connections) in enumerate(rounds):
            kinds = [("line", total_bytes, connections, options.sessions)]
            if options.hostile:
                tenth = (max(1, total_bytes // HOSTILE_PART), max(1, connections // HOSTILE_PART))
                kinds.append(("hostile", *tenth, min(options.sessions, HOSTILE_SESSIONS)))
            for kind, *amount in kinds:
                part = Part(options, kind, numbers.randrange(2**31), *amount, display)
                display.line(f"round {index + 1} of {len(rounds)}, {kind}, seed {part.options.seed}")
                parts.append({"round": index + 1, **part.run()})
                summary["ok"] = not parts[-1]["failures"]
                write_summary(summary, Path(options.out_dir))
                if not summary["ok"]:
                    for failure in parts[-1]["failures"]:
                        display.line(f"FAILED: {failure}")
                    return 1
    display.line(f"{Path(options.out_dir) / 'summary.json'}")
    return 0


class Part:
    """One card: bulk, connections, rest, judgement."""

    def __init__(self, soak, kind: str, seed: int, total_bytes: int, connections: int, sessions: int, display: Display):
        self.soak, self.kind, self.display = soak, kind, display
        self.hostile = kind == "hostile"
        self.total_bytes, self.connections, self.sessions = total_bytes, connections, sessions
        folder = Path(soak.out_dir) / kind
        folder.mkdir(exist_ok=True)
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
        kernel = Namespace(END_A)
        for name, value in SYSCTLS.items():
            kernel.sysctl(f"net/ipv4/{name}", value)
        card = None
        try:
            card = start_card(self.options, choose_port("auto"), kernel, self.display)
            phases = Phases(self.options, card, kernel, self.display)
            self.traffic(phases)
            figures = kernel_counters(kernel)
            told = card.stop(REST_TIMEOUT_S)
        except UllnicError as error:
            self.failures.append(error.message)
            return {"kind": self.kind, "seed": self.options.seed, "failures": self.failures}
        finally:
            if card:
                card.kill()
            kernel.close()
        self.failures += [f"{name}: {result['text']}" for name, result in phases.results.items() if not result["ok"]]
        self.check_card(told)
        judged = self.judge()
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
            "card": told,
        }

    def traffic(self, phases: Phases) -> None:
        size, seed = self.total_bytes, self.options.seed
        with ExitStack() as stack:
            victims = None
            if self.hostile:
                victims = phases.start("victims", DISCARD)
                stack.callback(victims.kill)
            phases.phase("bulk", lambda: phases.client("echo", size, ECHO, self.sessions, size, seed))
            phases.phase("churn", lambda: phases.churn(self.connections, AT_ONCE, lossless=not self.hostile))
            if victims:
                victims.close_stdin()
                phases.finish(victims, "the victims")
                count = victims.event.get("victims", 0)
                phases.results["victims"] = {"ok": True, "text": f"{count} connections reset", "connections": count}

    def check_card(self, told: dict) -> None:
        """Events, and what is left."""
        sessions, rest = told["sessions"], told["rest"]
        if "error" in told:
            self.failures.append(told["error"])
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
        if told["drops"]["no_room"]:
            self.failures.append(f"no room for {told['drops']['no_room']} segments")

    def judge(self) -> dict:
        self.display.begin("judge")
        start_s = time.monotonic()
        judge = Judge(Path(self.options.out_dir), CARD, END_A, ATTACKER_MAC if self.hostile else None)
        said = judge.run()
        self.failures += said.failures
        text = f"{said.frames} frames, {sum(said.faults.values())} faults, {sum(said.findings.values())} findings"
        self.display.end("judge", not said.failures, text)
        return asdict(said) | {"wall_s": round(time.monotonic() - start_s, 3)}
