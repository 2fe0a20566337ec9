# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Fetches a source package of the distribution, without privileges and without changing the system.

apt gets its own state and its own list of sources, made from the archives that this system uses already, with their
source packages added; apt checks the signatures. Standard library only.
"""

import subprocess
from pathlib import Path


class FetchError(Exception):
    pass


def run(argv: list[str], cwd: Path) -> str:
    done = subprocess.run(argv, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise FetchError(f"`{' '.join(argv)}` failed:\n{done.stdout.strip()}")
    return done.stdout


def source_list() -> str:
    """The archives that hold the distribution's packages, as deb-src lines."""
    form = "$(SITE)|$(RELEASE)|$(COMPONENT)|$(ORIGIN)"
    rows = run(["apt-get", "indextargets", "--format", form, "Created-By: Packages"], Path.cwd()).split("\n")
    lines = set()
    for row in filter(None, rows):
        site, release, component, origin = row.split("|")
        if origin in ("Debian", "Ubuntu"):
            key = Path(f"/usr/share/keyrings/{origin.lower()}-archive-keyring.gpg")
            signed = f"[signed-by={key}] " if key.exists() else ""
            for part in {component, "main" if origin == "Debian" else "universe"}:
                lines.add(f"deb-src {signed}{site} {release} {part}")
    if not lines:
        raise FetchError("apt knows no archive of Debian or Ubuntu (was `apt-get update` ever run?)")
    return "\n".join(sorted(lines)) + "\n"


def fetch(package: str, work: Path, version: str = "") -> Path:
    """Downloads the package's files, of this version if one is given. Returns its upstream archive."""
    for folder in ("lists/partial", "cache/archives/partial"):
        (work / folder).mkdir(parents=True, exist_ok=True)
    (work / "sources.list").write_text(source_list())
    options = {
        "Dir::Etc::SourceList": work / "sources.list",
        "Dir::Etc::SourceParts": "-",
        "Dir::State": work,
        "Dir::State::Lists": work / "lists",
        "Dir::Cache": work / "cache",
        "APT::Sandbox::User": "",
        "Acquire::Retries": 3,
    }
    apt = ["apt-get", *(word for name, value in options.items() for word in ("-o", f"{name}={value}"))]
    run([*apt, "update"], work)
    run([*apt, "source", "--download-only", f"{package}={version}" if version else package], work)
    archives = sorted(work.glob(f"{package}_*.orig.tar.*"))
    if not archives:
        raise FetchError(f"apt brought no {package}_*.orig.tar.* into {work}")
    return archives[-1]
