/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The socket options and their support on the card. An option that is not in the table is
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
  OPTION_FIXED,   /* only one value is supported; others are refused */
  OPTION_EMPTY,   /* a name or bytes; only an empty value is supported */
  OPTION_NAME,    /* a name: only `names` is supported, or NULL: none */
  OPTION_PAIR,    /* the kernel applies it to the program's end of the pair */
  OPTION_READ,    /* cannot be set; options.c reads it */
  OPTION_REFUSED, /* not supported */
};

#define OPTION_NAME_ROOM 16

enum { OPTION_TCP = 1, OPTION_UDP = 2, OPTION_BOTH = 3 };

struct option_row {
  int level, name;
  const char* text;
  uint8_t sockets;     /* OPTION_TCP, OPTION_UDP: for the others it does not exist */
  uint8_t way;         /* enum option_way */
  bool is_switch;      /* its value is 0 or 1 */
  bool is_hidden;      /* the kernel does not report whether it was set; marks do */
  int value;           /* OPTION_FIXED */
  int error;           /* errno of a refusal */
  size_t offset, size; /* OPTION_KEPT, OPTION_HINT: in struct control_options */
  int least, most;
  const char* only; /* OPTION_NAME */
};

/* NULL: there is no such option, or it is not in the table. */
const struct option_row* option_find(int level, int name, bool datagram);
/* Puts the value into the options. 0 or errno. */
int option_change(const struct option_row* row, const void* value, size_t length,
                  struct control_options* options);
/* The value to return for OPTION_KEPT, OPTION_HINT and OPTION_FIXED. */
int option_value(const struct option_row* row, const struct control_options* options);

/* Records hidden options set on the kernel's socket. */
void option_mark(const struct option_row* row, const void* value, size_t length, uint32_t* marks);
/* Reads the options that ullnicd honours from the kernel's socket. */
void options_of_kernel(int fd, struct control_options* options);
/* An option of the kernel's socket that the card does not support, NULL if there is none. */
const char* option_in_the_way(int fd, bool datagram, uint32_t marks);

#endif /* ULLNIC_PRELOAD_OPTION_TABLE_H */
