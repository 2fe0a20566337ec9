# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""python -m ullnic.run.trade.client IP PORT ID MESSAGES BATCH GAP_S: an ordinary socket program.

It knows nothing of the card except the socket option. It connects, sends MESSAGES messages, BATCH of them in one send()
followed by a pause, reads the server's answers, and closes when its standard input ends. JSON lines on standard output:
{"event": "connected"}, {"sent": N}, {"event": "done", "sent": N, "received_bytes": N}.
"""

import json
import select
import socket
import sys
import time

from ullnic.run.trade.records import software

SOL_EXASOCK, SO_EXA_ATE = 0x200, 3
CHUNK_BYTES = 1 << 16
REPORT_INTERVAL_S = 0.1


def say(**event) -> None:
    print(json.dumps(event), flush=True)


def main() -> None:
    ip, port, connection_id, messages, batch = sys.argv[1], *map(int, sys.argv[2:6])
    gap_s = float(sys.argv[6])
    sent = received_bytes = 0
    reported_s = 0.0
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as connection:
        connection.setsockopt(SOL_EXASOCK, SO_EXA_ATE, connection_id)
        connection.connect((ip, port))
        say(event="connected")
        due_s, wanted = time.monotonic(), True
        while wanted or sent < messages:
            watched = [connection, *([sys.stdin] if wanted else [])]
            wait_s = max(0.0, due_s - time.monotonic()) if sent < messages else None
            readable, _, _ = select.select(watched, [], [], wait_s)
            if connection in readable:
                data = connection.recv(CHUNK_BYTES)
                if not data:
                    sys.exit("the server closed the connection")
                received_bytes += len(data)
            if sys.stdin in readable and not sys.stdin.readline():
                wanted = False
            if sent < messages and time.monotonic() >= due_s:
                last = min(sent + batch, messages)
                connection.sendall(b"".join(map(software, range(sent + 1, last + 1))))
                sent = last
                due_s += gap_s
                if sent == messages or time.monotonic() - reported_s > REPORT_INTERVAL_S:
                    reported_s = time.monotonic()
                    say(sent=sent)
        connection.shutdown(socket.SHUT_WR)
        while data := connection.recv(CHUNK_BYTES):  # the rest of the answers, until the server closes
            received_bytes += len(data)
    say(event="done", sent=sent, received_bytes=received_bytes)


if __name__ == "__main__":
    main()
