/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** @file config.h Names of ports. */
#ifndef EXANIC_CONFIG_H
#define EXANIC_CONFIG_H

#include <arpa/inet.h>
#include <sys/types.h>
#include <unistd.h>

#include "exanic/exanic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Gives "exanic0:1" for port 1 of exanic0: the driver runs in user space, so no port has a kernel
 * interface. Returns 0; -1 with the reason in exanic_get_last_error(). */
int exanic_get_interface_name(exanic_t* exanic, int port_number, char* name, size_t name_len);

/** Parses "exanic0:1". Returns 0; -1 with the reason in exanic_get_last_error(). */
int exanic_find_port_by_interface_name(const char* name, char* device, size_t device_len,
                                       int* port_number);

typedef struct exanic_port_info {
  char device[16];
  int port_number;
} exanic_port_info_t;

/**
 * Lists the ports of all cards that the environment variables ULLNIC_EXANIC0 and so on name, in
 * numerical order. Each card that this process does not hold is opened briefly.
 *
 * @param table_size bytes of the table; ports that do not fit are omitted
 * @return number of ports in the table; -1 with the reason in exanic_get_last_error(): a card
 *   cannot be opened, for example because another program holds it
 */
ssize_t exanic_get_all_ports(exanic_port_info_t* table, size_t table_size);

typedef struct exanic_if_addr {
  in_addr_t address;
  in_addr_t netmask;
  in_addr_t broadcast;
} exanic_if_addr_t;

typedef struct exanic_ip_route {
  in_addr_t destination;
  in_addr_t netmask;
  in_addr_t gateway;
} exanic_ip_route_t;

enum { EXANIC_MAX_ROUTES = 16 };

#define EXANIC_NO_INTERFACE                                                                     \
  "ullnic: a port has no kernel interface, and so no address, index or routes there; give the " \
  "program its addresses, or use sockets: ullnicd has addresses (host/sockets/README.md)"

int exanic_get_interface_addr(exanic_t* exanic, int port_number, exanic_if_addr_t* ifaddr)
    EXANIC_ABSENT(EXANIC_NO_INTERFACE);
int exanic_get_interface_index(exanic_t* exanic, int port_number)
    EXANIC_ABSENT(EXANIC_NO_INTERFACE);
int exanic_find_port_by_ip_addr(in_addr_t addr, char* device, size_t device_len, int* port_number)
    EXANIC_ABSENT(EXANIC_NO_INTERFACE);
ssize_t exanic_get_ip_routes(exanic_t* exanic, int port_number, exanic_ip_route_t* table,
                             size_t table_size) EXANIC_ABSENT(EXANIC_NO_INTERFACE);

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_CONFIG_H */
