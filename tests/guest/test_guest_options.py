# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Options that depend on the machine: a port in use, a terminal, KVM."""

import socket

import click
import pytest

from ullnic.errors import UllnicError
from ullnic.guest import command
from ullnic.guest.command import ForwardSpec, choose_kvm, guest
from ullnic.guest.machine import Forward


def test_a_port_that_is_taken():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = taken.getsockname()[1]
        with pytest.raises(click.BadParameter, match=f"port {number} of this machine cannot be used"):
            ForwardSpec().convert(f"{number}:80", None, None)
    assert ForwardSpec().convert(f"{number}:80", None, None) == Forward(number, 80)


def test_a_shell_needs_a_terminal():
    with pytest.raises(click.UsageError, match="needs a terminal"):
        guest.main([], standalone_mode=False)


@pytest.mark.parametrize("accel, works, kvm", [("auto", True, True), ("auto", False, False), ("tcg", True, False)])
def test_acceleration(monkeypatch, accel, works, kvm):
    monkeypatch.setattr(command, "kvm_works", lambda: works)
    assert choose_kvm(accel) is kvm


def test_kvm_that_is_asked_for_and_does_not_work(monkeypatch):
    monkeypatch.setattr(command, "kvm_works", lambda: False)
    with pytest.raises(UllnicError, match="KVM cannot be used"):
        choose_kvm("kvm")


@pytest.mark.parametrize(
    "options, said",
    [
        (["--vfs", "1"], "only qdma_example has virtual functions"),
        (["--vfs", "1", "--card", "trigger_pma16"], "only qdma_example has virtual functions"),
        (["--vfs", "5", "--card", "qdma_example"], "5 is not in the range"),
        (["--card", "qdma_example", "--port", "0=sink"], "has no ports"),
        (["--card", "qdma_example", "--dma", "model"], "RTL only"),
    ],
)
def test_what_the_example_design_has_not(options, said):
    with pytest.raises(click.UsageError, match=said):
        guest.main(options, standalone_mode=False)
