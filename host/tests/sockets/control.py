# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Requests to ullnicd that no library of ours would make: any request, by any user, with any descriptor.

It is for tests and for the programs of tests, which find the layout in the environment.
"""

import contextlib
import json
import os
import socket
import struct
import subprocess
from pathlib import Path
from types import SimpleNamespace

HERE = Path(__file__).parent
# fmt: off
REQUEST = [
    "magic", "op", "id", "local_ip", "peer_ip", "via_ip", "source_ip", "local_port", "peer_port", "ate_id", "backlog",
    "datagram", "unbound", "group_action", "silent_join", "any_neighbour", "address", "value", "delegated_bytes",
    "options",
]
REPLY = [
    "magic", "error", "accelerated", "kind", "state", "id", "local_ip", "local_port", "peer_ip", "ate_id", "verdict",
    "value", "turned_away", "usage", "options", "text", "words",
]
OPTIONS = ["ttl", "tos", "reuse_address", "reuse_port", "receive_buffer"]
OPS = [
    "PROBE", "BIND", "CONNECT", "LISTEN", "QUERY", "OPTIONS", "GROUP", "READ_REGISTER", "WRITE_REGISTER", "RAW",
    "DELEGATE", "DELEGATED", "UNDELEGATE", "ROUTE", "MORE", "LINGER", "DMA_QUEUE",
    "DMA_ERRORS", "DISCONNECT", "SHUTDOWN", "DMA_EVENTS", "DMA_WATCH",
]
# fmt: on


def layout_of(folder: Path) -> dict:
    """Offsets of the fields, from the header that programs and daemon share. Compiled in `folder`."""

    def fields(name: str, of: list[str]) -> str:
        at = f'"\\"%s\\": [%zu, %zu], ", #f, offsetof(struct {name}, f), sizeof(((struct {name}*)0)->f)'
        body = "".join(f"AT({field}) " for field in of)
        head = f'#undef AT\n#define AT(f) printf({at});\nprintf("\\"{name}\\": {{");\n'
        return f'{head}{body}\nprintf("\\"size\\": [0, %zu]}}, ", sizeof(struct {name}));\n'

    ops = "".join(f'printf("\\"{op}\\": %d, ", CONTROL_{op});\n' for op in OPS)
    code = '#include <stddef.h>\n#include <stdio.h>\n#include "common/protocol.h"\nint main(void) {\nprintf("{");\n'
    code += fields("control_request", REQUEST) + fields("control_reply", REPLY)
    code += fields("control_options", OPTIONS) + ops
    code += 'printf("\\"MAGIC\\": %u}", CONTROL_MAGIC); }\n'
    program = folder / "layout"
    argv = ["cc", "-D_GNU_SOURCE", f"-I{HERE.parents[1] / 'sockets'}", "-x", "c", "-", "-o", program]
    subprocess.run(argv, input=code, text=True, check=True)
    return json.loads(subprocess.run([program], capture_output=True, check=True).stdout)


def ip(text: str) -> int:
    """In the protocol's byte order."""
    return struct.unpack("=I", socket.inet_aton(text))[0]


class Control:
    """Sends requests: `socket` and `layout` are given, or come from the environment of a test's program."""

    def __init__(self, path: Path | str = "", layout: dict | None = None):
        self.path = str(path or os.environ["ULLNICD_SOCKET"])
        self.layout = layout or json.loads(os.environ["CONTROL_LAYOUT"])

    def connect(self) -> socket.socket:
        link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        link.connect(self.path)  # waits for its turn, as the libraries do
        link.settimeout(10)
        return link

    def options(self, **fields) -> bytes:
        """As for a new socket of the kernel, except those named."""
        at = self.layout["control_options"]
        options = bytearray(at["size"][1])
        for name, value in ({"ttl": 64} | fields).items():
            place, size = at[name]
            options[place : place + size] = value.to_bytes(size, "little")
        return bytes(options)

    def request(self, op: str | int, data: bytes = b"", **fields) -> bytes:
        """Addresses as text, ports and everything else as numbers; options as bytes, see above."""
        at = self.layout["control_request"]
        request = bytearray(at["size"][1])
        number = self.layout[op] if isinstance(op, str) else op
        usual = {"magic": self.layout["MAGIC"], "op": number, "ate_id": -1, "options": self.options()}
        for name, value in (usual | fields).items():
            place, size = at[name]
            if name.endswith("_port"):
                value = socket.htons(value)
            if name.endswith("_ip") and isinstance(value, str):
                value = ip(value)
            raw = value if isinstance(value, bytes) else (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
            request[place : place + len(raw)] = raw
        return bytes(request) + data

    def option(self, reply, name: str) -> int:
        place, size = self.layout["control_options"][name]
        return int.from_bytes(reply.options[place : place + size], "little")

    def parse(self, message: bytes) -> SimpleNamespace:
        at = self.layout["control_reply"]
        assert len(message) == at["size"][1], f"an answer of {len(message)} bytes"
        reply = SimpleNamespace()
        for name, (place, size) in at.items():
            raw = message[place : place + size]
            signed = name in ("error", "ate_id", "verdict")
            setattr(reply, name, raw if size > 8 else int.from_bytes(raw, "little", signed=signed))
        reply.text = reply.text.split(b"\0")[0].decode(errors="replace")  # or words: both share a place
        usage = struct.unpack("=4IQ", reply.usage)
        reply.words = struct.unpack(f"={len(reply.words) // 4}I", reply.words)
        reply.usage = dict(zip(("connections", "sockets", "memberships", "_", "refused"), usage, strict=True))
        return reply

    def ask(self, op: str | int, *, link=None, shown: int = -1, data: bytes = b"", **fields):
        """The reply, with the received descriptor in `fd`: a socket, or None. `shown` is sent with the request."""
        with link or self.connect() if link is None else contextlib.nullcontext(link) as connection:
            message = self.request(op, data, **fields)
            with contextlib.suppress(BrokenPipeError):  # refused: the reply has arrived already
                socket.send_fds(connection, [message], [shown] if shown >= 0 else [])
            try:
                answer, fds, _, _ = socket.recv_fds(connection, 4096, 1)
            except ConnectionResetError:
                answer, fds, _, _ = socket.recv_fds(connection, 4096, 1)
        reply = self.parse(answer)
        reply.fd = socket.socket(fileno=fds[0]) if fds else None
        return reply
