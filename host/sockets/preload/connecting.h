/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bind(), connect(), and the result of a connection.
 */
#ifndef ULLNIC_PRELOAD_CONNECTING_H
#define ULLNIC_PRELOAD_CONNECTING_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "preload/table.h"

/* For a socket that can never be the card's, to `address`. 0: left to the kernel; errno. */
int other_socket(int fd, const struct sockaddr* address, socklen_t length);
/* A TCP socket that is bound or listening: it can neither send nor receive. */
bool was_never_connected(const struct entry* entry);
/* It is listening, by a call on this or on another descriptor of it. */
bool is_listener(const struct entry* entry);
/* Returns the errno with which a socket ended, 0 if none. Prints which bytes were lost. */
int verdict_of(const struct entry* entry);

/* Consumes the socket's pending error (SO_ERROR), with ullnicd's reason; 0: none. Returns -1 with
 * errno if there is no such socket. */
int take_error(int fd, const struct entry* entry, int* error);

/* The same for a datagram socket: why earlier datagrams did not reach the peer. Datagrams received
 * earlier precede it; the kernel's error comes first. Returns none while a thread of this process
 * receives: that thread gets it, and data after the error must not be mistaken for it. */
int take_datagram_error(int fd, const struct entry* entry);
/* Read-locked while a thread receives datagrams. */
pthread_rwlock_t* receiving_lock(const struct entry* entry);

#endif /* ULLNIC_PRELOAD_CONNECTING_H */
