/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How a socket of the kernel becomes one of the card.
 */
#ifndef ULLNIC_PRELOAD_CONNECTING_H
#define ULLNIC_PRELOAD_CONNECTING_H

#include <stdbool.h>
#include <stdint.h>

#include "common/protocol.h"
#include "preload/table.h"

struct sockaddr;

/* Puts a descriptor of ullnicd in the place of the program's, with the same flags and time limits,
 * in the same epolls. Closes `fresh`. 0 or errno. */
int take_place(int fd, int fresh);
/* Binds to the card as a CONTROL_BIND asks; this adds the socket's kind and options. 0: done;
 * errno; -1: it is the kernel's affair, and why was said. */
int bind_to_card(int fd, struct entry* entry, struct control_request* request);
/* -1: the kernel shall have it; with EXASOCK_REQUIRE this errno. */
int kernels_or(int error);
/* ullnicd says that what a CONTROL_BIND or CONTROL_CONNECT asks for is the card's. */
bool is_cards(const struct control_request* request);
/* A socket that can never be the card's is to talk to `address`. 0: the kernel shall do it; errno.
 */
int other_socket(int fd, const struct sockaddr* address, socklen_t length);
/* The kernel socket's options, as far as the daemon knows them. */
void read_options(int fd, struct control_options* options);
/* A TCP socket that is bound or listens: nothing is to be sent or received on it. */
bool was_never_connected(const struct entry* entry);
/* What became of a socket: errno of its end, 0 if there is none. Says which bytes were lost. */
int verdict_of(const struct entry* entry);

#endif /* ULLNIC_PRELOAD_CONNECTING_H */
