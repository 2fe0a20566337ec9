# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What a configuration's latency may be: the tables [CONFIGURATION] in cores/macpcs/budget.toml.

[nofifo_pma32_mac32]
sop_to_sop_wire_offset0_cycles = [3, 5]   # minimum, maximum
sop_to_sop_ns = [34.13, 40.34]
"""

from collections.abc import Iterable

from ullnic.budget import Limit
from ullnic.errors import UllnicError
from ullnic.measure.records import Record

SUFFIX = {"cycle": "cycles", "ns": "ns"}
ENDS = ("min", "max")


def limits(records: Iterable[Record], budget: dict, committed: dict) -> list[Limit]:
    """Of every record that the budget has a limit for; an error if a configuration has none at all."""
    found = []
    for record in records:
        if record.config not in budget:
            raise UllnicError(
                f"budget.toml of {record.core} has no table [{record.config}]",
                f"put in what holds now: {key(record)} = [{record.min:g}, {record.max:g}], and the like",
            )
        limit = budget[record.config].get(key(record))
        if limit is not None:
            before = committed.get(record.config, {}).get(key(record), (None, None))
            for end, most, was in zip(ENDS, limit, before, strict=True):
                found.append(Limit(record.config, f"{key(record)} {end}", getattr(record, end), most, was))
    return found


def key(record: Record) -> str:
    return f"{record.metric}_{SUFFIX[record.unit]}"
