# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The configurations of the TCP engine (toe) that are measured: their parameters are defined here and nowhere else.

The build of the simulation runs this module (standard library only) and makes a program of each requested one.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class EngineConfig:
    name: str
    transmit_bits: int  # of a beat of the user
    receive_bits: int
    store_forward: bool  # received segments wait for their verdict

    @property
    def label(self) -> str:
        mode = "store and forward" if self.store_forward else "cut-through"
        return f"toe, user {self.transmit_bits} / {self.receive_bits} bits, {mode}"

    @property
    def program(self) -> str:
        return f"ullnic-toe-sweep-{self.name}"

    @property
    def parameters(self) -> dict[str, int]:
        """Parameters of cores/toe/tb/toe_flat.sv."""
        return {
            "USER2TCP_DATA_WIDTH": self.transmit_bits,
            "TCP2USER_DATA_WIDTH": self.receive_bits,
            "RX_STORE_FORWARD": int(self.store_forward),
        }


ENGINES = (
    EngineConfig("user128_cut_through", 128, 64, False),
    EngineConfig("user128_store_forward", 128, 64, True),
    EngineConfig("user64_cut_through", 64, 64, False),
    EngineConfig("user32_cut_through", 32, 32, False),
)
NAMES = tuple(each.name for each in ENGINES)


def engine(name: str) -> EngineConfig:
    return next(each for each in ENGINES if each.name == name)


def build_line(each: EngineConfig) -> str:
    """What the build reads (sim/src/toe_sweep/sources.cmake); fields separated by '|'."""
    parameters = " ".join(f"{name}={value}" for name, value in each.parameters.items())
    fields = (each.name, each.program, each.transmit_bits, each.receive_bits, int(each.store_forward), parameters)
    return "|".join(map(str, fields))


def main() -> None:
    """Prints one line for each configuration."""
    for each in ENGINES:
        print(build_line(each))


if __name__ == "__main__":
    main()
