# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Ordinary programs of the system, as workers: ping, and whatever fetches a page."""

import re
import shutil
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.run.netns import Namespace
from ullnic.run.worker import Worker

PINGS = 5


def ping(namespace: Namespace, ip: str, payload_bytes: int) -> Worker:
    argv = f"ping -n -c {PINGS} -i 0.2 -W 3 -M do -s {payload_bytes} {ip}".split()
    # A lost reply makes ping exit with 1; the counts are more precise.
    return Worker(namespace, "ping", ["sh", "-c", '"$@" || test $? = 1', "sh", *argv])


def ping_counts(worker: Worker) -> tuple[int, int]:
    """Packets sent and received by a ping that has ended."""
    counts = re.search(r"(\d+) packets transmitted, (\d+) received", "\n".join(worker.lines))
    if not counts:
        raise UllnicError("ping said nothing of its packets: " + " | ".join(worker.lines[-3:]))
    return int(counts[1]), int(counts[2])


def fetch(namespace: Namespace, url: str, target: Path) -> tuple[Worker, str]:
    """Fetches `url` into `target`, and names the program: curl, or Python's urllib where there is none."""
    if shutil.which("curl"):
        argv = ["curl", "--silent", "--show-error", "--fail", "--noproxy", "*", "--output", str(target), url]
        return Worker(namespace, "curl", argv), "curl"
    return Worker.traffic(namespace, "fetch", url, target), "Python's urllib"
