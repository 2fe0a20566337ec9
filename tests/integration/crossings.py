# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The clock crossings of an elaborated design, bit by bit, with the names that Vivado gives their ends."""

import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ullnic.paths import ROOT
from ullnic.synth import worker

SINGLE_BITS = "t:$not t:$and t:$or t:$xor t:$xnor t:$reduce_* t:$logic_* t:$eq t:$ne t:$mux t:$pmux t:$bmux"
DRIVER = "$driver$"  # prefix of the front end's name of a register's cell; the RTL's name follows


@dataclass(frozen=True)
class End:
    """A pin at which a path begins or ends."""

    cell: str
    pin: str
    clock: str  # "*": a port that may change with any clock

    @property
    def name(self) -> str:
        return f"{self.cell}/{self.pin}"


def elaborate(top: str, parameters: dict[str, int], files: Iterable[Path], directory: Path) -> dict:
    """The flattened netlist of a module: a cell for each register and memory of the RTL, and logic of single bits."""
    generics = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    script = directory / f"{top}.ys"
    names = " ".join(str(file) for file in files)
    passes = ["proc", "flatten", "opt_clean", "memory_collect", "opt_expr", f"simplemap {SINGLE_BITS}", "opt_expr",
              "opt_clean", f"write_json {top}.json"]  # fmt: skip
    script.write_text("\n".join([f"read_slang --threads 1 -Wnone --top {top} {generics} {names}", *passes]) + "\n")
    done = subprocess.run([sys.executable, worker.__file__, script], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return json.loads((directory / f"{top}.json").read_text())["modules"][top]


def vivado_path(name: str) -> str:
    """A point joins generate blocks to their contents, a slash joins instances."""
    return "dut/" + re.sub(r"(gen_\w+(?:\[\d+\])?)/", r"\1.", name.replace(".", "/"))


def register_name(cell: str, width: int, bit: int) -> str:
    """stage_q[0] of 3 bits has stage_q_reg[0][0] to [2]."""
    path = vivado_path(cell.removeprefix(DRIVER))
    _, leaf, index = re.fullmatch(r"(.*[/.])(\w+)((?:\[[\d:]+\])*)", path).groups()
    scope = path[: len(path) - len(leaf) - len(index)]
    # Each bit of an array has an index; a single bit only if the array has one bit.
    vector = width > 1 or index
    return f"{scope}{leaf}_reg{index}" + (f"[{bit}]" if vector else "")


class Crossings:
    """`one_source` names clocks that are the same here, `any_clock` ports that belong to no clock."""

    def __init__(self, module: dict, one_source: dict[str, str], any_clock: Iterable[str] = ()):
        self.module = module
        self.one_source = one_source
        self.clock_of_bit = {p["bits"][0]: name for name, p in module["ports"].items() if name.endswith("_clk")}
        self.starts: dict[int, End] = {}
        self.ends: list[tuple[End, int]] = []
        self.feeds: dict[int, list[int]] = defaultdict(list)  # forward, bit by bit
        self.fed_by: dict[int, list[int]] = defaultdict(list)
        for name in any_clock:
            for i, bit in enumerate(module["ports"][name]["bits"]):
                self.starts[bit] = End(f"dut/{name}[{i}]", "port", "*")
        for name, cell in module["cells"].items():
            self._add(name, cell)
        self.clocks_at = self._spread()

    def _clock(self, bit: int) -> str:
        name = self.clock_of_bit[bit]
        return self.one_source.get(name, name)

    def _add(self, name: str, cell: dict) -> None:
        pins, kind = cell["connections"], cell["type"]
        if kind == "$dff":
            clock = self._clock(pins["CLK"][0])
            for i, (d, q) in enumerate(zip(pins["D"], pins["Q"], strict=True)):
                register = register_name(name, len(pins["Q"]), i)
                self.starts[q] = End(register, "C", clock)
                self.ends.append((End(register, "D", clock), d))
        elif kind == "$mem_v2":
            assert set(cell["parameters"]["RD_CLK_ENABLE"]) == {"0"}, f"{name}: only memories that are read at once"
            clock = self._clock(pins["WR_CLK"][0])
            memory = vivado_path(name) + "_reg"
            for bit in pins["RD_DATA"]:
                self.starts[bit] = End(memory, "CLK", clock)
            self.ends += [(End(memory, pin, clock), b) for pin in ("WR_ADDR", "WR_DATA", "WR_EN") for b in pins[pin]]
            self._join(pins["RD_ADDR"], pins["RD_DATA"])
        elif kind != "$scopeinfo":
            assert "CLK" not in pins, f"{name}: {kind} is not known"
            outputs = cell["port_directions"]
            inputs = [pin for pin in pins if outputs[pin] == "input"]
            self._join([b for p in inputs for b in pins[p]], [b for p in pins if p not in inputs for b in pins[p]])

    def _join(self, sources: list, targets: list) -> None:
        for source in sources:
            if isinstance(source, int):
                self.feeds[source] += targets
                for target in targets:
                    self.fed_by[target].append(source)

    def _spread(self) -> dict[int, set[str]]:
        """The clocks whose registers lead to each net."""
        reached: dict[int, set[str]] = defaultdict(set)
        for clock in {start.clock for start in self.starts.values()}:
            waiting = [bit for bit, start in self.starts.items() if start.clock == clock]
            while waiting:
                bit = waiting.pop()
                if clock not in reached[bit]:
                    reached[bit].add(clock)
                    waiting += self.feeds[bit]
        return reached

    def starts_of(self, bit: int, without: set[int] = frozenset(), other_than: str = "") -> set[End]:
        """What leads to a net without passing through the nets `without`."""
        found, seen, waiting = set(), set(), [bit]
        while waiting:
            bit = waiting.pop()
            if bit in seen or bit in without or not self.clocks_at.get(bit, set()) - {other_than}:
                continue
            seen.add(bit)
            start = self.starts.get(bit)
            if start and start.clock != other_than:
                found.add(start)
            waiting += self.fed_by[bit]  # a memory's output depends on its read address
        return found

    def crossings(self, without: set[int] = frozenset()) -> set[tuple[End, End]]:
        return {
            (start, end)
            for end, bit in self.ends
            if isinstance(bit, int)
            for start in self.starts_of(bit, without, other_than=end.clock)
        }

    def pins(self) -> dict[str, int]:
        """Pins of instances inside the design: name to net."""
        found = {}
        for name, net in self.module["netnames"].items():
            if "." in name and not net["hide_name"]:
                for i, bit in enumerate(net["bits"]):
                    found[f"{vivado_path(name)}[{i}]" if len(net["bits"]) > 1 else vivado_path(name)] = bit
        return found
