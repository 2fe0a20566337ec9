# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Unpacked packages, and when they are fetched."""

import os
import subprocess

import pytest

from guest_parts import RELEASE, kernel_tree, script, userland_tree
from ullnic.errors import UllnicError
from ullnic.guest import store
from ullnic.guest.store import Store, prepare
from ullnic.guest.trees import unpack


@pytest.fixture
def package(tmp_path):
    """Makes a .deb of these files."""

    def make(name: str, version: str, files: dict[str, str]):
        folder = tmp_path / name
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        (folder / "DEBIAN").mkdir()
        control = f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: nobody\nDescription: test\n"
        (folder / "DEBIAN" / "control").write_text(control)
        (folder / "bin").mkdir(exist_ok=True)
        (folder / "bin" / name).symlink_to("/bin/true")
        made = tmp_path / f"{name}.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", folder, made], check=True, capture_output=True)
        return made

    return make


def test_packages_of_both_layouts_meet_in_usr(package, tmp_path):
    old = package("old", "1:1.0", {"lib/x86_64-linux-gnu/liba.so": "a", "usr/share/doc/old/copyright": "long"})
    new = package("new", "2.0-1", {"usr/lib/x86_64-linux-gnu/libb.so": "b", "lib/modules/6/kernel/sound/s.ko": "s"})
    tree = unpack("unpacking", [old, new], tmp_path / "tree", ("lib/modules/*/kernel/sound",))
    assert tree.versions() == {"old": "1:1.0", "new": "2.0-1"}
    libraries = tree.root / "usr" / "lib" / "x86_64-linux-gnu"
    assert sorted(path.name for path in libraries.iterdir()) == ["liba.so", "libb.so"]
    assert (tree.root / "lib").is_symlink()
    assert not (tree.root / "usr" / "share" / "doc").exists()
    assert not list(tree.root.rglob("s.ko"))
    assert (tree.root / "usr" / "lib" / "modules" / "6" / "kernel").is_dir()
    assert not old.exists()  # what is unpacked is not needed as a package


def test_an_older_tree_is_replaced_as_a_whole(package, tmp_path):
    unpack("unpacking", [package("first", "1", {"etc/first": ""})], tmp_path / "tree")
    tree = unpack("unpacking", [package("second", "2", {"etc/second": ""})], tmp_path / "tree")
    assert tree.versions() == {"second": "2"}
    assert os.listdir(tree.root / "etc") == ["second"]
    assert sorted(path.name for path in tmp_path.glob("tree*")) == ["tree"]


def test_a_damaged_package_leaves_the_older_tree(package, tmp_path):
    tree = unpack("unpacking", [package("first", "1", {"etc/first": ""})], tmp_path / "tree")
    damaged = package("second", "2", {"etc/second": "text" * 1000})
    damaged.write_bytes(damaged.read_bytes()[:-100])
    with pytest.raises(UllnicError, match=r"second\.deb cannot be unpacked"):
        unpack("unpacking", [damaged], tmp_path / "tree")
    assert tree.versions() == {"first": "1"}


class FakeRepository:
    def __init__(self):
        self.asked = []

    def versions(self, package):
        return [] if package == "linux-image-none" else ["1"]

    def depends(self, package):
        return [f"linux-image-{RELEASE}"] if package == "linux-image-amd64" else ["kmod", "linux-base"]

    def fetch(self, label, packages, suite="", dependencies=True):
        self.asked.append((tuple(packages), dependencies))
        return []


@pytest.fixture
def filled(tmp_path, monkeypatch):
    """A store whose trees exist; unpacking takes them from there."""
    userland_tree(tmp_path / "userland")
    kernel = kernel_tree(tmp_path / "linux-image-amd64")
    repository = FakeRepository()
    monkeypatch.setattr(Store, "repository", lambda self: repository)
    monkeypatch.setattr(store, "unpack", lambda label, packages, root, unused=(): store.Tree(root))
    monkeypatch.setenv("ULLNIC_QEMU", str(script(tmp_path / "qemu-own", 'echo "QEMU emulator version 10.1.0"')))
    assert (kernel.modules / "modules.dep").exists()
    return tmp_path, repository


def test_nothing_is_fetched_twice(filled):
    folder, repository = filled
    parts = prepare("linux-image-amd64", folder=folder)
    assert repository.asked == []
    assert parts.initramfs.exists()
    assert parts.kernel.release == RELEASE
    assert parts.qemu.command == (str(folder / "qemu-own"),)


def test_renewed(filled):
    folder, repository = filled
    prepare("linux-image-amd64", renew=True, folder=folder)
    userland, kernel = repository.asked
    assert "busybox-static" in userland[0]
    assert kernel == ((f"linux-image-{RELEASE}",), False)


def test_a_kernels_own_package_is_taken_as_it_is(filled):
    folder, repository = filled
    kernel_tree(folder / "linux-image-6.1.0-1-rt-amd64")
    prepare("linux-image-6.1.0-1-rt-amd64", renew=True, folder=folder)
    assert repository.asked[1] == (("linux-image-6.1.0-1-rt-amd64",), False)


def test_a_kernel_that_is_not_there(filled):
    with pytest.raises(UllnicError, match="no package linux-image-none"):
        prepare("linux-image-none", folder=filled[0])


def test_a_kernel_without_9p(filled):
    folder, _ = filled
    kernel = kernel_tree(folder / "linux-image-cloud-amd64")
    index = kernel.modules / "modules.dep"
    lines = [line for line in index.read_text().splitlines(keepends=True) if not line.startswith("kernel/fs/9p/9p.ko")]
    index.write_text("".join(lines))
    with pytest.raises(UllnicError, match="has no 9p, which the guest's shares need"):
        prepare("linux-image-cloud-amd64", folder=folder)
    (kernel.modules / "modules.builtin").write_text("kernel/fs/9p/9p.ko\n")
    assert prepare("linux-image-cloud-amd64", folder=folder).kernel.release == RELEASE


def test_another_processor(filled, monkeypatch):
    monkeypatch.setattr(store.platform, "machine", lambda: "aarch64")
    with pytest.raises(UllnicError, match="aarch64"):
        prepare("linux-image-amd64", folder=filled[0])


def test_without_apt_it_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UllnicError, match="'apt-get' is not there") as error:
        prepare("linux-image-amd64", folder=tmp_path / "guest")
    assert "apt dpkg" in error.value.remedy
