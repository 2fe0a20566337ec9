# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""An ullnicd that a test plays for a tool: registers with planted values, and a record of what is written."""

import contextlib
import re
import socket
import threading
from pathlib import Path

ROOT = Path(__file__).parents[3]
SIZES = {"uint32_t": 4, "uint64_t": 8, "uint8_t": 1}
CARD, USER, ENGINE, HOST_PATH, MAC = 0, 0x8000, 0x20000, 0x28000, 0x10000
PORT = 0x1000  # from one port's block to the next


def offsets(header: str) -> dict[str, int]:
    """Of the registers in a generated header; those of a block inside are named BLOCK.NAME."""
    text = (ROOT / header).read_text()
    blocks: dict[str, tuple[int, dict[str, int]]] = {name: (size, {}) for name, size in SIZES.items()}
    for body, name in re.findall(r"typedef struct[^{]*\{([^}]*)\} (\w+);", text):
        found, at = {}, 0
        for kind, field, count in re.findall(r"(\w+) (\w+)(?:\[(\w+)\])?;", body):
            size, inside = blocks[kind]
            found |= {field: at} | {f"{field}.{each}": at + place for each, place in inside.items()}
            at += size * int(count or "1", 0)
        blocks[name] = at, found
    return found


class PlayedDaemon:
    """`registers`: by address; all others are 0. `answer`: called for each write, and may change them."""

    def __init__(self, path: Path, layout: dict):
        self.path, self.layout = path, layout
        self.registers: dict[int, int] = {}
        self.written: list[tuple[int, int]] = []
        self.reads: list[int] = []
        self.refused: set[int] = set()  # addresses
        self.coming: dict[int, list[int]] = {}  # values of the next reads, before that of `registers`
        self.answer = lambda address, value: None
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind(str(path))
        self.listener.listen(8)
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                with self.listener.accept()[0] as link:
                    link.send(self.reply(link.recv(8192)))

    def reply(self, message: bytes) -> bytes:
        asked = {name: int.from_bytes(message[at : at + size], "little")
                 for name, (at, size) in self.layout["control_request"].items()}  # fmt: skip
        address, value, error = asked["address"], asked["value"], 0
        if address in self.refused:
            error = 5
        elif asked["op"] == self.layout["WRITE_REGISTER"]:
            self.written.append((address, value))
            self.registers[address] = value
            self.answer(address, value)
        else:
            assert asked["op"] == self.layout["READ_REGISTER"]
            self.reads.append(address)
            coming = self.coming.get(address)
            value = coming.pop(0) if coming else self.registers.get(address, 0)
        fields = self.layout["control_reply"]
        reply = bytearray(fields["size"][1])
        for name, number in (("magic", self.layout["MAGIC"]), ("value", value), ("error", error)):
            at, size = fields[name]
            reply[at : at + size] = number.to_bytes(size, "little")
        at = fields["text"][0]
        reply[at : at + 7] = b"refused"
        return bytes(reply)

    def plant(self, base: int, header: str, **values: int) -> None:
        places = offsets(header)
        self.registers |= {base + places[name]: value for name, value in values.items()}

    def plant_card(self, kind: int, **more: int) -> None:
        """With two ports, registers 1.1 and 16-bit transceivers."""
        usual = {"ID": 0x554C4E43, "VERSION": 0x10001, "CARD": 16 << 16 | 2 << 8 | kind}
        self.plant(CARD, "cards/common/regs/generated/card_regs.h", **usual | more)

    def close(self) -> None:
        """The thread first: else it could accept for the next socket that has this descriptor's number."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.listener.close()
