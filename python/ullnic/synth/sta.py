# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Static timing analysis of a mapped netlist whose ports have registers and whose foreign clocks are cut (wrap.py)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ullnic.errors import UllnicError
from ullnic.synth import delays
from ullnic.synth.cells import adds_level, arcs, launch_ps, net_in_slice_ps, setup_ps, through_lut_ps
from ullnic.synth.delays import NetModel
from ullnic.synth.domains import Boundary
from ullnic.synth.netlist import LINE_IN, LINE_OUT, Cell, Netlist, Pin, clock_pins
from ullnic.synth.wrap import BOUNDARY_CELL, CUT, CUT_PORT


@dataclass(frozen=True)
class Way:
    """One way into an output bit of a combinational cell."""

    bit: int
    port: str
    delay_ps: float | None
    level: int


@dataclass(frozen=True)
class End:
    bit: int
    cell: str
    port: str
    clock: str
    setup_ps: float


@dataclass(frozen=True)
class Step:
    net: str  # "" if the source has no name for it
    cell: str  # its kind
    net_ps: float  # the net before the cell
    logic_ps: float
    fanout: int  # of the net after it


@dataclass(frozen=True)
class Path:
    start: str
    end: str
    launch: str
    capture: str
    total_ps: float
    logic_ps: float
    route_ps: float
    levels: int
    kind: str  # "inside", "user's port", "transceiver"
    steps: tuple[Step, ...]


@dataclass
class Arrival:
    time_ps: float
    before: int | None = None  # the bit from which it came
    net_ps: float = 0
    logic_ps: float = 0


@dataclass
class Timing:
    """The paths of one clock under one net model, the slowest first."""

    clock: str
    ends: list[tuple[float, str, End]] = field(default_factory=list)  # (ps, launching clock, end)

    @property
    def worst_ps(self) -> float:
        return self.ends[0][0]

    @property
    def fmax_mhz(self) -> float:
        return 1e6 / self.worst_ps


