/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** @file config.h Names of ports. */
#ifndef EXANIC_CONFIG_H
#define EXANIC_CONFIG_H

#include "exanic/exanic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** "exanic0:1" of port 1 of exanic0: the driver runs in user space, no port has a kernel interface.
 * 0; -1 with the reason in exanic_get_last_error(). */
int exanic_get_interface_name(exanic_t* exanic, int port_number, char* name, size_t name_len);

/** Takes "exanic0:1" apart. 0; -1 with the reason in exanic_get_last_error(). */
int exanic_find_port_by_interface_name(const char* name, char* device, size_t device_len,
                                       int* port_number);

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_CONFIG_H */
