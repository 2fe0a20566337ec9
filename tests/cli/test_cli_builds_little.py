# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Each subcommand compiles what it runs, and no test, no other program and no other card."""

import re
import subprocess

import pytest
from click.testing import CliRunner

from ullnic import build
from ullnic.cli import cli
from ullnic.configs import DEFAULT
from ullnic.toolchain import tool_env, which

SIM, HOST = "the simulation", "the host software"


class Built(Exception):
    """Raised when the targets to be built are known."""


@pytest.fixture
def would_build(monkeypatch):
    """Targets that a subcommand requests, by the build they are part of. Configures, but builds nothing."""

    def targets_of(*argv):
        asked = {}

        def make(self, *targets):
            asked[self.what] = targets
            if self.what == HOST or argv[:2] not in (("run",), ("soak", "ate")):
                raise Built

        monkeypatch.setattr(build.CMakeBuild, "make", make)
        result = CliRunner().invoke(cli, list(argv), standalone_mode=False)
        assert isinstance(result.exception, Built), (argv, result.exception, result.output)
        return asked

    return targets_of


def objects_of(directory, targets):
    """Sources (relative to the project's folder) that these targets compile."""
    ninja = [which("ninja"), "-C", str(directory)]
    subprocess.run([*ninja, "build.ninja"], check=True, capture_output=True, env=tool_env())
    commands = subprocess.run([*ninja, "-t", "commands", *targets], capture_output=True, text=True, check=True).stdout
    return re.findall(r" -o (\S+)\.o -c ", commands), len(commands.splitlines())


def main_programs(sources):
    return {source for source in sources if re.search(r"(^|/)(\w+_)?main\.cc$", source)}


# Each subcommand, its only main program, and the models of RTL that it runs.
SIMULATIONS = {
    ("run",): ("nic", {"trigger_pma16", "card_qdma"}),
    ("run", "--card", "trigger_pma32"): ("nic", {"trigger_pma32", "card_qdma"}),
    ("run", "link"): ("link", {DEFAULT}),
    ("run", "toe"): ("stack", {"toe_card"}),
    ("soak", "ate"): ("nic", {"trigger_pma16", "card_qdma"}),
    ("soak", "toe"): ("stack", {"toe_card"}),
    ("soak", "rtl", "--core", "ate"): ("fuzz", {"fuzz_ate"}),
    ("soak", "macpcs", "--config", "nofifo_pma32_mac32", "--random-generics", "0"): ("soak", {"nofifo_pma32_mac32"}),
    ("measure", "macpcs", "--config", "nofifo_pma16_mac16"): ("sweep", {"nofifo_pma16_mac16"}),
    ("measure", "ate", "--config", "trigger_pma16"): ("ate_sweep", {"trigger_pma16"}),
    ("measure", "link"): ("link", {DEFAULT}),
    ("packetdrill", "tests/packetdrill/abort_close_wait.pkt"): ("", {"toe_engine", "toe_engine_small"}),
}


@pytest.mark.parametrize("argv", SIMULATIONS, ids=" ".join)
def test_only_what_is_run_is_compiled(would_build, argv):
    program, models = SIMULATIONS[argv]
    sources, steps = objects_of(build.DIRECTORY, would_build(*argv)[SIM])
    print(f"./ullnic {' '.join(argv)}: {steps} steps")
    assert sources and not [source for source in sources if "_test" in source or "gtest" in source]
    assert {main.split("/")[-2] for main in main_programs(sources)} == ({program} if program else set())
    found = set(re.findall(r"/Vmodel_(\w+?)__(?:all|once)\.cc$", "\n".join(sources), re.MULTILINE))
    assert found == models


def test_the_host_software_of_a_run_is_what_it_starts(would_build):
    sources, steps = objects_of(build.HOST_DIRECTORY, would_build("run")[HOST])
    print(f"./ullnic run: {steps} steps for the host software")
    folders = {re.sub(r"CMakeFiles/.*", "", source).split("/lwip/")[0] for source in sources}
    assert folders == {"libullnic/", "sockets/", "tools/ullnic-trigger/"}
    assert not [source for source in sources if "_ext.dir" in source or "exanic" in source]


def test_every_object_of_the_card_is_linked_into_it(would_build, tmp_path):
    """No object of the libraries that it consists of is compiled in vain; an object has few sources."""
    if not (build.DIRECTORY / "bin" / "ullnic-card").exists():
        build.build_sim(progress=False, targets=("ullnic-card",))
    asked = [which("ninja"), "-C", str(build.DIRECTORY), "-t", "commands", "ullnic-card"]
    commands = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()
    link = commands[-1].replace("-o bin/ullnic-card", f"-Wl,-Map,{tmp_path}/map -o {tmp_path}/card")
    subprocess.run(["sh", "-c", link], cwd=build.DIRECTORY, check=True, capture_output=True)
    # Objects of several sources have the same name in each target.
    text = (tmp_path / "map").read_text()
    linked = set(re.findall(r"lib([\w-]+)\.a\((\w+\.(?:cc|cxx)\.o)\)", text))
    linked |= set(re.findall(r"CMakeFiles/([\w-]+)\.dir/\S*?(\w+\.(?:cc|cxx)\.o)$", text, re.MULTILINE))
    object_of = re.compile(r" -o \S*CMakeFiles/([\w-]+)\.dir/\S*?(\w+\.(?:cc|cxx)\.o) -c ")
    compiled = {match.groups() for line in commands if (match := object_of.search(line))}
    # The owner of the precompiled header is an empty object that only CMake needs.
    needless = {each for each in compiled - linked if each[0] != "ullnic_precompiled"}
    assert compiled and not needless, needless
