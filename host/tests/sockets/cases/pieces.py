# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Calls that Python does not make by itself: of several pieces or messages, checked for the room of their buffer, and
those that copy a descriptor or accept a connection without flags.
"""

NOW = socket.MSG_DONTWAIT
ROOM = 60
DELAYS_S = (0, 0.5, 1.2, 2.4)  # of datagrams, after they were asked for: none ends near a whole second of what is left
START, TIMEOUT_NS = 0.7, 900_000_000  # the wait begins so late in a second that its end is in the next one
libc = ctypes.CDLL(None, use_errno=True)
libc.writev.restype = libc.readv.restype = ctypes.c_ssize_t


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
    _fields_ = (("header", Header), ("length", ctypes.c_uint))


def said(result):
    return result if result >= 0 else errno.errorcode[ctypes.get_errno()]


def messages_of(buffers, names=()):
    messages = (Message * len(buffers))()
    for message, buffer, name in zip(messages, buffers, names or [None] * len(buffers), strict=True):
        message.header.pieces = ctypes.pointer(Piece(ctypes.addressof(buffer), len(buffer)))
        message.header.piece_count = 1
        if name is not None:
            message.header.name, message.header.name_length = ctypes.addressof(name), len(name)
    return messages


def name(port, ip=PEER):
    address = struct.pack("=H", socket.AF_INET) + struct.pack(">H", port) + socket.inet_aton(ip)
    return ctypes.create_string_buffer(address, 16)


def send_batch(s, texts, names=(), flags=0):
    messages = messages_of([ctypes.create_string_buffer(text, len(text)) for text in texts], names)
    return said(libc.sendmmsg(s.fileno(), messages, len(texts), flags)), [each.length for each in messages]


def receive_batch(s, count, flags=0, timeout=None):
    buffers = [ctypes.create_string_buffer(ROOM) for _ in range(count)]
    messages = messages_of(buffers)
    limit = None if timeout is None else (ctypes.c_int64 * 2)(*timeout)
    got = said(libc.recvmmsg(s.fileno(), messages, count, flags, limit))
    texts = [] if isinstance(got, str) else [buffers[n].raw[: messages[n].length] for n in range(got)]
    left = limit and (
        limit[0] if limit[0] < timeout[0] else "unchanged" if list(limit) == list(timeout) else list(limit)
    )
    return got, texts, left


def batches():
    link = dial((PEER, 5500))
    out("stream", send_batch(link, [b"one", b"", b"three"]), send_batch(link, []))
    first = name(5501)
    for names in ([None, None], [first, None], [first, name(0)], [name(0), first], [name(9, "127.0.0.1"), first]):
        s = socket.socket(type=socket.SOCK_DGRAM)
        out("datagrams", send_batch(s, [b"a", b"bc"], names))
    s.connect((PEER, 5501))
    out("connected", send_batch(s, [b"d", b"ef", b"ghi"]), send_batch(s, [b"k", bytes(65508)]), send_batch(s, []))
    link.close()


def in_time():
    """The time limit is looked at after each message: one that is over does not end the wait for the next."""
    s = socket.socket(type=socket.SOCK_DGRAM)
    s.connect((PEER, 5502))
    for wrong in ((-1, 0), (0, -1), (0, 999_999_999), (0, 1_000_000_000), (2**63 - 1, 0)):
        out("timeout", wrong, receive_batch(s, 1, NOW, wrong)[:2])
    out("nothing", receive_batch(s, 4, NOW)[:2], receive_batch(s, 0))
    for timeout in ((0, 0), (0, TIMEOUT_NS), (3, 0)):
        while not START <= time.monotonic() % 1 < START + 0.05:
            time.sleep(0.01)
        s.send(b"ask")
        out("timeout", timeout, receive_batch(s, len(DELAYS_S), 0, timeout))
        s.send(b"drain")
        while s.recv(100) != b"over":
            pass


def pieces():
    link = dial((PEER, 5503))
    fd = link.fileno()
    out("write", os.writev(fd, [b"", b"abc", b"de"]), os.writev(fd, [b""]), said(libc.writev(fd, None, -1)))
    parts = [bytearray(2), bytearray(0), bytearray(10)]
    time.sleep(0.2)
    out("read", os.readv(fd, parts), parts, said(libc.readv(fd, None, -1)))
    link.close()
    s = socket.socket(type=socket.SOCK_DGRAM)
    s.connect((PEER, 5504))
    fd = s.fileno()
    out("write", os.writev(fd, [b"", b"abc", b"de"]), os.writev(fd, [b"f"] * 64), said(libc.writev(fd, None, -1)))
    for _ in range(2):
        parts = [bytearray(2), bytearray(0), bytearray(62)]
        out("read", os.readv(fd, parts), parts)


def ends_by(function, *arguments):
    """The signal that ends a child that makes the call, and 0 for none."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        function(*arguments)
        os._exit(0)
    return os.waitpid(child, 0)[1] & 0x7F


def checked():
    """What compilers call where they know a buffer's room."""
    link = dial((PEER, 5503))
    link.send(bytes(range(60, 80)))
    time.sleep(0.2)
    for function, *rest in ((libc.__read_chk,), (libc.__recv_chk, 0), (libc.__recvfrom_chk, 0, None, None)):
        buffer = ctypes.create_string_buffer(ROOM)
        out("fits", said(function(link.fileno(), buffer, 5, 5, *rest)), buffer.value)
        out("beyond", ends_by(function, link.fileno(), buffer, 6, 5, *rest))


def socket_name(fd):
    with socket.socket(fileno=os.dup(fd)) as link:
        ip, port = link.getpeername()
        return name(port, ip).raw[:8]


