# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The cards as they are synthesised: user logic alone, the whole card of two ports, and the toe card without a host.

The whole card has the complete path from tick to trade: transceiver, receiver, match, order, engine, transmitter,
transceiver.

A card with user logic is loop-timed: all transmitters and the receiver of one port have one clock. The trigger card
with a crossing is the exception: there each of them has its own clock.
"""

from dataclasses import dataclass

from ullnic.cards import CARDS, FOLDERS, Card
from ullnic.configs import UI_PS
from ullnic.paths import ROOT
from ullnic.sources import listed_files
from ullnic.synth.domains import Boundary, Clock, PortRule
from ullnic.synth.mapping import Design

HOST_MHZ = 250.0
ALIGNED = "tx"  # the group of the transmit clock and of its derived clocks
TOE = FOLDERS["toe"]


@dataclass(frozen=True)
class CardConfig:
    card: Card
    whole: bool  # or its user logic, of one pair of ports, alone

    @property
    def name(self) -> str:
        crossing = "_crossing" if self.card.crossing else ""
        return f"{self.card.kind}_{'card' if self.whole else 'logic'}_pma{self.card.pma_bits}{crossing}"

    @property
    def label(self) -> str:
        crossing = ", crossing" if self.card.crossing else ""
        return f"{'card of 2 ports' if self.whole else 'user logic'}, {self.card.pma_bits}-bit transceiver{crossing}"


CONFIGS = {
    each.name: each
    for each in (CardConfig(card, whole) for card in CARDS for whole in (False, True) if whole or not card.crossing)
    if FOLDERS[each.card.kind].synth
}

# The toe card of one port, 32 bits: its non-default parameters. The second one is that of the simulation.
TOE_CARD = TOE.mapped


def names(kind: str) -> tuple[str, ...]:
    return tuple(name for name, each in CONFIGS.items() if each.card.kind == kind)


def label(name: str) -> str:
    return CONFIGS[name].label


def design(name: str) -> Design:
    config = CONFIGS[name]
    kind, parameters = config.card.kind, (("PMA_DATA_WIDTH", config.card.pma_bits),)
    files = tuple(listed_files(ROOT / config.card.file_list, ROOT))
    if not config.whole:
        top = FOLDERS[kind].synth.logic
        return Design(name, top, files, parameters, logic_boundary(top, config.card))
    top = f"{config.card.top}_crossing_clocks" if config.card.crossing else f"{config.card.top}_clocks"
    files = (*files, ROOT / f"cards/{kind}/synth/{top}.sv")
    return Design(name, top, files, parameters, card_boundary(top, config.card))


def transmit_clocks(bits: int) -> tuple[Clock, ...]:
    """The transceiver's transmit clock and, at 16 bits, half of it."""
    line_mhz = float(10**6 / (bits * UI_PS))
    half = (Clock("tx_user_clk", line_mhz / 2, ALIGNED),) if bits == 16 else ()
    return (Clock("tx_clk", line_mhz, ALIGNED), *half)


def card_boundary(top: str, card: Card) -> Boundary:
    """The boundary of KIND_card_clocks: the timing port's receiver is on tx_clk or, with a crossing, market_clk, the
    other on rx_clk.
    """
    transmit = transmit_clocks(card.pma_bits)
    market = (
        PortRule("market_clk", ""),
        PortRule("market_rst", "market_clk"),
        PortRule(f"pma_rx_data_{card.timing_port}", "market_clk", line=True),
    )
    rules = (
        *(market if card.crossing else ()),
        PortRule("(tx|tx_user|rx|host)_clk", ""),
        PortRule(f"pma_tx_data|pma_rx_data_{card.timing_port}", "tx_clk", line=True),
        PortRule("pma_rx_data_.", "rx_clk", line=True),
        PortRule("tx_rst", "tx_clk"),
        PortRule("tx_user_rst", transmit[-1].name),
        PortRule("rx_rst", "rx_clk"),
        PortRule("host_rst|s_axil_.*|s_h2c_.*|m_c2h_.*", "host_clk"),
    )
    others = (Clock("rx_clk", transmit[0].mhz, "rx"), Clock("host_clk", HOST_MHZ, "host"))
    if card.crossing:
        others = (Clock("market_clk", transmit[0].mhz, "market"), *others)
    return Boundary(top, (*transmit, *others), rules, (ALIGNED,))


def logic_boundary(top: str, card: Card) -> Boundary:
    """The boundary of the user logic, whose clocks are separate ports of one net: rx_clk is tx_clk, and with 32 bits so
    is tx_user_clk.
    """
    line, half = transmit_clocks(card.pma_bits)[0], transmit_clocks(card.pma_bits)[-1]
    clocks = (line, Clock("tx_user_clk", half.mhz, ALIGNED), Clock("rx_clk", line.mhz, ALIGNED))
    rules = (
        PortRule("(tx|tx_user|rx)_clk", ""),
        PortRule("rx_rst|user_rx_.*", "rx_clk"),
        PortRule("tx_(rst|armed|start)", "tx_clk"),
        PortRule(".*", "tx_user_clk"),
    )
    # With 16 bits the slow clock's paths may take twice as long as the fast one's.
    return Boundary(top, clocks, rules, (ALIGNED,) if card.pma_bits == 16 else ())


def toe_card_label(name: str) -> str:
    return TOE_CARD[name].label


def toe_card_design(name: str) -> Design:
    """Receiver and transmitter have unrelated clocks, so the receive FIFO is between them."""
    line_mhz = transmit_clocks(32)[0].mhz
    rules = (
        PortRule("(tx|rx)_clk", ""),
        PortRule("pma_tx_data", "tx_clk", line=True),
        PortRule("pma_rx_data", "rx_clk", line=True),
        PortRule("rx_rst|link_up", "rx_clk"),
        PortRule(".*", "tx_clk"),
    )
    boundary = Boundary(TOE.top, (Clock("tx_clk", line_mhz, "tx"), Clock("rx_clk", line_mhz, "rx")), rules)
    files = tuple(listed_files(ROOT / TOE.file_list, ROOT))
    return Design(name, TOE.top, files, tuple(TOE_CARD[name].parameters.items()), boundary)
