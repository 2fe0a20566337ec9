# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The guest as QEMU's command line."""

import json
from pathlib import Path

import pytest

from guest_parts import parts
from ullnic.guest import machine
from ullnic.guest.machine import Forward, Machine, Share, kvm_works


@pytest.fixture
def command(tmp_path):
    def of(**changes) -> list[str]:
        settings = {
            "sockets": (Path("/tmp/x/card"),),
            "memory_mib": 512,
            "cpus": 1,
            "kvm": False,
            "iommu": False,
            "shares": (),
            "forwards": (),
            "words": (),
        }
        made = Machine(parts(tmp_path, Path("qemu")), **settings | changes)
        return made.command("file:console")

    return of


def values(command: list[str], option: str) -> list[str]:
    return [command[index + 1] for index, each in enumerate(command) if each == option]


def test_the_card_is_on_a_root_port_and_shares_the_memory(command):
    made = command(memory_mib=768)
    devices = values(made, "-device")
    card = json.loads(next(each for each in devices if each.startswith("{")))
    assert card["driver"] == "vfio-user-pci"
    assert card["socket"] == {"type": "unix", "path": "/tmp/x/card"}
    assert any(each.startswith(f"pcie-root-port,id={card['bus']},") for each in devices)
    assert values(made, "-object") == ["memory-backend-memfd,id=memory,size=768M,share=on"]
    assert values(made, "-machine") == ["q35,memory-backend=memory"]
    assert values(made, "-m") == ["768M"]


def test_virtual_functions_follow_the_physical_one_in_its_slot(command):
    paths = (Path("/tmp/x/card"), Path("/tmp/x/card.vf0"), Path("/tmp/x/card.vf1"))
    devices = values(command(sockets=paths), "-device")
    functions = [json.loads(each) for each in devices if each.startswith("{")]
    assert [each["socket"]["path"] for each in functions] == [str(path) for path in paths]
    assert [each["addr"] for each in functions] == ["0.0", "0.1", "0.2"]
    assert [each["multifunction"] for each in functions] == [True, False, False]
    (port,) = (each for each in devices if "root-port" in each)
    assert {f"id={each['bus']}" in port.split(",") for each in functions} == {True}
    alone = json.loads(next(each for each in values(command(), "-device") if each.startswith("{")))
    assert alone["multifunction"] is False


@pytest.mark.parametrize("kvm, accel, cpu", [(False, "tcg", "max"), (True, "kvm", "host")])
def test_acceleration(command, kvm, accel, cpu):
    made = command(kvm=kvm, cpus=3)
    assert (values(made, "-accel"), values(made, "-cpu"), values(made, "-smp")) == ([accel], [cpu], ["3"])


def test_ports_are_those_of_this_machine_alone(command):
    made = command(forwards=(Forward(2222, 22), Forward(8080, 80)))
    assert values(made, "-netdev") == ["user,id=net,hostfwd=tcp:127.0.0.1:2222-:22,hostfwd=tcp:127.0.0.1:8080-:80"]
    assert values(command(forwards=()), "-netdev") == ["user,id=net"]


def test_shares(command):
    made = command(shares=(Share("share", Path("/with,comma and space")),))
    modules, share = values(made, "-fsdev")
    assert ",readonly=on" in modules
    assert "path=/with,,comma and space," in share
    assert "readonly" not in share
    assert "virtio-9p-pci,fsdev=share,mount_tag=share" in values(made, "-device")


def test_iommu_comes_before_the_devices_that_it_is_for(command):
    made = command(iommu=True)
    devices = values(made, "-device")
    assert devices[0] == "intel-iommu,caching-mode=on"
    assert "intel_iommu=on" in values(made, "-append")[0].split()
    assert "intel" not in " ".join(command(iommu=False))


def test_words_for_init_and_no_endless_reboot(command):
    made = command(words=("guest.job",))
    words = values(made, "-append")[0].split()
    assert {"console=ttyS0", "panic=-1", "no_timer_check", "guest.job"} <= set(words)
    assert "-no-reboot" in made


def test_kvm_needs_a_processor_that_virtualizes(monkeypatch, tmp_path):
    monkeypatch.setattr(machine, "KVM", tmp_path / "none")
    assert not kvm_works("flags : fpu vmx")
    (tmp_path / "file").touch()
    monkeypatch.setattr(machine, "KVM", tmp_path / "file")  # opens, but is not KVM
    assert not kvm_works("flags : fpu vmx")
    monkeypatch.setattr(machine.fcntl, "ioctl", lambda device, request: machine.KVM_API)
    assert kvm_works("flags : fpu vmx")
    assert kvm_works("flags : svm")
    assert not kvm_works("flags : fpu vmxoff hypervisor")
