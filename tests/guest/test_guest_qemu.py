# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Which QEMU runs the guest, and where it comes from."""

import pytest

from guest_parts import script
from ullnic.errors import UllnicError
from ullnic.guest import qemu
from ullnic.guest.repository import Source, Version
from ullnic.guest.store import Store

ANSWERS = (
    'case "$*" in --version) echo "QEMU emulator version {version} (Debian)";; *vfio-user-pci,help) exit {code};; esac'
)


class FakeRepository:
    """`has`: versions of QEMU by suite; other suites are unavailable."""

    def __init__(self, has: dict[str, str]):
        self.has = has
        self.sources = [Source("http://mirror.invalid/debian", next(iter(has)))]
        self.fetched: list[tuple] = []

    def add(self, sources):
        if sources[0].suite not in self.has:
            raise UllnicError("the lists cannot be had:\nE: 404 Not Found")
        self.sources += sources

    def versions(self, package):
        assert package == "qemu-system-x86"
        return [Version(self.has[each.suite], each.suite) for each in self.sources if self.has[each.suite]]

    def fetch(self, label, packages, suite):
        self.fetched.append((packages, suite))
        return []


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Installs a QEMU of this version on PATH."""
    monkeypatch.delenv("ULLNIC_QEMU", raising=False)

    def install(version: str, code: int = 0):
        monkeypatch.setattr(qemu, "which", lambda name: str(tmp_path / name))
        return script(tmp_path / "qemu-system-x86_64", ANSWERS.format(version=version, code=code))

    monkeypatch.setattr(qemu, "which", lambda name: None)
    return install


@pytest.fixture
def find(tmp_path, monkeypatch):
    """Finds a QEMU where the sources have these versions; None: nothing may be fetched."""

    def look(has: dict[str, str] | None = None):
        searched = Store(tmp_path, None)
        monkeypatch.setattr(searched, "repository", lambda: FakeRepository(has) if has else pytest.fail("it fetches"))
        return searched.qemu()

    return look


@pytest.mark.parametrize("version", ["10.1.0", "10.2.50", "11.0.0", "100.0.0"])
def test_the_machines_own(installed, find, version):
    path = installed(version)
    found = find()
    assert found.command == (str(path),)


@pytest.mark.parametrize(
    "version, code, why",
    [
        ("7.2.0", 0, "is version 7.2, and vfio-user came with 10.1"),
        ("10.0.13", 0, "is version 10.0"),
        ("9.10.0", 0, "is version 9.10"),
        ("11.1.0", 1, "was built without the device vfio-user-pci"),
        ("unknown", 0, "does not answer like QEMU"),
    ],
)
def test_the_machines_own_that_will_not_do(installed, find, version, code, why):
    installed(version, code)
    with pytest.raises(UllnicError) as error:
        find({"sid": "1:10.0.0+ds-1"})
    assert why in error.value.message
    assert "sid: too old" in error.value.message
    assert "ULLNIC_QEMU=" in error.value.remedy


def test_one_that_the_user_names(installed, find, tmp_path, monkeypatch):
    installed("7.2.0")
    own = script(tmp_path / "own", ANSWERS.format(version="10.1.1", code=0))
    monkeypatch.setenv("ULLNIC_QEMU", str(own))
    assert find().command == (str(own),)


@pytest.mark.parametrize("name", ["old", "none"])
def test_a_wrong_one_that_the_user_names_is_not_replaced(installed, find, tmp_path, monkeypatch, name):
    installed("11.0.0")
    script(tmp_path / "old", ANSWERS.format(version="10.0.9", code=0))
    monkeypatch.setenv("ULLNIC_QEMU", str(tmp_path / name))
    with pytest.raises(UllnicError, match="ULLNIC_QEMU="):
        find()


@pytest.mark.parametrize(
    "has, suite",
    [
        ({"bookworm": "1:7.2", "trixie": "1:10.0.13", "trixie-backports": "1:11.1.3+ds-1~bpo13+1"}, "trixie-backports"),
        ({"bookworm": "1:7.2", "bookworm-backports": "", "trixie": "1:10.0.13", "forky": "1:11.1.2"}, "forky"),
        ({"bookworm": "1:7.2", "sid": "1:11.1.2"}, "sid"),
        ({"trixie": "1:10.0.13", "trixie-backports": "1:10.1.0"}, "trixie-backports"),
        ({"forky": "1:11.1.2"}, "forky"),
        ({"stable": "1:10.0", "testing": "1:11.1"}, "testing"),
    ],
)
def test_the_first_suite_that_has_one(has, suite, tmp_path):
    repository = FakeRepository(has)
    qemu.fetch(tmp_path / "tree", repository, "none is installed")
    assert repository.fetched == [(["qemu-system-x86"], suite)]


def test_a_suite_that_cannot_be_had_is_named(tmp_path):
    with pytest.raises(UllnicError) as error:
        qemu.fetch(tmp_path / "tree", FakeRepository({"forky": "1:9.0"}), "none is installed")
    assert "none is installed" in error.value.message
    assert "forky: too old" in error.value.message
    assert "sid: E: 404 Not Found" in error.value.message
