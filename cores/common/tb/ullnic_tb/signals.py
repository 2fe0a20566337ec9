# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Accesses the top level's signals in the model's memory, and advances time, without cocotb's scheduler and VPI
(simulator.cc).

This takes about five microseconds a cycle; cocotb takes about seventy.
"""

import ctypes
import os
import struct
from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

INTEGERS = (
    (8, "B", ctypes.c_uint8),
    (16, "H", ctypes.c_uint16),
    (32, "I", ctypes.c_uint32),
    (64, "Q", ctypes.c_uint64),
)


@cache
def simulator() -> ctypes.PyDLL:
    """This process, if it is one of simulator.cc's."""
    functions = ctypes.PyDLL(None)  # its functions keep the interpreter's lock: nobody else waits for it
    functions.ullnic_signal.restype = ctypes.c_void_p
    functions.ullnic_advance.restype = ctypes.c_bool
    functions.ullnic_advance.argtypes = [ctypes.c_uint64]
    return functions


def advance(picoseconds: int) -> bool:
    """Advances time if only the caller waits for it: otherwise nothing happens, and the caller must await."""
    return simulator().ullnic_advance(picoseconds)


def place(name: str) -> tuple[int, int]:
    """Address and bits of a signal. Raises AttributeError if there is none."""
    bits = ctypes.c_int()
    for scope in ("TOP", os.environ["COCOTB_TOPLEVEL"]):  # of the ports, of what is inside
        address = simulator().ullnic_signal(scope.encode(), name.encode(), ctypes.byref(bits))
        if address:
            return address, bits.value
    raise AttributeError(f"no signal {name} of the top level, or one with unpacked dimensions")


def layout(bits: int) -> tuple[str, type]:
    """The struct and ctypes formats of storage with this many bits."""
    words = -(-bits // 32)
    integer = next((each[1:] for each in INTEGERS if bits <= each[0]), None)
    return integer or (f"{4 * words}s", ctypes.c_char * (4 * words))


def writer(name: str) -> Callable[[int], None]:
    """Writes the signal; the model sees it when time advances. Raises OverflowError for a value that does not fit."""
    address, bits = place(name)
    cell = layout(bits)[1].from_address(address)
    is_wide = bits > INTEGERS[-1][0]

    def write(value: int) -> None:
        if value >> bits:
            raise OverflowError(f"{value:#x} does not fit into the {bits} bits of {name}")
        if is_wide:
            cell.raw = value.to_bytes(len(cell), "little")
        else:
            cell.value = value

    return write


def reader(names: Iterable[str]) -> Callable[[], tuple[int, ...]]:
    """Reads the signals, all at once, as integers: a named tuple."""
    order, read = values(names)
    make = namedtuple("Signals", order)._make  # a namespace would take eight times as long
    return lambda: make(read())


def values(names: Iterable[str]) -> tuple[list[str], Callable[[], Sequence[int]]]:
    """The signals in the order of their places; and what reads them in this order, all at once, as integers."""
    places = sorted((*place(name), name) for name in set(names))
    begin = end = places[0][0] if places else 0
    formats, wide = ["="], []
    for number, (address, bits, _) in enumerate(places):
        kind, cell = layout(bits)
        formats.append(f"{address - end}x{kind}")
        end = address + ctypes.sizeof(cell)
        if bits > INTEGERS[-1][0]:
            wide.append(number)
    memory = (ctypes.c_char * (end - begin)).from_address(begin) if places else b""
    read = partial(struct.Struct("".join(formats)).unpack_from, memory)

    def read_wide() -> list[int]:
        found = list(read())
        for number in wide:
            found[number] = int.from_bytes(found[number], "little")
        return found

    return [name for *_, name in places], read_wide if wide else read
