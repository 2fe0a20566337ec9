# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The traffic of a demonstration: ping, bulk TCP both ways at once, an HTTP download."""

import hashlib
import time
from contextlib import contextmanager
from pathlib import Path

from ullnic.run.display import Display, size_text
from ullnic.run.link.options import Options
from ullnic.run.netns import Namespace
from ullnic.run.process import Simulator
from ullnic.run.programs import fetch, ping, ping_counts
from ullnic.run.waiting import wait_until
from ullnic.run.worker import Worker

IP_HEADERS_BYTES = 28  # IPv4 and ICMP
BULK_PORT = 19  # character generator, RFC 864: tshark guesses at random bytes on an unassigned port
HTTP_PORT = 8080


class Phases:
    """Runs the phases one after the other; `results` has a dictionary for each."""

    def __init__(self, options: Options, link: Simulator, a: Namespace, b: Namespace, display: Display):
        self.options, self.link, self.a, self.b, self.display = options, link, a, b, display
        self.results: dict[str, dict] = {}
        self.workers: list[Worker] = []

    def run_all(self) -> None:
        self.phase("ping", self.ping)
        self.phase("bulk", self.bulk)
        self.phase("http", self.http)

    def phase(self, name: str, job) -> None:
        self.display.begin(name)
        start_s = time.monotonic()
        result = job()
        result["wall_s"] = round(time.monotonic() - start_s, 3)
        self.results[name] = result
        self.display.end(name, result["ok"], describe(name, result))

    @contextmanager
    def started(self, *workers: Worker):
        try:
            yield workers
        finally:
            for worker in workers:
                worker.kill()

    def look(self) -> None:
        self.link.check()
        self.display.update(self.link.status)

    def wait_until(self, condition, what: str, progress=lambda: None) -> None:
        wait_until(condition, what, self.look, progress)

    # ---- ping

    def ping(self) -> dict:
        full_bytes = self.options.mtu_bytes - IP_HEADERS_BYTES
        sent = received = 0
        for payload_bytes in (56, full_bytes):
            one_sent, one_received = self.ping_size(payload_bytes)
            sent, received = sent + one_sent, received + one_received
        return {
            "sent": sent,
            "received": received,
            "payload_bytes": [56, full_bytes],
            "ok": received > 0 if self.options.faults_wanted else received == sent,
        }

    def ping_size(self, payload_bytes: int) -> tuple[int, int]:
        worker = ping(self.a, self.b.end.ip, payload_bytes)
        with self.started(worker):
            self.wait_until(worker.ended, "ping")
        return ping_counts(worker)

    # ---- bulk TCP

    def bulk(self) -> dict:
        half_bytes = self.options.bulk_bytes // 2
        shares = {"a_to_b": half_bytes, "b_to_a": self.options.bulk_bytes - half_bytes}
        ends = {"a_to_b": (self.a, self.b), "b_to_a": (self.b, self.a)}
        senders = {
            way: Worker.traffic(source, "send", source.end.ip, BULK_PORT, shares[way], f"{self.options.seed}-{way}")
            for way, (source, _) in ends.items()
        }
        with self.started(*senders.values()):
            self.wait_until(lambda: all([listening(w) for w in senders.values()]), "bulk TCP senders")
            receivers = {
                way: Worker.traffic(to, "receive", source.end.ip, BULK_PORT) for way, (source, to) in ends.items()
            }
            with self.started(*receivers.values()):
                start_s = time.monotonic()
                everyone = [*receivers.values(), *senders.values()]
                self.wait_until(
                    lambda: all([w.ended() for w in everyone]),
                    "bulk TCP",
                    lambda: self.bulk_progress(receivers.values()),
                )
                transfer_s = time.monotonic() - start_s
        ways = {
            way: {
                "bytes": receivers[way].count_bytes,
                "sha256": receivers[way].event.get("sha256"),
                "ok": receivers[way].event == senders[way].event and receivers[way].count_bytes == shares[way],
            }
            for way in ends
        }
        return {
            **ways,
            "transfer_s": round(transfer_s, 3),
            "mbit_per_s": round(8e-6 * self.options.bulk_bytes / transfer_s, 1),
            "ok": all(way["ok"] for way in ways.values()),
        }

    def bulk_progress(self, receivers) -> int:
        done_bytes = sum(receiver.count_bytes for receiver in receivers)
        self.display.progress(done_bytes, self.options.bulk_bytes)
        return done_bytes

    # ---- HTTP

    def http(self) -> dict:
        source = Path(self.link.command[0])
        target = Path(self.options.out_dir) / "download"
        url = f"http://{self.b.end.ip}:{HTTP_PORT}/{source.name}"
        server = Worker.traffic(self.b, "serve", self.b.end.ip, HTTP_PORT, source.parent)
        with self.started(server):
            self.wait_until(lambda: listening(server), "HTTP server")
            client, tool = fetch(self.a, url, target)
            with self.started(client):
                self.wait_until(client.ended, "HTTP download", lambda: self.http_progress(source, target))
        wanted, got = sha256(source), sha256(target)
        size_bytes = target.stat().st_size
        target.unlink()
        return {
            "file": source.name,
            "bytes": size_bytes,
            "sha256": got,
            "client": tool,
            "ok": wanted == got,
        }

    def http_progress(self, source: Path, target: Path) -> int:
        done_bytes = target.stat().st_size if target.exists() else 0
        self.display.progress(done_bytes, source.stat().st_size)
        return done_bytes


def listening(worker: Worker) -> bool:
    """True once a server accepts connections; raises if one has failed."""
    worker.ended()
    return "event" in worker.event


def sha256(path: Path) -> str:
    with open(path, "rb") as file:
        digest = hashlib.sha256()
        while data := file.read(1 << 20):
            digest.update(data)
    return digest.hexdigest()


def describe(name: str, result: dict) -> str:
    """One line about a finished phase."""
    if name == "ping":
        sizes = " and ".join(str(size) for size in result["payload_bytes"])
        return f"{result['received']}/{result['sent']} replies, payloads of {sizes} bytes"
    if name == "bulk":
        return (
            f"{size_text(result['a_to_b']['bytes'])} A→B and {size_text(result['b_to_a']['bytes'])} B→A at once, "
            f"SHA-256 {'equal' if result['ok'] else 'DIFFERENT'}"
        )
    return (
        f"{result['file']} ({size_text(result['bytes'])}) by {result['client']}, "
        f"SHA-256 {'equal' if result['ok'] else 'DIFFERENT'}"
    )
