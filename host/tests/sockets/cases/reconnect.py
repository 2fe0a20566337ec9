# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A peer with a fixed port comes back while its last connection is in TIME-WAIT at the card, as FIX clients do."""

TIMES = 4


def program():
    server = serve((ME, 5400))
    for i in range(TIMES):
        s, address = server.accept()
        s.sendall(b"x" * 100000 * i + b"end")  # the sequence numbers of the next one are beyond these
        s.shutdown(socket.SHUT_WR)  # closes first
        out(i, s.recv(100), address)
        s.close()
    server.close()


def peer():
    for i in range(TIMES):
        while True:
            s = socket.socket()
            s.settimeout(20)
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            s.bind((PEER, 5401))
            began = time.monotonic()
            if err(s.connect, (ME, 5400)) is None:
                break
            assert i == 0, "refused"
            s.close()
            time.sleep(0.05)
        out(i, "at once" if time.monotonic() - began < 0.8 else "late")
        count = 0
        while data := s.recv(65536):
            count += len(data)
        out(count)
        s.sendall(b"bye %d" % i)
        s.close()
        time.sleep(0.2)
