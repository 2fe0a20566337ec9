# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""python -m ullnic.run.trade.server IP PORT FILE: a plain TCP server on the kernel's own stack.

Keeps what one client sends in FILE, and answers now and then with the number of bytes that have come. Speaks JSON lines
on standard output: {"event": "listening"}, {"bytes": N}, and at the client's end {"event": "done", ...}.
"""

import json
import socket
import sys
import time

CHUNK_BYTES = 1 << 16
REPORT_INTERVAL_S = 0.2


def say(**event) -> None:
    print(json.dumps(event), flush=True)


def main() -> None:
    ip, port, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    count_bytes, reported_s, end = 0, 0.0, "closed by the client"
    with socket.create_server((ip, port)) as server, open(path, "wb", buffering=0) as file:
        say(event="listening")
        connection, client = server.accept()
        with connection:
            say(event="accepted", client=client[0])
            try:
                while data := connection.recv(CHUNK_BYTES):
                    file.write(data)
                    count_bytes += len(data)
                    if time.monotonic() - reported_s > REPORT_INTERVAL_S:
                        reported_s = time.monotonic()
                        say(bytes=count_bytes)
                        connection.sendall(b"%d bytes so far\n" % count_bytes)
            except OSError as error:
                end = error.strerror
    say(event="done", bytes=count_bytes, end=end)


if __name__ == "__main__":
    main()
