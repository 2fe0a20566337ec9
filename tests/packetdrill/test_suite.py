# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""How public suites are adapted and counted, with a stand-in for packetdrill that passes scripts that say so."""

from ullnic.packetdrill.suite import Suite, adapted, passing, table, with_library

SCRIPT = """--ip_version=ipv4
 0.00 `sysctl -w x=1`
+0.00 getsockopt(3, SOL_SOCKET, SO_RCVBUF, [65536], [4]) = 0
+0.00 > S. 0:0(0) ack 1 win 65535 <mss 1460,sackOK,eol,eol>
+0.10 < . 1:1(0) ack 1 win 32767
+0.00 > . 1:1(0) ack 100 win 65401 <nop,nop,sack 50:100>
#ifdef STANDARD
+0.00 > R 1:1(0) win 0
#endif
#ifdef FreeBSD
+0.00 > . 2:2(0) ack 2
#endif
+0.00 close(3) = 0
"""
ADAPTED = """--ip_version=ipv4
 0.00 `true`
+0.00 > S. 0:0(0) ack 1 <...>
+0.10 < . 1:1(0) ack 1 win 32767
+0.00 > . 1:1(0) ack 100 <nop,nop,sack 50:100>
+0.00 > R 1:1(0)
+0.00 close(3) = 0
"""


def test_adapted():
    assert adapted(SCRIPT) == ADAPTED
    assert adapted(ADAPTED) == ADAPTED


def test_counts(tmp_path):
    for group, number, text in (("a", 1, "full"), ("a", 2, "full small"), ("b/c", 3, "kernel"), ("b", 4, "none")):
        (tmp_path / group).mkdir(parents=True, exist_ok=True)
        (tmp_path / group / f"{number}.pkt").write_text(f"// {text}\n")
    (tmp_path / "b/6.pkt").write_text("--ip_version=ipv6\n// full small kernel\n")
    program = tmp_path / "packetdrill"
    program.write_text('#!/bin/sh\nflags="${2#--so_flags=engine=}"; grep -q "$flags" "$3"\n')
    program.chmod(0o755)
    suite = Suite(tmp_path)
    passed = {name: passing(suite, with_library(str(program), tmp_path, name), 2) for name in ("full", "small")}
    passed["Linux"] = passing(suite, with_library(str(program), tmp_path, "kernel"), 2)
    assert table(suite, passed) == [
        "| group | scripts | full | small | Linux | Linux, not full |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        "| a | 2 | 2 | 1 | 0 | 0 |",
        "| b | 2 | 0 | 0 | 1 | 1 |",
        "| all | 4 | 2 | 1 | 1 | 1 |",
    ]
