# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""libullnic-packetdrill.so through packetdrill's own table of functions (sim/src/packetdrill/interface.h)."""

import ctypes
import socket
from ctypes import c_char_p, c_int, c_longlong, c_size_t, c_ssize_t, c_uint, c_ulong, c_void_p
from pathlib import Path

from ullnic.build import DIRECTORY, build_sim
from ullnic.errors import UllnicError

TARGET = "ullnic-packetdrill"
BUFFER_BYTES = 65536


class Interface(ctypes.Structure):
    pass


def _call(result: type, *arguments: type) -> type:
    return ctypes.CFUNCTYPE(result, c_void_p, *arguments, use_errno=True)


Interface._fields_ = [
    ("userdata", c_void_p),
    ("free", ctypes.CFUNCTYPE(None, c_void_p)),
    ("socket", _call(c_int, c_int, c_int, c_int)),
    ("bind", _call(c_int, c_int, c_void_p, c_uint)),
    ("listen", _call(c_int, c_int, c_int)),
    ("accept", _call(c_int, c_int, c_void_p, c_void_p)),
    ("connect", _call(c_int, c_int, c_void_p, c_uint)),
    ("read", _call(c_ssize_t, c_int, c_void_p, c_size_t)),
    ("readv", _call(c_ssize_t, c_int, c_void_p, c_int)),
    ("recv", _call(c_ssize_t, c_int, c_void_p, c_size_t, c_int)),
    ("recvfrom", _call(c_ssize_t, c_int, c_void_p, c_size_t, c_int, c_void_p, c_void_p)),
    ("recvmsg", _call(c_ssize_t, c_int, c_void_p, c_int)),
    ("write", _call(c_ssize_t, c_int, c_void_p, c_size_t)),
    ("writev", _call(c_ssize_t, c_int, c_void_p, c_int)),
    ("send", _call(c_ssize_t, c_int, c_void_p, c_size_t, c_int)),
    ("sendto", _call(c_ssize_t, c_int, c_void_p, c_size_t, c_int, c_void_p, c_uint)),
    ("sendmsg", _call(c_ssize_t, c_int, c_void_p, c_int)),
    ("fcntl", _call(c_int, c_int, c_int, c_int)),
    ("ioctl", _call(c_int, c_int, c_ulong, c_void_p)),
    ("close", _call(c_int, c_int)),
    ("shutdown", _call(c_int, c_int, c_int)),
    ("getsockopt", _call(c_int, c_int, c_int, c_int, c_void_p, c_void_p)),
    ("setsockopt", _call(c_int, c_int, c_int, c_int, c_void_p, c_uint)),
    ("poll", _call(c_int, c_void_p, c_ulong, c_int)),
    ("netdev_send", _call(c_int, c_char_p, c_size_t)),
    ("netdev_receive", _call(c_int, c_void_p, c_void_p, c_void_p)),
    ("usleep", _call(c_int, c_uint)),
    ("gettimeofday", _call(c_int, c_void_p, c_void_p)),
    ("epoll_create", _call(c_int, c_int)),
    ("epoll_ctl", _call(c_int, c_int, c_int, c_int, c_void_p)),
    ("epoll_wait", _call(c_int, c_int, c_void_p, c_int, c_int)),
    ("pipe", _call(c_int, c_void_p)),
    ("splice", _call(c_ssize_t, c_int, c_void_p, c_int, c_void_p, c_size_t, c_uint)),
]


def build_library(progress: bool = True) -> Path:
    """The path of the library, up to date."""
    build_sim(progress=progress, targets=(TARGET,))
    return DIRECTORY / f"lib{TARGET}.so"


class Stack:
    """One engine behind the table. `result` and `errno` of a call are those of the system call."""

    def __init__(self, library: Path, flags: str = ""):
        self._library = ctypes.CDLL(str(library))
        self._interface = Interface()
        self._library.packetdrill_interface_init(flags.encode(), ctypes.byref(self._interface))
        if not self._interface.userdata:
            raise UllnicError(f"the library does not take the flags '{flags}'", "its message stands above")
        for name in ("waiting", "unread"):
            function = getattr(self._library, f"ullnic_packetdrill_{name}")
            function.restype, function.argtypes = c_size_t, [c_void_p]

    def close(self) -> None:
        self._interface.free(self._interface.userdata)

    def call(self, name: str, *arguments) -> tuple[int, int]:
        """Result and errno."""
        ctypes.set_errno(0)
        result = getattr(self._interface, name)(self._interface.userdata, *arguments)
        return result, ctypes.get_errno()

    def waiting(self) -> int:
        """Calls that block in other threads."""
        return self._library.ullnic_packetdrill_waiting(self._interface.userdata)

    def unread(self) -> int:
        """Packets that were sent and not yet received."""
        return self._library.ullnic_packetdrill_unread(self._interface.userdata)

    def now_us(self) -> int:
        time = (c_longlong * 2)()
        self.call("gettimeofday", time, None)
        return time[0] * 1_000_000 + time[1]

    def sleep_us(self, time_us: int) -> None:
        self.call("usleep", time_us)

    def send(self, packet: bytes) -> None:
        self.call("netdev_send", packet, len(packet))

    def receive(self) -> tuple[bytes, int]:
        """The next packet, and when it was sent; no bytes if none arrives within the limit."""
        buffer, count, time_us = ctypes.create_string_buffer(BUFFER_BYTES), c_size_t(BUFFER_BYTES), c_longlong()
        self.call("netdev_receive", buffer, ctypes.byref(count), ctypes.byref(time_us))
        return buffer.raw[: count.value], time_us.value


def sockaddr(ip: str, port: int) -> bytes:
    return socket.AF_INET.to_bytes(2, "little") + port.to_bytes(2, "big") + socket.inet_aton(ip) + bytes(8)
