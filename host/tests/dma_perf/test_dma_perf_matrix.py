# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""ullnic-dma-perf in the public tool's configurations: 1, 4 and 8 queues, one and both ways, packets of 64 to 4096
bytes, memory of 64 bytes to 32 KiB."""

import json
import subprocess

import pytest

from ullnic.deep import deep, hardware
from ullnic.paths import ROOT

SOURCES = ("qdma", "qdma_example", "card_dma", "vfio")
SIZES = {
    "st": (64, 128, 192, 256, 384, 512, 1024, 1536, 2048, 3072, 4096),
    "mm": (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768),
}
RING_BYTES = 32768  # that each ring transfers, at least LEAST times
LEAST = 8


def modules():
    return hardware(*(ROOT / part for part in ("cores/qdma", "cores/common", "cards/qdma_example")))


@deep(
    __file__,
    "host/tests/dma_perf/perf_bench.py",
    "host/tests/dma_perf/conftest.py",
    "host/tools/ullnic-dma-perf",
    "host/libullnic",
    *(f"sim/src/{part}" for part in SOURCES),
    modules,
)
@pytest.mark.parametrize("queues", [1, 4, 8])
@pytest.mark.parametrize("direction", ["h2c", "c2h", "bi"])
@pytest.mark.parametrize("mode", ["st", "mm"])
def test_matrix(program, card, mode, direction, queues):
    for size in SIZES[mode]:
        transfers = max(LEAST, RING_BYTES // size)
        values = {
            "mode": mode, "dir": direction, "q_range": f"0:{queues - 1}", "pkt_sz": size, "num_pkt": 64, "wb_acc": 5,
            "tmr_idx": 9, "cntr_idx": 7, "trig_mode": "cntr_tmr", "pfetch_en": 1, "cmptsz": 1,
        }  # fmt: skip
        command = [program, "--card", card.name, "--transfers", str(transfers), "--json", "-"]
        command += [word for key, value in values.items() for word in ("--set", f"{key}={value}")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        assert len(report["queues"]) == queues * (2 if direction == "bi" else 1)
        for each in report["queues"]:
            assert each | {"transfers": transfers, "bytes": transfers * size, "wrong": 0} == each
        print(size, *(f"{way} {report[way]}" for way in ("h2c", "c2h") if way in report))
