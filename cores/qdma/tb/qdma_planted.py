# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Faults that a test must detect: a bench with one source changed."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from qdma_bed import CORE
from ullnic_tb import Bench
from ullnic_tb.runner import BUILD


@dataclass(frozen=True)
class Fault:
    """`old` is in the source once; with `new` in its place, the cocotb test `seen_by` fails."""

    name: str
    source: str  # of rtl/
    old: str
    new: str
    seen_by: str

    @property
    def anchor(self) -> tuple[Path, str]:
        return CORE / "rtl" / self.source, self.old


@dataclass
class Planted(Bench):
    fault: str = ""

    @property
    def label(self) -> str:
        return f"{super().label}.{self.fault}"


def planted(bench: Bench, fault: Fault) -> Planted:
    path = CORE / "rtl" / fault.source
    text = path.read_text()
    assert text.count(fault.old) == 1, f"{fault.name}: not once in {fault.source}"
    changed = BUILD / "planted" / fault.name / fault.source
    changed.parent.mkdir(parents=True, exist_ok=True)
    changed.write_text(text.replace(fault.old, fault.new))
    sources = [changed if Path(source) == path else source for source in bench.sources]
    fields = {name: getattr(bench, name) for name in ("top", "parameters", "starts_with_zeros", "optimized")}
    return Planted(sources=sources, fault=fault.name, **fields)


def must_see(bench: Bench, fault: Fault, module: str) -> None:
    changed = planted(bench, fault)
    changed.build()
    with pytest.raises(pytest.fail.Exception):
        changed.run(module, fault.seen_by, long_seed=1)
