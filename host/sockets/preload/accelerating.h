/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How a socket of the kernel becomes one of the card.
 */
#ifndef ULLNIC_PRELOAD_ACCELERATING_H
#define ULLNIC_PRELOAD_ACCELERATING_H

#include <stdbool.h>
#include <stdint.h>

#include "common/protocol.h"
#include "preload/table.h"

/* Puts a descriptor of ullnicd in the place of the program's, with the same flags and time limits,
 * in the same epolls. Closes `fresh`. 0 or errno. */
int take_place(int fd, int fresh);
/* Binds to the card as a CONTROL_BIND asks; this adds the socket's kind and options. 0: done;
 * errno; -1: it is the kernel's affair, and why was said. */
int bind_to_card(int fd, struct entry* entry, struct control_request* request);
/* True if the socket stays the kernel's, by the program's or the user's wish. Says so. */
bool unwanted(const struct entry* entry, const char* peer);
/* What the program asked of the kernel's socket, and the card does not do: 0: nothing; errno; -1:
 * so the kernel shall have it. Says which. */
int check_options(int fd, const struct entry* entry, const struct control_request* request,
                  const char* text);
/* Says that ullnicd does not answer, or not this user. */
void note_absent(const char* peer, int error);
/* -1: the kernel shall have it; with EXASOCK_REQUIRE this errno. */
int kernels_or(int error);
/* ullnicd says that what a CONTROL_BIND or CONTROL_CONNECT asks for is the card's. */
bool is_cards(const struct control_request* request);
/* The kernel socket's options, as far as the daemon knows them. */
void read_options(int fd, struct control_options* options);

#endif /* ULLNIC_PRELOAD_ACCELERATING_H */
