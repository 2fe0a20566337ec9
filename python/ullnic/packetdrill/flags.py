# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The engine's settings as `--flags` and a script name them, so that a wrong one is refused before a build."""

import ipaddress

import click

# The greatest value of each; the library itself reads them (sim/src/packetdrill/flags.cc).
NUMBERS = dict.fromkeys(
    ("rto_initial", "rto_min", "rto_max", "time_wait", "delayed_ack", "keepalive", "limit_s"), 0xFFFF
)
NUMBERS |= {"syn_retries": 15, "retries": 15, "secret": 0xFFFF_FFFF, "settle_cycles": 0xFFFF_FFFF}
ADDRESS, FILE = "ip", "pcapng"
ENGINE, ENGINES = "engine", ("full", "small")
NAMES = (*NUMBERS, ADDRESS, FILE, ENGINE)


def check_flags(text: str) -> None:
    """Raises ValueError."""
    for each in text.split(",") if text else ():
        name, equals, value = each.partition("=")
        if not equals or name not in NAMES:
            raise ValueError(f"'{each}' is no flag: write NAME=VALUE,...; there are {', '.join(NAMES)}")
        if name in NUMBERS and not (value.isascii() and value.isdecimal() and int(value) <= NUMBERS[name]):
            raise ValueError(f"'{each}': no number from 0 to {NUMBERS[name]}")
        if name == ENGINE and value not in ENGINES:
            raise ValueError(f"'{each}': write {ENGINE}={f' or {ENGINE}='.join(ENGINES)}")
        if name == ADDRESS:
            ipaddress.IPv4Address(value)


class EngineFlags(click.ParamType):
    name = "flags"

    def convert(self, value, param, ctx):
        try:
            check_flags(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return value
