# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The options of one run, as they travel from the command line into the namespaces."""

from dataclasses import dataclass

import click

from ullnic.configs import DEFAULT
from ullnic.run.options import Travelling

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True)
class Options(Travelling):
    bin_dir: str
    out_dir: str
    bulk_bytes: int = 16 << 20
    mtu_bytes: int = 1500
    port: str = "auto"
    far_end: str = "rtl"
    config: str = DEFAULT
    delay_ui: int = 0
    offset_bits: int = 0
    seed: int = 1
    fault_ab: str | None = None
    fault_ba: str | None = None
    snaplen_bytes: int | None = None
    capture: bool = True
    keep: bool = False
    json: bool = False
    user_namespace: bool = False
    command: str = "./ullnic run"

    @property
    def faults_wanted(self) -> bool:
        return bool(self.fault_ab or self.fault_ba)


class ByteSize(click.ParamType):
    """A number of bytes with an optional binary suffix: 65536, 512K, 16M, 1G."""

    name = "size"

    def convert(self, value, param, ctx):
        if isinstance(value, int):
            return value
        text = value.strip().upper().removesuffix("IB").removesuffix("B")
        number, unit = (text[:-1], text[-1]) if text[-1:] in UNITS and text else (text, "")
        try:
            size_bytes = int(float(number) * UNITS[unit])
        except (ValueError, OverflowError):
            self.fail(f"'{value}' is not a size; write for example 65536, 512K, 16M or 1G", param, ctx)
        if size_bytes < 2:
            self.fail(f"'{value}' is too small: at least one byte each way (2)", param, ctx)
        return size_bytes
