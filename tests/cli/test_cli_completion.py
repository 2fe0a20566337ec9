# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Completion with the Tab key, in a real interactive bash, set up as in the README."""

import os
import pty
import re
import select
import time

import pytest

from ullnic.paths import ROOT

SET_UP = re.search(r'^eval "\$\(_ULLNIC_COMPLETE=bash_source \./ullnic\)"', (ROOT / "README.md").read_text(), re.M)[0]
PROMPT = "ready> "


class Shell:
    def __init__(self):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            settings = {"PS1": PROMPT, "TERM": "dumb", "INPUTRC": "/dev/null", "HISTFILE": "", "COLUMNS": "500"}
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], os.environ | settings)
        self.said = ""
        self.wait_for(PROMPT)

    def wait_for(self, text: str, timeout_s: float = 60) -> str:
        """The output up to this text."""
        deadline_s = time.monotonic() + timeout_s
        while text not in self.said:
            assert select.select([self.terminal], [], [], max(0, deadline_s - time.monotonic()))[0], self.said
            self.said += os.read(self.terminal, 4096).decode()
        before, _, self.said = self.said.partition(text)
        return before

    def run(self, line: str) -> str:
        os.write(self.terminal, f"{line}\n".encode())
        return self.wait_for(PROMPT)

    def end(self):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


@pytest.fixture(scope="module")
def shell():
    shell = Shell()
    shell.run('bind "set bell-style none"; bind "set show-all-if-ambiguous on"; bind "set enable-bracketed-paste off"')
    shell.run(SET_UP)
    yield shell
    shell.end()


@pytest.mark.parametrize(
    "typed, added",
    [
        ("./ullnic mea", "sure "),
        ("./ullnic run --mar", "ket "),
        ("./ullnic run li", "nk "),
        ("./ullnic run link --rep", "lay "),
        ("./ullnic run --card trigger_pma3", "2 "),
        ("./ullnic measure macpcs --config nofifo_pma32_mac3", "2 "),
        ("./ullnic lint --only sla", "ng "),
        ("./ullnic --ver", "sion "),
    ],
)
def test_tab_completes_a_word(shell, typed, added):
    os.write(shell.terminal, f"{typed}\t".encode())
    shell.wait_for(typed + added)
    os.write(shell.terminal, b"\x15")  # the line must not be run
    shell.run("")


def test_tab_lists_what_there_is(shell):
    os.write(shell.terminal, b"./ullnic run \t")
    listed = shell.wait_for("toe")
    assert "trade" in listed and "link" in listed
    os.write(shell.terminal, b"\x15")
    shell.run("")
