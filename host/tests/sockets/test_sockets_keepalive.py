# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Keepalive probes to peers that never answer: how many, when the first, and when the connection is given up."""

# Options of a connection, and what its peer has received when the one with two probes has been given up after 3 s.
CASES = {
    "keepalive=0, idle=1, interval=1, count=2": "",
    "keepalive=1, idle=1, interval=1, count=2": "ppR",
    "keepalive=1, idle=1, interval=1": "ppp",
    "keepalive=1, idle=1": "p",
    "keepalive=1, idle=2, interval=1": "pp",
    "keepalive=1, interval=1, count=1": "",
    "keepalive=1, idle=1, interval=1, later=0": "",
}
PROGRAM = f"""
SOL, TCP = socket.SOL_SOCKET, socket.IPPROTO_TCP
OPTIONS = dict(keepalive=(SOL, 9), idle=(TCP, 4), interval=(TCP, 5), count=(TCP, 6))
def listening(port, later=None, **values):
    server = socket.create_server(("10.9.1.2", port))
    for name, value in values.items():
        server.setsockopt(*OPTIONS[name], value)
    return server, later
servers = [eval(f"listening({{7000 + n}}, {{case}})") for n, case in enumerate({list(CASES)})]
say("ready")
links = []
for server, later in servers:
    links.append(server.accept()[0])
    if later is not None:
        links[-1].setsockopt(SOL, 9, later)
heard()
for link in links:
    try:
        link.recv(1, socket.MSG_DONTWAIT)
        say("ended")
    except OSError as error:
        say(errno.errorcode[error.errno])
"""
PEER = f"""
from forged import *
say("ready")
links = [Link(7000 + n).connect() for n in range({len(CASES)})]
said = dict.fromkeys([link.port for link in links], "")
end = time.monotonic() + 15
while (left := end - time.monotonic()) > 0:
    try:
        frame = Ether(frames.get(timeout=left))
    except queue.Empty:
        break
    if TCP in frame and (link := next((each for each in links if each.port == frame[TCP].dport), None)) is not None:
        is_probe = frame[TCP].seq == link.theirs - 1 and frame[TCP].ack == link.next and len(payload(frame[TCP])) <= 1
        said[link.port] += "R" if "R" in str(frame[TCP].flags) else "p" if is_probe else "?"
        if said[link.port].endswith("R"):
            end = min(end, time.monotonic() + 0.4)
say(list(said.values()))
finish()
"""


def test_probes_of_a_silent_peer(bench):
    program = bench.program(PROGRAM)
    assert program.read_line() == "ready"
    assert bench.peer(PEER).finish() == f"{list(CASES.values())}\nover\n"
    program.tell()
    ends = ["ETIMEDOUT" if "R" in said else "EAGAIN" for said in CASES.values()]
    assert program.finish().split() == ends
    bench.stop_daemon()
    assert bench.daemon_says.count("the peer does not answer any more") == ends.count("ETIMEDOUT")
