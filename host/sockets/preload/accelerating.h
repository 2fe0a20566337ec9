/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Turns a kernel socket into one of the card.
 */
#ifndef ULLNIC_PRELOAD_ACCELERATING_H
#define ULLNIC_PRELOAD_ACCELERATING_H

#include <stdbool.h>
#include <stdint.h>

#include "common/protocol.h"
#include "preload/table.h"

/* Replaces the program's descriptor by one of ullnicd's, with the same flags and timeouts, in the
 * same epolls. Closes `fresh`. 0 or errno. */
int take_place(int fd, int fresh);
/* Binds to the card by a CONTROL_BIND request; adds the socket's kind and options to it. Returns 0:
 * done; errno; -1: left to the kernel, the reason has been printed. */
int bind_to_card(int fd, struct entry* entry, struct control_request* request);
/* True if the program or the user wants the socket to stay the kernel's. Prints it. */
bool unwanted(const struct entry* entry, const char* peer);
/* Checks options of the kernel's socket that the card does not support. 0: none; errno; -1: the
 * socket stays the kernel's. Prints which option. */
int check_options(int fd, const struct entry* entry, const struct control_request* request,
                  const char* text);
/* Prints that ullnicd does not answer, or denies this user. */
void note_absent(const char* peer, int error);
/* -1: left to the kernel; with EXASOCK_REQUIRE this errno. */
int kernels_or(int error);
/* Whether ullnicd says that the address of a CONTROL_BIND or CONTROL_CONNECT is the card's. */
bool is_cards(const struct control_request* request);
/* Reads the kernel socket's options that the daemon supports. */
void read_options(int fd, struct control_options* options);

#endif /* ULLNIC_PRELOAD_ACCELERATING_H */
