# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Which clock each port of a core belongs to, and how fast that clock must run; derived from the configuration."""

import re
from dataclasses import dataclass

from ullnic.configs import UI_PS, Config, own_khz
from ullnic.errors import UllnicError


@dataclass(frozen=True)
class Clock:
    name: str  # of the port
    mhz: float
    # Clocks of one group come from one source with aligned edges: paths between them are timed, with the period of the
    # faster one. Paths between groups are crossings and are not timed.
    group: str


@dataclass(frozen=True)
class PortRule:
    pattern: str  # matches a whole name
    clock: str  # "": constant, or may come from any clock
    line: bool = False  # a pin of the transceiver


@dataclass(frozen=True)
class Share:
    """What is mapped and timed in one netlist: all paths that end in registers of `captures`, and start in any clock of
    the group.
    """

    name: str
    group: str
    captures: tuple[str, ...]


@dataclass(frozen=True)
class Boundary:
    core: str
    clocks: tuple[Clock, ...]
    rules: tuple[PortRule, ...]
    # Groups in which each clock is mapped alone: in one netlist the mapper would slow down the fast clock to the slow
    # one's long paths.
    apart: tuple[str, ...] = ()

    def groups(self) -> list[str]:
        return list(dict.fromkeys(clock.group for clock in self.clocks))

    def clocks_of(self, group: str) -> tuple[str, ...]:
        return tuple(clock.name for clock in self.clocks if clock.group == group)

    def shares(self) -> list[Share]:
        found = []
        for group in self.groups():
            clocks = self.clocks_of(group)
            if group in self.apart:
                found += [Share(name, group, (name,)) for name in clocks]
            else:
                found.append(Share(group, group, clocks))
        return found

    def beside(self, share: Share) -> tuple[str, ...]:
        """The other clocks of the share's group."""
        return tuple(name for name in self.clocks_of(share.group) if name not in share.captures)

    def clock(self, name: str) -> Clock:
        return next(clock for clock in self.clocks if clock.name == name)

    def rule(self, port: str) -> PortRule:
        for rule in self.rules:
            if re.fullmatch(rule.pattern, port):
                return rule
        raise UllnicError(
            f"{self.core}: it is not known which clock the port '{port}' belongs to",
            "add it to the rules in python/ullnic/synth/domains.py",
        )


def macpcs_boundary(config: Config) -> Boundary:
    line_mhz = float(10**6 / (config.pma_bits * UI_PS))

    def user_clock(port: str, side: str, source: str) -> Clock:
        """The clock that the user's stream of a side belongs to; `source` as in Config.*_user_clock."""
        if source == side:
            return Clock(f"{side}_clk", line_mhz, side)
        khz = own_khz(source)
        mhz = khz / 1000 if khz else line_mhz / (2 if source.endswith("/2") else 1)
        bridge = source == f"{side}/2"
        return Clock(port, mhz, side if bridge else port)

    tx_user = user_clock("s_axis_clk", "tx", config.tx_user_clock)
    # With the FIFO the port is a separate clock, whatever it is connected to outside.
    rx_source = config.rx_user_clock if config.rx_user_clock != "rx" or not config.rx_fifo else "fifo"
    rx_user = user_clock("m_axis_clk", "rx", rx_source)
    clocks = (Clock("tx_clk", line_mhz, "tx"), Clock("rx_clk", line_mhz, "rx"), tx_user, rx_user)
    rules = (
        PortRule("tx_clk|rx_clk|s_axis_clk|m_axis_clk", ""),
        PortRule("pma_tx_data", "tx_clk", line=True),
        PortRule("pma_rx_data", "rx_clk", line=True),
        PortRule("own_address|pma_loopback|user_loopback", ""),
        PortRule("s_axis_.*", tx_user.name),
        PortRule("m_axis_.*|rx_sof|rx_status_.*|rx_err_.*", rx_user.name),
        PortRule("(stat_)?tx_.*", "tx_clk"),
        PortRule("(stat_)?rx_.*", "rx_clk"),
    )
    return Boundary("macpcs", tuple(dict.fromkeys(clocks)), rules)


def ate_boundary(top: str) -> Boundary:
    """One clock, that of the MAC's transmit user: 32 bits at 10.3125 Gb/s."""
    clock = Clock("clk", float(10**6 / (32 * UI_PS)), "clk")
    rules = (PortRule("clk", ""), PortRule("pma_tx_data", "clk", line=True), PortRule(".*", "clk"))
    return Boundary(top, (clock,), rules)


def qdma_boundary(top: str) -> Boundary:
    """One clock, that of the PCIe block at 512 bits."""
    return Boundary(top, (Clock("clk", 250.0, "clk"),), (PortRule("clk", ""), PortRule(".*", "clk")))
