# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Bench: each cocotb test is in a process of its own, whatever the others of its run do, and the same alone."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ullnic_tb import kept, main_and_kept
from ullnic_tb.models import BUILD

HERE = Path(__file__).resolve().parent
TIMEOUT_S = 60
HANG_TIMEOUT_S = 5  # of the test that hangs
TOY = """
import os
import signal
import time
from pathlib import Path
import cocotb
from cocotb.triggers import Timer
from cocotb.utils import get_sim_time
import pytest
from ullnic_tb import Bench, cocotb_tests, rtl, seeded

loaded = []

async def begin(dut):
    Path(os.environ["TOY_PID"]).write_text(str(os.getpid()))
    assert get_sim_time() == 0 and not loaded
    loaded.append(1)
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    await Timer(1, "ns")
    print(f"{os.environ['ULLNIC_TEST_NAME']} ULLNIC_SEED: {rng.random()}, starts with {dut.m_data.value}")

@cocotb.test()
async def first(dut):
    await begin(dut)

@cocotb.test()
async def takes_no_time(dut):
    pass

@cocotb.test()
async def wrong(dut):
    await begin(dut)
    assert int(dut.clk.value) == 2, "on purpose"

@cocotb.test()
async def crashes(dut):
    await begin(dut)
    os.kill(os.getpid(), signal.SIGSEGV)

@cocotb.test()
async def hangs(dut):
    await begin(dut)
    while True:
        time.sleep(0.1)

@cocotb.test()
async def kills_the_simulator(dut):
    await begin(dut)
    os.kill(os.getppid(), signal.SIGKILL)

@cocotb.test()
async def skips(dut):
    pytest.skip("not today")

@cocotb.test()
async def last(dut):
    await begin(dut)

TIMEOUT = {"hangs": pytest.mark.timeout(int(os.environ["TOY_HANG_TIMEOUT_S"]))}

@pytest.mark.parametrize(
    "test", [pytest.param(test, marks=TIMEOUT.get(test, ())) for test in [*cocotb_tests(__name__), "absent"]]
)
def test_toy(test):
    Bench("axis_register", rtl("common")).run(__name__, test)
"""
ASSERTS = """
module asserts (input logic clk);
  always_ff @(posedge clk) begin
    assert (!clk) else $error("on purpose");
  end
endmodule
"""
ASSERTS_TOY = """
from pathlib import Path
import cocotb
from cocotb.triggers import Timer
from ullnic_tb import Bench

@cocotb.test()
async def first(dut):
    for level in (0, 1, 0):
        dut.clk.value = level
        await Timer(1, "ns")

def test_toy():
    Bench("asserts", [Path(__file__).with_name("asserts.sv")], starts_with_zeros=True).run(__name__, "first")
"""
GOOD = ["first", "takes_no_time", "last"]
BAD = {
    "wrong": "on purpose",
    "crashes": "was ended by SIGSEGV",
    "hangs": "Timeout",
    "kills_the_simulator": "the simulator has ended",
    "skips": "skips failed",
    "absent": "absent did not run",
}


