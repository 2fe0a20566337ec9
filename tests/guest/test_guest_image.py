# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The guest's kernel and initramfs, read back by other programs."""

import gzip
import io
import lzma
import subprocess

import pytest

from guest_parts import ELF, RELEASE, bz_image, kernel_tree, script, userland_tree
from ullnic.guest import vmlinux
from ullnic.guest.cpio import CpioWriter
from ullnic.guest.image import INIT, initramfs


def cpio(*options: str, archive: bytes, cwd=None) -> str:
    done = subprocess.run(["cpio", "--quiet", *options], input=archive, cwd=cwd, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@pytest.fixture
def trees(tmp_path):
    return userland_tree(tmp_path / "userland"), kernel_tree(tmp_path / "kernel")


def test_initramfs_holds_packages_init_and_the_modules_to_boot(trees, tmp_path):
    archive = initramfs(tmp_path, *trees).read_bytes()
    names = cpio("-it", archive=archive).split()
    modules = sorted(name.rpartition("/")[2] for name in names if ".ko" in name)
    assert modules == ["9p.ko", "9pnet.ko", "9pnet_virtio.ko.xz", "virtio.ko", "virtio_pci.ko"]
    assert f"usr/lib/modules/{RELEASE}/modules.dep.bin" in names
    assert len(names) == len(set(names))
    for name in names:  # the kernel creates no folder that the archive does not list
        above = name.rpartition("/")[0]
        assert not above or names.index(above) < names.index(name)

    out = tmp_path / "out"
    out.mkdir()
    wanted = ["init", "etc/odd", "etc/passwd", "usr/bin/*", "bin", "usr/local/sbin/*"]
    cpio("-id", "--no-absolute-filenames", *wanted, archive=archive, cwd=out)
    assert (out / "init").read_bytes() == INIT.read_bytes()
    assert (out / "init").stat().st_mode & 0o777 == 0o755
    assert (out / "etc" / "odd").read_bytes() == b"three"
    assert (out / "etc" / "passwd").read_text().startswith("root:x:0:0:")
    assert (out / "bin").readlink().as_posix() == "usr/bin"
    assert (out / "usr" / "bin" / "sh").readlink().as_posix() == "bash"
    assert (out / "usr" / "bin" / "empty").stat().st_size == 0
    assert "busybox poweroff -f" in (out / "usr" / "local" / "sbin" / "poweroff").read_text()


def test_initramfs_belongs_to_root_and_has_a_console(trees, tmp_path):
    lines = cpio("-itv", "--numeric-uid-gid", archive=initramfs(tmp_path, *trees).read_bytes()).splitlines()
    assert all(line.split()[2:4] == ["0", "0"] for line in lines)
    console = [line.split() for line in lines if line.endswith(" dev/console")]
    assert console[0][0] == "crw-------"
    assert [field.rstrip(",") for field in console[0][4:6]] == ["5", "1"]


def test_initramfs_is_made_again_when_a_package_is_another(trees, tmp_path):
    userland, kernel = trees
    first = initramfs(tmp_path, userland, kernel)
    written = first.stat().st_mtime_ns
    assert initramfs(tmp_path, userland, kernel).stat().st_mtime_ns == written
    (userland.root / "packages.tsv").write_text("busybox-static\t1.36\n")
    second = initramfs(tmp_path, userland, kernel)
    assert second != first
    assert not first.exists()  # only the newest is kept


def test_the_same_files_give_the_same_archive(trees, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = (initramfs(tmp_path / name, *trees).read_bytes() for name in "ab")
    assert first == second


def test_a_name_is_written_once():
    archive = CpioWriter(io.BytesIO())
    archive.file_of("a/b", b"")
    with pytest.raises(ValueError, match="already"):
        archive.file_of("a/b", b"")


@pytest.mark.parametrize("compress", [lzma.compress, gzip.compress])
def test_kernel_out_of_its_image(compress):
    assert vmlinux.extract(bz_image(compress(ELF) + b"\x10\0\0\0")) == ELF


@pytest.mark.parametrize(
    "image",
    [
        b"",
        b"short",
        bz_image(lzma.compress(ELF), magic=b"NoNo"),
        bz_image(b"\x02\x21\x4c\x18" + ELF),  # LZ4
        bz_image(lzma.compress(ELF[:64])),  # QEMU has no entry point
        bz_image(lzma.compress(b"no ELF" + ELF)),
        bz_image(lzma.compress(ELF)[:40] + bytes(200)),  # damaged
    ],
    ids=["empty", "short", "magic", "lz4", "no-entry", "no-elf", "damaged"],
)
def test_kernel_that_stays_in_its_image(image):
    assert vmlinux.extract(image) is None


def test_the_kernel_that_qemu_gets(trees):
    kernel = trees[1]
    assert kernel.image == kernel.compressed
    kernel.extract()
    assert kernel.image.read_bytes() == ELF
    assert kernel.release == RELEASE


def test_init_is_a_script_of_sh():
    assert subprocess.run(["sh", "-n", INIT]).returncode == 0


def test_a_tree_runs_programs_with_its_own_loader(tmp_path):
    tree = userland_tree(tmp_path / "userland")
    loader = tree.root / "usr" / "lib" / "x86_64-linux-gnu" / "ld-linux-x86-64.so.2"
    loader.parent.mkdir(parents=True)
    script(loader, 'echo "$@"')
    said = subprocess.run(tree.command("usr/bin/empty"), capture_output=True, text=True).stdout.split()
    assert said == [
        "--inhibit-cache",
        "--library-path",
        str(loader.parent),
        "--argv0",
        "empty",
        f"{tree.root}/usr/bin/empty",
    ]
