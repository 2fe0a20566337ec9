# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Two programs at once on all connections that the engine has, over the card's RTL."""

from bench import wait_until
from ullnic.run.trade.records import RECORD_BYTES

CONNECTIONS = 512
ORDERS_ON = (0, 255, 256, 511)
OPEN = """
links = {{number: accelerated(number) for number in range({first}, {end})}}
for number, link in links.items():
    link.sendall(b"%32d" % number)
sinks = {{number: Sink(link) for number, link in links.items()}}
"""
SEND = """
for link in links.values():
    link.sendall(b"".join(software(number) for number in range(1, 4)))
"""
# By the number that the program sends: connections need not be accepted in their order.
SERVE = """
links, sinks = {}, {}
for _ in range(512):
    link = server.accept()[0]
    number = int(link.recv(32, socket.MSG_WAITALL))
    links[number], sinks[number] = link, Sink(link)
"""
COUNT = "[(sink.stream.{what}, sink.end, *sink.stream.faults) for _, sink in sorted(sinks.items())]"


def test_all_connections_of_two_programs(bench):
    """Each sends and receives, hardware sends on some of each program's, and each ends in order."""
    half = CONNECTIONS // 2
    programs = [bench.start_program(), bench.start_program()]
    bench.net.begin(SERVE)
    for first, program in enumerate(programs):
        program.begin(OPEN.format(first=first * half, end=(first + 1) * half))
    for each in (*programs, bench.net):
        each.result()
    assert bench.enabled() == list(range(CONNECTIONS))
    assert programs[1].error("accelerated(0)") == "EBUSY"  # the other program's

    for each in (*programs, bench.net):  # both ways at once, and hardware's between them
        each.begin(SEND)
    orders = {}
    for number in ORDERS_ON:
        bench.arm(number)
        bench.fire(30)
        orders[number] = bench.disarm()
    for each in (*programs, bench.net):
        each.result()
    for program in programs:
        wait_until(lambda one=program: one(COUNT.format(what="messages")) == [[3, ""]] * half)
    wanted = [[3, ""]] * CONNECTIONS
    wait_until(lambda: bench.net(COUNT.format(what="messages")) == wanted)

    for program in programs:
        program("for link in links.values(): link.shutdown(socket.SHUT_WR)")
    wanted = [[orders.get(number, 0), "end"] for number in range(CONNECTIONS)]
    wait_until(lambda: bench.net(COUNT.format(what="orders")) == wanted)
    assert min(orders.values()) > 0
    assert sum(bench.net("[sink.stream.bytes for sink in sinks.values()]")) == (
        (3 * CONNECTIONS + sum(orders.values())) * RECORD_BYTES
    )
    bench.net("for link in links.values(): link.close()")
    for program in programs:
        wait_until(lambda one=program: one(COUNT.format(what="messages")) == [[3, "end"]] * half)
        said = program.finish().splitlines()
        assert all("in use by another socket" in line for line in said), said
    assert bench.enabled() == []
