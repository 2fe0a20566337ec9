# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Common start of the programs in the tests of options, and a peer that reads everything."""

SINK = """
server = listen()
while True:
    link, _ = server.accept()
    threading.Thread(target=lambda link: [None for _ in iter(lambda: link.recv(65536), b"")], args=(link,)).start()
"""
LINKS = """
def err(call, *arguments):
    try:
        result = call(*arguments)
    except OSError as error:
        return "EOPNOTSUPP" if error.errno == errno.EOPNOTSUPP else errno.errorcode[error.errno]
    return "ok" if result is None else result
def links():
    tcp = socket.create_connection((PEER, 5000))
    udp = socket.socket(type=socket.SOCK_DGRAM)
    udp.connect((PEER, 6000))
    bound = socket.socket(type=socket.SOCK_DGRAM)
    bound.bind(("10.9.1.2", 0))
    return {"tcp": tcp, "udp": udp, "bound": bound}
tcp, udp, bound = links().values()
assert tcp.getsockname()[0] == udp.getsockname()[0] == "10.9.1.2"
SOL, TCP, UDP, IP = socket.SOL_SOCKET, socket.IPPROTO_TCP, socket.IPPROTO_UDP, socket.IPPROTO_IP
"""
