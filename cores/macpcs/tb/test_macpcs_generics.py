# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Generics of macpcs: what is not legal stops the elaboration and names the rule, what is legal elaborates."""

import itertools
import shutil
import subprocess
from collections.abc import Iterable

import pytest

from macpcs_configs import RUN
from ullnic_tb import deep, rtl

WIDTHS = ("PMA_DATA_WIDTH", "MAC_TX_DATA_WIDTH", "MAC_RX_DATA_WIDTH")
BRIDGE = {"tx": "SYNC_DUAL_CLOCK_TX_ENABLE", "rx": "SYNC_DUAL_CLOCK_RX_ENABLE"}
FIFO = {"tx": "DUAL_CLOCK_FIFO_TX_ENABLE", "rx": "DUAL_CLOCK_FIFO_RX_ENABLE"}


def widths(pma: int, tx: int, rx: int, **others) -> dict:
    return dict(zip(WIDTHS, (pma, tx, rx), strict=True)) | others


def elaborate(generics: dict) -> tuple[int, str]:
    verilator = shutil.which("verilator")
    if not verilator:
        pytest.fail("no verilator on PATH: run the tests with ./ullnic test, which sets it up", pytrace=False)
    options = [f"-G{name}={value}" for name, value in generics.items()]
    command = [verilator, "--lint-only", "-Wno-lint", "-Wno-style", "--top-module", "macpcs", *options]
    run = subprocess.run([*command, *map(str, rtl("common", "macpcs"))], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


LEGAL = {name: row["parameters"] for name, row in RUN.items()} | {
    "txrxfifo_pma16_mac32": widths(16, 32, 32, **{FIFO["tx"]: 1, FIFO["rx"]: 1}),
    "txrxfifo_pma16_mac16": widths(16, 16, 16, **{FIFO["tx"]: 1, FIFO["rx"]: 1}),
    "mixed_pma16": widths(16, 32, 16, **{FIFO["tx"]: 1}),
    "just_10g": widths(32, 32, 32, **{FIFO["rx"]: 1}, MAC_RX_CLK_FREQ_KHZ=312_500),
    "all_modes": dict.fromkeys([f"{name}_LATENCY_MODE" for name in ("PCS_TX", "PCS_RX", "MAC_TX", "MAC_RX")], 1),
    "pause_1": {"MAC_TX_PAUSE_LENGTH": 1},
    "amend": {"MAC_TX_AMEND_ENABLE": 1, "MAC_TX_LATENCY_MODE": 1, "MAC_TX_PAUSE_LENGTH": 1},
    "pause_65535": widths(16, 16, 16, MAC_TX_PAUSE_LENGTH=65_535),
    "unchecked": {"MAC_RX_CRC32_DISABLE": 1},
    "min_8": {"MAC_RX_MIN_PKT_LENGTH": 8},
    "min_65535": {"MAC_RX_MIN_PKT_LENGTH": 65_535},
    **{
        f"tx_fcs_{name}_pma{pma}": widths(pma, pma, pma, **generics)
        for (name, generics), pma in itertools.product(
            {"own": {"MAC_TX_CRC32_DISABLE": 1}, "replaced": {"MAC_TX_CRC32_ADD": 0}}.items(), (16, 32)
        )
    },
    **{
        f"padding{padding}_gap{gap}_pma{pma}": widths(pma, pma, pma, MAC_TX_PADDING_SIZE=padding, MAC_TX_IFG_COUNT=gap)
        for (padding, gap), pma in itertools.product(((16, 12), (60, 13), (256, 255)), (16, 32))
    },
    **{
        f"rx_extras_pma{pma}_crc{latency}": widths(
            pma,
            pma,
            pma,
            MAC_RX_CRC32_LATENCY=latency,
            MAC_RX_CRC32_REMOVE=latency // 2,
            MAC_RX_ERROR_DELAYED_ENABLE=1,
            MAC_RX_ADDRESS_FILTER_ENABLE=1,
            PMA_LOOPBACK_ENABLE=1,
            USER_LOOPBACK_ENABLE=1,
        )
        for latency, pma in itertools.product((0, 1, 2), (16, 32))
    },
    **{
        f"crc{latency}_strip{strip}_pma{pma}": widths(
            pma, pma, pma, MAC_RX_CRC32_LATENCY=latency, MAC_RX_CRC32_REMOVE=strip
        )
        for latency, strip, pma in itertools.product((0, 1, 2), (0, 1), (16, 32))
    },
}

LATE_LOOPBACK = "USER_LOOPBACK_ENABLE needs the early verdict"
WRONG_WIDTH = "must be 16 or 32"
NARROW = "must not be narrower than the transceiver"
BOTH = "not both"
NEEDLESS = "needs 32-bit user words and PMA_DATA_WIDTH 16"
NO_CROSSING = "different word widths need"
SLOW = "does not carry 10 Gb/s"
MODE = "LATENCY_MODE must be 0 or 1"
CRC = "MAC_RX_CRC32_LATENCY must be 0, 1 or 2"
LENGTH = "MAC_RX_MIN_PKT_LENGTH must be 8 to 65535"
PADDING = "MAC_TX_PADDING_SIZE must be 16 to 256 and a multiple of 4"
GAP = "MAC_TX_IFG_COUNT must be 12"
NO_FCS = "MAC_TX_CRC32_ADD = 0 has the FCS calculated"
NEEDS_FCS = "need the FCS added to frames"
NEEDS_CHECK = "so the old one must be checked"
PAUSE = "MAC_TX_PAUSE_LENGTH must be 0 to 65535"
DEPTH = "power of two"
AMEND = "MAC_TX_AMEND_ENABLE needs PMA_DATA_WIDTH 32, no FIFO and the FCS added to frames"
ILLEGAL = {
    "late_loopback": ({"MAC_RX_LATE_VERDICT_ENABLE": 1, "USER_LOOPBACK_ENABLE": 1}, LATE_LOOPBACK),
    "amend_pma16": (widths(16, 16, 16, MAC_TX_AMEND_ENABLE=1), AMEND),
    "amend_fifo": ({FIFO["tx"]: 1, "MAC_TX_AMEND_ENABLE": 1}, AMEND),
    "amend_own_fcs": ({"MAC_TX_CRC32_DISABLE": 1, "MAC_TX_AMEND_ENABLE": 1}, AMEND),
    "amend_replace_fcs": ({"MAC_TX_CRC32_ADD": 0, "MAC_TX_AMEND_ENABLE": 1}, AMEND),
    "pma8": (widths(8, 16, 16), WRONG_WIDTH),
    "pma64": (widths(64, 64, 64), WRONG_WIDTH),
    "tx24": (widths(16, 24, 16), WRONG_WIDTH),
    "rx64": (widths(32, 32, 64), WRONG_WIDTH),
    "pma32_tx16": (widths(32, 16, 32), NARROW),
    "pma32_rx16": (widths(32, 32, 16), NARROW),
    "pma32_tx16_fifo": (widths(32, 16, 32, **{FIFO["tx"]: 1}, MAC_TX_CLK_FREQ_KHZ=644_532), NARROW),
    "pma32_rx16_fifo": (widths(32, 32, 16, **{FIFO["rx"]: 1}, MAC_RX_CLK_FREQ_KHZ=644_532), NARROW),
    "both_tx": (widths(16, 32, 16, **{FIFO["tx"]: 1, BRIDGE["tx"]: 1}), BOTH),
    "both_rx": (widths(16, 16, 32, **{FIFO["rx"]: 1, BRIDGE["rx"]: 1}), BOTH),
    "bridge_tx_pma32": (widths(32, 32, 32, **{BRIDGE["tx"]: 1}), NEEDLESS),
    "bridge_rx_pma32": (widths(32, 32, 32, **{BRIDGE["rx"]: 1}), NEEDLESS),
    "bridge_tx_mac16": (widths(16, 16, 16, **{BRIDGE["tx"]: 1}), NEEDLESS),
    "bridge_rx_mac16": (widths(16, 16, 16, **{BRIDGE["rx"]: 1}), NEEDLESS),
    "no_crossing_tx": (widths(16, 32, 16), NO_CROSSING),
    "no_crossing_rx": (widths(16, 16, 32), NO_CROSSING),
    "crossing_of_the_other_side": (widths(16, 32, 16, **{FIFO["rx"]: 1}), NO_CROSSING),
    "slow_tx": (widths(32, 32, 32, **{FIFO["tx"]: 1}, MAC_TX_CLK_FREQ_KHZ=312_499), SLOW),
    "slow_rx": (widths(16, 16, 16, **{FIFO["rx"]: 1}, MAC_RX_CLK_FREQ_KHZ=624_999), SLOW),
    **{
        f"{name.lower()}_{value}": ({f"{name}_LATENCY_MODE": value}, MODE)
        for name in ("PCS_TX", "PCS_RX", "MAC_TX", "MAC_RX")
        for value in (-1, 2)
    },
    "crc_3": ({"MAC_RX_CRC32_LATENCY": 3}, CRC),
    "crc_-1": ({"MAC_RX_CRC32_LATENCY": -1}, CRC),
    "min_7": ({"MAC_RX_MIN_PKT_LENGTH": 7}, LENGTH),
    "min_65536": ({"MAC_RX_MIN_PKT_LENGTH": 65_536}, LENGTH),
    **{f"padding_{size}": ({"MAC_TX_PADDING_SIZE": size}, PADDING) for size in (0, 12, 62, 65, 260)},
    **{f"gap_{count}": ({"MAC_TX_IFG_COUNT": count}, GAP) for count in (0, 11, 256)},
    "loopback_unchecked": ({"USER_LOOPBACK_ENABLE": 1, "MAC_RX_CRC32_DISABLE": 1}, NEEDS_CHECK),
    "loopback_mends": ({"USER_LOOPBACK_ENABLE": 1, "MAC_TX_CRC32_CORRUPTED_ON_ERROR": 0}, NEEDS_CHECK),
    "no_fcs_to_add": ({"MAC_TX_CRC32_DISABLE": 1, "MAC_TX_CRC32_ADD": 0}, NO_FCS),
    **{
        f"{name.lower()}_{fcs}": ({name: 1, f"MAC_TX_CRC32_{fcs.upper()}": int(fcs == "disable")}, NEEDS_FCS)
        for name, fcs in itertools.product(("MAC_TX_PAUSE_LENGTH", "USER_LOOPBACK_ENABLE"), ("disable", "add"))
    },
    "pause_-1": ({"MAC_TX_PAUSE_LENGTH": -1}, PAUSE),
    "pause_65536": ({"MAC_TX_PAUSE_LENGTH": 65_536}, PAUSE),
    "tx_depth_24": (widths(32, 32, 32, **{FIFO["tx"]: 1}, DUAL_CLOCK_FIFO_TX_DEPTH=24), DEPTH),
    "rx_depth_24": (widths(32, 32, 32, **{FIFO["rx"]: 1}, DUAL_CLOCK_FIFO_RX_DEPTH=24), DEPTH),
}


DEEP = deep(__file__, "cores/macpcs/rtl", "cores/common/rtl")
LIVE = 20  # one of so many is elaborated in every run


def some_deep(names: Iterable[str]) -> list:
    return [pytest.param(name, marks=[DEEP] * (number % LIVE != 0)) for number, name in enumerate(names)]


@pytest.mark.parametrize("name", some_deep(LEGAL))
def test_legal(name):
    code, output = elaborate(LEGAL[name])
    assert code == 0 and "%Error" not in output, output


@pytest.mark.parametrize("name", some_deep(ILLEGAL))
def test_illegal(name):
    generics, message = ILLEGAL[name]
    code, output = elaborate(generics)
    assert code != 0, "it was accepted"
    assert any("USERERROR" in line and message in line for line in output.splitlines()), output[-3000:]