def copies():
    """Also of what was accepted, which has only the flags that were asked for."""
    server = serve((ME, 5505))
    for flags in (None, 0, socket.SOCK_NONBLOCK, socket.SOCK_CLOEXEC, socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC):
        address, length = ctypes.create_string_buffer(16), ctypes.c_uint(16)
        ready = select.select([server], [], [], 5)[0] == [server]
        by_reference = (address, ctypes.byref(length))
        if flags is None:
            fd = libc.accept(server.fileno(), *by_reference)
        else:
            fd = libc.accept4(server.fileno(), *by_reference, flags)
        ours = address.raw[:8] == socket_name(fd)
        out("accepted", ready, length.value, ours, os.get_blocking(fd), os.get_inheritable(fd))
        os.set_blocking(fd, True)
        for copy in (libc.dup(fd), libc.dup3(fd, 900, os.O_CLOEXEC), fcntl.fcntl(fd, fcntl.F_DUPFD, 800)):
            out("copy", os.get_inheritable(copy), os.write(copy, b"hello"))
            os.close(copy)
        out("same", said(libc.dup2(fd, fd)) == fd, said(libc.dup3(fd, fd, 0)), os.write(fd, b"last"))
        os.close(fd)
    out("closed", said(libc.dup(900)), said(libc.dup2(900, 901)), said(libc.dup3(900, 901, 0)), err(os.close, 900))
    server.close()


def names():
    """Into buffers of each length; the length that is returned is the name's."""
    s = socket.socket(type=socket.SOCK_DGRAM)
    s.bind((ME, 5506))
    s.connect((PEER, 5501))
    for function in (libc.getsockname, libc.getpeername):
        for room in (0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 64, -1):
            buffer, length = ctypes.create_string_buffer(b"." * 20, 20), ctypes.c_int(room)
            out("name", room, said(function(s.fileno(), buffer, ctypes.byref(length))), length.value, buffer.raw.hex())
        out("nowhere", said(function(s.fileno(), None, ctypes.byref(ctypes.c_int(16)))))
        out("nowhere", said(function(s.fileno(), ctypes.create_string_buffer(16), None)))


SOL, IP, TCP = socket.SOL_SOCKET, socket.IPPROTO_IP, socket.IPPROTO_TCP
STREAM_OPTIONS = [(SOL, 2), (SOL, 7), (SOL, 8), (SOL, 9), (SOL, 15), (IP, 1), (IP, 2)]
STREAM_OPTIONS += [(TCP, 1), (TCP, 3), (TCP, 4), (TCP, 5), (TCP, 6), (TCP, 18)]
DATAGRAM_OPTIONS = [(SOL, 2), (SOL, 6), (SOL, 7), (SOL, 15), (SOL, 29), (SOL, 35), (SOL, 37), (IP, 1), (IP, 2)]
DATAGRAM_OPTIONS += [(IP, 8), (IP, 12), (IP, 13), (IP, 20), (IP, 33), (IP, 34)]


def options():
    """Set and read with each length; sizes of buffers are not those of the kernel."""
    link = dial((PEER, 5507))
    s = socket.socket(type=socket.SOCK_DGRAM)
    s.bind((ME, 5508))
    for fd, names in ((link.fileno(), STREAM_OPTIONS), (s.fileno(), DATAGRAM_OPTIONS)):
        for level, option in names:
            value = ctypes.create_string_buffer(struct.pack("=iii", 4, 1, 1))
            answers = [said(libc.setsockopt(fd, level, option, value, length)) for length in (0, 1, 2, 3, 4, 5, 8)]
            out("set", level, option, *answers)
            for room in (0, 1, 2, 3, 4, 5, 8, -1):
                if room > 4 and option == 37:  # SO_TIMESTAMPING: the clock's number too, of some kernels
                    continue
                buffer, length = ctypes.create_string_buffer(b"." * 8, 8), ctypes.c_int(room)
                answer = said(libc.getsockopt(fd, level, option, buffer, ctypes.byref(length)))
                is_size = level == SOL and option in (7, 8) and room > 0
                out(" get", room, answer, length.value, "" if is_size else buffer.raw.hex())
    link.close()


def program():
    for step in (batches, pieces, checked, copies, names, options, in_time):
        step()


def bound(port):
    s = socket.socket(type=socket.SOCK_DGRAM)
    s.bind((PEER, port))
    s.settimeout(10)
    return s


def take_all(link):
    link.settimeout(10)
    got = b""
    while data := link.recv(1000):
        got += data
    return got


def echo_all(link):
    link.settimeout(10)
    while data := err(link.recv, 1000):
        if data == "ECONNRESET":  # it has not read all
            break
        link.sendall(data)


def answer_in_time(s):
    for _ in range(3):
        while (asked := s.recvfrom(100))[0] != b"ask":
            pass
        start = time.monotonic()
        for n, delay in enumerate(DELAYS_S):
            time.sleep(max(0, start + delay - time.monotonic()))
            s.sendto(b"%d" % n, asked[1])
        assert s.recv(100) == b"drain"
        s.sendto(b"over", asked[1])


def peer():
    stream, datagrams, timed = serve((PEER, 5500)), bound(5501), bound(5502)
    echo, echoed, with_options = serve((PEER, 5503)), bound(5504), serve((PEER, 5507))
    out(take_all(stream.accept()[0]))
    out([datagrams.recv(100) for _ in range(7)])
    echo_all(echo.accept()[0])
    for _ in range(2):
        data, address = echoed.recvfrom(100)
        echoed.sendto(data, address)
    child = threading.Thread(target=echo_all, args=(echo.accept()[0],))
    child.start()
    for _ in range(5):
        out(take_all(dial((ME, 5505))))
    out(take_all(with_options.accept()[0]))
    answer_in_time(timed)
    child.join()
