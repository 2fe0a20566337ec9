# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The choice of Verilator and of the C++ compiler, and the tools' environment."""

import os
import subprocess

import pytest

from ullnic import toolchain
from ullnic.bootstrap import VERILATOR_WRAPPER
from ullnic.deep import deep
from ullnic.errors import UllnicError
from ullnic.paths import VENV

WRAPPER = VENV / "bin" / "verilator"
CHOICES = toolchain.find_verilator, toolchain.verilator_root, toolchain.cxx_compiler


@pytest.fixture(autouse=True)
def afresh(monkeypatch):
    """Each test chooses again, from the user's PATH alone."""
    monkeypatch.delenv("ULLNIC_VERILATOR", raising=False)
    for function in CHOICES:
        function.cache_clear()
    yield
    for function in CHOICES:
        function.cache_clear()


@pytest.fixture
def on_path(tmp_path, monkeypatch):
    """Puts a program of this name, by default verilator, which answers so and ends so, first on PATH."""

    def put(answer: str, name: str = "verilator", code: int = 0):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho '{answer}'\nexit {code}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        return program

    return put


def test_verilator_and_its_sources_are_found():
    assert toolchain.verilator_version(toolchain.find_verilator()) >= toolchain.MIN_VERILATOR
    assert (toolchain.verilator_root() / "include" / "verilated.cpp").exists()


@pytest.mark.parametrize("version", ["5.036 2025-04-27", "5.048 2026-04-26", "6.002 2027-01-01"])
def test_new_enough_verilator_on_path_is_taken(on_path, version):
    program = on_path(f"Verilator {version} rev v5")
    assert toolchain.find_verilator() == program
    assert toolchain.tool_env()["ULLNIC_VERILATOR"] == str(program)


@pytest.mark.parametrize(("code", "taken"), [(0, True), (1, False)])
def test_clang_is_taken_if_it_finds_the_headers(on_path, code, taken):
    program = on_path("fatal error: 'vector' file not found", "clang++", code)
    assert toolchain.cxx_compiler() == (str(program) if taken else None)


@pytest.mark.parametrize("answer", ["Verilator 5.006 2023-01-22 rev", "Verilator 4.228 2022-10-01", "what?", ""])
def test_old_or_strange_verilator_on_path_is_passed_over(on_path, answer):
    program = on_path(answer)
    assert toolchain.find_verilator() != program


def test_another_checkout_s_wrapper_is_passed_over(on_path):
    """A wrapper calls the chosen Verilator: itself, forever."""
    program = on_path("Verilator 5.050 2027-01-01")
    program.write_text(VERILATOR_WRAPPER.format(version="5.050", date="2027-01-01", root="/no", bin="/no"))
    assert toolchain.find_verilator() != program


def test_chosen_verilator_must_do(on_path, monkeypatch):
    monkeypatch.setenv("ULLNIC_VERILATOR", str(on_path("Verilator 5.006 2023-01-22")))
    with pytest.raises(UllnicError, match="not Verilator 5.036 or newer"):
        toolchain.find_verilator()


def test_wrapper_hands_over_to_the_chosen_one(on_path):
    if WRAPPER.exists():  # a wheel exists for this machine
        program = on_path("Verilator 5.050 2027-01-01")
        said = subprocess.run([WRAPPER, "--version"], env=toolchain.tool_env(), capture_output=True, text=True)
        assert said.stdout == subprocess.run([program], capture_output=True, text=True).stdout


def test_tools_see_the_projects_own_first(monkeypatch):
    monkeypatch.setenv("VERILATOR_ROOT", "/nowhere")
    env = toolchain.tool_env()
    assert env["PATH"].split(":")[0] == str(VENV / "bin")
    assert "/usr/sbin" in env["PATH"].split(":"), "an ordinary user's PATH in Debian lacks it"
    assert "VERILATOR_ROOT" not in env, "Verilator refuses one that is not its own"


@deep(__file__, "python/ullnic/toolchain.py", "python/ullnic/bootstrap.py", "requirements.lock")
def test_models_with_delays_build(tmp_path):
    """--timing needs C++20's coroutines, which gcc 12 enables only by an option."""
    (tmp_path / "top.sv").write_text(
        'module top;\n  initial begin\n    #5 $display("after %0d", $time);\n    $finish;\n  end\nendmodule\n'
    )
    env = toolchain.tool_env()
    built = subprocess.run(
        ["verilator", "--binary", "--timing", "-Wno-fatal", "-MAKEFLAGS", "OPT_GLOBAL=-O0", "--top", "top", "top.sv"],
        cwd=tmp_path, env=env, capture_output=True, text=True,
    )  # fmt: skip
    assert built.returncode == 0, built.stdout + built.stderr
    assert "after 5" in subprocess.run([tmp_path / "obj_dir" / "Vtop"], capture_output=True, text=True).stdout
