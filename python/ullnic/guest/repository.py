# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Fetches Debian packages with apt, without touching the system's apt: sources, lists and downloads are separate.

apt checks the signature of each release and the hash of each package. The mirrors are the same as the system's.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.progress import log_tail, run_logged

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
RELEASES = ("bookworm", "trixie", "forky", "duke")  # Debian's releases, in order; sid follows them
ALIASES = ("oldstable", "stable", "testing", "unstable", "sid")
ARCHITECTURE = "amd64"
# The parts of the system's configuration that say how to reach the network.
NETWORK = ("Acquire::http", "Acquire::https", "Acquire::Check-Valid-Until", "Acquire::ForceIPv", "Acquire::Retries")
NO_MIRROR = "name a Debian mirror with --mirror URL, with the package debian-archive-keyring installed"


@dataclass(frozen=True)
class Source:
    """A suite on a mirror."""

    uri: str
    suite: str

    def line(self) -> str:
        signed_by = f" signed-by={KEYRING}" if KEYRING.exists() else ""  # otherwise by any key that apt trusts
        return f"deb [arch={ARCHITECTURE}{signed_by}] {self.uri} {self.suite} main"


@dataclass(frozen=True)
class Version:
    """A version that a suite has."""

    text: str
    suite: str

    @property
    def upstream(self) -> tuple[int, int]:
        """(11, 1) for 1:11.1.3+ds-1."""
        match = re.match(r"(?:\d+:)?(\d+)\.(\d+)", self.text)
        return (int(match[1]), int(match[2])) if match else (0, 0)


def needs_apt() -> None:
    for command in ("apt-get", "apt-cache", "apt-config", "dpkg-deb"):
        if not shutil.which(command):
            raise UllnicError(
                f"the guest is made of Debian packages, and '{command}' is not there to fetch them",
                "install, with this system's own package manager, what Debian calls: apt dpkg",
            )


def machine_sources(targets: str) -> list[Source]:
    """Debian's suites among the sources of the machine's apt, the release itself first.

    `targets`: the output of `apt-get indextargets` in TARGET_FORMAT.
    """
    found = []
    for line in dict.fromkeys(targets.splitlines()):
        uri, suite, component = line.split("|")
        release = suite.removesuffix("-updates").removesuffix("-security")
        if component == "main" and release in RELEASES + ALIASES and uri.startswith(("http://", "https://")):
            found.append(Source(uri.rstrip("/"), suite))
    return sorted(found, key=lambda source: source.suite.endswith(("-updates", "-security")))


TARGET_FORMAT = "$(REPO_URI)|$(RELEASE)|$(COMPONENT)"


def ask_machine() -> list[Source]:
    ask = ["apt-get", "indextargets", "--no-release-info", "--format", TARGET_FORMAT, "Created-By: Packages"]
    answer = subprocess.run(ask, capture_output=True, text=True, timeout=60)
    sources = machine_sources(answer.stdout)
    if not sources or sources[0].suite.endswith(("-updates", "-security")):
        raise UllnicError("this machine's apt has no source of a release of Debian", NO_MIRROR)
    return sources


def later_suites(release: str) -> list[str]:
    """Suites to search, one after another, for a version that the release itself does not have."""
    order = RELEASES if release in RELEASES else ("oldstable", "stable", "testing")
    if release not in order:  # sid: nothing follows it
        return []
    following = order[order.index(release) + 1 :]
    return [f"{release}-backports", *(suite for each in following for suite in (each, f"{each}-backports")), "sid"]


