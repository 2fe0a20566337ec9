# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Configurations of macpcs that the tests build, each once: together they hold each parameter at each value."""

from pathlib import Path

from ullnic_tb import Bench, rtl

CONFIGS = {
    "plain": {},
    "registered": {
        "PCS_TX_LATENCY_MODE": 1,
        "MAC_TX_LATENCY_MODE": 1,
        "PCS_RX_LATENCY_MODE": 1,
        "MAC_RX_LATENCY_MODE": 1,
    },
    "strip": {"MAC_RX_CRC32_REMOVE": 1, "MAC_TX_CRC32_CORRUPTED_ON_ERROR": 0, "PCS_TX_LATENCY_MODE": 1},
    "verdict_at_once": {
        "MAC_RX_CRC32_LATENCY": 0,
        "MAC_TX_LATENCY_MODE": 1,
        "PCS_RX_LATENCY_MODE": 1,
        "MAC_RX_MIN_PKT_LENGTH": 65,
        "MAC_RX_MAX_PKT_LENGTH": 1518,
    },
    "strip_registered": {
        "MAC_RX_CRC32_REMOVE": 1,
        "MAC_RX_CRC32_LATENCY": 0,
        "PCS_RX_LATENCY_MODE": 1,
        "MAC_RX_LATENCY_MODE": 1,
        "MAC_RX_MIN_PKT_LENGTH": 62,
        "MAC_RX_MAX_PKT_LENGTH": 1523,
    },
}


def macpcs(config: str) -> Bench:
    sources = [*rtl("common", "macpcs"), Path(__file__).resolve().parent / "macpcs_bench.sv"]
    return Bench("macpcs_bench", sources, CONFIGS[config])
