# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""System calls of a script, through the library: their arguments as packetdrill writes them, and what they return.

Payload is a function of its position in the stream, so that lost, duplicated or moved bytes are detected.
"""

import ctypes
import errno
import fcntl
import re
import select
import socket
import struct
import termios
from dataclasses import dataclass

from ullnic.packetdrill.library import Stack, sockaddr
from ullnic.packetdrill.script import Call

LOCAL_IP, PEER_IP = "192.168.0.2", "192.0.2.1"
LOCAL_PORT, PEER_PORT = 8080, 8081  # for sockets that are bound, and for those that a script connects to
SYMBOLS = {
    **{name: getattr(socket, name) for name in dir(socket) if re.match("(SO|SOL|SOCK|IPPROTO|TCP|MSG|SHUT|AF)_", name)},
    **{name: getattr(fcntl, name) for name in dir(fcntl) if name.startswith("F_")},
    **{name: getattr(select, name) for name in dir(select) if name.startswith("POLL")},
    **{name: code for code, name in errno.errorcode.items()},
    "FIONREAD": termios.FIONREAD,
    "SIOCINQ": termios.FIONREAD,
    "O_RDWR": 2,
    "O_NONBLOCK": 0o4000,
    "SOL_TCP": socket.IPPROTO_TCP,
}


class Mismatch(Exception):
    """What happened differs from the script."""


def pattern(seq: int, length: int) -> bytes:
    """The payload from `seq` on, both ways; the first byte has sequence number 1."""
    return bytes((at * 7 + (at >> 8) * 31) & 0xFF for at in range(seq, seq + length))


@dataclass
class Descriptor:
    live: int
    written: int = 1  # sequence number of the next byte
    read: int = 1


def number(text: str) -> int:
    """A number, a symbol, or several with `|`."""
    value = 0
    for part in text.strip("[]").split("|"):
        part = part.strip()
        if part in SYMBOLS:
            value |= int(SYMBOLS[part])
        else:
            try:
                value |= int(part, 0)
            except ValueError:
                raise Mismatch(f"'{part}' is not known here") from None
    return value


class Calls:
    def __init__(self, stack: Stack):
        self.stack = stack
        self.open: dict[int, Descriptor] = {}

    def __call__(self, call: Call) -> None:
        """Makes the call, and compares its result; Mismatch says what is wrong."""
        function = getattr(self, f"_{call.name}", None)
        if function is None:
            raise Mismatch(f"the call '{call.name}' is not known here")
        result, code = function(call, *call.arguments)
        new = call.name in ("socket", "accept") and result >= 0
        wanted = number(call.result)
        if new and wanted >= 0:
            self.open[wanted] = Descriptor(result)
        elif result != wanted:
            raise Mismatch(f"result {result}, not {wanted}" + (f" ({errno.errorcode.get(code)})" if result < 0 else ""))
        if call.errno and code != getattr(errno, call.errno, None):  # two names may have one number
            raise Mismatch(f"{errno.errorcode.get(code)}, not {call.errno}")

    def close_all(self) -> None:
        for each in self.open.values():
            self.stack.call("close", each.live)
        self.open.clear()

    def _fd(self, text: str) -> Descriptor:
        if number(text) not in self.open:
            raise Mismatch(f"{text} is not open")
        return self.open[number(text)]

    def _socket(self, call: Call, domain: str, kind: str, protocol: str):
        family = socket.AF_INET if domain == "..." else number(domain)
        return self.stack.call("socket", family, number(kind), number(protocol))

    def _bind(self, call: Call, fd: str, *_):
        return self.stack.call("bind", self._fd(fd).live, sockaddr(LOCAL_IP, LOCAL_PORT), 16)

    def _listen(self, call: Call, fd: str, backlog: str):
        return self.stack.call("listen", self._fd(fd).live, number(backlog))

    def _accept(self, call: Call, fd: str, *_):
        address, size = ctypes.create_string_buffer(16), ctypes.c_uint(16)
        result = self.stack.call("accept", self._fd(fd).live, address, ctypes.byref(size))
        if result[0] >= 0 and socket.inet_ntoa(address.raw[4:8]) != PEER_IP:
            raise Mismatch(f"accepted a peer at {socket.inet_ntoa(address.raw[4:8])}, not {PEER_IP}")
        return result

    def _connect(self, call: Call, fd: str, *_):
        return self.stack.call("connect", self._fd(fd).live, sockaddr(PEER_IP, PEER_PORT), 16)

    def _receive(self, fd: str, count: str, flags: str | None = None):
        descriptor, size = self._fd(fd), number(count)
        buffer = ctypes.create_string_buffer(max(size, 1))
        if flags is None:
            result = self.stack.call("read", descriptor.live, buffer, size)
        else:
            result = self.stack.call("recv", descriptor.live, buffer, size, number(flags))
        if result[0] > 0:
            if buffer.raw[: result[0]] != pattern(descriptor.read, result[0]):
                raise Mismatch(f"the {result[0]} bytes are not those of the stream at {descriptor.read}")
            if not number(flags or "0") & socket.MSG_PEEK:
                descriptor.read += result[0]
        return result

    def _read(self, call: Call, fd: str, _, count: str):
        return self._receive(fd, count)

    def _recv(self, call: Call, fd: str, _, count: str, flags: str):
        return self._receive(fd, count, flags)

    def _transmit(self, fd: str, count: str, flags: str | None = None):
        descriptor = self._fd(fd)
        data = pattern(descriptor.written, number(count))
        if flags is None:
            result = self.stack.call("write", descriptor.live, data, len(data))
        else:
            result = self.stack.call("send", descriptor.live, data, len(data), number(flags))
        descriptor.written += max(result[0], 0)
        return result

    def _write(self, call: Call, fd: str, _, count: str):
        return self._transmit(fd, count)

    def _send(self, call: Call, fd: str, _, count: str, flags: str):
        return self._transmit(fd, count, flags)

    def _fcntl(self, call: Call, fd: str, command: str, argument: str = "0"):
        return self.stack.call("fcntl", self._fd(fd).live, number(command), number(argument))

    def _ioctl(self, call: Call, fd: str, request: str, value: str):
        answer = ctypes.c_int()
        result = self.stack.call("ioctl", self._fd(fd).live, number(request), ctypes.byref(answer))
        if result[0] == 0 and answer.value != number(value):
            raise Mismatch(f"ioctl tells {answer.value}, not {value}")
        return result

    def _close(self, call: Call, fd: str):
        descriptor = self._fd(fd)
        del self.open[number(fd)]
        return self.stack.call("close", descriptor.live)

    def _shutdown(self, call: Call, fd: str, how: str):
        return self.stack.call("shutdown", self._fd(fd).live, number(how))

    def _getsockopt(self, call: Call, fd: str, level: str, name: str, value: str, size: str):
        answer, length = (ctypes.c_int * 64)(), ctypes.c_uint(number(size))
        result = self.stack.call(
            "getsockopt", self._fd(fd).live, number(level), number(name), answer, ctypes.byref(length)
        )
        if result[0] == 0 and (answer[0], length.value) != (number(value), number(size)):
            raise Mismatch(f"the option is {answer[0]} in {length.value} bytes, not {value} in {size}")
        return result

    def _setsockopt(self, call: Call, fd: str, level: str, name: str, value: str, size: str):
        if match := re.fullmatch(r"\{onoff=(\d+), *linger=(\d+)\}", value):
            data = struct.pack("ii", int(match[1]), int(match[2]))
        else:
            data = struct.pack("i", number(value))
        return self.stack.call("setsockopt", self._fd(fd).live, number(level), number(name), data, number(size))

    def _poll(self, call: Call, fds: str, count: str, timeout: str):
        entry = r"\{fd=(\d+), *events=([\w|]+)(?:, *revents=([\w|]+))?\}"
        wanted = re.findall(entry, fds)
        packed = b"".join(struct.pack("ihh", self._fd(fd).live, number(events), 0) for fd, events, _ in wanted)
        buffer = ctypes.create_string_buffer(packed, len(packed))
        result = self.stack.call("poll", buffer, number(count), number(timeout))
        for (fd, _, revents), (_, _, got) in zip(wanted, struct.iter_unpack("ihh", buffer.raw), strict=True):
            if got != number(revents or "0"):
                raise Mismatch(f"revents of {fd} are {got:#x}, not {revents or 0}")
        return result
