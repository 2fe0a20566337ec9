# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The guest as QEMU's command line."""

import fcntl
import json
import os
from dataclasses import dataclass
from pathlib import Path

from ullnic.guest.store import Parts

KVM = Path("/dev/kvm")
KVM_GET_API_VERSION, KVM_API = 0xAE00, 12
ANSWER_TIMEOUT_MS = 60_000  # a register access takes as long as the simulation does
ESCAPE = "Ctrl-A x"


@dataclass(frozen=True)
class Share:
    """A folder of this machine that the guest can mount by its name."""

    tag: str
    path: Path
    read_only: bool = False

    def arguments(self) -> list[str]:
        local = f"local,id={self.tag},path={comma(self.path)},security_model=none,multidevs=remap"
        local += ",readonly=on" if self.read_only else ""
        return ["-fsdev", local, "-device", f"virtio-9p-pci,fsdev={self.tag},mount_tag={self.tag}"]


@dataclass(frozen=True)
class Forward:
    """A TCP port of this machine's loopback address, forwarded to a port of the guest."""

    host: int
    guest: int


@dataclass(frozen=True)
class Machine:
    parts: Parts
    sockets: tuple[Path, ...]  # of the card, one for each function: function N is 01:00.N in the guest
    memory_mib: int
    cpus: int
    kvm: bool
    iommu: bool
    shares: tuple[Share, ...]
    forwards: tuple[Forward, ...]
    words: tuple[str, ...]  # for the guest's init, on the kernel's command line

    def command(self, console: str) -> list[str]:
        """`console`: the arguments of QEMU's -serial."""
        network = ",".join(f"hostfwd=tcp:127.0.0.1:{each.host}-:{each.guest}" for each in self.forwards)
        # panic=-1: a guest that fails ends, since QEMU exits instead of rebooting. no_timer_check: Linux counts the
        # timer's ticks against the processor's clock, and panics if they are late, as they are on a busy machine. The
        # next two only save time.
        words = (
            "console=ttyS0",
            "quiet",
            "panic=-1",
            "no_timer_check",
            "cryptomgr.notests",
            "mitigations=off",
            *(("intel_iommu=on",) if self.iommu else ()),
            *self.words,
        )
        arguments = ["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-name", "ullnic-guest"]
        arguments += ["-machine", "q35,memory-backend=memory", "-accel", "kvm" if self.kvm else "tcg"]
        arguments += ["-cpu", "host" if self.kvm else "max", "-smp", str(self.cpus), "-m", f"{self.memory_mib}M"]
        # The card reads and writes the guest's memory: it must be a file that both map.
        arguments += ["-object", f"memory-backend-memfd,id=memory,size={self.memory_mib}M,share=on"]
        arguments += ["-kernel", str(self.parts.kernel.image), "-initrd", str(self.parts.initramfs)]
        arguments += ["-append", " ".join(words), "-serial", console]
        if self.iommu:  # before the devices that use it
            arguments += ["-device", "intel-iommu,caching-mode=on"]
        # A bus of its own, so that the card shows its PCI Express link.
        arguments += ["-device", "pcie-root-port,id=port1,bus=pcie.0,chassis=1,addr=1"]
        for number, path in enumerate(self.sockets):
            # In the others Linux would take the bit for a reason to put all into one group of the IOMMU.
            is_first_of_several = number == 0 and len(self.sockets) > 1
            arguments += ["-device", json.dumps(function(number, path, is_first_of_several))]
        for share in (Share("modules", self.parts.kernel.modules, read_only=True), *self.shares):
            arguments += share.arguments()
        arguments += ["-netdev", f"user,id=net{',' if network else ''}{network}"]
        arguments += ["-device", "virtio-net-pci,netdev=net,romfile="]
        return [*self.parts.qemu.command, *arguments]


def function(number: int, path: Path, multifunction: bool) -> dict[str, object]:
    """A function of the card, as a device of QEMU."""
    return {
        "driver": "vfio-user-pci",
        "bus": "port1",
        "addr": f"0.{number}",
        "multifunction": multifunction,
        "socket": {"type": "unix", "path": str(path)},
        "x-msg-timeout": ANSWER_TIMEOUT_MS,
    }


def comma(path: Path) -> str:
    """Escapes commas of a value in QEMU's lists, which commas separate."""
    return str(path).replace(",", ",,")


def kvm_works(cpu_flags: str | None = None) -> bool:
    """Whether KVM can be opened, and the processor virtualizes.

    Some kernels offer KVM without that: the emulation that Debian's kernel then needs is slower than TCG.
    """
    flags = (Path("/proc/cpuinfo").read_text() if cpu_flags is None else cpu_flags).split()
    if not {"vmx", "svm"} & set(flags):
        return False
    try:
        device = os.open(KVM, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return fcntl.ioctl(device, KVM_GET_API_VERSION) == KVM_API
    except OSError:
        return False
    finally:
        os.close(device)
