# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole engine with a reorder memory and timestamps (RFC 7323): what is old, or has none, is not set aside."""

import cocotb
import pytest

from test_toe_stamps import ALIGNED, FRONT, served
from toe_wire import toe_bench
from ullnic_tb import cocotb_tests, kept


@cocotb.test()
@pytest.mark.rfc9293("SHLD-31")
@pytest.mark.pitfall("paws")
async def old(dut):
    """Behind a hole, and into it: an old segment leaves no byte in the memory, and RCV.NXT where it is."""
    for session, place in enumerate((ALIGNED, FRONT)):
        wire, peer = await served(dut, session, place=place)
        data = bytes(range(200))
        # Behind a hole: nothing of it is there when the hole is filled
        await peer.send("PA", b"\xff" * 100, seq=peer.seq + 100, stamp=peer.clock - 1)
        await peer.expect("A")
        await peer.send("PA", b"\xff" * 100, seq=peer.seq + 100, stamped=False)
        await wire.silence(300)
        await peer.say(data[:100])
        await peer.answer()
        assert wire.payload.pop(session) == data[:100]
        # Into a hole: what waits behind it stays, and is whole
        await peer.send("PA", data[100:], seq=peer.seq + 100)
        await peer.expect("A")
        await peer.send("PA", b"\xff" * 100, stamp=peer.clock - 1)
        await peer.expect("A")
        await peer.send("PA", b"\xff" * 100, stamped=False)
        await wire.silence(300)
        assert session not in wire.payload
        peer.seq += 200
        peer.clock += 1  # the ACK echoes what filled the hole (4.3, B)
        await peer.send("PA", data[:100], seq=peer.seq - 200)
        await peer.expect("A")
        await wire.cycles(400)
        assert wire.payload[session] == data and wire.drops == 0


@kept(__file__)
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_reorder_stamps(test):
    toe_bench(TIMESTAMPS_EN=1, RX_REORDERING_EN=1, INSTANT_ACK_EN=0).run(__name__, test)
