# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Network namespaces that exist only as long as a process in them, and how their ports are set up."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from ullnic.errors import UllnicError

# Reads its own process number as /proc shows it, which is not $$ in a PID namespace.
HOLD = "read pid rest </proc/self/stat && echo $pid && exec cat"
TX_QUEUE_FRAMES = 20000  # far above one TCP window, so that a slow simulator never causes a drop


@dataclass(frozen=True)
class End:
    """One end of the link: its namespace's name, interface and addresses (RFC 2544 benchmark network)."""

    name: str
    ifname: str
    mac: str
    ip: str


END_A = End("A", "port-a", "02:00:00:00:00:0a", "198.18.0.1")
END_B = End("B", "port-b", "02:00:00:00:00:0b", "198.18.0.2")


class Namespace:
    """An anonymous network namespace held by a `cat` that ends with its standard input."""

    def __init__(self, end: End):
        self.end = end
        self.holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", HOLD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        line = self.holder.stdout.readline().strip()
        if not line:
            raise UllnicError(
                f"namespace {end.name} was not made: {self.holder.stderr.read().strip()}",
                "./ullnic doctor names what is missing",
            )
        self.pid = int(line)
        # Neighbour discovery would add unexpected frames to the capture.
        for scope in ("all", "default"):
            self.sysctl(f"net/ipv6/conf/{scope}/disable_ipv6", "1", needed=False)

    @property
    def path(self) -> str:
        return f"/proc/{self.pid}/ns/net"

    def command(self, *argv: str) -> list[str]:
        return ["nsenter", f"--net={self.path}", "--", *argv]

    def run(self, *argv: str, stdin: str | None = None) -> str:
        done = subprocess.run(self.command(*argv), input=stdin, capture_output=True, text=True, timeout=30)
        if done.returncode != 0:
            raise UllnicError(
                f"in namespace {self.end.name}: '{' '.join(argv)}' failed: {done.stderr.strip() or done.stdout.strip()}"
            )
        return done.stdout

    def sysctl(self, name: str, value: str, needed: bool = True) -> None:
        """Sets a sysctl of this namespace; unless `needed`, one that this kernel lacks is ignored."""
        path = Path("/proc/sys") / name
        if needed or path.exists():
            self.run("sh", "-c", 'echo "$2" >"$1"', "sh", str(path), value)

    def counters(self, table: str) -> dict[str, int]:
        """The kernel's counters of this namespace, e.g. {'Tcp.RetransSegs': 0} (table: snmp or netstat)."""
        found = {}
        lines = Path(f"/proc/{self.pid}/net/{table}").read_text().splitlines()
        for names, values in zip(lines[::2], lines[1::2], strict=True):
            group = names.split(":")[0].removesuffix("Ext")
            for name, value in zip(names.split()[1:], values.split()[1:], strict=True):
                found[f"{group}.{name}"] = int(value)
        return found

    def dropped_frames(self) -> int:
        """Frames that the kernel itself dropped at the port, transmitting or receiving."""
        for line in Path(f"/proc/{self.pid}/net/dev").read_text().splitlines():
            name, _, rest = line.partition(":")
            if name.strip() == self.end.ifname:
                fields = rest.split()
                return int(fields[3]) + int(fields[11])
        raise UllnicError(f"{self.end.ifname} is gone from namespace {self.end.name}")

    def close(self) -> None:
        self.holder.kill()
        self.holder.wait()


def configure_port(namespace: Namespace, mtu_bytes: int, rto_min_ms: int | None) -> None:
    """Addresses the port and brings it up.

    The kernel's TCP timers run in wall time while the link runs a few hundred times slower than a real one, so a busy
    machine would look like a lossy link. On a link without faults the shortest retransmission time is therefore raised;
    no other TCP rule is changed.
    """
    end = namespace.end
    rto = f" rto_min {rto_min_ms}ms" if rto_min_ms else ""
    namespace.run(
        "ip",
        "-batch",
        "-",
        stdin=f"""\
link set dev lo up
link set dev {end.ifname} address {end.mac} mtu {mtu_bytes} txqueuelen {TX_QUEUE_FRAMES}
link set dev {end.ifname} up
address add {end.ip}/24 dev {end.ifname}
route replace 198.18.0.0/24 dev {end.ifname} proto kernel scope link src {end.ip}{rto}
""",
    )
