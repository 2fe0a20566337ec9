# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""python -m ullnic.run.trade.server IP PORT FILE STALL_S STALL_BYTES SEED: a TCP server on the kernel's own stack.

It writes what one client sends to FILE, and answers now and then with the number of bytes received. With STALL_S above
0 it has a small receive buffer and stops reading after each STALL_BYTES on average, for at most STALL_S: the window
closes. It reports JSON lines on standard output: {"event": "listening"}, {"bytes": N}, and at the client's end
{"event": "done", ...}.
"""

import json
import random
import socket
import sys
import time

CHUNK_BYTES = 1 << 16
REPORT_INTERVAL_S = 0.2
SMALL_BUFFER_BYTES = 64 << 10


def say(**event) -> None:
    print(json.dumps(event), flush=True)


def main() -> None:
    ip, port, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    stall_s, stall_bytes, chance = float(sys.argv[4]), int(sys.argv[5]), random.Random(int(sys.argv[6]))
    count_bytes, reported_s, stalls, end = 0, 0.0, 0, "closed by the client"
    with socket.create_server((ip, port)) as server, open(path, "wb", buffering=0) as file:
        if stall_s:  # which an accepted connection inherits
            server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER_BYTES)
        say(event="listening")
        connection, client = server.accept()
        with connection:
            say(event="accepted", client=client[0])
            try:
                while data := connection.recv(CHUNK_BYTES):
                    file.write(data)
                    count_bytes += len(data)
                    if stall_s and chance.random() < len(data) / stall_bytes:
                        stalls += 1
                        time.sleep(chance.uniform(0, stall_s))
                    if time.monotonic() - reported_s > REPORT_INTERVAL_S:
                        reported_s = time.monotonic()
                        say(bytes=count_bytes)
                        connection.sendall(b"%d bytes so far\n" % count_bytes)
            except OSError as error:
                end = error.strerror
    say(event="done", bytes=count_bytes, stalls=stalls, end=end)


if __name__ == "__main__":
    main()