class Toy:
    """A file of tests, run by a pytest of its own."""

    def __init__(self, folder: Path):
        self.file = folder / f"test_{folder.name}.py"  # its runs have a directory of their own below build/tb/run
        self.file.write_text(TOY)
        self.pid_file = folder / "pid"
        self.env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        self.env |= {"TOY_PID": str(self.pid_file), "ULLNIC_SEED": "7"}
        self.env["TOY_HANG_TIMEOUT_S"] = str(HANG_TIMEOUT_S)

    def argv(self, *options: str) -> list[str]:
        settings = HERE.parent / "pytest_alone.ini"
        argv = [sys.executable, "-I", "-B", "-m", "pytest", "-c", str(settings), "-o", f"pythonpath={HERE}"]
        return [*argv, "--timeout", str(TIMEOUT_S), "-rA", *options]

    def names(self, *tests: str) -> list[str]:
        return [f"{self.file}::test_toy[{test}]" for test in tests]

    def run(self, *options: str) -> str:
        done = subprocess.run(self.argv(*options), env=self.env, cwd=self.file.parent, capture_output=True, text=True)
        return done.stdout + done.stderr

    def start(self, *options: str) -> subprocess.Popen:
        """As from a terminal: a shell makes its background processes ignore SIGINT, and children inherit that."""
        return subprocess.Popen(
            self.argv(*options), env=self.env, cwd=self.file.parent, stdout=subprocess.DEVNULL,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip

    def running(self) -> int:
        """The process of the test, once it is there."""
        for _ in range(int(TIMEOUT_S / 0.05)):
            if self.pid_file.exists() and self.pid_file.read_text():
                return int(self.pid_file.read_text())
            time.sleep(0.05)
        raise AssertionError("no test has begun")


@pytest.fixture
def toy(tmp_path):
    folder = tmp_path / f"toy_{os.getpid()}"
    folder.mkdir()
    return Toy(folder)


def outcomes(said: str) -> dict[str, str]:
    return {test: outcome for outcome, test in re.findall(r"^(PASSED|FAILED) \S*::test_toy\[(\w+)\]", said, re.M)}


def drawn(said: str) -> dict[str, str]:
    return dict(re.findall(r"\.(\w+) ULLNIC_SEED: (.*)$", said, re.M))


def wait_for_end(pid: int) -> None:
    for _ in range(int(TIMEOUT_S / 2 / 0.05)):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("the process of a test is still there")


@pytest.mark.parametrize("order", main_and_kept(__file__, ["forth", "back"]))
def test_each_fails_for_itself(toy, order):
    tests = [*GOOD[:-1], *BAD, GOOD[-1]][:: 1 if order == "forth" else -1]
    said = toy.run(*toy.names(*tests))
    assert outcomes(said) == {test: "PASSED" if test in GOOD else "FAILED" for test in tests}, said
    for test, message in BAD.items():
        assert message in re.split(rf"^_+ test_toy\[{test}\] _+$", said, flags=re.M)[1].split("\n____", 1)[0], said
    wait_for_end(toy.running())


@kept(__file__)
def test_alone_as_among_others(toy):
    """The draws, and the values that registers start with."""
    alone = {test: drawn(toy.run(str(toy.file), "-k", test)) for test in ("first", "wrong")}
    among = drawn(toy.run(*toy.names("last", "crashes", "wrong", "first")))
    assert {*among} == {"last", "crashes", "wrong", "first"} and len(set(among.values())) == 4
    assert alone == {test: {test: among[test]} for test in alone}
    toy.env["ULLNIC_SEED"] = "8"
    other = drawn(toy.run(*toy.names("first")))["first"]
    assert other.split(",")[0] != among["first"].split(",")[0] and other.split(",")[1] == among["first"].split(",")[1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=lambda number: number.name)
def test_nothing_is_left_when_pytest_is_ended(toy, number):
    toy.env["TOY_HANG_TIMEOUT_S"] = str(TIMEOUT_S)
    run = toy.start(*toy.names("hangs"))
    pid = toy.running()
    parents = Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()
    run.send_signal(number)
    run.wait(TIMEOUT_S / 2)
    wait_for_end(pid)
    wait_for_end(int(parents[1]))


def test_model_that_cannot_be_built_is_reported(toy):
    toy.file.write_text(TOY.replace('rtl("common"))', 'rtl("common"), {"NO_SUCH_PARAMETER": 1})'))
    said = toy.run(*toy.names("first"))
    assert outcomes(said) == {"first": "FAILED"}
    assert "building axis_register-NO_SUCH_PARAMETER=1 failed" in said and "NO_SUCH_PARAMETER" in said
    assert str(BUILD / "axis_register-NO_SUCH_PARAMETER=1" / "build.log") in said


def test_assertion_of_the_rtl_fails_the_test(toy):
    toy.file.write_text(ASSERTS_TOY)
    toy.file.with_name("asserts.sv").write_text(ASSERTS)
    said = toy.run(str(toy.file))
    assert "1 failed" in said and "on purpose" in said
    toy.file.with_name("asserts.sv").write_text(ASSERTS.replace("!clk", "1"))
    assert "1 passed" in toy.run(str(toy.file))
