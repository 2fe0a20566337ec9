# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""recvmmsg() that has messages, and then an error: the error is for the next call, and is not lost."""

NOW, WAITFORONE = socket.MSG_DONTWAIT, 0x10000
LATE_S, SOON_S = 0.3, 0.08
COUNT, ROOM = 3, 60
STEPS = [(flags, late, end) for flags in (NOW, WAITFORONE, 0) for late in (False, True) for end in ("reset", "close")]


class Piece(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


class Header(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_void_p),
        ("name_length", ctypes.c_uint32),
        ("pieces", ctypes.POINTER(Piece)),
        ("piece_count", ctypes.c_size_t),
        ("control", ctypes.c_void_p),
        ("control_length", ctypes.c_size_t),
        ("flags", ctypes.c_int),
    )


class Message(ctypes.Structure):
    _fields_ = (("header", Header), ("received", ctypes.c_uint))


def batch(link, flags):
    buffers = [ctypes.create_string_buffer(ROOM) for _ in range(COUNT)]
    pieces = [Piece(ctypes.addressof(buffer), ROOM) for buffer in buffers]
    messages = (Message * COUNT)(*(Message(Header(pieces=ctypes.pointer(piece), piece_count=1)) for piece in pieces))
    library = ctypes.CDLL(None, use_errno=True)
    count = library.recvmmsg(link.fileno(), messages, COUNT, flags, None)
    if count < 0:
        return errno.errorcode[ctypes.get_errno()]
    return [message.received for message in messages[:count]]


def program():
    server = serve((ME, 5441))
    for flags, late, end in STEPS:
        link, _ = server.accept()
        time.sleep(SOON_S)
        out(hex(flags), "late" if late else "early", end, batch(link, flags))
        time.sleep(LATE_S if late else 0)
        out(" then", batch(link, NOW), err(link.recv, 10, NOW))
        link.close()


def peer():
    for _, late, end in STEPS:
        link = dial((ME, 5441))
        link.send(data_of(100))
        time.sleep(LATE_S if late else 0)
        if end == "reset":
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        link.close()
