/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file extensions.h
 * Calls of exasock beyond sockets. Link with -lexasock_ext; libullnic-sockets.so takes its place at
 * run time.
 *
 * Not there: exasock_tcp_build_header, _tcp_set_length, _tcp_calc_checksum, _tcp_send_advance (a
 * program that sends frames of its own on a connection; the transmit engine is the way here), and
 * the latency counters.
 */
#ifndef ULLNIC_EXASOCK_EXTENSIONS_H
#define ULLNIC_EXASOCK_EXTENSIONS_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EXASOCK_VERSION(major, minor, revision) (((major) << 16) + ((minor) << 8) + (revision))

/** 1 if the program runs with accelerated sockets, else 0. */
int exasock_loaded(void);
/** EXASOCK_VERSION of the interface that is offered; 0 if not loaded. */
uint32_t exasock_version_code(void);
/** The same in words; NULL if not loaded. */
const char* exasock_version_text(void);
/** Name of the card and number of the port of an accelerated TCP socket. 0, or -1: EOPNOTSUPP. */
int exasock_tcp_get_device(int fd, char* dev, size_t dev_len, int* port_num);

#ifdef __cplusplus
}
#endif

#endif /* ULLNIC_EXASOCK_EXTENSIONS_H */
