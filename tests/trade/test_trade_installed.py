# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The host software as installed by `cmake --install`, in a different place from its build: each program works over the
card's RTL, without settings for the path of its libraries.
"""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from bench import wait_until
from trade_bench import ENDS, End, TradeBench, trade
from ullnic.paths import ROOT
from ullnic.run.trade.parts import MARKET_PORT, ORDER_PORT
from ullnic.toolchain import tool_env, which

CONNECTION = 3


class InstalledBench(TradeBench):
    """ends.py gets no path of the library: exasock finds it."""

    def end(self, *wrapper: str) -> End:
        return End(self.start([*wrapper, sys.executable, str(ENDS)], {"PYTHONPATH": str(ROOT / "python")}))


@pytest.fixture(scope="module")
def bench(tmp_path_factory, programs):
    sim, build = programs
    folder = tmp_path_factory.mktemp("installed")
    install = [which("cmake"), "--install", str(build), "--prefix", str(folder / "first")]
    subprocess.run(install, check=True, capture_output=True, env=tool_env())
    shutil.move(folder / "first", folder / "moved")
    bench = InstalledBench(folder / "bench", sim, folder / "moved")
    yield bench
    bench.close()


def tool(bench, name: str, *arguments: str) -> str:
    clean = {key: value for key, value in os.environ.items() if key not in ("LD_LIBRARY_PATH", "EXASOCK_PATH")}
    argv = [bench.build / "bin" / name, "--card", f"ullnicd:{bench.sockets.daemon}", *arguments]
    done = subprocess.run(argv, env=clean, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_programs_of_the_installed_tree_trade(bench):
    trade(bench, CONNECTION)
    assert json.loads(tool(bench, "ullnic-trigger", "status"))["armed"] in (1, True)
    bench.silence()
    bench.program("writer.stop()")
    bench.program("link.close()")
    wait_until(lambda: bench.sink()["end"])


MAC_COUNTERS = [f"mac rx {name}" for name in ["frames", "bytes", "bad", "fcs", "code", "runts", "oversize", "pause"]]
MAC_COUNTERS += ["pcs lock losses", "pcs high ber", "pcs bad blocks"]
MAC_COUNTERS += [f"mac tx {name}" for name in ["frames", "bytes", "poisoned", "underruns"]]
PATH_COUNTERS = ["frames to host", "frames bad", "frames no room", "frames cut", "mirror frames", "mirror cut"]
PATH_COUNTERS += ["packets to host", "chunks sent", "chunks refused", "chunks cut"]


@pytest.mark.slow  # counts the orders of the test before it, so it cannot run alone
def test_info_through_the_daemon_shows_all_that_may_be_read(bench):
    """Including the engine's part, which it once omitted with an error after the card and its first port."""
    text = tool(bench, "ullnic-info", "--zeros")
    assert "held by ullnicd: connections of the engines, and frames, are the daemon's alone" in text
    ports = dict(re.findall(r"^  port (\d): (.*(?:\n    .*)*)", text, re.MULTILINE))
    assert sorted(ports) == ["0", "1"]
    assert "TCP transmit engine with 512 connections, payload up to " in ports[str(ORDER_PORT)]
    assert "TCP transmit engine" not in ports[str(MARKET_PORT)]
    counters = {port: dict(re.findall(r"^    (\S.*?) +(\d+)$", part, re.MULTILINE)) for port, part in ports.items()}
    for each in counters.values():
        assert [name for name in each if name.startswith(("mac ", "pcs "))] == MAC_COUNTERS
        path = ("frames ", "mirror ", "packets ", "chunks ")
        assert [name for name in each if name.startswith(path)] == PATH_COUNTERS
    assert int(counters[str(ORDER_PORT)]["ate user"]) > 20, "orders of the test before"
    registers = bench.registers()
    assert registers.library.ullnic_ate_set_strict(registers.card, ORDER_PORT, True) < 0, "to change is the daemon's"
    assert b"the daemon owns its engines" in registers.library.ullnic_last_error()
    registers.close()