class Analysis:
    """The graph of one netlist; times() evaluates it under a net model."""

    def __init__(self, netlist: Netlist, boundary: Boundary, group: str):
        self.netlist = netlist
        self.boundary = boundary
        ports = netlist.module["ports"]
        self.clock_names = {ports[name]["bits"][0]: name for name in boundary.clocks_of(group)}
        self.launches: dict[int, tuple[str, float]] = {}
        self.ends: list[End] = []
        self.ways: dict[int, list[Way]] = {}
        for cell in netlist.cells.values():
            self._add_sequential(cell)
        self.order = list(self._topological(end.bit for end in self.ends))
        self._refuse_undriven()
        self.levels = self._levels()

    # --- Graph
    def _add_sequential(self, cell: Cell) -> None:
        if not clock_pins(cell.kind):
            return
        for port, bits in cell.outputs.items():
            clock = self.clock_names.get(self.netlist.clock_of(cell, port))
            delay_ps = launch_ps(cell, port)
            if clock and delay_ps is not None:
                self.launches.update({bit: (clock, delay_ps) for bit in bits if isinstance(bit, int)})
        for port, bits in cell.inputs.items():
            clock = self.clock_names.get(self.netlist.clock_of(cell, port))
            needed_ps = setup_ps(cell, port)
            if clock and needed_ps is not None:
                self.ends += [End(bit, cell.name, port, clock, needed_ps) for bit in bits if isinstance(bit, int)]

    def _ways_into(self, bit: int) -> list[Way]:
        if bit not in self.ways:
            self.ways[bit] = self._find_ways(self.netlist.driver.get(bit))
        return self.ways[bit]

    def _find_ways(self, driver: Pin | None) -> list[Way]:
        if driver is None:
            return []
        cell = self.netlist.cells[driver.cell]
        if clock_pins(cell.kind) and not cell.kind.startswith("RAM"):
            return []
        if cell.kind.startswith("RAMB"):
            return []
        found = []
        for arc in arcs(cell, driver.port, driver.index):
            bit = cell.inputs[arc.port][arc.index]
            if isinstance(bit, int):
                level = int(adds_level(cell, self._driver_cell(bit)))
                found.append(Way(bit, arc.port, arc.delay_ps, level))
        return found

    def _driver_cell(self, bit: int) -> Cell | None:
        driver = self.netlist.driver.get(bit)
        return self.netlist.cells[driver.cell] if driver else None

    def _topological(self, roots: Iterator[int]) -> Iterator[int]:
        """Bits that the ends depend on, each after the bits that it depends on itself."""
        state: dict[int, bool] = {}  # False: in progress, True: done
        for root in roots:
            stack = [root]
            while stack:
                bit = stack[-1]
                if state.get(bit):
                    stack.pop()
                    continue
                todo = [way.bit for way in self._ways_into(bit) if not state.get(way.bit)]
                if not todo:
                    state[bit] = True
                    yield bit
                elif bit in state:
                    loop = [each for each in todo if each in state]
                    if loop:
                        raise UllnicError(
                            f"a loop without a register goes through {self._net_name(loop[0])}",
                            "break it in the RTL: such a path has no timing",
                        )
                    stack += todo
                else:
                    state[bit] = False
                    stack += todo

    def _refuse_undriven(self) -> None:
        """A path without a start would not be timed."""
        ports = {bit for port in self.netlist.module["ports"].values() for bit in port["bits"]}
        for bit in self.order:
            if bit not in self.netlist.driver and bit not in ports:
                sink = self.netlist.sinks[bit][0]
                raise UllnicError(
                    f"nothing drives {self._net_name(bit) or 'a net'}, which {sink.cell} reads at {sink.port}",
                    "drive it in the RTL; if it is driven there, ullnic synth has lost it: report that",
                )

    def _levels(self) -> dict[int, int]:
        """Most logic levels on any path to a bit; bits that no register of this group leads to are omitted."""
        levels: dict[int, int] = {}
        for bit in self.order:
            found = [levels[way.bit] + way.level for way in self.ways[bit] if way.bit in levels]
            if bit in self.launches:
                found.append(0)
            if found:
                levels[bit] = max(found)
        return levels

    # --- Delays
    def _net_ps(self, bit: int, sink: Cell, port: str, model: NetModel) -> float:
        driver, fanout = self._driver_cell(bit), self.netlist.fanout(bit)
        fixed_ps = net_in_slice_ps(driver, fanout, sink, port)
        routed_ps = model.delay_ps(fanout) if fixed_ps is None else fixed_ps
        return routed_ps + through_lut_ps(driver, sink, port)

    def arrivals(self, model: NetModel) -> dict[int, dict[str, Arrival]]:
        """For each bit and each launching clock, the latest arrival at -2."""
        times: dict[int, dict[str, Arrival]] = {}
        for bit in self.order:
            here: dict[str, Arrival] = {}
            if bit in self.launches:
                clock, delay_ps = self.launches[bit]
                here[clock] = Arrival(delay_ps, None, 0, delay_ps)
            inputs = []
            if self.ways[bit]:
                sink = self._driver_cell(bit)
                for way in self.ways[bit]:
                    if times[way.bit]:
                        net_ps = self._net_ps(way.bit, sink, way.port, model)
                        latest_ps = max(arrival.time_ps for arrival in times[way.bit].values()) + net_ps
                        inputs.append((latest_ps, net_ps, way))
                inputs.sort(key=lambda each: -each[0])
            for rank, (_, net_ps, way) in enumerate(inputs):
                logic_ps = delays.LUT_PS[min(rank, 5)] if way.delay_ps is None else way.delay_ps
                for clock, arrival in times[way.bit].items():
                    time_ps = arrival.time_ps + net_ps + logic_ps
                    if clock not in here or here[clock].time_ps < time_ps:
                        here[clock] = Arrival(time_ps, way.bit, net_ps, logic_ps)
            times[bit] = here
        return times

    def times(self, model: NetModel, grade: int) -> dict[str, Timing]:
        """Timing by the name of the clock that governs the paths: of two aligned clocks the faster one."""
        self.at = self.arrivals(model)
        self.model, self.factor = model, delays.GRADES[grade]
        found: dict[str, Timing] = {}
        for end in self.ends:
            net_ps = self._net_ps(end.bit, self.netlist.cells[end.cell], end.port, model)
            for launch, arrival in self.at[end.bit].items():
                total_ps = (arrival.time_ps + net_ps + end.setup_ps) * self.factor
                total_ps += delays.CLOCK_UNCERTAINTY_PS + delays.CLOCK_SKEW_PS
                name = self._governing(launch, end.clock)
                found.setdefault(name, Timing(name)).ends.append((total_ps, launch, end))
        for timing in found.values():
            timing.ends.sort(key=lambda each: (-each[0], each[2].cell, each[2].port))
        return found

    def _governing(self, launch: str, capture: str) -> str:
        return max((capture, launch), key=lambda name: self.boundary.clock(name).mhz)

    def most_levels(self, clock: str) -> int:
        """Most logic levels of any path that ends at a register of this clock."""
        return max(
            (self.levels[end.bit] for end in self.ends if end.clock == clock and end.bit in self.levels), default=0
        )

    # --- Paths to read
    def path(self, total_ps: float, launch: str, end: End) -> Path:
        """The path to an end, under the net model of the last call of times()."""
        bits = [end.bit]
        while self.at[bits[-1]][launch].before is not None:
            bits.append(self.at[bits[-1]][launch].before)
        bits.reverse()
        hops = [self.at[bit][launch] for bit in bits]
        last_ps = self._net_ps(end.bit, self.netlist.cells[end.cell], end.port, self.model)
        steps = tuple(
            Step(
                self._step_name(bit),
                self._driver_cell(bit).kind,
                hop.net_ps * self.factor,
                hop.logic_ps * self.factor,
                self.netlist.fanout(bit),
            )
            for bit, hop in zip(bits, hops, strict=True)
        )
        levels = 0
        for before, bit in zip(bits, bits[1:], strict=False):
            levels += next(way.level for way in self.ways[bit] if way.bit == before)
        first, last = self._driver_cell(bits[0]), self.netlist.cells[end.cell]
        return Path(
            start=self._start_name(bits[0], first),
            end=self._end_name(end, last),
            launch=launch,
            capture=end.clock,
            total_ps=total_ps,
            logic_ps=(sum(hop.logic_ps for hop in hops) + end.setup_ps) * self.factor,
            route_ps=(sum(hop.net_ps for hop in hops) + last_ps) * self.factor,
            levels=levels,
            kind=_path_kind(first, last),
            steps=steps,
        )

    def worst_paths(self, timing: Timing, number: int) -> list[Path]:
        """Paths with different end registers: the bits of a word count once."""
        found: list[Path] = []
        seen: set[tuple[str, str]] = set()
        for each in timing.ends:
            if len(found) == number:
                break
            path = self.path(*each)
            key = (_word(path.start), _word(path.end))
            if key not in seen:
                seen.add(key)
                found.append(path)
        return found

    def worst_by_kind(self, timing: Timing) -> dict[str, float]:
        """Period in ps that the slowest path needs: inside the core, at the user's ports, at the transceiver."""
        found: dict[str, float] = {}
        for total_ps, launch, end in timing.ends:
            bit = end.bit
            while self.at[bit][launch].before is not None:
                bit = self.at[bit][launch].before
            kind = _path_kind(self._driver_cell(bit), self.netlist.cells[end.cell])
            found.setdefault(kind, total_ps)
            if len(found) == 3:
                break
        return found

    def _net_name(self, bit: int, source: str = "") -> str:
        return self.netlist.name_of(bit, source)

    def _step_name(self, bit: int) -> str:
        """Name of the net, else of a cell instantiated by the RTL."""
        cell = self._driver_cell(bit)
        return self._net_name(bit) or ("" if cell.name.startswith("$") else cell.name)

    def _start_name(self, bit: int, cell: Cell) -> str:
        if cell.name.startswith(BOUNDARY_CELL):
            return _port_text(cell)
        if "Q" not in cell.outputs:
            return cell.name
        return _with_source(self._net_name(bit, cell.source) or cell.kind, cell)

    def _end_name(self, end: End, cell: Cell) -> str:
        if cell.name.startswith(BOUNDARY_CELL):
            return _port_text(cell)
        if "Q" not in cell.outputs:  # a RAM
            return f"{cell.name} {end.port}"
        name = self._net_name(cell.outputs["Q"][0], cell.source) or cell.kind
        pin = "" if end.port == "D" else f" {end.port}"
        return _with_source(name + pin, cell)

    # --- Crossings
    def crossings(self) -> list[tuple[str, str, bool]]:
        """(from, to, at a port): ends of paths from registers of other clock groups, which are not timed."""
        foreign: dict[int, str] = {}
        for name, port in self.netlist.module["ports"].items():
            if name.startswith(CUT):
                foreign[port["bits"][0]] = name
        for bit in self.order:
            origins = [foreign[way.bit] for way in self.ways[bit] if way.bit in foreign]
            if origins:  # a path from a port takes precedence
                foreign[bit] = next((name for name in origins if name.startswith(CUT_PORT)), origins[0])
        found = []
        for end in self.ends:
            if end.bit in foreign:
                name, cell = foreign[end.bit], self.netlist.cells[end.cell]
                at_port = name.startswith(CUT_PORT) or cell.name.startswith(BOUNDARY_CELL)
                source = self._net_name(self.netlist.module["ports"][name]["bits"][0])
                found.append((source, self._end_name(end, cell), at_port))
        return sorted(set(found))


def _path_kind(first: Cell, last: Cell) -> str:
    if first.kind == LINE_IN or last.kind == LINE_OUT:
        return "transceiver"
    if first.name.startswith(BOUNDARY_CELL) or last.name.startswith(BOUNDARY_CELL):
        return "user's port"
    return "inside"


def _port_text(cell: Cell) -> str:
    return "port " + cell.name.removeprefix(BOUNDARY_CELL).removesuffix("[0]")


def _with_source(name: str, cell: Cell) -> str:
    return f"{name} ({cell.source})" if cell.source else name


def _word(text: str) -> str:
    """The name without the bit's number."""
    return text.partition("[")[0]
