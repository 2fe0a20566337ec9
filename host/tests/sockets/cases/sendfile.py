# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""sendfile() and splice() of much data through non-blocking sockets, as in web servers and proxies: each continues when
the socket is writable again.
"""

SIZE = 3 << 20


def wait_writable(s):
    if not select.select([], [s], [], 5)[1]:
        raise TimeoutError("not writable for 5 s")


def file_of(data):
    file = tempfile.TemporaryFile()
    file.write(data)
    file.flush()
    file.seek(0)
    return file


def by_sendfile(s, data, piece, offset=0):
    file, place = file_of(data), offset
    while place < len(data):
        try:
            place += os.sendfile(s.fileno(), file.fileno(), place, piece)
        except BlockingIOError:
            wait_writable(s)
    return os.sendfile(s.fileno(), file.fileno(), place, piece), file.tell()


def by_position(s, data, piece, *first):
    """Passes the position in the file."""
    file = file_of(data)
    library = ctypes.CDLL(None, use_errno=True)
    done = library.syscall if first else library.sendfile
    done.restype = ctypes.c_ssize_t
    while file.tell() < len(data):
        if done(*first, s.fileno(), file.fileno(), None, ctypes.c_size_t(piece)) < 0:
            if ctypes.get_errno() != errno.EAGAIN:
                raise OSError(ctypes.get_errno(), "sendfile")
            wait_writable(s)
    return file.tell()


def past_the_library(s, data, piece):
    """As a program without a C library."""
    return by_position(s, data, piece, ctypes.c_long({"x86_64": 40}.get(os.uname().machine, 71)))


def by_splice(s, data, piece):
    (reader, writer), file = os.pipe(), file_of(data)
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 1 << 20)
    left = waiting = len(data)
    while left:
        if waiting and left == waiting:
            waiting -= os.splice(file.fileno(), writer, min(piece, waiting))
        try:
            left -= os.splice(reader, s.fileno(), left - waiting)
        except BlockingIOError:
            wait_writable(s)
    os.close(writer)
    return os.splice(reader, s.fileno(), 100)  # the end of the pipe


def program():
    data = b"".join(struct.pack(">I", place) for place in range(SIZE // 4))  # no two blocks are alike
    for way, piece in (
        (by_sendfile, 200000),
        (by_sendfile, SIZE),
        (by_sendfile, 1),
        (by_position, 200000),
        (past_the_library, 200000),
        (by_splice, 65536),
        (by_splice, 1 << 20),
    ):
        s = dial((PEER, 5090))
        s.setblocking(False)
        part = data[:3000] if piece == 1 else data
        out(way.__name__, piece, err(way, s, part, piece))
        s.close()
    s = dial((PEER, 5090))
    file = file_of(data)
    out("blocking", os.sendfile(s.fileno(), file.fileno(), 100, SIZE), os.sendfile(s.fileno(), file.fileno(), SIZE, 9))
    out(err(os.sendfile, s.fileno(), file.fileno(), -1, 9), err(os.splice, file.fileno(), s.fileno(), 10))
    s.close()
    s = dial((PEER, 5090))
    os.write(s.fileno(), b"the peer resets now")
    time.sleep(0.3)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    out("after a reset", err(os.sendfile, s.fileno(), file.fileno(), 0, 9))
    out("after a reset", err(os.sendfile, s.fileno(), file.fileno(), 0, 9))


def peer():
    server = serve((PEER, 5090))
    for _ in range(8):
        link, _ = server.accept()
        link.settimeout(10)
        got = hashlib.sha256()
        count = 0
        while data := link.recv(1 << 16):
            got.update(data)
            count += len(data)
        out(count, got.hexdigest()[:16])
    link, _ = server.accept()
    out(link.recv(100))
    link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    link.close()
