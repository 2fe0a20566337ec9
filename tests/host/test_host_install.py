# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The results of `cmake --install` of the host software, staged and moved, and of its Debian package, unpacked.

tests/trade/test_trade_installed.py checks that the programs work.
"""

import gzip
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from ullnic.build import HOST_SOURCE, build_host
from ullnic.paths import VERSION
from ullnic.toolchain import tool_env, which

# Programs, with the section of their manual page.
PROGRAMS = {
    "exasock": 1,
    "ullnic-dma-perf": 1,
    "ullnic-info": 1,
    "ullnic-latency": 1,
    "ullnic-trigger": 1,
    "ullnicd": 8,
}
# A program for each library that programs can link to.
USES = {
    "ullnic": '#include <stdio.h>\n#include "ullnic/ullnic.h"\nint main(void) { return puts(ullnic_version()) < 0; }',
    "exanic": '#include "exanic/exanic.h"\nint main(void) { return exanic_acquire_handle("no such card") != 0; }',
    "exasock_ext": '#include "exasock/extensions.h"\nint main(void) { return exasock_loaded(); }',
    "onload_ext": '#include "onload/extensions.h"\nint main(void) { return onload_delegated_send_cancel(-1) == 0; }',
}
FIND = f"""
cmake_minimum_required(VERSION 3.22)
project(use C)
find_package(ullnic 99 QUIET)
if(ullnic_FOUND)
  message(FATAL_ERROR "of any version")
endif()
find_package(ullnic QUIET COMPONENTS nothing)
if(ullnic_FOUND OR NOT ullnic_NOT_FOUND_MESSAGE MATCHES "no library nothing here; there may be: ullnic")
  message(FATAL_ERROR "with any library: ${{ullnic_NOT_FOUND_MESSAGE}}")
endif()
find_package(ullnic {VERSION} EXACT REQUIRED COMPONENTS {" ".join(USES)})
set(CMAKE_C_EXTENSIONS ON)
foreach(library {" ".join(USES)})
  add_executable(use_${{library}} ${{library}}.c)
  target_link_libraries(use_${{library}} PRIVATE ullnic::${{library}})
