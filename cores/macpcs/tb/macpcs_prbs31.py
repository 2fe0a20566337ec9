# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The PRBS31 generator of IEEE 802.3 clause 49.2.8: a shift register S0..S30, S27 + S30 fed back, output inverted."""


class Prbs31:
    def __init__(self, line: int):
        """Continues after 31 bits of the line, the first of them in bit 0."""
        self.stages = [1 ^ line >> 30 - i & 1 for i in range(31)]  # S0 holds the latest bit

    def bit(self) -> int:
        fed_back = self.stages[27] ^ self.stages[30]
        self.stages = [fed_back, *self.stages[:30]]
        return 1 ^ fed_back

    def bits(self, n: int) -> int:
        """The next n bits, the first in bit 0."""
        return sum(self.bit() << i for i in range(n))
