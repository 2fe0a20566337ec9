# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Several connections at a time: a script has one, so it does not see which session the next gets."""

import re
import socket
from ctypes import create_string_buffer

import pytest
from scapy.layers.inet import IP, TCP

from ullnic.packetdrill.calls import LOCAL_IP, LOCAL_PORT, PEER_IP
from ullnic.packetdrill.library import Stack, build_library, sockaddr
from ullnic.paths import ROOT

FIRST_PEER_PORT = 40000
SETTLE_US = 20  # the next session listens by then
SESSIONS = int(re.search(r"kSessions = (\d+);", (ROOT / "sim/src/packetdrill/engine.h").read_text())[1])


@pytest.fixture
def stack():
    stack = Stack(build_library(progress=False))
    yield stack
    stack.close()


def send(stack: Stack, port: int, payload: bytes = b"", **fields) -> None:
    stack.send(bytes(IP(src=PEER_IP, dst=LOCAL_IP) / TCP(sport=port, dport=LOCAL_PORT, **fields) / payload))
    stack.sleep_us(SETTLE_US)


def received(stack: Stack, port: int) -> TCP:
    tcp = IP(stack.receive()[0])[TCP]
    assert tcp.dport == port
    return tcp


def test_each_session_serves_a_connection(stack):
    """Of one listener, until no session is free: then a SYN is answered by a reset. Each socket has its own data."""
    listener, _ = stack.call("socket", socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    assert stack.call("bind", listener, sockaddr(LOCAL_IP, LOCAL_PORT), 16) == (0, 0)
    assert stack.call("listen", listener, SESSIONS) == (0, 0)
    ports = [FIRST_PEER_PORT + number for number in range(SESSIONS)]
    for port in ports:
        send(stack, port, flags="S", seq=0)
        syn_ack = received(stack, port)
        assert syn_ack.flags == "SA", f"a session for port {port}"
        send(stack, port, b"%d" % port, flags="PA", seq=1, ack=syn_ack.seq + 1 & 0xFFFFFFFF)
        assert received(stack, port).ack == 1 + len(str(port))
    send(stack, ports[-1] + 1, flags="S", seq=0)
    assert received(stack, ports[-1] + 1).flags == "RA"
    for port in ports:
        accepted, _ = stack.call("accept", listener, None, None)
        data = create_string_buffer(100)
        assert stack.call("read", accepted, data, len(data)) == (len(str(port)), 0)
        assert data.value == b"%d" % port