class Repository:
    """apt sources in their own folder."""

    def __init__(self, folder: Path, sources: Sequence[Source], log: Path):
        self.folder, self.log = folder, log
        self.sources: list[Source] = []
        shutil.rmtree(folder, ignore_errors=True)  # left by a killed command
        for name in ("state/lists/partial", "cache/archives/partial", "none", "log"):
            (folder / name).mkdir(parents=True)
        (folder / "state" / "status").touch()  # nothing counts as installed: all dependencies of a package are fetched
        (folder / "apt.conf").write_text(self._configuration())
        self.add(sources)

    def _configuration(self) -> str:
        asked = subprocess.run(["apt-config", "dump", "Acquire"], capture_output=True, text=True, timeout=60)
        network = [line for line in asked.stdout.splitlines() if line.startswith(NETWORK)]
        own = {
            "Dir::State": "state",
            "Dir::State::status": "state/status",
            "Dir::Cache": "cache",
            "Dir::Log": "log",
            "Dir::Etc::sourcelist": "sources.list",
            "Dir::Etc::sourceparts": "none",
            "Dir::Etc::main": "none/apt.conf",
            "Dir::Etc::parts": "none",  # the system's own: its hooks would run
            "Dir::Etc::preferences": "none/preferences",
            "Dir::Etc::preferencesparts": "none",
        }
        settings = {
            "APT::Architecture": ARCHITECTURE,
            "APT::Install-Recommends": "false",
            "APT::Sandbox::User": "root",  # the user _apt may be unable to access the folder
            "APT::Update::Error-Mode": "any",
            "Acquire::Languages": "none",
        }
        lines = [f'{name} "{self.folder / value}";' for name, value in own.items()]
        retries = 'Acquire::Retries "3";'  # unless the system says otherwise
        return "\n".join(
            [retries, *network, *lines, *(f'{name} "{value}";' for name, value in settings.items())]
            + [f'APT::Architectures {{ "{ARCHITECTURE}"; }};', ""]
        )

    def add(self, sources: Sequence[Source]) -> None:
        """Reads the lists of these sources; if one cannot be fetched, it raises an error and uses none of them."""
        names = ", ".join(each.suite for each in sources)
        self._write_list("new.list", sources)
        of_new = [f"Dir::Etc::sourcelist={self.folder / 'new.list'}", "APT::Get::List-Cleanup=false"]
        argv = ["apt-get", *(part for setting in of_new for part in ("-o", setting)), "update"]
        if self._apt(f"lists of Debian packages ({names})", *argv) != 0:
            raise UllnicError(
                f"the lists of Debian's packages cannot be had ({names}):\n{log_tail(self.log, 4)}",
                "check the network and the mirrors of this machine's apt, or name another with --mirror URL",
            )
        self.sources += sources
        self._write_list("sources.list", self.sources)

    def _write_list(self, name: str, sources: Iterable[Source]) -> None:
        (self.folder / name).write_text("".join(f"{each.line()}\n" for each in sources))

    def versions(self, package: str) -> list[Version]:
        """Newest first."""
        lines = self._ask("apt-cache", "madison", package).splitlines()
        fields = [[field.strip() for field in line.split("|")] for line in lines]
        return [Version(each[1], each[2].split()[1].partition("/")[0]) for each in fields if each[0] == package]

    def depends(self, package: str) -> list[str]:
        return re.findall(r"^ +Depends: (\S+)$", self._ask("apt-cache", "depends", package), re.MULTILINE)

    def fetch(self, label: str, packages: Sequence[str], suite: str = "", dependencies: bool = True) -> list[Path]:
        """Downloads packages with all dependencies; `suite` is preferred to other sources."""
        archives = self.folder / "cache" / "archives"
        for old in archives.glob("*.deb"):
            old.unlink()
        command = ["install", "--yes", "--download-only"] if dependencies else ["download"]
        preferred = ["--target-release", suite] if suite else []
        argv = ["apt-get", *preferred, *command, *packages]
        if self._apt(label, *argv, cwd=archives) != 0:
            raise UllnicError(
                f"{' '.join(packages)} cannot be had:\n{log_tail(self.log, 4)}",
                "check the network and the free disk space, then run it again",
            )
        return sorted(archives.glob("*.deb"))

    def _apt(self, label: str, *argv: str, cwd: Path | None = None) -> int:
        def step(line: str) -> str | None:
            return " ".join(line.split()[3:6]) if line.startswith("Get:") else None

        return run_logged(label, argv, self.log, describe=step, env=self._env(), cwd=cwd)

    def _ask(self, *argv: str) -> str:
        env = os.environ | self._env()
        return subprocess.run(argv, capture_output=True, text=True, env=env, timeout=120).stdout

    def _env(self) -> dict[str, str]:
        return {"APT_CONFIG": str(self.folder / "apt.conf"), "LC_ALL": "C.UTF-8"}
