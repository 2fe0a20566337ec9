# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic mutate host`: which tests run which lines, which faults are planted, and which are seen."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from ullnic import apt, sources
from ullnic.deep import deep
from ullnic.errors import UllnicError
from ullnic.mutate import campaign as campaigns
from ullnic.mutate import host
from ullnic.mutate.command import mutate
from ullnic.mutate.coverage import Coverage
from ullnic.mutate.equivalent import listed
from ullnic.mutate.host import HostCampaign, LineFault
from ullnic.paths import ROOT

WHOLE = deep(__file__, "python/ullnic/mutate", "requirements-mutate.lock")
CMAKE = """\
cmake_minimum_required(VERSION 3.22)
project(toy LANGUAGES C)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
add_executable(toy libtoy/main.c libtoy/limit.c tests/shown.c)
add_custom_target(libullnic-tests)
"""
LIMIT_H = """\
static inline int twice(int value) { return value * 2; }
int limited(int value);
int unused(int value);
void shown(int value);
"""
LIMIT_C = """\
#include "limit.h"

#define MOST 10

/* Not this comment: value > 1. */
int limited(int value) {
  volatile int counted = 0;
  while (counted < value) {
    counted = counted + 1 * 1;
  }
  if (counted > MOST) return MOST;
  return counted;
}

int unused(int value) {
  return twice(value) + 1;
}
"""
MAIN_C = """\
#include "limit.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void first(void) {
  setenv("loaded", "1", 1);
}

int main(int count, char** words) {
  if (count > 2) {
    shown(limited(twice(atoi(words[1]))));
    kill(getpid(), SIGKILL);
  }
  if (count > 1) shown(limited(atoi(words[1])));
  return 0;
}
"""
SHOWN_C = """\
#include "../libtoy/limit.h"

#include <stdio.h>

void shown(int value) {
  printf("%d\\n", value);
  fflush(stdout);
}
"""
TESTS = """\
import os
import subprocess
from pathlib import Path


def said(*words):
    program = Path(os.environ["ULLNIC_HOST_BUILD"]) / "bin" / "toy"
    return subprocess.run([program, *words], capture_output=True, text=True).stdout


def test_small():
    assert said("3") == "3\\n"


def test_large():
    assert said("12") == "10\\n"


def test_killed():
    assert said("2", "killed") == "4\\n"


def test_without_a_program():
    pass
"""
LIMIT, MAIN, HEADER = (f"host/libtoy/{name}" for name in ("limit.c", "main.c", "limit.h"))
ENTRY = """\
[[fault]]
file = "libtoy/limit.c"
line = "if (counted > MOST) return MOST;"
new = ["if (counted >= MOST) return MOST;"]
why = "both are MOST"
"""


