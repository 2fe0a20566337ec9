# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""build_sim() on a small CMake project: builds, builds only what changed, and shows a compiler's error."""

import subprocess

import pytest

from ullnic import build
from ullnic.errors import UllnicError
from ullnic.locks import file_lock

TOY = ("toy",)
PROJECT = """cmake_minimum_required(VERSION 3.22)
project(toy CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
add_executable(toy main.cc)
"""


@pytest.fixture
def toy(tmp_path, monkeypatch):
    source = tmp_path / "sim"
    source.mkdir()
    (source / "CMakeLists.txt").write_text(PROJECT)
    monkeypatch.setattr(build, "FOLDER", tmp_path / "build")
    monkeypatch.setattr(build, "SOURCE", source)
    monkeypatch.setattr(build, "DIRECTORY", tmp_path / "build" / "sim")
    return source


def write_main(source, answer):
    (source / "main.cc").write_text(f"int main() {{ return {answer}; }}\n")


def test_what_a_build_has_left_running_does_not_hold_the_lock(tmp_path, capfd):
    """A compiler's cache may keep running; an orphan of a dead build must hold the lock."""
    path = tmp_path / "x.lock"
    with file_lock(path, "build") as lock:
        left = subprocess.Popen(["sleep", "60"], pass_fds=[lock])
    try:
        with file_lock(path, "build"):
            assert capfd.readouterr().err == ""
        with pytest.raises(RuntimeError), file_lock(path, "build") as lock:
            orphan = subprocess.Popen(["sleep", "2"], pass_fds=[lock])
            raise RuntimeError
        with file_lock(path, "build"):
            assert orphan.wait() == 0 and "waiting for another build" in capfd.readouterr().err
    finally:
        left.kill()
        left.wait()


def test_builds_again_after_a_change_and_only_then(toy, capfd):
    write_main(toy, 3)
    program = build.build_sim(targets=TOY) / "toy"
    assert subprocess.run([program]).returncode == 3
    assert "building the simulation" in capfd.readouterr().err
    first = program.stat().st_mtime_ns
    build.build_sim(targets=TOY)
    assert program.stat().st_mtime_ns == first
    assert capfd.readouterr().err == "", "no word where there is nothing to do"
    write_main(toy, 4)
    build.build_sim(targets=TOY)
    assert subprocess.run([program]).returncode == 4


def test_builds_the_programs_and_the_rest_only_on_request(toy):
    write_main(toy, 0)
    (toy / "CMakeLists.txt").write_text(PROJECT + "add_executable(checks main.cc)\n")
    programs = build.build_sim(targets=TOY, progress=False)
    assert (programs / "toy").exists() and not (programs / "checks").exists()
    assert (build.build_sim(targets=("all",), progress=False) / "checks").exists()


def test_compile_error_is_shown_with_the_log(toy):
    write_main(toy, "nonsense")
    with pytest.raises(UllnicError) as failed:
        build.build_sim(targets=TOY, progress=False)
    assert "building the simulation failed" in failed.value.message
    assert "nonsense" in failed.value.message and "error:" in failed.value.message
    assert str(build.DIRECTORY / "build.log") in failed.value.remedy and (build.DIRECTORY / "build.log").exists()
    write_main(toy, 0)
    assert (build.build_sim(targets=TOY, progress=False) / "toy").exists()


def test_cmake_error_is_shown_and_repaired_later(toy):
    write_main(toy, 0)
    (toy / "CMakeLists.txt").write_text(PROJECT + "find_package(NoSuchPackage REQUIRED)\n")
    with pytest.raises(UllnicError, match="configuring the simulation failed") as failed:
        build.build_sim(targets=TOY, progress=False)
    assert "NoSuchPackage" in failed.value.message
    (toy / "CMakeLists.txt").write_text(PROJECT)
    assert (build.build_sim(targets=TOY, progress=False) / "toy").exists()


def test_moved_or_foreign_build_directory_is_made_anew(toy):
    write_main(toy, 0)
    build.build_sim(targets=TOY, progress=False)
    cache = build.DIRECTORY / "CMakeCache.txt"
    cache.write_text(cache.read_text().replace(str(toy), "/somewhere/else"))
    (build.DIRECTORY / "ullnic-configured").write_text("another path")
    assert (build.build_sim(targets=TOY, progress=False) / "toy").exists()
