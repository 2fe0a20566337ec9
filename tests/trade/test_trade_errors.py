# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Forbidden actions of programs and tools, over the card's RTL while triggers fire: each published error, and no harm
to the connection that trades.
"""

import errno
import random
import time

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import ARP, Ether

from bench import wait_until
from trade_bench import MARKET_CARD_IP, MARKET_KERNEL_IP, trade
from ullnic.run.trade.parts import CARD_IP, MARKET_PORT, ORDER_PORT, SERVER
from ullnic.run.trade.records import RECORD_BYTES

CONNECTION = 5
MAC_OF_STRANGER = "02:00:00:00:00:77"
BOTH_PORTS = (f"{MARKET_PORT}={MARKET_CARD_IP}/24", f"{ORDER_PORT}={CARD_IP}/24")
ATE = "socket.{}.setsockopt(SOL_EXASOCK, SO_EXA_ATE, {})"

# From exasock/socket.h. Each with its line on stderr, if the errno alone does not give a program the reason.
ERRORS = [
    ("accelerated(512)", "EINVAL", "0 to 511, not 512"),
    ("accelerated(5)", "EBUSY", "connection 5 of port 1 is in use"),
    ("accelerated(6, ip='192.0.2.1')", "ENETUNREACH", "no port of the card reaches it"),
    (f"accelerated(6, ip={MARKET_KERNEL_IP!r})", "ENOTSUP", "port 0 has no TCP transmit engine"),  # EOPNOTSUPP
    ("accelerated(6, port=9)", "ECONNREFUSED", "nothing listens there"),
    ("accelerated(6, ip='198.18.0.99')", "EHOSTUNREACH", "nobody answers for this address"),
    (f"accelerated(6, ip={CARD_IP!r})", "EADDRNOTAVAIL", "the card's own address"),
    ("option(socket.socket(), -2)", "EINVAL", ""),
    ("option(socket.socket(type=socket.SOCK_DGRAM), 6)", "EPERM", ""),
    ("option(socket.socket(socket.AF_INET6), 6)", "EPERM", ""),
    ("option(link, 6)", "EPERM", ""),
    ("option(plain(), 6)", "EPERM", ""),
    ("option(listening(50002), 6)", "ENOTSUP", ""),
    ("bound_with(6).listen()", "ENOTSUP", ""),
    ("socket.socket().setsockopt(SOL_EXASOCK, 77, 1)", "ENOPROTOOPT", ""),
]
HELPERS = f"""
def option(any, number):
    any.setsockopt(SOL_EXASOCK, SO_EXA_ATE, number)
def plain():
    any = socket.socket()
    any.setsockopt(SOL_EXASOCK, SO_EXA_NO_ACCEL, 1)
    return any
def bound_with(number):
    any = socket.socket()
    any.bind(({CARD_IP!r}, 7000))
    option(any, number)
    return any
"""


@pytest.fixture(scope="module", autouse=True)
def daemon_of_both_ports(bench):
    bench.stop_daemon()
    bench.start_daemon(BOTH_PORTS)


def finish_in_order(bench) -> None:
    bench.silence()
    orders, messages = bench.disarm(), bench.program("writer.stop()")
    bench.program("link.close()")
    wait_until(lambda: bench.sink()["end"])
    wanted = {"orders": orders, "messages": messages, "bytes": (orders + messages) * RECORD_BYTES}
    assert bench.sink() | wanted | {"end": "end"} == bench.sink()


def test_each_error(bench):
    trade(bench, CONNECTION)
    bench.program(HELPERS)
    said = {piece: bench.program.error(piece) for piece, _, _ in ERRORS}
    assert said == {piece: name for piece, name, _ in ERRORS}
    assert bench.enabled() == [CONNECTION]
    finish_in_order(bench)
    text = bench.end_program()
    assert not [words for _, _, words in ERRORS if words not in text], text


@pytest.mark.parametrize(("neighbours", "end"), [(60, "ECONNRESET"), (150, "ECANCELED")])
def test_engine_cannot_be_set_up(bench, neighbours, end):
    """ECANCELED: the peer has answered, but its MAC address is no longer known, because too many neighbours appeared
    meanwhile. The peer consists of handmade frames: the kernel does not answer a SYN late.
    """
    stranger, program = f"198.18.0.{neighbours // 10}", bench.start_program()
    bench.net("wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))")
    bench.net(f"wire.bind(({SERVER.ifname!r}, 0)); wire.settimeout(10)")
    program.begin(f"link = accelerated(6, ip={stranger!r})")
    question = heard(bench, lambda frame: ARP in frame and frame[ARP].pdst == stranger)
    card = question.src
    send(bench, [Ether(src=MAC_OF_STRANGER, dst=card) / ARP(op=2, hwsrc=MAC_OF_STRANGER, psrc=stranger, pdst=CARD_IP)])
    syn = heard(bench, lambda frame: TCP in frame and frame[IP].dst == stranger)
    time.sleep(1.1)  # lwIP forgets the oldest of its neighbours, and counts in seconds
    others = [(f"198.18.0.{100 + number}", f"02:00:00:00:01:{number:02x}") for number in range(neighbours)]
    send(bench, [Ether(src=mac, dst=card) / ARP(op=1, hwsrc=mac, psrc=ip, pdst=CARD_IP) for ip, mac in others])
    back = Ether(src=MAC_OF_STRANGER, dst=card) / IP(src=stranger, dst=CARD_IP)
    answer = TCP(sport=syn[TCP].dport, dport=syn[TCP].sport, seq=1, ack=syn[TCP].seq + 1, flags="SA")
    send(bench, [back / answer])
    if end == "ECANCELED":
        assert program.error_of_result() == end
    else:
        program.result()
        assert bench.enabled() == [6]
        send(bench, [back / TCP(sport=syn[TCP].dport, dport=syn[TCP].sport, seq=2, flags="R")])
        assert program.error("link.recv(1)") == end
    assert ("could not be set up" in program.finish()) == (end == "ECANCELED")


def send(bench, frames: list) -> None:
    """Sends from the order port's network to the card."""
    for frame in frames:
        bench.net(f"wire.send(bytes.fromhex({bytes(frame).ljust(60, bytes(1)).hex()!r}))")


