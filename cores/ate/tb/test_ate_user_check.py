# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Each rule of the user's port that is broken stops the simulation with a message that says which, and what to do."""

import os

import cocotb
import pytest

from ate_model import Connection
from ate_play import DUE, STAYS, Bed, Script, ate_bench, due_of
from ullnic_tb import Bench, Stepper, rtl, seeded

GAP = 70
# What the user does -> what is reported
LATE = {
    "conn": "payload_conn_id changed after the first cycle of tx_sof_net: hold it until tx_ack_net",
    "length": "payload_length changed in cycle [0-9]+: it is due in cycle 5 and stays until tx_ack_net",
    "csum": "payload_csum changed in cycle [0-9]+: it is due in cycle 12 and stays until tx_ack_net",
    "new_frame": "tx_sof_net came before tx_eof_net of the frame before it was taken",
}
GIVEN = {  # to a MAC that amends nothing
    "conn": "payload_conn_id came with tx_sof_net: it is due one cycle before",
    "length": "payload_length changed in cycle [0-9]+: it is due in cycle 4 and stays until tx_ack_net",
    "csum": "payload_csum changed in cycle [0-9]+: it is due in cycle 11 and stays until tx_ack_net",
}

LATE_16 = {
    "length_16": "payload_length changed in cycle [0-9]+: it is due in cycle 2 and stays until tx_ack_net",
    "csum_16": "payload_csum changed in cycle [0-9]+: it is due in cycle 8 and stays until tx_ack_net",
    "no_frame_16": "tx_start without tx_sof_net in the next cycle of clk",
}


async def play(dut, make) -> None:
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    await bed.open(3, Connection.random(rng))
    await bed.open(2, Connection.random(rng))
    script = Script()
    make(script)
    await bed.play(script)


def late(name: str):
    """More than once, because a MAC that is late itself forgives it."""
    return lambda script: [
        script.payload(3, b"late", GAP + i, **{name: DUE[name] + (-1 if name == "conn" else 1)}) for i in range(8)
    ]


def late_16(name: str):
    """Behind tx_start in either half."""
    return lambda script: [
        script.payload(3, b"late", GAP + i, start=1 + i % 2, **{name: due_of(1 + i % 2)[name] + 1}) for i in range(8)
    ]


def unfinished(script) -> None:
    script.words(b"no end", GAP, conn=3, length=6, late=STAYS << 12 | 0xB41, eof=False)
    script.payload(3, b"next")


@cocotb.test()
async def conn(dut):
    await play(dut, late("conn"))


@cocotb.test()
async def length(dut):
    await play(dut, late("length"))


@cocotb.test()
async def csum(dut):
    await play(dut, late("csum"))


@cocotb.test()
async def new_frame(dut):
    await play(dut, unfinished)


@cocotb.test()
async def length_16(dut):
    await play(dut, late_16("length"))


@cocotb.test()
async def csum_16(dut):
    await play(dut, late_16("csum"))


@cocotb.test()
async def no_frame_16(dut):
    bed = await Bed(dut).reset()
    await bed.open(3, Connection.random(seeded(os.environ["ULLNIC_TEST_NAME"])))
    await bed.start(3, 20, 1)


async def straight(dut, *cycles: dict) -> None:
    """The checker alone: the ports in each cycle, those that are not named as before."""
    s = Stepper(dut, [])
    names = ("sof", "eof", "len", "raw", "data", "conn", "length", "csum", "ack", "started", "stray")
    await s.reset(**dict.fromkeys(names, 0))
    for inputs in cycles:
        await s.step(**inputs)
    await s.step(sof=0)


@cocotb.test()
async def fell(dut):
    await straight(dut, {"sof": 1}, {"sof": 1}, {"sof": 0})


@cocotb.test()
async def word(dut):
    await straight(dut, {"sof": 1, "data": 1}, {"sof": 1, "data": 2})


@cocotb.test()
async def conn_later(dut):
    await straight(dut, {"conn": 5}, {"sof": 1}, {"conn": 6})


@cocotb.test()
async def all_right(dut):
    """Length and checksum when they are due, then two frames that touch."""
    frame = [{"conn": 5}, {"sof": 1, "started": 1}, {"started": 0}, *[{}] * 2, {"length": 8}, *[{}] * 6, {"csum": 1}]
    end = [{"ack": 1}, {"sof": 0, "data": 3, "eof": 1, "length": 1, "conn": 7, "csum": 9}, {"ack": 0, "eof": 0}]
    await straight(dut, *frame, *end, *frame, *end, {"sof": 0})


@cocotb.test()
async def reset_and_all_right(dut):
    """After a reset in any cycle of a frame the next one's metadata may come as late as ever, and it is a new frame."""
    before = [{"conn": 5}, {"sof": 1, "started": 1}, {"started": 0}, *[{}] * 9, {"ack": 1}, {"sof": 0, "ack": 0}, {}]
    reset = [{"rst": 1, "sof": 0, "started": 0, "ack": 0, "conn": 5}, {"rst": 0}]
    late = [{"sof": 1}, {"length": 7, "csum": 7}, {"length": 8, "csum": 1}, {"length": 9, "csum": 2}]
    # From then on they stay, as the frame begins.
    frame = [
        *late,
        {"started": 1},
        {"started": 0},
        *[{}] * 11,
        {"ack": 1, "eof": 0},
        {"sof": 0, "eof": 1},
        {"ack": 0, "eof": 0},
    ]
    cycles = [each for n in range(2, len(before)) for each in (*before[:n], *reset, *frame)]
    await straight(dut, *cycles)


ALONE = {
    "fell": "tx_sof_net fell before tx_ack_net: hold the first word until it is taken",
    "word": "tx_eof_net, tx_len_net, tx_raw_net or tx_data_net changed before tx_ack_net",
    "conn_later": "payload_conn_id changed after the first cycle of tx_sof_net: hold it until tx_ack_net",
}


@pytest.mark.parametrize("test", LATE)
def test_ate_user_check(test):
    with pytest.raises(pytest.fail.Exception, match=f"ate: {LATE[test]}"):
        ate_bench().run("test_ate_user_check", test)


@pytest.mark.parametrize("test", GIVEN)
def test_ate_user_check_given(test):
    with pytest.raises(pytest.fail.Exception, match=f"ate: {GIVEN[test]}"):
        ate_bench(AMEND=0).run("test_ate_user_check", test)


@pytest.mark.parametrize("test", LATE_16)
def test_ate_user_check_16(test):
    with pytest.raises(pytest.fail.Exception, match=f"ate: {LATE_16[test]}"):
        ate_bench(PMA_DATA_WIDTH=16).run("test_ate_user_check", test)


def checker() -> Bench:
    return Bench("ate_user_check", [path for path in rtl("ate") if path.stem == "ate_user_check"])


@pytest.mark.parametrize("test", ALONE)
def test_ate_user_check_alone(test):
    with pytest.raises(pytest.fail.Exception, match=f"ate: {ALONE[test]}"):
        checker().run("test_ate_user_check", test)


@pytest.mark.parametrize("test", ("all_right", "reset_and_all_right"))
def test_ate_user_check_all_right(test):
    checker().run("test_ate_user_check", test)
