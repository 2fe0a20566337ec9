/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A typical user program; also compiled as C++, to check that the headers suit both. ate_client
 * ADDRESS PORT ID
 */
#include <arpa/inet.h>
#include <exasock/extensions.h>
#include <exasock/socket.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  struct sockaddr_in peer;
  memset(&peer, 0, sizeof(peer));
  peer.sin_family = AF_INET;
  peer.sin_port = htons((uint16_t)atoi(argv[2]));
  if (inet_pton(AF_INET, argv[1], &peer.sin_addr) != 1) return 2;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  printf("loaded %d version %s\n", exasock_loaded(),
         exasock_version_text() != NULL ? exasock_version_text() : "none");
  if (exasock_ate_connect(fd, atoi(argv[3]), (struct sockaddr*)&peer, sizeof(peer)) != 0) {
    printf("connect: %s\n", strerror(errno));
    return 1;
  }
  char device[32] = "";
  int port = -1, id = -1;
  socklen_t length = sizeof(id);
  getsockopt(fd, SOL_EXASOCK, SO_EXA_ATE, &id, &length);
  exasock_tcp_get_device(fd, device, sizeof(device), &port);
  printf("connected, connection %d, %s port %d\n", id, device, port);
  if (send(fd, "warm", 4, MSG_EXA_WARM) != 4 || send(fd, "hot", 3, 0) != 3) return 1;
  char answer[16];
  ssize_t size = recv(fd, answer, sizeof(answer), 0);
  printf("answer: %.*s\n", (int)size, answer);
  close(fd);
  return 0;
}
