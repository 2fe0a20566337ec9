# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Sets of parameters for the tests, each built once: together they cover each parameter at each value. Those of the
configurations are in ../configs.toml.
"""

from pathlib import Path

from ullnic_tb import Bench, configurations, rtl

NARROW = {"PMA_DATA_WIDTH": 16}  # macpcs_bench uses the same width for the user's words
RUN = {name: row for name, row in configurations("macpcs").items() if row.get("run")}
USER_CLOCKS = {"own": 0, "tx": 1, "tx/2": 2, "rx/2": 3}  # S and M of macpcs_cross_bench
# Those whose user has another clock than the transceiver.
CROSSINGS = {
    name: {"S": USER_CLOCKS[row["tx_user_clock"]], "M": USER_CLOCKS[row["rx_user_clock"]]} | row["parameters"]
    for name, row in RUN.items()
    if (row["tx_user_clock"], row["rx_user_clock"]) != ("tx", "rx")
}
# There the last word waits for the late verdict; only the tests that name them build these.
LATE_CROSSINGS = {name: {**generics, "MAC_RX_LATE_VERDICT_ENABLE": 1} for name, generics in CROSSINGS.items()}
CONFIGS = {
    "plain": {},
    "registered": {
        "PCS_TX_LATENCY_MODE": 1,
        "MAC_TX_LATENCY_MODE": 1,
        "PCS_RX_LATENCY_MODE": 1,
        "MAC_RX_LATENCY_MODE": 1,
        "MAC_RX_CHECK_PREAMBLE": 1,
    },
    "strip": {
        "MAC_RX_CRC32_REMOVE": 1,
        "MAC_RX_CRC32_LATENCY": 2,
        "MAC_TX_CRC32_CORRUPTED_ON_ERROR": 0,
        "PCS_TX_LATENCY_MODE": 1,
    },
    "verdict_at_once": {
        "MAC_RX_CRC32_LATENCY": 0,
        "MAC_TX_LATENCY_MODE": 1,
        "PCS_RX_LATENCY_MODE": 1,
        "MAC_RX_MIN_PKT_LENGTH": 65,
        "MAC_RX_MAX_PKT_LENGTH": 1518,
        "MAC_RX_CHECK_SFD": 0,
    },
    "strip_registered": {
        "MAC_RX_CRC32_REMOVE": 1,
        "MAC_RX_CRC32_LATENCY": 0,
        "PCS_RX_LATENCY_MODE": 1,
        "MAC_RX_LATENCY_MODE": 1,
        "MAC_RX_MIN_PKT_LENGTH": 62,
        "MAC_RX_MAX_PKT_LENGTH": 1523,
    },
    "verdict_late": {"MAC_RX_CRC32_LATENCY": 2, "MAC_RX_MIN_PKT_LENGTH": 63, "MAC_RX_MAX_PKT_LENGTH": 1520},
    "narrow": NARROW | {"PCS_RX_LATENCY_MODE": 1},
    "narrow_registered": NARROW
    | {
        "PCS_TX_LATENCY_MODE": 1,
        "MAC_TX_LATENCY_MODE": 1,
        "MAC_RX_LATENCY_MODE": 1,
        "MAC_RX_CRC32_LATENCY": 1,
        "MAC_RX_MIN_PKT_LENGTH": 65,
        "MAC_RX_MAX_PKT_LENGTH": 1519,
        "MAC_RX_CHECK_PREAMBLE": 1,
    },
    "narrow_strip": NARROW
    | {
        "MAC_RX_CRC32_LATENCY": 0,
        "MAC_RX_CRC32_REMOVE": 1,
        "MAC_RX_MIN_PKT_LENGTH": 63,
        "MAC_TX_CRC32_CORRUPTED_ON_ERROR": 0,
        "MAC_RX_CHECK_PREAMBLE": 1,
        "MAC_RX_CHECK_SFD": 0,
    },
}
# For the transmitter alone: the user's frames end with the FCS, or with room for it.
TX_CONFIGS = {
    "own_fcs": {"MAC_TX_CRC32_DISABLE": 1, "MAC_TX_PADDING_SIZE": 16},
    "replace_fcs": {
        "MAC_TX_CRC32_ADD": 0,
        "MAC_TX_PADDING_SIZE": 256,
        "MAC_TX_IFG_COUNT": 15,
        "MAC_TX_LATENCY_MODE": 1,
    },
    "narrow_own_fcs": NARROW | {"MAC_TX_CRC32_DISABLE": 1, "MAC_TX_PADDING_SIZE": 20, "MAC_TX_LATENCY_MODE": 1},
    "narrow_replace_fcs": NARROW | {"MAC_TX_CRC32_ADD": 0, "MAC_TX_PADDING_SIZE": 68, "MAC_TX_IFG_COUNT": 22},
}
AMEND_CONFIGS = {
    "amend": {"MAC_TX_AMEND_ENABLE": 1},
    "amend_registered": {
        "MAC_TX_AMEND_ENABLE": 1,
        "MAC_TX_LATENCY_MODE": 1,
        "PCS_TX_LATENCY_MODE": 1,
        "MAC_TX_PADDING_SIZE": 16,
    },
}
# For the receiver alone; only the tests that name them build these.
RX_OPTIONS = {
    "unchecked": {"MAC_RX_CRC32_DISABLE": 1, "MAC_RX_MAX_PKT_LENGTH": 127},
    "delayed": {"MAC_RX_ERROR_DELAYED_ENABLE": 1, "MAC_RX_MAX_PKT_LENGTH": 1518},
    "late": {"MAC_RX_LATE_VERDICT_ENABLE": 1, "MAC_RX_CRC32_LATENCY": 0},
    "late_strip": {"MAC_RX_LATE_VERDICT_ENABLE": 1, "MAC_RX_CRC32_REMOVE": 1, "MAC_RX_ERROR_DELAYED_ENABLE": 1},
    "narrow_late": NARROW | {"MAC_RX_LATE_VERDICT_ENABLE": 1, "MAC_RX_LATENCY_MODE": 1},
    "narrow_delayed": NARROW
    | {"MAC_RX_ERROR_DELAYED_ENABLE": 1, "MAC_RX_CRC32_DISABLE": 1, "MAC_RX_MAX_PKT_LENGTH": 1521},
}


def macpcs(config: str) -> Bench:
    sources = [*rtl("common", "macpcs"), Path(__file__).resolve().parent / "macpcs_bench.sv"]
    parameters = (CONFIGS | TX_CONFIGS | AMEND_CONFIGS | RX_OPTIONS)[config]
    return Bench("macpcs_bench", sources, parameters, optimized=True)


def is_main(config: str) -> bool:
    """Whether every run tries it (ullnic_tb.main_and_kept)."""
    return config == "plain"


def crossing(config: str, late: bool = False) -> Bench:
    sources = [*rtl("common", "macpcs"), Path(__file__).resolve().parent / "macpcs_cross_bench.sv"]
    return Bench("macpcs_cross_bench", sources, (LATE_CROSSINGS if late else CROSSINGS)[config])
