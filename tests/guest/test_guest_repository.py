# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""apt in its own folder: which sources it has, and what it refuses."""

import functools
import gzip
import hashlib
import http.server
import subprocess
import threading
from pathlib import Path

import pytest

from ullnic.errors import UllnicError
from ullnic.guest.repository import Repository, Source, Version, later_suites, machine_sources

MACHINE = """\
http://tools.example/apt/|cloud-bookworm|main
http://mirror.example/security/|bookworm-security|main
http://mirror.example/debian/|bookworm|main
http://mirror.example/debian/|bookworm|main
http://mirror.example/debian/|bookworm|contrib
http://mirror.example/debian/|bookworm-updates|main
http://node.example/|nodistro|main
file:/srv/local/|bookworm|main
"""


def test_sources_of_the_machine_are_debians_the_release_first():
    assert machine_sources(MACHINE) == [
        Source("http://mirror.example/debian", "bookworm"),
        Source("http://mirror.example/security", "bookworm-security"),
        Source("http://mirror.example/debian", "bookworm-updates"),
    ]


def test_no_source_of_debian():
    assert machine_sources("http://archive.example/ubuntu/|noble|main\n") == []
    assert machine_sources("") == []


@pytest.mark.parametrize(
    "release, suites",
    [
        ("bookworm", ["bookworm-backports", "trixie", "trixie-backports", "forky", "forky-backports"]),
        ("trixie", ["trixie-backports", "forky", "forky-backports"]),
        ("stable", ["stable-backports", "testing", "testing-backports", "sid"]),
        ("sid", []),
        ("unstable", []),
    ],
)
def test_suites_after_the_release(release, suites):
    assert later_suites(release)[: len(suites)] == suites
    assert not suites or later_suites(release)[-1] == "sid"


@pytest.mark.parametrize(
    "text, number",
    [("1:11.1.3+ds-1~bpo13+1", (11, 1)), ("10.0.13", (10, 0)), ("2:9.20-1", (9, 20)), ("none", (0, 0))],
)
def test_number_of_a_version(text, number):
    assert Version(text, "sid").upstream == number


@pytest.fixture
def mirror(tmp_path):
    """A mirror on this machine whose release is not signed."""
    root = tmp_path / "mirror"
    index = root / "dists" / "trixie" / "main" / "binary-amd64"
    index.mkdir(parents=True)
    packages = gzip.compress(b"Package: qemu-system-x86\nVersion: 1:11.1\nArchitecture: amd64\nFilename: pool/q.deb\n")
    (index / "Packages.gz").write_bytes(packages)
    line = f" {hashlib.sha256(packages).hexdigest()} {len(packages)} main/binary-amd64/Packages.gz\n"
    release = "Suite: trixie\nCodename: trixie\nArchitectures: amd64\nComponents: main\n"
    release += f"Date: Sat, 01 Aug 2026 00:00:00 UTC\nSHA256:\n{line}"
    (root / "dists" / "trixie" / "Release").write_text(release)
    handler = functools.partial(QuietHandler, directory=str(root))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def lists_of_the_system() -> list[tuple]:
    paths = [*Path("/var/lib/apt").rglob("*"), *Path("/var/cache/apt").rglob("*")]
    return sorted((str(path), path.stat().st_mtime_ns) for path in paths if path.is_file())


def test_a_mirror_without_a_signature_is_refused(mirror, tmp_path, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    before = lists_of_the_system()
    with pytest.raises(UllnicError, match="trixie") as error:
        Repository(tmp_path / "apt", [Source(mirror, "trixie")], tmp_path / "log")
    assert "not signed" in error.value.message
    assert "--mirror" in error.value.remedy
    assert lists_of_the_system() == before


def test_a_mirror_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with pytest.raises(UllnicError, match="cannot be had") as error:
        Repository(tmp_path / "apt", [Source("http://127.0.0.1:9/debian", "trixie")], tmp_path / "log")
    assert "127.0.0.1" in error.value.message
    assert "check the network" in error.value.remedy


def test_hooks_of_the_systems_apt_do_not_run(mirror, tmp_path, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    ran = tmp_path / "ran"
    (tmp_path / "system.conf").write_text(f'APT::Update::Pre-Invoke {{ "touch {ran}"; }};\n')
    monkeypatch.setenv("APT_CONFIG", str(tmp_path / "system.conf"))
    with pytest.raises(UllnicError):
        Repository(tmp_path / "apt", [Source(mirror, "trixie")], tmp_path / "log")
    assert not ran.exists()
    state = tmp_path / "state"
    (state / "lists" / "partial").mkdir(parents=True)
    subprocess.run(["apt-get", "-o", f"Dir::State={state}", "-o", f"Dir::Etc={state}", "update"], check=True)
    assert ran.exists(), "such a hook does not run anyhow"


def test_the_systems_proxy_is_used(tmp_path, monkeypatch):
    (tmp_path / "system.conf").write_text('Acquire::http::Proxy "http://127.0.0.1:9";\nAcquire::Retries "0";\n')
    monkeypatch.setenv("APT_CONFIG", str(tmp_path / "system.conf"))
    for name in ("http_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UllnicError) as error:
        Repository(tmp_path / "apt", [Source("http://mirror.invalid/debian", "trixie")], tmp_path / "log")
    assert "127.0.0.1" in error.value.message  # that name would not even be looked up
