# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Legal generics of macpcs, drawn at random for the soak: configurations besides the reported ones.

cores/macpcs/rtl/macpcs.sv and macpcs_tx_fifo.sv check the same rules.
"""

import hashlib
import json
import random
from dataclasses import dataclass
from pathlib import Path

from ullnic.configs import own_khz, transceivers
from ullnic.errors import UllnicError

DEFAULTS = {
    "PMA_DATA_WIDTH": 32,
    "MAC_TX_DATA_WIDTH": 32,
    "MAC_RX_DATA_WIDTH": 32,
    "DUAL_CLOCK_FIFO_TX_DEPTH": 16,
    "DUAL_CLOCK_FIFO_RX_DEPTH": 16,
    "MAC_RX_MIN_PKT_LENGTH": 64,
    "MAC_RX_CHECK_SFD": 1,
    "MAC_TX_CRC32_ADD": 1,
    "MAC_TX_CRC32_CORRUPTED_ON_ERROR": 1,
    "MAC_TX_PADDING_SIZE": 64,
    "MAC_TX_IFG_COUNT": 12,
    "MAC_RX_CRC32_LATENCY": None,  # it depends on the width, so it is always set
}  # 0 the others
LEAST_USER_KHZ = {32: 312_500, 16: 625_000}  # carries 10G
MOST_USER_KHZ = {32: 450_000, 16: 900_000}
DEPTHS = (8, 16, 32, 64)


@dataclass(frozen=True)
class RandomConfig:
    """Stands in for configs.Config, as far as build and soak need it."""

    tx_user_clock: str
    rx_user_clock: str
    generics: tuple[tuple[str, int], ...]

    @property
    def name(self) -> str:
        return "random_" + hashlib.sha256(self.text().encode()).hexdigest()[:8]

    @property
    def parameters(self) -> dict[str, int]:
        return dict(self.generics)

    @property
    def transceiver_ui(self) -> int:
        return transceivers()[self.parameters.get("PMA_DATA_WIDTH", DEFAULTS["PMA_DATA_WIDTH"])]

    def text(self) -> str:
        clocks = {"tx_user_clock": self.tx_user_clock, "rx_user_clock": self.rx_user_clock}
        return json.dumps(clocks | {"generics": self.parameters}, indent=1) + "\n"

    def write(self, directory: Path) -> Path:
        """Writes it to a file, from which `read` restores it."""
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / f"{self.name}.json"
        path.write_text(self.text())
        return path

    @staticmethod
    def read(path: Path) -> "RandomConfig":
        try:
            fields = json.loads(path.read_text())
            generics = tuple((str(name), int(value)) for name, value in fields["generics"].items())
            return RandomConfig(str(fields["tx_user_clock"]), str(fields["rx_user_clock"]), generics)
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise UllnicError(f"{path} holds no generics: {error}", "give a file that a soak has left") from error


def start_words(user_bits: int, pma_bits: int, user_khz: int) -> int:
    """Words of the user that a transmit FIFO holds back before a frame may start (macpcs_tx_fifo.sv)."""
    ratio = user_bits // pma_bits
    tx_khz = 322_266 * (32 // pma_bits)

    def needed(k: int) -> int:
        asked_for = 16 * (ratio * k + ratio * k // 32) - 1  # in sixteenths of a cycle
        return k + 1 - asked_for * user_khz * 9998 // (160_000 * tx_khz)

    stretch = 32 // ratio
    start = 1
    for k in (1, 2, 3, *range(stretch - 1, 9622 * 8 // user_bits + 1, stretch)):
        if k >= start:
            start = max(start, needed(k))
    return start


def draw(rng: random.Random) -> RandomConfig:
    generics: dict[str, int] = {}
    fcs = rng.choice(("added", "added", "replaced", "user's"))
    pma = generics["PMA_DATA_WIDTH"] = rng.choice((16, 32))
    clocks = {side: _draw_side(rng, side, pma, generics, fcs != "added") for side in ("TX", "RX")}
    for name in ("PCS_TX", "PCS_RX", "MAC_TX", "MAC_RX"):
        generics[f"{name}_LATENCY_MODE"] = rng.randrange(2)
    generics["MAC_RX_CRC32_LATENCY"] = rng.randrange(3)
    generics["MAC_RX_CRC32_REMOVE"] = rng.randrange(2)
    generics["MAC_RX_CRC32_DISABLE"] = int(rng.random() < 0.25)
    generics["MAC_RX_MIN_PKT_LENGTH"] = rng.choice((64, rng.randint(8, 128)))
    generics["MAC_RX_ERROR_DELAYED_ENABLE"] = rng.randrange(2)
    generics["MAC_RX_CHECK_PREAMBLE"] = rng.randrange(2)
    generics["MAC_RX_CHECK_SFD"] = rng.randrange(2)
    generics["MAC_RX_ADDRESS_FILTER_ENABLE"] = rng.randrange(2)
    generics["MAC_TX_CRC32_ADD"] = int(fcs != "replaced")
    generics["MAC_TX_CRC32_DISABLE"] = int(fcs == "user's")
    generics["MAC_TX_CRC32_CORRUPTED_ON_ERROR"] = rng.randrange(2)
    generics["MAC_TX_PADDING_SIZE"] = rng.choice((64, rng.randrange(16, 257, 4)))
    generics["MAC_TX_IFG_COUNT"] = rng.choice((12, rng.randint(13, 32), rng.randint(12, 255)))
    pause, loopback = rng.choice((0, rng.randint(1, 65_535))), rng.randrange(2)
    generics["MAC_TX_PAUSE_LENGTH"] = pause if fcs == "added" else 0
    # A loopback marks damage with a wrong FCS, so the receiver must check it and the transmitter be able to generate
    # it.
    marks = generics["MAC_TX_CRC32_CORRUPTED_ON_ERROR"] and not generics["MAC_RX_CRC32_DISABLE"]
    generics["USER_LOOPBACK_ENABLE"] = loopback if fcs == "added" and marks else 0
    # A loopback needs the early verdict.
    generics["MAC_RX_LATE_VERDICT_ENABLE"] = 0 if generics["USER_LOOPBACK_ENABLE"] else rng.randrange(2)
    generics["PMA_LOOPBACK_ENABLE"] = rng.randrange(2)
    chosen = (item for item in generics.items() if item[1] != DEFAULTS.get(item[0], 0))
    return RandomConfig(clocks["TX"], clocks["RX"], tuple(chosen))


def _draw_side(rng: random.Random, side: str, pma: int, generics: dict[str, int], fcs_given: bool) -> str:
    """Width and crossing of one direction; returns its user's clock. fcs_given: the user provides the four bytes of
    FCS.
    """
    width = generics[f"MAC_{side}_DATA_WIDTH"] = rng.choice([bits for bits in (16, 32) if bits >= pma])
    half = "/2" if width != pma else ""
    if not rng.randrange(2):
        generics[f"SYNC_DUAL_CLOCK_{side}_ENABLE"] = int(bool(half))
        return side.lower() + half
    generics[f"DUAL_CLOCK_FIFO_{side}_ENABLE"] = 1
    least, most = LEAST_USER_KHZ[width], MOST_USER_KHZ[width]
    # As in the reported configurations, a user without an independent clock has the transmitter's.
    khz = rng.choice((None, least, rng.randint(least, least * 33 // 32), rng.randint(least, most)))
    clock = f"tx{half}" if khz is None else f"{khz}kHz"
    if own_khz(clock):
        generics[f"MAC_{side}_CLK_FREQ_KHZ"] = khz
    least_depth = 8
    if side == "TX":
        least_depth = start_words(width, pma, khz or 322_266 * (32 // width)) + 7
        if fcs_given:
            least_depth += 32 // width  # accepted before the frame can start
    generics[f"DUAL_CLOCK_FIFO_{side}_DEPTH"] = rng.choice([depth for depth in DEPTHS if depth >= least_depth])
    return clock
