# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A source with many faults in it, of which a model has at most one: that whose number ULLNIC_FAULT is as it starts.

So a model is built once for all faults.
"""

from collections.abc import Mapping

from ullnic.mutate.faults import Fault

VARIABLE = "ULLNIC_FAULT"
CHOSEN = "ullnic_fault_pkg::chosen"
GETENV = rf"std::getenv(\"{VARIABLE}\")"
# At the start of each file, since they are read in different orders.
PACKAGE = f"""\
`ifndef ULLNIC_FAULT_PACKAGE
`define ULLNIC_FAULT_PACKAGE
package ullnic_fault_pkg;
  int chosen = $c32("({GETENV} ? std::atoi({GETENV}) : 0)");
endpackage
`endif
"""


def with_faults(text: str, faults: Mapping[int, Fault]) -> str:
    """The source, with these faults by their numbers. They are nodes of one syntax tree: either apart or nested."""
    source = text.encode()
    places: dict[tuple[int, int], list[tuple[int, Fault]]] = {}
    for number, fault in faults.items():
        places.setdefault((fault.start, fault.end), []).append((number, fault))
    # The outer ones first.
    order = sorted(places, key=lambda place: (place[0], -place[1]))
    return PACKAGE + _render(source, 0, len(source), order, places).decode()


def _render(source: bytes, start: int, end: int, order: list, places: dict) -> bytes:
    parts, at = [], start
    for place in order:
        if place[0] < at or place[1] > end:
            continue  # within the one before
        inner = [each for each in order if each != place and place[0] <= each[0] and each[1] <= place[1]]
        parts += [source[at : place[0]], _chosen(places[place], _render(source, *place, inner, places))]
        at = place[1]
    return b"".join([*parts, source[at:end]])


def _chosen(faults: list[tuple[int, Fault]], original: bytes) -> bytes:
    if faults[0][1].is_removal:
        return b"begin if (%s != %d) %s end" % (CHOSEN.encode(), faults[0][0], original)
    others = b"".join(b"%s == %d ? (%s) : " % (CHOSEN.encode(), number, each.text.encode()) for number, each in faults)
    return b"(%s(%s))" % (others, original)
