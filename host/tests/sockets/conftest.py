# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from bench import Bench, sanitizer_flags
from box import Box
from control import Control, layout_of

HERE = Path(__file__).parent
INCLUDE = HERE.parents[1] / "include"


@pytest.fixture(scope="session")
def host_build() -> Path:
    """Folder of the programs and libraries; ULLNIC_HOST_BUILD names a folder that is built already."""
    if folder := os.environ.get("ULLNIC_HOST_BUILD"):
        return Path(folder)
    from ullnic.build import build_host

    return build_host(progress=False)


@pytest.fixture(scope="session")
def sanitized_build() -> Path:
    """ullnicd with AddressSanitizer and UBSan; ULLNIC_SANITIZED_BUILD names a folder that is built already."""
    if folder := os.environ.get("ULLNIC_SANITIZED_BUILD"):
        return Path(folder)
    from ullnic.build import build_sanitized

    return build_sanitized(progress=False)


@pytest.fixture(scope="session")
def layout(tmp_path_factory) -> dict:
    """Offsets of the fields of requests and replies, for `control` and for programs."""
    found = layout_of(tmp_path_factory.mktemp("layout"))
    os.environ["CONTROL_LAYOUT"] = json.dumps(found)
    return found


@pytest.fixture
def open_folder():
    """A folder that all users may read, like /run."""
    folder = Path(tempfile.mkdtemp(prefix="ullnicd-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def make_bench(tmp_path, host_build):
    """Benches that are shut down, and checked for a clean end, when the test is over."""
    benches = []

    def make(**settings) -> Bench:
        build = settings.pop("build", host_build)
        bench = Bench(tmp_path / f"bench{len(benches)}", build, **settings)
        benches.append(bench)
        return bench

    yield make
    for bench in benches:
        bench.close()


@pytest.fixture
def bench(make_bench) -> Bench:
    return make_bench()


@pytest.fixture
def box(host_build):
    """lwIP alone; it must end without an error."""
    made = Box(host_build / "bin" / "lwip-box")
    yield made
    made.close()


@pytest.fixture
def shared(make_bench, open_folder, layout):
    """Makes a bench whose socket all users can reach, and a way to send requests. Needs root."""

    def make(*options: str, **card) -> tuple[Bench, Control]:
        bench = make_bench(all_users=True, socket=open_folder / "s", daemon=options, **card)
        return bench, Control(bench.socket, layout)

    return make


@pytest.fixture
def control(bench, layout) -> Control:
    return Control(bench.socket, layout)


@pytest.fixture(scope="session", params=[["cc", "-std=c11"], ["c++", "-std=c++17", "-x", "c++"]], ids=["c", "c++"])
def client(request, tmp_path_factory, host_build) -> Path:
    """A program that sends frames of its own, compiled as C and as C++."""
    program = tmp_path_factory.mktemp("delegated") / "client"
    flags = ["-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O2", f"-I{INCLUDE}"]
    libraries = [f"-L{host_build / 'lib'}", "-lexanic", "-lexasock_ext", "-lonload_ext"]
    libraries += [f"-Wl,-rpath,{host_build / 'lib'}"]
    source = HERE / "delegated_client.c"
    subprocess.run([*request.param, *sanitizer_flags(), *flags, source, "-o", program, *libraries], check=True)
    return program


BYSTANDER_PEER = """
link, _ = listen().accept()
while data := link.recv(100):
    link.sendall(data)
"""
BYSTANDER = """
link = socket.create_connection((PEER, 5000))
link.settimeout(5)
say("up")
heard()
link.sendall(b"still there?")
say(link.recv(100))
"""
# Each of its ports treats its connections differently.
VICTIM = """
def serve(port, treat):
    def run():
        while True:
            threading.Thread(target=treat, args=(server.accept()[0],), daemon=True).start()
    server = socket.create_server(("10.9.1.2", port), backlog=64)
    threading.Thread(target=run, daemon=True).start()
kept = []
serve(7000, echo)
serve(7001, lambda link: link.close())
serve(7002, kept.append)
say("ready")
heard()
"""


@pytest.fixture
def attack(make_bench):
    """Runs a program of forged.py against a victim (default: VICTIM).

    A bystander's connection to another peer, by another program, must survive it, and so must the daemon. Returns the
    daemon's final output.
    """

    def run(code: str, victim: str = VICTIM, **settings) -> str:
        bench = make_bench(**settings)
        bench.peer(BYSTANDER_PEER)
        bystander = bench.program(BYSTANDER)
        assert bystander.read_line() == "up"
        forger = bench.peer(f"from forged import *\nsay('ready')\nheard()\n{code}\nfinish()\n")
        victim_job = bench.program(victim)
        assert victim_job.read_line() == "ready"
        forger.tell()
        failure = None
        try:
            assert forger.finish().endswith("over\n")
        except AssertionError as error:
            failure = error
        assert bench.daemon.process.poll() is None, bench.daemon.process.stderr.read()
        if failure is not None:
            raise failure
        bystander.tell()
        assert bystander.finish() == "b'still there?'\n"
        victim_job.kill()
        bench.stop_daemon()
        return bench.daemon_says

    return run
