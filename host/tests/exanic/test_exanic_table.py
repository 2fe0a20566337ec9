# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Checks the tables of host/exanic/README.md against headers, libraries, tests and the compiler."""

import re
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

HOST = Path(__file__).resolve().parents[2]
INCLUDE = HOST / "include"
HEADERS = sorted((INCLUDE / "exanic").glob("*.h")) + sorted((INCLUDE / "exasock").glob("*.h"))
FLAGS = ("-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra", f"-I{INCLUDE}")
OURS = ("same", "different", "absent")
# Building blocks of the headers, and names that the headers only use.
PLUMBING = re.compile(
    r".*_H|EXANIC_(ABSENT|UNAVAILABLE|ABSENT_\w+|NO_[A-Z_]+|RX_RING)|exanic_absent_\w+|struct exanic_member_\w+"
)


def read_table() -> dict[str, str]:
    """Maps names to our counterpart, from the tables with that column."""
    text = (HOST / "exanic/README.md").read_text()
    section = text[text.index("## What is there") : text.index("### Public example programs")]
    rows = {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| `") or cells[1] == "ours":
            continue
        assert cells[1] in OURS and (cells[1] == "same" or cells[2]), line
        for name in re.findall(r"`([^`]+)`", cells[0]):
            assert name not in rows, name
            rows[name] = cells[1]
    return rows


TABLE = read_table()


def names_in_headers() -> dict[str, str]:
    """Maps public names to the form in which a table writes them, with the parameters of macros."""
    names = {}
    for header in HEADERS:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", header.read_text(), flags=re.S).replace("\\\n", " ")
        for name, parameters in re.findall(r"^#define (\w+)(\([^)]*\))?", text, flags=re.M):
            names[name + ("()" if parameters else "")] = parameters
        code = re.sub(r"^\s*#.*$", "", text, flags=re.M)
        code = re.sub(r'"[^"]*"', "", code)
        for name in re.findall(r"\b((?:__)?exa(?:nic|sock)_\w+|print_exasock_latencies|clear_latencies)\s*\(", code):
            names[name + "()"] = ""
        for body in re.findall(r"\benum\b[^{;()]*\{(.*?)\}", code, flags=re.S):
            names |= dict.fromkeys(re.findall(r"\b([A-Z]\w+)\s*(?:=|,|$)", body), "")
        for body, name in re.findall(r"typedef struct \w+ \{(.*?)\n\} (\w+);", code, flags=re.S):
            if name in ("exanic_t", "exanic_rx_t", "exanic_tx_t"):
                members = re.findall(r"EXANIC_ABSENT_MEMBER\((\w+)|\b(\w+)(?:\[\w+\])?;", body)
                names |= {f"{name}.{one or other}": "" for one, other in members}
            else:
                names[name] = ""
        names |= dict.fromkeys(re.findall(r"^(?:typedef \w+|\}) (\w+);", code, flags=re.M), "")
        names |= dict.fromkeys(re.findall(r"^EXANIC_ABSENT_TYPE\((\w+)\)", code, flags=re.M), "")
        names |= {f"struct {name}": "" for name in re.findall(r"^EXANIC_ABSENT_STRUCT\((\w+)\)", code, flags=re.M)}
        names |= {f"struct {name}": "" for name in re.findall(r"^struct (\w+) \{", code, flags=re.M)}
    ring = {name for name in names if f"{name}()" in names}  # with EXANIC_RX_RING it is a different function
    return {n: what for n, what in names.items() if n not in ring and not PLUMBING.fullmatch(n.removesuffix("()"))}


HEADER_NAMES = names_in_headers()


def row_of(name: str) -> str | None:
    """The row for a name: its own, or the closest of those that end in a star."""
    if name in TABLE:
        return name
    stars = [row for row in TABLE if row.endswith("*") and fnmatchcase(name.removesuffix("()"), row)]
    return max(stars, key=len, default=None)


def includes() -> str:
    return "".join(f"#include <{path.parent.name}/{path.name}>\n" for path in HEADERS)


def use_of(name: str, parameters: str) -> str:
    """A statement that uses the name without any effect."""
    if "." in name:
        kind, member = name.split(".")
        return f"(void)(({kind}*)0)->{member};"
    if name.endswith("()"):
        bare = name.removesuffix("()")
        if parameters:
            return f"(void)({bare}({', '.join('0' for _ in parameters.split(','))}));"
        return f"(void)&{bare};"
    if name.startswith("struct ") or name.islower():
        return f"(void)sizeof({name});"
    return f"(void)({name});"


def compile_uses(tmp_path: Path, names: list[str], *flags: str) -> tuple[dict[str, str], str]:
    """The compiler's message for each name that it refuses, and its whole output."""
    source = tmp_path / "uses.c"
    lines = [f"void use_{i}(void) {{ {use_of(name, HEADER_NAMES[name])} }}" for i, name in enumerate(names)]
    head = includes() + '#pragma GCC diagnostic ignored "-Wunused-value"\n'
    source.write_text(head + "\n".join(lines) + "\n")
    done = subprocess.run(
        ["cc", *FLAGS, *flags, "-c", source, "-o", tmp_path / "uses.o"], capture_output=True, text=True
    )
    first = head.count("\n") + 1
    messages: dict[str, str] = {}
    for line, text in re.findall(r"uses\.c:(\d+):\d+: error: (.*)", done.stderr):
        messages[names[int(line) - first]] = messages.get(names[int(line) - first], "") + text
    return messages, done.stderr


def is_ours(name: str) -> str:
    return TABLE[row_of(name)]


def test_table_and_headers_have_the_same_names():
    assert len(HEADER_NAMES) > 500
    missing = [name for name in HEADER_NAMES if row_of(name) is None and not name.endswith(".own")]
    assert missing == []
    spoken_of = {row_of(name) for name in HEADER_NAMES}
    system = {"PAGE_SIZE"}
    assert [row for row in TABLE if row not in spoken_of | system] == []


def test_absent_names_do_not_compile_and_say_why(tmp_path):
    absent = [name for name in HEADER_NAMES if row_of(name) and is_ours(name) == "absent"]
    absent.append("__exanic_rx_catchup()")  # without EXANIC_RX_RING
    messages, _ = compile_uses(tmp_path, absent)
    assert len(absent) > 350
    for name in absent:
        assert "ullnic: " in messages.get(name, ""), name


def test_all_else_compiles_without_a_warning(tmp_path):
    present = [name for name in HEADER_NAMES if row_of(name) and is_ours(name) != "absent"]
    ring = [f"exanic_rx_t.{member}" for member in ("buffer", "next_chunk", "generation")]
    messages, said = compile_uses(tmp_path, present + ring, "-DEXANIC_RX_RING")
    assert (messages, said) == ({}, "")


def test_functions_that_are_there_are_exported_and_called(host_build):
    libraries = [host_build / "lib" / name for name in ("libexanic.so", "libexasock_ext.so")]
    out = subprocess.run(["nm", "-D", "--defined-only", *libraries], capture_output=True, text=True, check=True).stdout
    exported = {line.split()[-1] for line in out.splitlines() if " T " in line}
    inline = set(re.findall(r"static inline [^;{]*?\b(\w+)\(", "".join(path.read_text() for path in HEADERS)))
    tests = [path for folder in ("exanic", "sockets") for path in (HOST / "tests" / folder).glob("*.[cp]*")]
    called = set(
        re.findall(r"\b(\w+)\(", "".join(path.read_text() for path in tests if path.name != Path(__file__).name))
    )
    called |= set(re.findall(r"\b(\w+)\(", WITHOUT_ACCELERATION))
    functions = {
        name[:-2] for name, row in TABLE.items() if name.endswith("()") and row != "absent" and name.lower() == name
    }
    assert functions - exported - inline == set()
    assert functions - called == set()
    unnamed = (
        {f"{name}()" for name in exported}
        - set(TABLE)
        - {"exanic_acquire_rx_ring()", "exanic_acquire_unused_filter_ring()"}
    )
    assert {name for name in unnamed if name.startswith("exa")} == set()


WITHOUT_ACCELERATION = r"""
#include <errno.h>
#include <stdio.h>
#include <exasock/extensions.h>
#include <exasock/socket.h>

int main(void) {
  char device[16];
  int port, fd = socket(AF_INET, SOCK_STREAM, 0);
  printf("%d %u %d\n", exasock_loaded(), exasock_version_code(), exasock_version_text() == NULL);
  int result = exasock_tcp_get_device(fd, device, sizeof device, &port);
  printf("%d %d\n", result, errno == EOPNOTSUPP);
  result = exasock_disable_acceleration(fd);
  printf("%d %d\n", result, errno == ENOPROTOOPT || errno == EOPNOTSUPP);
  return EXASOCK_VERSION(2, 7, 0) == 0x20700 && MSG_EXA_WARM == 0x100000 ? 0 : 1;
}
"""


def test_exasock_program_without_acceleration(tmp_path, host_build):
    """A program linked and run without `exasock` gets an error, and no call falsely succeeds."""
    (tmp_path / "plain.c").write_text(WITHOUT_ACCELERATION)
    lib = host_build / "lib"
    command = ["cc", *FLAGS, "-Werror", "plain.c", "-o", "plain", f"-L{lib}", "-lexasock_ext", f"-Wl,-rpath,{lib}"]
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "plain"], capture_output=True, text=True, check=True)
    assert done.stdout == "0 0 1\n-1 1\n-1 1\n"


@pytest.mark.parametrize("standard", ["c11", "c++17"])
def test_each_header_stands_alone(tmp_path, standard):
    language = "c++" if "+" in standard else "c"
    for path in HEADERS:
        source = tmp_path / "alone.c"
        source.write_text(f"#include <{path.parent.name}/{path.name}>\n")
        command = ["cc", "-x", language, f"-std={standard}", *FLAGS[1:], "-Werror", "-fsyntax-only", source]
        done = subprocess.run(command, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), path.name
