/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Messages of the vfio-user protocol, version 0.1, as far as a client of a network card needs them.
 * Little-endian; structures of linux/vfio.h are sent as they are.
 */
#ifndef ULLNIC_LIB_VFIO_USER_PROTOCOL_H
#define ULLNIC_LIB_VFIO_USER_PROTOCOL_H

#include <stdint.h>

enum vfio_user_command {
  VFIO_USER_VERSION = 1,
  VFIO_USER_DMA_MAP = 2,
  VFIO_USER_DMA_UNMAP = 3,
  VFIO_USER_DEVICE_GET_INFO = 4,
  VFIO_USER_DEVICE_GET_REGION_INFO = 5,
  VFIO_USER_DEVICE_GET_IRQ_INFO = 7,
  VFIO_USER_DEVICE_SET_IRQS = 8,
  VFIO_USER_REGION_READ = 9,
  VFIO_USER_REGION_WRITE = 10,
  VFIO_USER_DEVICE_RESET = 13,
};

enum {
  VFIO_USER_TYPE_MASK = 0xf,
  VFIO_USER_REPLY = 1,
  VFIO_USER_NO_REPLY = 0x10,
  VFIO_USER_ERROR = 0x20,
};

struct vfio_user_header {
  uint16_t id;
  uint16_t command;
  uint32_t size; /**< of the whole message */
  uint32_t flags;
  uint32_t error; /**< the other end's errno, with VFIO_USER_ERROR */
};

struct vfio_user_version {
  uint16_t major;
  uint16_t minor;
  char capabilities[160]; /**< JSON, ends with a zero byte */
};

struct vfio_user_access {
  uint64_t offset;
  uint32_t region;
  uint32_t count;
};

enum { VFIO_USER_MAP_READ = 1, VFIO_USER_MAP_WRITE = 2 };

struct vfio_user_map {
  uint32_t argsz;
  uint32_t flags;
  uint64_t offset; /**< in the file whose descriptor is attached */
  uint64_t address;
  uint64_t size;
};

struct vfio_user_unmap {
  uint32_t argsz;
  uint32_t flags;
  uint64_t address;
  uint64_t size;
};

#endif /* ULLNIC_LIB_VFIO_USER_PROTOCOL_H */
