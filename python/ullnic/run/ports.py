# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""How each end of the simulated link is connected to the kernel: a TAP device, or a veth pair without one."""

import os
import subprocess

from ullnic.errors import UllnicError
from ullnic.paths import module_command
from ullnic.run.netns import Namespace
from ullnic.run.offload import switch_off

TUN_NODE = "/dev/net/tun"


def choose_port(wanted: str) -> str:
    """'tap' or 'veth'; 'auto' chooses a TAP if its device node can be opened."""
    if wanted != "auto":
        if wanted == "tap" and (reason := tun_missing()):
            raise UllnicError(
                f"--port tap needs {TUN_NODE}: {reason}",
                "use --port veth, or make the node accessible (modprobe tun; chmod 0666)",
            )
        return wanted
    return "veth" if tun_missing() else "tap"


def tun_missing() -> str | None:
    try:
        os.close(os.open(TUN_NODE, os.O_RDWR))
    except OSError as error:
        return error.strerror
    return None


def port_spec(kind: str, namespace: Namespace, mtu_bytes: int) -> str:
    """Prepares the end and returns its specification for ullnic-link."""
    if kind == "tap":
        return f"tap:{namespace.end.ifname},netns={namespace.path}"
    wire = make_veth(namespace, mtu_bytes)
    return f"packet:{wire}"


def make_veth(namespace: Namespace, mtu_bytes: int) -> str:
    """A veth pair: one end in the namespace, the other here, where ullnic-link opens an AF_PACKET socket on it."""
    port, wire = namespace.end.ifname, f"wire-{namespace.end.name.lower()}"
    # `netns` expects the holder's number in our own PID namespace, not the one that /proc shows.
    batch = (
        f"link add {wire} mtu {mtu_bytes} type veth peer name {port} mtu {mtu_bytes} "
        f"netns {namespace.holder.pid}\nlink set dev {wire} up\n"
    )
    done = subprocess.run(["ip", "-batch", "-"], input=batch, capture_output=True, text=True, timeout=30)
    if done.returncode != 0:
        raise UllnicError(
            f"the veth pair {wire} was not made: {done.stderr.strip()}",
            "the kernel needs the veth driver (modprobe veth)",
        )
    # A real wire carries finished checksums and frames of at most the MTU.
    namespace.run(*module_command("ullnic.run.offload", port))
    switch_off(wire)
    return wire
