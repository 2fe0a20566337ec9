# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What ordinary programs do with the card: ping, a page, echo on one connection and on many, a generator, a sink."""

import time
from pathlib import Path

from ullnic.paths import module_command
from ullnic.run.display import Display, size_text
from ullnic.run.netns import Namespace
from ullnic.run.process import Simulator
from ullnic.run.programs import fetch, ping, ping_counts
from ullnic.run.toe.options import Options
from ullnic.run.waiting import wait_until
from ullnic.run.worker import Worker

CARD_IP = "198.18.0.7"
ECHO, DISCARD, GENERATOR, HTTP = 7, 9, 19, 80
PING_BYTES = (0, 56, 1472)
CHURN = 100  # connections, one after the other
URGENT = 20  # times on one connection
PAGE_MARK = b"Hardware speaking"


class Phases:
    """Runs the phases one after the other; `results` has a dictionary for each, with `ok` and `text`."""

    def __init__(self, options: Options, card: Simulator, kernel: Namespace, display: Display):
        self.options, self.card, self.kernel, self.display = options, card, kernel, display
        self.results: dict[str, dict] = {}

    def run_all(self) -> None:
        bulk_bytes, seed = self.options.bulk_bytes, self.options.seed
        self.phase("ping", self.ping)
        self.phase("page", self.page)
        self.phase("echo", lambda: self.client("echo", bulk_bytes, ECHO, 1, bulk_bytes, seed))
        self.phase("many", self.many)
        self.phase("lines", lambda: self.client("lines", bulk_bytes, GENERATOR, bulk_bytes))
        self.phase("sink", lambda: self.client("discard", bulk_bytes, DISCARD, bulk_bytes, seed))
        self.phase("urgent", self.urgent)
        self.phase("churn", lambda: self.churn(CHURN, 1))

    def phase(self, name: str, job) -> None:
        self.display.begin(name)
        start_s = time.monotonic()
        result = job()
        result["wall_s"] = round(time.monotonic() - start_s, 3)
        self.results[name] = result
        self.display.end(name, result["ok"], result["text"])

    def look(self) -> None:
        self.card.check()
        self.display.update(self.card.status)

    def finish(self, worker: Worker, what: str, progress=lambda: None) -> None:
        try:
            wait_until(worker.ended, what, self.look, progress, lambda: worker.complaints)
        finally:
            worker.kill()

    def ping(self) -> dict:
        sent = received = 0
        for payload_bytes in PING_BYTES:
            worker = ping(self.kernel, CARD_IP, payload_bytes)
            self.finish(worker, "ping")
            one_sent, one_received = ping_counts(worker)
            sent, received = sent + one_sent, received + one_received
        sizes = ", ".join(map(str, PING_BYTES))
        ok = received > 0 if self.options.fault else received == sent
        text = f"{received}/{sent} replies, payloads of {sizes} bytes"
        return {"ok": ok, "sent": sent, "received": received, "text": text}

    def page(self) -> dict:
        url, target = f"http://{CARD_IP}:{HTTP}/", Path(self.options.out_dir) / "page.html"
        worker, tool = fetch(self.kernel, url, target)
        self.finish(worker, "the page")
        page = target.read_bytes()
        ok = PAGE_MARK in page and page.rstrip().endswith(b"</html>")
        return {"ok": ok, "bytes": len(page), "text": f"{len(page)} bytes of HTML from RTL, fetched by {tool}"}

    def client(self, role: str, total_bytes: int, port: int, *arguments) -> dict:
        worker = self.start(role, port, *arguments)

        def progress() -> int:
            self.display.progress(worker.count_bytes, total_bytes)
            return worker.count_bytes

        start_s = time.monotonic()
        self.finish(worker, role, progress)
        rate = worker.count_bytes * 8e-6 / (time.monotonic() - start_s)
        ok = bool(worker.event.get("ok"))
        text = {
            "echo": f"{size_text(worker.count_bytes)} there and back, SHA-256 {'equal' if ok else 'DIFFERENT'}",
            "lines": f"{size_text(worker.count_bytes)} of lines from the generator, {'each right' if ok else 'WRONG'}",
            "discard": f"{size_text(worker.count_bytes)} given, {'closed in order' if ok else 'something came BACK'}",
        }[role]
        return {"ok": ok, "bytes": worker.count_bytes, "mbit_per_s": round(rate, 1), "text": f"{text}, {rate:.0f} Mb/s"}

    def many(self) -> dict:
        sessions, total_bytes = self.options.sessions, self.options.bulk_bytes
        result = self.client("echo", total_bytes, ECHO, sessions, total_bytes, self.options.seed)
        return result | {"sessions": sessions, "text": f"{sessions} sessions at once: {result['text']}"}

    def urgent(self) -> dict:
        worker = self.start("urgent", ECHO, URGENT)
        self.finish(worker, "urgent data")
        return {
            "ok": bool(worker.event.get("ok")),
            "text": f"{URGENT} times urgent data, back in line",
            "times": URGENT,
        }

    def churn(self, count: int, at_once: int, sink: int = 0, lossless: bool = True) -> dict:
        """Connections to the echo service, `at_once` at a time, and, if `sink` is set, as many to the service on it.

        `lossless`: each must succeed; otherwise it may end with an error, but not with wrong bytes.
        """
        worker = self.start("churn", ECHO, sink, count, at_once)
        at_once *= 2 if sink else 1
        self.display.amount_of = "{:.0f} connections".format

        def progress() -> int:
            done = worker.event.get("connections", 0)
            self.display.progress(done, count)
            return done

        start_s = time.monotonic()
        try:
            self.finish(worker, "churn", progress)
        finally:
            self.display.amount_of = size_text
        names = ("connections", "refused", "reset", "timed_out", "wrong")
        counts = {name: worker.event[name] for name in names}
        ok = not counts["wrong"] and (worker.event["ok"] or not lossless)
        rate = count / (time.monotonic() - start_s)
        text = f"{counts['connections']} connections opened, used and closed, {at_once} at once, {rate:.0f} each second"
        if trouble := ", ".join(f"{name} {counts[name]}" for name in names[1:] if counts[name]):
            text += f"; {trouble}"
        return {"ok": ok, "at_once": at_once, "text": text, **counts}

    def start(self, role: str, port: int, *arguments) -> Worker:
        argv = module_command("ullnic.run.toe.client", role, CARD_IP, port, *arguments)
        return Worker(self.kernel, role, argv)
