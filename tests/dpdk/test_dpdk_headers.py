# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The driver's headers belong exactly to the installed DPDK, or there are none. (Each build of the driver shows that
they can be fetched.)
"""

import subprocess
import sys

from ullnic.paths import ROOT

FETCH = ROOT / "host/dpdk/fetch_headers.py"
NAMES = ("lib/eal/include/dev_driver.h", "lib/ethdev/ethdev_driver.h", "drivers/bus/pci/bus_pci_driver.h",
         "drivers/bus/vdev/bus_vdev_driver.h")  # fmt: skip


def fetch(*arguments: object) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-I", FETCH, *arguments], text=True, capture_output=True)


def test_headers_of_a_tree(tmp_path):
    tree, folder = tmp_path / "tree", tmp_path / "headers"
    for name in NAMES:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(f"of {name}\n")
    (tree / "VERSION").write_text("22.11.11\n")
    done = fetch("22.11.7", folder, "--source", tree)
    assert done.returncode == 1 and not folder.exists()
    assert "the sources are of DPDK 22.11.11, installed is 22.11.7" in done.stderr
    assert "Remedy: get the sources of DPDK 22.11.7, and configure with -DDPDK_SOURCE=FOLDER" in done.stderr
    assert fetch("22.11.11", folder, "--source", tree).returncode == 0
    assert sorted(path.name for path in folder.iterdir()) == sorted(name.split("/")[-1] for name in NAMES)
    assert (folder / "ethdev_driver.h").read_text() == "of lib/ethdev/ethdev_driver.h\n"
    (tree / NAMES[0]).unlink()
    assert fetch("22.11.11", tmp_path / "others", "--source", tree).returncode == 1
