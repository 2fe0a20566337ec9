/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Filters and flow hashing, as programs set them.
 */
#include "internal.h"

/** Locks the port of a buffer that filters can use; NULL with the error set. */
static struct ex_port* lock_port_of(exanic_t* exanic, const exanic_rx_t* buffer) {
  if (buffer->exanic != exanic) {
    ex_error("%s: the buffer is one of %s", exanic->name, buffer->exanic->name);
    return NULL;
  }
  if (buffer->buffer_number == 0) {
    ex_error(
        "%s: buffer 0 has what no filter takes; filter into one of "
        "exanic_acquire_unused_filter_buffer()",
        exanic->name);
    return NULL;
  }
  struct ex_port* port = &exanic->own->ports[buffer->port_number];
  pthread_mutex_lock(&port->lock);
  return port;
}

static int no_room(const exanic_t* exanic, const char* kind) {
  ex_error("%s: the port has %d %s filters already; remove one", exanic->name, EX_FILTERS, kind);
  return -1;
}

int exanic_filter_add_ip(exanic_t* exanic, const exanic_rx_t* buffer,
                         const exanic_ip_filter_t* filter) {
  struct ex_port* port = lock_port_of(exanic, buffer);
  if (port == NULL) {
    return -1;
  }
  struct ex_steering* steering = &port->steering;
  int id = 0;
  while (id < EX_FILTERS && steering->ip[id].buffer != 0) {
    ++id;
  }
  if (id < EX_FILTERS) {
    steering->ip[id] = (struct ex_ip_filter){buffer->buffer_number, *filter};
    steering->ip_filters = id < steering->ip_filters ? steering->ip_filters : id + 1;
  }
  pthread_mutex_unlock(&port->lock);
  return id < EX_FILTERS ? id : no_room(exanic, "IP");
}

int exanic_filter_add_mac(exanic_t* exanic, const exanic_rx_t* buffer,
                          const exanic_mac_filter_t* filter) {
  if (filter->vlan_match_method < EXANIC_VLAN_MATCH_METHOD_ALL ||
      filter->vlan_match_method > EXANIC_VLAN_MATCH_METHOD_ALL_VLAN || filter->vlan > 0xfff) {
    ex_error("%s: vlan_match_method %d, vlan %d: give one of enum vlan_match_method, and 0 to 4095",
             exanic->name, filter->vlan_match_method, filter->vlan);
    return -1;
  }
  struct ex_port* port = lock_port_of(exanic, buffer);
  if (port == NULL) {
    return -1;
  }
  struct ex_steering* steering = &port->steering;
  int id = 0;
  while (id < EX_FILTERS && steering->mac[id].buffer != 0) {
    ++id;
  }
  if (id < EX_FILTERS) {
    steering->mac[id] = (struct ex_mac_filter){buffer->buffer_number, *filter};
    steering->mac_filters = id < steering->mac_filters ? steering->mac_filters : id + 1;
  }
  pthread_mutex_unlock(&port->lock);
  return id < EX_FILTERS ? id : no_room(exanic, "MAC");
}

/** Marks a filter as unused. */
static int remove_filter(exanic_t* exanic, int port_number, int filter_id, bool is_ip) {
  if (!ex_has_port(exanic, port_number)) {
    return -1;
  }
  struct ex_port* port = &exanic->own->ports[port_number];
  bool was_there = false;
  pthread_mutex_lock(&port->lock);
  if (filter_id >= 0 && filter_id < EX_FILTERS) {
    int* buffer =
        is_ip ? &port->steering.ip[filter_id].buffer : &port->steering.mac[filter_id].buffer;
    was_there = *buffer != 0;
    *buffer = 0;
  }
  pthread_mutex_unlock(&port->lock);
  if (!was_there) {
    ex_error("%s: port %d: there is no %s filter %d", exanic->name, port_number,
             is_ip ? "IP" : "MAC", filter_id);
  }
  return was_there ? 0 : -1;
}

int exanic_filter_remove_ip(exanic_t* exanic, int port_number, int filter_id) {
  return remove_filter(exanic, port_number, filter_id, true);
}

int exanic_filter_remove_mac(exanic_t* exanic, int port_number, int filter_id) {
  return remove_filter(exanic, port_number, filter_id, false);
}

/** Number of buffers without listeners from 1 on, up to `most`. */
static int free_buffers(const struct ex_port* port, int most) {
  for (struct exanic_rx_own* rx = port->listeners; rx != NULL; rx = rx->next) {
    const int buffer = rx->face.buffer_number;
    most = buffer != 0 && buffer <= most ? buffer - 1 : most;
  }
  return most;
}

int exanic_enable_flow_hashing(exanic_t* exanic, int port_number, int max_buffers,
                               int hash_function) {
  if (!ex_has_port(exanic, port_number)) {
    return -1;
  }
  if (max_buffers < 1 || max_buffers > EX_FILTER_BUFFERS ||
      (max_buffers & (max_buffers - 1)) != 0) {
    ex_error("%s: %d buffers: give a power of 2 from 1 to %d", exanic->name, max_buffers,
             EX_FILTER_BUFFERS);
    return -1;
  }
  if (hash_function < EXANIC_RX_HASH_FUNCTION_PORT ||
      hash_function > EXANIC_RX_HASH_FUNCTION_PORT_IP) {
    ex_error("%s: hash function %d: give one of enum rx_hash_function", exanic->name,
             hash_function);
    return -1;
  }
  struct ex_port* port = &exanic->own->ports[port_number];
  pthread_mutex_lock(&port->lock);
  const bool on_already = port->steering.hash_buffers != 0;
  const int most = on_already ? 0 : free_buffers(port, max_buffers);
  int buffers = max_buffers;
  while (buffers > most) {
    buffers /= 2;
  }
  if (buffers != 0) {
    port->steering.hash_buffers = buffers;
    port->steering.hash_function = (enum rx_hash_function)hash_function;
  }
  pthread_mutex_unlock(&port->lock);
  if (buffers == 0) {
    ex_error(on_already ? "%s: port %d: it hashes already; call exanic_disable_flow_hashing() first"
                        : "%s: port %d: buffer 1 is in use; enable hashing before it is acquired",
             exanic->name, port_number);
    return -1;
  }
  return buffers;
}

void exanic_disable_flow_hashing(exanic_t* exanic, int port_number) {
  if (ex_has_port(exanic, port_number)) {
    struct ex_port* port = &exanic->own->ports[port_number];
    pthread_mutex_lock(&port->lock);
    port->steering.hash_buffers = 0;
    pthread_mutex_unlock(&port->lock);
  }
}
