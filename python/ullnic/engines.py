# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The configurations of the TCP engine (toe) that are measured: rows of cores/toe/configs.toml.

The build of the simulation runs this module (standard library only) and makes a program of each requested one.
"""

import sys
from dataclasses import dataclass, field

from ullnic.core_configs import Measured, rows, settings
from ullnic.errors import UllnicError


@dataclass(frozen=True)
class EngineConfig:
    name: str
    row: Measured = field(compare=False)  # has a dictionary, which cannot be hashed

    @property
    def label(self) -> str:
        return self.row.label

    @property
    def program(self) -> str:
        return f"ullnic-toe-sweep-{self.name}"

    @property
    def parameters(self) -> dict[str, int]:
        """Parameters of cores/toe/tb/toe_flat.sv."""
        return self.row.parameters

    @property
    def transmit_bits(self) -> int:
        """Of a beat of the user."""
        return self.parameters["USER2TCP_DATA_WIDTH"]

    @property
    def receive_bits(self) -> int:
        return self.parameters["TCP2USER_DATA_WIDTH"]

    @property
    def store_forward(self) -> bool:
        """Received segments wait for their verdict."""
        return bool(self.parameters["RX_STORE_FORWARD"])


ENGINES = tuple(EngineConfig(name, row) for name, row in rows("toe").items() if row.measure)
NAMES = tuple(each.name for each in ENGINES)


def engine(name: str) -> EngineConfig:
    return next(each for each in ENGINES if each.name == name)


def build_line(each: EngineConfig) -> str:
    """What the build reads (sim/src/toe_sweep/sources.cmake); fields separated by '|'."""
    fields = (each.name, each.program, each.transmit_bits, each.receive_bits, int(each.store_forward))
    return "|".join(map(str, (*fields, settings(each.parameters))))


def main() -> None:
    """Prints one line for each configuration."""
    for each in ENGINES:
        print(build_line(each))


if __name__ == "__main__":
    try:
        main()
    except UllnicError as error:
        error.show()
        sys.exit(error.exit_code)
