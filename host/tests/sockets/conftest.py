# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
from pathlib import Path

import pytest

from bench import Bench, sanitizer_flags

HERE = Path(__file__).parent
INCLUDE = HERE.parents[1] / "include"


@pytest.fixture(scope="session")
def host_build() -> Path:
    """Where the programs and libraries are; ULLNIC_HOST_BUILD names a folder that is built already."""
    if folder := os.environ.get("ULLNIC_HOST_BUILD"):
        return Path(folder)
    from ullnic.build import build_host

    return build_host(progress=False)


@pytest.fixture
def make_bench(tmp_path, host_build):
    """Benches that are taken down, and looked at for a clean end, when the test is through."""
    benches = []

    def make(**settings) -> Bench:
        bench = Bench(tmp_path / f"bench{len(benches)}", host_build, **settings)
        benches.append(bench)
        return bench

    yield make
    for bench in benches:
        bench.close()


@pytest.fixture
def bench(make_bench) -> Bench:
    return make_bench()


@pytest.fixture(scope="session", params=[["cc", "-std=c11"], ["c++", "-std=c++17", "-x", "c++"]], ids=["c", "c++"])
def client(request, tmp_path_factory, host_build) -> Path:
    """Program that sends frames of its own, compiled as C and as C++."""
    program = tmp_path_factory.mktemp("delegated") / "client"
    flags = ["-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O2", f"-I{INCLUDE}"]
    libraries = [f"-L{host_build / 'lib'}", "-lexanic", "-lexasock_ext", "-lonload_ext"]
    libraries += [f"-Wl,-rpath,{host_build / 'lib'}"]
    source = HERE / "delegated_client.c"
    subprocess.run([*request.param, *sanitizer_flags(), *flags, source, "-o", program, *libraries], check=True)
    return program
