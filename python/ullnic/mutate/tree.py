# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A copy of the project in which the host software is built with counters of its lines, and can have a fault."""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from ullnic.build import host_software
from ullnic.errors import UllnicError
from ullnic.mutate.campaign import ENDED, POLL_S, lines_of
from ullnic.mutate.coverage import FLAGS, PROFILE, PROFILE_NAME
from ullnic.mutate.faults import Fault
from ullnic.paths import CACHE, VENV
from ullnic.sources import project_files
from ullnic.toolchain import find_verilator, tool_env, which

TARGETS = ("all", "libullnic-tests")
# Linked into everything: what programs and libraries run as they are loaded is counted, too.
EARLY = """\
void __llvm_profile_initialize(void);
__attribute__((constructor(101))) static void begin(void) { __llvm_profile_initialize(); }
"""
COMPILE_S, BUILD_S = 120, 900
# What compiles, but whose behaviour is an accident of the compiler, counts as not compiled.
UNDEFINED = ("-Werror=implicit-function-declaration", "-Werror=return-type")
TEARDOWN_S = 120
DEPENDENCIES = ("-MF", "-MT", "-MQ", "-o")  # each with a name


class Tree:
    def __init__(self, folder: Path):
        self.folder = folder
        self.build = folder / "build" / "host"
        self.early = folder / "build" / "early.o"
        # Lines are counted by absolute paths: ccache must not take another copy's object.
        self.built_with = {"CC": "clang", "CFLAGS": " ".join(FLAGS), "CCACHE_BASEDIR": ""}
        self.built_with["LDFLAGS"] = f"{FLAGS[0]} {shlex.quote(str(self.early))}"
        self.process: subprocess.Popen | None = None
        self.original: dict[str, bytes | None] = {}  # object code without a fault

    def update(self, root: Path) -> None:
        """Makes it the project's copy; what has not changed keeps its time, and is not built again."""
        names = {str(path) for path in project_files()}
        listing = self.folder / "build" / "files"
        old = set(listing.read_text().splitlines()) if listing.exists() else set()
        for name in old - names:
            (self.folder / name).unlink(missing_ok=True)
        for name in names:
            path, copied = root / name, self.folder / name
            if not copied.exists() or copied.read_bytes() != path.read_bytes():
                copied.parent.mkdir(parents=True, exist_ok=True)
                copied.write_bytes(path.read_bytes())
                copied.chmod(path.stat().st_mode & 0o777)
        listing.parent.mkdir(parents=True, exist_ok=True)
        listing.write_text("".join(f"{name}\n" for name in names))
        # A build asks for Verilator first, there. No link: what is below build/ may not lead out of it.
        verilator = self.folder / VENV.name / "bin" / "verilator"
        verilator.parent.mkdir(parents=True, exist_ok=True)
        verilator.write_text(f'#!/bin/sh\nexec {shlex.quote(str(find_verilator()))} "$@"\n')
        verilator.chmod(0o755)

    def make(self) -> None:
        build = host_software(self.folder / "host", self.build, progress=False)
        build.env |= self.built_with
        compiler = ["clang", "-O2", "-fPIC", "-c", "-x", "c", "-", "-o", str(self.early)]
        subprocess.run(compiler, input=EARLY, text=True, check=True)
        build.configure()
        build.make(*TARGETS)

    @contextmanager
    def planted(self, fault: Fault) -> Iterator[None]:
        """With the fault in its source, which is as before afterwards, also to Ninja if nothing was built."""
        path = self.folder / fault.file
        text, times = path.read_text(), path.stat()
        path.write_text(fault.planted_in(text))
        try:
            yield
        finally:
            path.write_text(text)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def make_with_fault(self) -> bool:
        """Whether it can be built."""
        argv = [which("ninja") or "ninja", "-C", str(self.build), *TARGETS]
        with (self.folder / "fault.log").open("w") as log:
            return self._wait(argv, log, BUILD_S) == 0

    def rebuild(self, file: str) -> None:
        """After a fault has been built: the source is newer than that build."""
        os.utime(self.folder / file)

    @cached_property
    def commands(self) -> dict[str, list[str]]:
        """Of each object of C, how it is compiled, without counters and without its name."""
        found = {}
        for each in json.loads(self._ninja("compdb")):
            if each["output"].endswith(".c.o"):
                found[each["output"]] = _plain(shlex.split(each["command"]))
        return found

    @cached_property
    def objects(self) -> dict[str, list[str]]:
        """The objects of C that a file is compiled into."""
        found, output = defaultdict(list), ""
        for line in self._ninja("deps").splitlines():
            if not line.startswith(" "):
                output = line.partition(":")[0]
            elif output in self.commands:
                path = Path(os.path.normpath(self.build / line.strip()))
                if path.is_relative_to(self.folder):
                    found[str(path.relative_to(self.folder))].append(output)
        return found

    def object_codes(self, fault: Fault) -> Iterator[tuple[bytes | None, bytes | None]]:
        """Of each object that the fault is compiled into: without and with it. None: it cannot be compiled."""
        for name in self.objects[fault.file]:
            if name not in self.original:
                self.original[name] = self._compiled(name)
            with self.planted(fault):
                with_it = self._compiled(name)
            yield self.original[name], with_it

    def _compiled(self, name: str) -> bytes | None:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "object"
            argv = [*self.commands[name], "-Wno-everything", *UNDEFINED, "-o", str(file)]
            try:
                subprocess.run(argv, cwd=self.build, capture_output=True, check=True, timeout=COMPILE_S)
            except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
                return None
            return file.read_bytes()

    def _ninja(self, tool: str) -> str:
        argv = [which("ninja") or "ninja", "-C", str(self.build), "-t", tool]
        said = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
        return said[said.index("[") :] if tool == "compdb" else said

    def test(
        self, order: dict, paths: list[str], seed: int, sim: Path, progress: Callable[[list[dict]], None], limit: float
    ) -> list[dict]:
        """pytest_faults.py with this order, in the copy; what it wrote. It and all that it started has then ended.

        Nothing if it took longer than `limit` seconds.
        """
        with TemporaryDirectory(dir=self.folder / "build") as folder:
            scratch = Path(folder)
            scratch.chmod(0o755)
            (scratch / "profiles").mkdir()
            (scratch / "profiles").chmod(0o777)
            orders, results = scratch / "orders.json", scratch / "results"
            orders.write_text(json.dumps({**order, "results": str(results)}))
            isolated = self.folder / "python" / "ullnic" / "isolated.py"
            argv = [sys.executable, "-I", "-B", str(isolated), "ullnic.mutate.pytest_faults"]
            argv += ["-s", "-m", "not deep", *paths]
            env = tool_env() | {
                "CCACHE_BASEDIR": "",
                "ULLNIC_CACHE": str(CACHE),
                "ULLNIC_FAULTS": str(orders),
                "ULLNIC_SEED": str(seed),
                "ULLNIC_HOST_BUILD": str(self.build),
                "ULLNIC_SANITIZED_BUILD": str(self.build),  # counted, and not built besides
                "ULLNIC_SIM_BIN": str(sim),
                PROFILE: str(scratch / "profiles" / PROFILE_NAME),
            }
            log = self.folder / "pytest.log"
            with log.open("w") as output:
                code = self._wait(argv, output, limit, env, lambda: progress(lines_of(results)))
            if code not in (None, *ENDED) and "profiles" in order:
                raise UllnicError(f"pytest ended with {code}", f"look at {log}")
            return lines_of(results)

    def _wait(self, argv, log, limit: float, env=None, progress: Callable[[], None] = lambda: None) -> int | None:
        """Its exit code; None if it took too long. What it started ends with it."""
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "--", *argv],  # also if this process is killed
            cwd=self.folder,
            env=env or tool_env() | self.built_with,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            while limit > 0:
                with suppress(subprocess.TimeoutExpired):
                    return self.process.wait(POLL_S)
                limit -= POLL_S
                progress()
            return None
        finally:
            self.stop()

    def stop(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def _plain(command: list[str]) -> list[str]:
    """A command of the build, without ccache, counters and dependencies."""
    words = iter(command[1:] if Path(command[0]).name == "ccache" else command)
    kept = []
    for word in words:
        if word in DEPENDENCIES or word == "-mllvm":
            next(words)
        elif word not in (*FLAGS, "-MD"):
            kept.append(word)
    return kept
