/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The socket options, and what the card does of each. An option that is not in the table is
 * refused.
 */
#ifndef ULLNIC_PRELOAD_OPTION_TABLE_H
#define ULLNIC_PRELOAD_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/protocol.h"

enum option_way {
  OPTION_KEPT,    /* ullnicd honours it: a field of struct control_options */
  OPTION_HINT,    /* accepted, without effect; a bit of `hints`, so that it reads back */
  OPTION_FIXED,   /* one value is true of the card; others are refused */
  OPTION_EMPTY,   /* a name or bytes, of which the card does only none */
  OPTION_NAME,    /* a name: `names` is the only one, or NULL: none */
  OPTION_PAIR,    /* the kernel does it on the program's end of the pair */
  OPTION_READ,    /* cannot be set; options.c reads it */
  OPTION_REFUSED, /* the card does not do it */
};

#define OPTION_NAME_ROOM 16

enum { OPTION_TCP = 1, OPTION_UDP = 2, OPTION_BOTH = 3 };

struct option_row {
  int level, name;
  const char* text;
  uint8_t sockets;     /* OPTION_TCP, OPTION_UDP: for the others it does not exist */
  uint8_t way;         /* enum option_way */
  bool is_switch;      /* its value is 0 or 1 */
  bool is_hidden;      /* the kernel does not tell whether it was set: marks tell */
  int value;           /* OPTION_FIXED */
  int error;           /* of what is refused */
  size_t offset, size; /* OPTION_KEPT, OPTION_HINT: in struct control_options */
  int least, most;
  const char* only; /* OPTION_NAME */
};

/* NULL: there is no such option, or the card does not know it. */
const struct option_row* option_find(int level, int name, bool datagram);
/* Puts the value into the options. 0 or errno. */
int option_change(const struct option_row* row, const void* value, size_t length,
                  struct control_options* options);
/* The value to give back, of OPTION_KEPT, OPTION_HINT and OPTION_FIXED. */
int option_value(const struct option_row* row, const struct control_options* options);

/* Hidden options that the kernel's socket was given. */
void option_mark(const struct option_row* row, const void* value, size_t length, uint32_t* marks);
/* Fills in what ullnicd honours, from the kernel's socket. */
void options_of_kernel(int fd, struct control_options* options);
/* The option of the kernel's socket that the card could not honour, NULL if there is none. */
const char* option_in_the_way(int fd, bool datagram, uint32_t marks);

#endif /* ULLNIC_PRELOAD_OPTION_TABLE_H */