endforeach()
"""


@dataclass(frozen=True)
class Tree:
    root: Path  # contains bin, share and so on
    libraries: Path
    package: Path | None = None

    @property
    def env(self) -> dict[str, str]:
        """The package is for /usr, where programs find libraries without a path."""
        return {"LD_LIBRARY_PATH": str(self.libraries)} if self.package else {}

    def files(self) -> set[str]:
        """Relative names, with the folder of the libraries called lib."""
        folder = f"{self.libraries.relative_to(self.root)}/"
        names = (str(path.relative_to(self.root)) for path in self.root.rglob("*") if not path.is_dir())
        return {"lib/" + name.removeprefix(folder) if name.startswith(folder) else name for name in names}


def run(*argv, ok=(0,), **env) -> str:
    done = subprocess.run(
        [str(part) for part in argv], capture_output=True, text=True, timeout=300, env=tool_env() | env
    )
    assert done.returncode in ok, f"{argv}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def installed(folder: Path) -> Tree:
    """Staged for /opt/ullnic, then moved."""
    build = build_host(progress=False)
    run(which("cmake"), "--install", build, "--prefix", "/opt/ullnic", DESTDIR=str(folder / "stage"))
    shutil.move(folder / "stage" / "opt" / "ullnic", folder / "moved")
    return Tree(folder / "moved", folder / "moved" / "lib")


def packaged(folder: Path) -> Tree:
    """Built as in host/README.md, from the existing sources of lwIP."""
    if not all(map(which, ("dpkg-deb", "dpkg-shlibdeps", "file"))):
        pytest.skip("dpkg-dev or file is not installed")
    options = ["-DCMAKE_INSTALL_PREFIX=/usr", "-DULLNIC_TESTS=OFF", f"-DLWIP_DIR={build_host(progress=False) / 'lwip'}"]
    run(which("cmake"), "-S", HOST_SOURCE, "-B", folder / "build", "-G", "Ninja", *options)
    run(which("cmake"), "--build", folder / "build", "--target", "package")
    (package,) = (folder / "build").glob("*.deb")
    run("dpkg-deb", "--extract", package, folder / "root")
    (library,) = (folder / "root" / "usr").rglob("libullnic.so")
    return Tree(folder / "root" / "usr", library.parent, package)


@pytest.fixture(scope="module", params=[installed, packaged], ids=lambda make: make.__name__)
def tree(request, tmp_path_factory) -> Tree:
    return request.param(tmp_path_factory.mktemp("installed"))


def test_every_program_starts_and_says_what_it_is(tree):
    assert sorted(path.name for path in (tree.root / "bin").iterdir()) == sorted(PROGRAMS)
    for name in PROGRAMS:
        program = tree.root / "bin" / name
        assert run(program, "--version", **tree.env) == f"{name} {VERSION}\n"
        text = run(program, "--help", **tree.env)
        assert text.startswith(f"usage: {name} ") and "--version" in text
        wrong = subprocess.run([program, "--no-such-option"], capture_output=True, text=True, env=os.environ | tree.env)
        assert wrong.returncode == 2 and f"usage: {name} " in wrong.stderr


def test_every_program_has_its_manual_page(tree):
    """Generated from --help: each option begins an entry, and nothing is lost."""
    for name, section in PROGRAMS.items():
        page = gzip.decompress((tree.root / f"share/man/man{section}/{name}.{section}.gz").read_bytes()).decode()
        plain = page.replace("\\-", "-")
        assert plain.startswith(f'.TH {name.upper()} {section} "" "{name} {VERSION}" "ullnic"\n.SH NAME\n{name} - ')
        text = run(tree.root / "bin" / name, "--help", **tree.env)
        for option in re.findall(r"^  (-.*?)(?:  |$)", text, re.MULTILINE):
            assert f".TP\n\\fB{option}\\fR\n" in plain, f"{name}: {option}"
        words = text.removeprefix(f"usage: {name}").split()
        assert not [word for word in words if word not in plain], name


def test_every_library_is_found_beside_the_others(tree):
    for path in [*(tree.root / "bin").glob("ullnic*"), *tree.libraries.glob("*.so")]:
        needed = run("ldd", path, **tree.env)
        assert "not found" not in needed, f"{path}: {needed}"
        for line in re.findall(r"libullnic\.so\S* => (\S+)", needed):
            assert os.path.realpath(line) == os.path.realpath(tree.libraries / "libullnic.so")
    for name in ("ullnic", "exanic"):  # its name says which others it is compatible with
        names = {path.name for path in tree.libraries.glob(f"lib{name}.so*")}
        assert names == {f"lib{name}.so", f"lib{name}.so.{VERSION.split('.')[0]}", f"lib{name}.so.{VERSION}"}


def test_exasock_runs_a_program_with_its_library(tree, tmp_path):
    socket = tmp_path / "ullnicd.sock"
    code = f"import socket; socket.socket(socket.AF_UNIX).bind({str(socket)!r})"
    run("python3", "-c", code)
    shown = run(tree.root / "bin" / "exasock", "sh", "-c", "echo $LD_PRELOAD", ULLNICD_SOCKET=str(socket))
    assert shown.strip() == str(tree.libraries / "libullnic-sockets.so")
    spaced = tmp_path / "a place"
    shutil.copytree(tree.root, spaced, symlinks=True)
    refused = subprocess.run(
        [spaced / "bin" / "exasock", "true"],
        env=os.environ | {"ULLNICD_SOCKET": str(socket)},
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 1 and "has a space or a colon in it" in refused.stderr


def said_by(tree, library: str, program: Path) -> None:
    shown = run(program, LD_LIBRARY_PATH=str(tree.libraries))
    assert shown == (f"{VERSION}\n" if library == "ullnic" else "")


@pytest.mark.skipif(not which("pkg-config"), reason="pkg-config is not installed")
@pytest.mark.parametrize("library", USES)
def test_pkg_config_compiles_and_links_a_program(tree, tmp_path, library):
    where = {"PKG_CONFIG_PATH": str(tree.libraries / "pkgconfig")}
    assert run("pkg-config", "--modversion", library, **where).strip() == VERSION
    flags = run("pkg-config", "--cflags", "--libs", library, **where).split()
    (tmp_path / "use.c").write_text(USES[library])
    run("cc", "-std=gnu11", "-Wall", "-Werror", tmp_path / "use.c", *flags, "-o", tmp_path / "use", **tree.env)
    said_by(tree, library, tmp_path / "use")


def test_cmake_finds_the_package(tree, tmp_path):
    """Only in this version, and only with the requested libraries."""
    (tmp_path / "CMakeLists.txt").write_text(FIND)
    for library, text in USES.items():
        (tmp_path / f"{library}.c").write_text(text)
    build = tmp_path / "build"
    run(which("cmake"), "-S", tmp_path, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={tree.root}", **tree.env)
    run(which("cmake"), "--build", build, **tree.env)
    for library in USES:
        said_by(tree, library, build / f"use_{library}")


@pytest.mark.parametrize("tree", [packaged], indirect=True, ids=lambda make: make.__name__)
def test_the_debian_package_is_what_is_installed(tree, tmp_path_factory):
    names = ["Package", "Version", "Section", "Maintainer", "Depends", "Description"]
    fields = [run("dpkg-deb", "--field", tree.package, name).strip() for name in names]
    assert fields[:3] == ["ullnic", VERSION, "net"] and fields[3].startswith("The ullnic authors")
    assert fields[4].startswith("libc6 (>= ") and "ullnic" not in fields[4]
    assert [path.name for path in tree.root.parent.iterdir()] == ["usr"]
    beside = installed(tmp_path_factory.mktemp("beside")).files()
    assert tree.files() - beside == {"share/doc/ullnic/changelog.gz"}
    # DPDK's plugin is installed where it was built, on request only; it is not part of the package.
    assert beside - tree.files() <= {"lib/librte_net_ullnic.so"}
    licences = (tree.root / "share/doc/ullnic/copyright").read_text()
    assert "Apache License, Version 2.0" in licences and "Swedish Institute of Computer Science" in licences


def test_each_header_compiles_by_itself(tree):
    include = tree.root / "include"
    headers = [path.relative_to(include) for path in sorted(include.rglob("*.h"))]
    assert len(headers) > 10
    for compiler, standard in (("cc", "-std=gnu11"), ("c++", "-std=gnu++17")):
        text = "".join(f'#include "{header}"\n' for header in headers)
        for source in (*(f'#include "{header}"\n' for header in headers), text):
            language = "c" if compiler == "cc" else "c++"
            done = subprocess.run(
                [compiler, standard, "-fsyntax-only", "-x", language, f"-I{include}", "-"],
                input=source, capture_output=True, text=True,
            )  # fmt: skip
            assert done.returncode == 0, f"{compiler} {source}: {done.stderr}"
