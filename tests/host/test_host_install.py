# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What `cmake --install` of the host software gives: staged, moved, and with the library folder of a distribution.

That the programs do their work is tests/trade/test_trade_installed.py."""

import os
import re
import shutil
import subprocess

import pytest

from ullnic.build import HOST_SOURCE, build_host
from ullnic.paths import ROOT
from ullnic.toolchain import tool_env, which

VERSION = (ROOT / "VERSION").read_text().strip()
PROGRAMS = ["exasock", "ullnic-info", "ullnic-latency", "ullnic-trigger", "ullnicd"]
# A program for each library that programs link to.
USES = {
    "ullnic": '#include "ullnic/ullnic.h"\nint main(void) { return ullnic_version()[0] == 0; }',
    "exanic": '#include "exanic/exanic.h"\nint main(void) { return exanic_acquire_handle("no such card") != 0; }',
    "exasock_ext": '#include "exasock/extensions.h"\nint main(void) { return exasock_loaded(); }',
    "onload_ext": '#include "onload/extensions.h"\nint main(void) { return onload_delegated_send_cancel(-1) == 0; }',
}


def run(*argv, ok=(0,), **env) -> str:
    done = subprocess.run(
        [str(part) for part in argv], capture_output=True, text=True, timeout=300, env=tool_env() | env
    )
    assert done.returncode in ok, f"{argv}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module", params=["lib", "lib/x86_64-linux-gnu"])
def tree(request, tmp_path_factory):
    """Installed to a stage for /opt/ullnic, then moved: (its folder, that of its libraries)."""
    folder = tmp_path_factory.mktemp("installed")
    build = build_host(progress=False)
    if request.param != "lib":
        options = [f"-DCMAKE_INSTALL_LIBDIR={request.param}", "-DULLNIC_TESTS=OFF", f"-DLWIP_DIR={build / 'lwip'}"]
        run(which("cmake"), "-S", HOST_SOURCE, "-B", folder / "build", "-G", "Ninja", *options)
        build = folder / "build"
        run(which("ninja"), "-C", build)
    run(which("cmake"), "--install", build, "--prefix", "/opt/ullnic", DESTDIR=str(folder / "stage"))
    shutil.move(folder / "stage" / "opt" / "ullnic", folder / "moved")
    return folder / "moved", folder / "moved" / request.param


def test_every_program_starts_and_says_what_it_is(tree):
    root, _ = tree
    assert sorted(path.name for path in (root / "bin").iterdir()) == PROGRAMS
    for name in PROGRAMS:
        assert run(root / "bin" / name, "--version") == f"{name} {VERSION}\n"
        text = run(root / "bin" / name, "--help")
        assert text.startswith(f"usage: {name} ") and "--version" in text
        wrong = subprocess.run([root / "bin" / name, "--no-such-option"], capture_output=True, text=True)
        assert wrong.returncode == 2 and f"usage: {name} " in wrong.stderr


def test_every_library_is_found_beside_the_others(tree):
    root, libraries = tree
    for path in [*(root / "bin").glob("ullnic*"), *libraries.glob("*.so")]:
        needed = run("ldd", path)
        assert "not found" not in needed, f"{path}: {needed}"
        for line in re.findall(r"libullnic\.so\S* => (\S+)", needed):
            assert os.path.realpath(line) == os.path.realpath(libraries / "libullnic.so")


def test_exasock_runs_a_program_with_its_library(tree, tmp_path):
    root, libraries = tree
    socket = tmp_path / "ullnicd.sock"
    code = f"import socket; socket.socket(socket.AF_UNIX).bind({str(socket)!r})"
    run("python3", "-c", code)
    shown = run(root / "bin" / "exasock", "sh", "-c", "echo $LD_PRELOAD", ULLNICD_SOCKET=str(socket))
    assert shown.strip() == str(libraries / "libullnic-sockets.so")
    spaced = tmp_path / "a place"
    shutil.copytree(root, spaced, symlinks=True)
    refused = subprocess.run(
        [spaced / "bin" / "exasock", "true"],
        env=os.environ | {"ULLNICD_SOCKET": str(socket)},
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 1 and "has a space or a colon in it" in refused.stderr


@pytest.mark.skipif(not which("pkg-config"), reason="pkg-config is not installed")
@pytest.mark.parametrize("library", USES)
def test_pkg_config_compiles_and_links_a_program(tree, tmp_path, library):
    _, libraries = tree
    where = {"PKG_CONFIG_PATH": str(libraries / "pkgconfig")}
    assert run("pkg-config", "--modversion", library, **where).strip() == VERSION
    flags = run("pkg-config", "--cflags", "--libs", library, **where).split()
    (tmp_path / "use.c").write_text(USES[library])
    run("cc", "-std=gnu11", "-Wall", "-Werror", tmp_path / "use.c", *flags, "-o", tmp_path / "use")
    run(tmp_path / "use", LD_LIBRARY_PATH=str(libraries))


def test_each_header_compiles_by_itself(tree):
    root, _ = tree
    headers = [path.relative_to(root / "include") for path in sorted((root / "include").rglob("*.h"))]
    assert len(headers) > 10
    for compiler, standard in (("cc", "-std=gnu11"), ("c++", "-std=gnu++17")):
        text = "".join(f'#include "{header}"\n' for header in headers)
        for source in (*(f'#include "{header}"\n' for header in headers), text):
            language = "c" if compiler == "cc" else "c++"
            done = subprocess.run(
                [compiler, standard, "-fsyntax-only", "-x", language, f"-I{root / 'include'}", "-"],
                input=source, capture_output=True, text=True,
            )  # fmt: skip
            assert done.returncode == 0, f"{compiler} {source}: {done.stderr}"
