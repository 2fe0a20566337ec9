# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The packed structs of toe_pkg, as the package declares them; some with the fields of their tuple in its place."""

from collections.abc import Iterable
from pathlib import Path

from ullnic_tb.structs import pack, structs

STRUCTS = structs(Path(__file__).resolve().parents[1] / "rtl" / "toe_pkg.sv")
IFACE, TUPLE, RX = (STRUCTS[name] for name in ("iface_t", "tuple_t", "rx_t"))
SEGMENT, REQUEST, ORDER = (STRUCTS[name] for name in ("segment_t", "request_t", "order_t"))
SETTINGS, POLICY, STAMP_WR = (STRUCTS[name] for name in ("settings_t", "policy_t", "stamp_wr_t"))


def flat(fields: dict[str, int]) -> dict[str, int]:
    found = {}
    for name, bits in fields.items():
        found |= TUPLE if name == "tuple" else {name: bits}
    return found


FLAT_SEGMENT, FLAT_ORDER = flat(SEGMENT), flat(ORDER)


def interfaces_number(numbers: Iterable[int]) -> int:
    """An array of iface_t, the first in the lowest bits."""
    return sum(number << sum(IFACE.values()) * i for i, number in enumerate(numbers))


def interface_number(**values: int) -> int:
    return pack(IFACE, values)
