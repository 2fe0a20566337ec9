/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A PCI function, independent of the transport: regions, DMA memory, interrupts. Any thread may
 * make all calls but close. They return 0, or -errno with a sentence for ullnic_last_error(); once
 * one returns -ENODEV, all do.
 */
#ifndef ULLNIC_LIB_TRANSPORT_H
#define ULLNIC_LIB_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of regions and interrupt kinds are those of linux/vfio.h in both transports. */
enum { UL_BAR_DMA = 0, UL_BAR_CARD = 2, UL_CONFIG_SPACE = 7 };

struct ul_transport;
struct ullnic_dma_errors;
struct ullnic_dma_event;
struct ullnic_dma_queue;

struct ul_transport_ops {
  /** Reads a 32-bit word; waits for the answer. */
  int (*read32)(struct ul_transport*, unsigned region, uint64_t offset, uint32_t* value);
  /** Writes a 32-bit word; posted. */
  int (*write32)(struct ul_transport*, unsigned region, uint64_t offset, uint32_t value);
  /** Maps memory, which begins at `offset` of the shared file `fd`, for the device at `iova`. */
  int (*map)(struct ul_transport*, void* memory, int fd, uint64_t offset, size_t bytes,
             uint64_t iova);
  /** Unmaps it: when it returns, the device no longer accesses the memory. */
  int (*unmap)(struct ul_transport*, uint64_t iova, size_t bytes);
  /** Makes MSI-X vector v add to eventfds[v]; a count of 0 turns all off. */
  int (*set_vectors)(struct ul_transport*, const int* eventfds, unsigned count);
  /** Resets the function. */
  int (*reset)(struct ul_transport*);
  /** 0, or -ENODEV if the device is gone. Never waits. */
  int (*alive)(struct ul_transport*);
  /** Descriptor and epoll events that signal that the device is gone. */
  int (*watch)(struct ul_transport*, uint32_t* events);
  /** Of a card that a daemon owns: a SOCK_SEQPACKET socket; a message is a frame to send. */
  int (*lend)(struct ul_transport*, unsigned port, int* fd);
  /** Of a card that a daemon owns: the state of the DMA as the daemon reads it. */
  int (*dma_queue)(struct ul_transport*, unsigned queue, struct ullnic_dma_queue* state);
  int (*dma_errors)(struct ul_transport*, struct ullnic_dma_errors* errors);
  int (*dma_events)(struct ul_transport*, unsigned first, unsigned count,
                    struct ullnic_dma_event* events);
  int (*dma_watch)(struct ul_transport*, unsigned ticks, unsigned queue);
  void (*close)(struct ul_transport*);
};

struct ul_transport {
  const struct ul_transport_ops* ops;
  const char* name;     /**< as the user gave it, for messages */
  unsigned vectors;     /**< MSI-X vectors that the function has */
  bool owned_elsewhere; /**< only read32, write32, lend, dma_* and close exist */
  uint64_t bar_size[6];
};

/** The device with this name, as ullnic_open() accepts it. `name` must outlive the transport. */
int ul_transport_open(const char* name, struct ul_transport** transport);
/** The device behind a socket that speaks vfio-user. `name` must outlive the transport. */
int ul_vfio_user_open(const char* name, const char* path, struct ul_transport** transport);
/** The PCI device with this address (0000:01:00.0), bound to vfio-pci. */
int ul_vfio_open(const char* name, const char* address, struct ul_transport** transport);
/** The card that the ullnicd behind this socket owns; no path: the default one. */
int ul_ullnicd_open(const char* name, const char* path, struct ul_transport** transport);

#endif /* ULLNIC_LIB_TRANSPORT_H */
