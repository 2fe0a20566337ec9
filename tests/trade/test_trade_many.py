# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Two programs and hardware at once on all connections that the engine has, over the card's RTL."""

from bench import wait_until
from held_card import CONNECTION, CONTROL, LIMIT, NUMBER, STATUS
from ullnic.run.trade.records import RECORD_BYTES

CONNECTIONS = 512
ARM_AND_WAIT, LIMIT_REACHED = 3, 1 << 4
ORDERS, ORDERS_ON = 2, (0, *range(7, CONNECTIONS, 8))
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
# By the number that the program sends: connections may be accepted in any order.
SERVE = """
links, sinks = {}, {}
for _ in range(512):
    link = server.accept()[0]
    number = int(link.recv(32, socket.MSG_WAITALL))
    links[number], sinks[number] = link, Sink(link)
"""
COUNT = "[(sink.stream.{what}, sink.end, *sink.stream.faults) for _, sink in sorted(sinks.items())]"


def send_orders(bench) -> None:
    """On one connection after the other."""
    bench.arm()  # their text and length
    bench.disarm()
    bench.market(gap_s=0.0005)
    registers = bench.registers()
    for number in ORDERS_ON:
        for register, value in ((CONTROL, 0), (CONNECTION, number), (LIMIT, ORDERS), (NUMBER, 0)):
            registers.write(register, value)
        registers.write(CONTROL, ARM_AND_WAIT)
        wait_until(lambda: registers.read(STATUS) & LIMIT_REACHED)
    registers.close()
    bench.silence()


def test_all_connections_of_two_programs(bench):
    """Each sends and receives, hardware sends on many of each program's, and each ends gracefully."""
    half = CONNECTIONS // 2
    programs = [bench.start_program(), bench.start_program()]
    bench.net.begin(SERVE)
    for first, program in enumerate(programs):
        program.begin(OPEN.format(first=first * half, end=(first + 1) * half))
    for each in (*programs, bench.net):
        each.result()
    assert bench.enabled() == list(range(CONNECTIONS))
    assert programs[1].error("accelerated(0)") == "EBUSY"  # the other program's

    for each in (*programs, bench.net):  # both directions at once, with hardware's orders between them
        each.begin(SEND)
    send_orders(bench)
    for each in (*programs, bench.net):
        each.result()
    for program in programs:
        wait_until(lambda one=program: one(COUNT.format(what="messages")) == [[3, ""]] * half)
    wanted = [[3, ""]] * CONNECTIONS
    wait_until(lambda: bench.net(COUNT.format(what="messages")) == wanted)

    for program in programs:
        program("for link in links.values(): link.shutdown(socket.SHUT_WR)")
    orders = [ORDERS * (number in ORDERS_ON) for number in range(CONNECTIONS)]
    wait_until(lambda: bench.net(COUNT.format(what="orders")) == [[count, "end"] for count in orders])
    got = bench.net("[sink.stream.bytes for _, sink in sorted(sinks.items())]")
    assert got == [(3 + count) * RECORD_BYTES for count in orders]
    bench.net("for link in links.values(): link.close()")
    for program in programs:
        wait_until(lambda one=program: one(COUNT.format(what="messages")) == [[3, "end"]] * half)
        said = program.finish().splitlines()
        assert all("in use by another socket" in line for line in said), said
    assert bench.enabled() == []
