# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The calls for delegated sends as a program makes them, and a port of the daemon's card that only sends.

It is for programs of the tests, which run under `exasock`.
"""

import ctypes
import errno
import os
from ctypes import byref, c_char_p, c_int, c_size_t, c_ssize_t, c_void_p


class Delegated(ctypes.Structure):
    _fields_ = [("headers", c_void_p)] + [
        (name, c_int)
        for name in (
            "headers_len",
            "mss",
            "send_wnd",
            "cong_wnd",
            "user_size",
            "seq_offset",
            "length_offset",
            "header_bytes",
        )
    ]
    _fields_ += [("reserved", c_int * 5)]


class Piece(ctypes.Structure):
    _fields_ = [("base", c_char_p), ("length", c_size_t)]


calls = ctypes.CDLL(None, use_errno=True)
calls.exasock_tcp_build_header.restype = c_ssize_t
calls.exasock_tcp_build_header.argtypes = [c_int, c_void_p, c_size_t, c_size_t, c_int]
calls.exasock_tcp_calc_checksum.argtypes = [c_void_p, c_size_t, c_char_p, c_size_t]
calls.exasock_tcp_set_length.argtypes = [c_void_p, c_size_t, c_size_t]
calls.exasock_tcp_send_advance.argtypes = [c_int, c_char_p, c_size_t]
OK, BAD_SOCKET, SMALL_HEADER, SENDQ_BUSY, NOWIN, NOARP, NOCWIN = range(7)
IGNORE_ARP, RESOLVE_ARP = 1, 2
room = ctypes.create_string_buffer(2000)


def prepare(link, size, flags=0, headers=2000):
    ds = Delegated(ctypes.addressof(room), headers)
    return calls.onload_delegated_send_prepare(link.fileno(), size, flags, byref(ds)), ds


def result(value):
    return value if value >= 0 else errno.errorcode[ctypes.get_errno()]


def complete(link, data):
    return result(calls.onload_delegated_send_complete(link.fileno(), byref(Piece(data, len(data))), 1, 0))


def cancel(link):
    return result(calls.onload_delegated_send_cancel(link.fileno()))


def build(link, length=2000, offset=0):
    return result(calls.exasock_tcp_build_header(link.fileno(), room, length, offset, 0))


def advance(link, data):
    return result(calls.exasock_tcp_send_advance(link.fileno(), data, len(data)))


def device_of(link):
    name, number = ctypes.create_string_buffer(32), c_int()
    return result(calls.exasock_tcp_get_device(link.fileno(), name, c_size_t(len(name)), byref(number)))


def check_places(link, header):
    """Checks the description of the headers, which begin with this many bytes of Ethernet, against their contents."""
    state, ds = prepare(link, 10)
    assert state == OK
    assert (ds.headers_len, ds.header_bytes, ds.user_size) == (header + 40, 40, 10)
    assert (ds.length_offset, ds.seq_offset) == (header + 2, header + 24)
    held = room.raw[: ds.headers_len]
    assert held[header - 2 : header + 1] == b"\x08\0\x45" and held[header + 33] == 0x10, held.hex()
    assert int.from_bytes(held[header + 2 : header + 4], "big") == ds.mss + 40
    assert cancel(link) == 0
    assert build(link) == len(held)
    assert room.raw[: header + 33] + b"\x10" + room.raw[header + 34 : len(held)] == held  # the same, with PUSH
    assert room.raw[header + 33] == 0x18
    assert cancel(link) == 0
    return int.from_bytes(held[header + 24 : header + 28], "big")


def set_length(header, bytes):
    return result(calls.exasock_tcp_set_length(room, header, bytes))


def sum_up(header, data):
    return result(calls.exasock_tcp_calc_checksum(room, header, data, len(data)))


def frame(header, data):
    calls.exasock_tcp_set_length(room, header, len(data))
    calls.exasock_tcp_calc_checksum(room, header, data, len(data))
    return room.raw[:header] + data


library = ctypes.CDLL(os.environ["EXASOCK_PATH"] + "/libullnic.so")
library.ullnic_last_error.restype = c_char_p
card, port = c_void_p(), c_void_p()


def transmit(data):
    if not card:
        assert library.ullnic_open(b"ullnicd:", byref(card)) == 0, library.ullnic_last_error()
        assert library.ullnic_port_open(card, 0, byref(port)) == 0, library.ullnic_last_error()
    assert library.ullnic_send_raw(port, data, c_size_t(len(data))) == 0, library.ullnic_last_error()
