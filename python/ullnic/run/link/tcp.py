# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""TCP settings of the two namespaces: what a network a few hundred times slower than a real one needs."""

from ullnic.run.netns import Namespace

# Data in flight is bounded by the sender's buffer, not by dropped frames: it stays below what the receiver advertises
# and below what a queue between the kernel and the simulator holds.
SEND_BUFFER_BYTES = 192 << 10
RECEIVE_BUFFER_BYTES = 4 << 20
RTO_MIN_MS = 3000


def configure_tcp(namespace: Namespace, lossless: bool) -> None:
    namespace.sysctl("net/ipv4/tcp_wmem", f"4096 65536 {SEND_BUFFER_BYTES}")
    namespace.sysctl("net/ipv4/tcp_rmem", f"4096 {RECEIVE_BUFFER_BYTES} {2 * RECEIVE_BUFFER_BYTES}")
    if lossless:
        # A tail loss probe after two round trips of wall time would retransmit what is only slow.
        namespace.sysctl("net/ipv4/tcp_early_retrans", "0")