def heard(bench, wanted):
    """The next such frame from the card."""
    while not wanted(frame := Ether(bytes.fromhex(bench.net("wire.recv(2000).hex()")))):
        pass
    return frame


def test_bad_register_accesses(bench, seed):
    """Refused, or answered by the card with a harmless error; neither hangs, and trading continues."""
    chance = random.Random(seed)
    trade(bench, CONNECTION)
    registers = bench.registers()
    identity = [registers.read(address) for address in (0x0, 0x8, 0x8000, 0x10000, 0x21000)]

    def refused(action, *arguments) -> str:
        with pytest.raises(OSError) as caught:
            action(*arguments)
        return errno.errorcode[caught.value.errno]

    for number in (0, CONNECTION, 511):  # the engine's connections are the daemon's
        for offset in range(0, 64, 4):
            base = 0x40000 | ORDER_PORT << 15 | number << 6
            assert refused(registers.write, base + offset, chance.getrandbits(32)) == "EPERM"
    for address in (0x8002, 0x8001, 0x7FFFE, 0x80000, 0xFFFFFFFC):
        assert refused(registers.write, address, 0) == refused(registers.read, address) == "EINVAL"

    errors = bench.card.status["registers"]["errors"]
    for _ in range(300):
        address = bad_address(chance)
        registers.write(address, chance.getrandbits(32))
        registers.read(address)
    assert registers.read(0x7000) == 0xFFFFFFFF  # an unused address
    registers.write(0x8100, 0)  # the payload, while it is armed
    registers.write(0x801C, 0)  # the number of the next order
    wait_until(lambda: bench.card.status["registers"]["errors"] >= errors + 300)
    assert identity == [registers.read(address) for address in (0x0, 0x8, 0x8000, 0x10000, 0x21000)]
    orders = bench.sink()["orders"]
    wait_until(lambda: bench.sink()["orders"] > orders + 20)
    finish_in_order(bench)


def bad_address(chance: random.Random) -> int:
    """A register that cannot be written: it is read-only, or does not exist."""
    blocks = {0x0: 0, 0x8000: 0x200, 0x10000: 0x50, 0x11000: 0x50, 0x20000: 0, 0x21000: 0x10, 0x28000: 0, 0x29000: 0}
    base = chance.choice(list(blocks))
    size = 0x8000 if base < 0x10000 else 0x1000
    return base + chance.randrange(blocks[base], size, 4)


def test_no_engine(bench):
    """ENOPROTOOPT if none of the daemon's ports has one, and if there is no daemon."""
    bench.program = bench.start_program()
    bench.stop_daemon()
    bench.start_daemon(BOTH_PORTS[:1])
    assert bench.program.error("accelerated(1)") == "ENOPROTOOPT"
    bench.stop_daemon()
    assert bench.program.error("accelerated(1)") == "ENOPROTOOPT"
    text = bench.end_program()
    assert "no port that ullnicd uses has a TCP transmit engine" in text and "start it" in text