@pytest.fixture
def toy(tmp_path, monkeypatch) -> Path:
    """A project whose host software is one program."""
    root = tmp_path / "toy"
    for name in ("VERSION", "pyproject.toml", "python/ullnic", "tests/budget.toml"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, root / name)
    files = {LIMIT: LIMIT_C, MAIN: MAIN_C, HEADER: LIMIT_H, "host/CMakeLists.txt": CMAKE}
    files |= {
        "host/tests/shown.c": SHOWN_C,
        "host/tests/test_toy.py": TESTS,
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for module in (host, sources):
        monkeypatch.setattr(module, "ROOT", root)
    monkeypatch.setattr(campaigns, "BUILD", tmp_path / "build")
    monkeypatch.setattr(host, "build_sim", lambda **_: tmp_path)
    return root


def nothing(_text: str) -> None:
    pass


def prepared(jobs: int = 1) -> HostCampaign:
    campaign = HostCampaign(1, jobs)
    campaign.prepare(nothing)
    return campaign


def running(campaign: HostCampaign, file: str, text: str) -> set[str] | None:
    """Those that run the line that contains the text; None: it is not code."""
    number = next(number for number, line in enumerate((host.ROOT / file).read_text().split("\n"), 1) if text in line)
    if number not in campaign.coverage.lines[file]:
        return None
    return {name.partition("::")[2] for name, _ in campaign.coverage.of(file, number)}


def fault(campaign: HostCampaign, new: str) -> LineFault:
    """The one that makes this line."""
    found = [each for each in campaign.faults if each.new_text == new]
    assert len(found) == 1, [str(each) for each in campaign.faults if new.split()[0] in each.new_text]
    return found[0]


def still_running(folder: Path) -> list[str]:
    """The programs below this folder that a process runs."""
    found = []
    for link in Path("/proc").glob("[0-9]*/exe"):
        with suppress(OSError):  # it has ended, or is the kernel's
            found.append(os.readlink(link))
    return [program for program in found if program.startswith(str(folder))]


@WHOLE
def test_a_campaign(toy, monkeypatch):
    monkeypatch.setattr(campaigns, "PATIENCE_S", 1)
    campaign = prepared(jobs=2)
    everything = {"test_small", "test_large", "test_killed"}
    assert set(campaign.coverage.lines) == {LIMIT, MAIN, HEADER}
    assert running(campaign, LIMIT, "counted < value") == everything
    assert running(campaign, LIMIT, "Not this comment") is None
    assert running(campaign, LIMIT, "return twice") == set()
    assert running(campaign, MAIN, "SIGKILL") == {"test_killed"}
    assert running(campaign, MAIN, "loaded") == everything
    assert running(campaign, HEADER, "int twice") == {"test_killed"}

    less, hangs = "if (counted < MOST) return MOST;", "/*counted = counted + 1 * 1;*/"
    header = "static inline int twice(int value) { return value / 2; }"
    survivor, unused = "volatile int counted = -1;", "return twice(value) - 1;"
    faults = [fault(campaign, new) for new in (less, hangs, header, survivor, unused)]
    ended = {each.fault.new_text: str(each) for each in campaign.outcomes(faults, 60, nothing)}
    assert ended[less].partition(": seen by test_toy.py::")[2] in everything
    assert ended[hangs].partition(": seen by test_toy.py::")[2] in everything
    assert ended[header].endswith(": seen by test_toy.py::test_killed")
    assert ended[survivor].endswith(f"limit.c:7: volatile int counted = 0;  ->  {survivor}: survives 3 tests")
    assert ended[unused].endswith(": no test runs this line")

    assert not still_running(campaign.folder)

    same = fault(campaign, "counted = counted + 1 / 1;")
    unbuilt = next(each for each in campaign.faults if each.new_text == "return counted; break;")
    assert [campaign.changes_something(each) for each in (*faults, same, unbuilt)] == [True] * 5 + [False, False]
    assert campaign.passed_over() == "; besides, 1 do not compile and 1 change no object code"


@WHOLE
def test_a_second_campaign_begins_at_once(toy, monkeypatch):
    first = prepared()
    faults = {*map(str, first.faults)}
    (toy / "host/equivalent.toml").write_text(ENTRY)
    monkeypatch.setattr(HostCampaign, "_measure", lambda *_: pytest.fail("the tests have not changed"))
    second = prepared()
    assert second.coverage == first.coverage
    assert faults - {*map(str, second.faults)} == {
        "host/libtoy/limit.c:11: if (counted > MOST) return MOST;  ->  if (counted >= MOST) return MOST;"
    }
    assert first.draw(5, ["main"]) == second.draw(5, ["main"])


@WHOLE
def test_tests_that_fail_without_a_fault_are_an_error(toy):
    file = toy / "host/tests/test_toy.py"
    file.write_text(TESTS.replace('"3\\n"', '"4\\n"'))
    with pytest.raises(UllnicError, match="without a fault these fail: test_toy.py::test_small"):
        prepared()


def test_what_is_known_of_lines_is_kept(tmp_path):
    coverage = Coverage()
    coverage.add("slow", 2.0, {"a.c": {1: True, 2: False}})
    coverage.add("quick", 1.0, {"a.c": {1: True, 2: False, 3: True}})
    coverage.save(tmp_path / "saved", "key")
    loaded = Coverage.load(tmp_path / "saved", "key")
    assert loaded == coverage
    assert loaded.of("a.c", 1) == [("quick", 1.0), ("slow", 2.0)]
    assert loaded.of("a.c", 2) == []
    assert Coverage.load(tmp_path / "saved", "other") is None
    assert Coverage.load(tmp_path / "absent", "key") is None


def test_says_what_is_missing(toy, monkeypatch):
    monkeypatch.setattr(apt, "which", lambda command: None if command.startswith("llvm") else command)
    monkeypatch.setattr(apt, "can_install", lambda: False)
    with pytest.raises(
        UllnicError, match=r"`ullnic mutate host` needs what is not installed: llvm \(which lines"
    ) as error:
        prepared()
    assert "apt-get install -y llvm" in error.value.remedy


def test_a_fault_is_chosen_by_file_or_folder():
    fault = LineFault("host/sockets/daemon/stream.c", 1, 0, 1, "a", "b")
    assert HostCampaign(1, 1).names(fault) == {"stream", "sockets/daemon", "daemon", "sockets"}


def test_an_unknown_module_is_refused_before_anything_is_built(toy, monkeypatch):
    monkeypatch.setattr(HostCampaign, "prepare", lambda *_: pytest.fail("it begins to build"))
    done = CliRunner().invoke(mutate, ["host", "--module", "limt"])
    assert done.exit_code == 2 and "no fault can be planted in limt" in done.output


def test_nothing_to_plant_is_an_error(toy, monkeypatch):
    """No test runs a line of it, or no fault of it compiles."""
    monkeypatch.setattr(HostCampaign, "prepare", lambda *_: None)
    monkeypatch.setattr(HostCampaign, "faults", [])
    done = CliRunner().invoke(mutate, ["host", "--module", "limit"])
    assert isinstance(done.exception, UllnicError) and "there is nothing to plant" in str(done.exception)


def test_what_is_listed_as_equivalent_is_there():
    for each in listed(ROOT / host.HOST):
        assert each.place((ROOT / host.HOST / each.file).read_text().splitlines())
