/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lying_card.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libullnic/error.h"
#include "libullnic/internal.h"
#include "ullnic/ate.h"
#include "ullnic/card.h"

enum { QUEUES = 2048, SELECTORS = 16, ENGINE_CONNECTIONS = 16, LONGEST_PAYLOAD = 1460 };

struct lying_card lying_card;

static uint32_t contexts[SELECTORS][CARD_PORTS][QDMA_CONTEXT_WORDS];
static uint32_t window[QDMA_CONTEXT_WORDS]; /* context data registers */

void lying_card_reset(void) {
  memset(&lying_card, 0, sizeof(lying_card));
  memset(contexts, 0, sizeof(contexts));
  memset(lying_card.interrupt, -1, sizeof(lying_card.interrupt));
}

void lying_card_lie(unsigned region, uint64_t offset, uint32_t value) {
  lying_card.lies[lying_card.lie_count++ % LIES] =
      (struct lie){.used = true, .region = region, .offset = offset, .value = value};
}

static int fail_gone(void) { return ul_fail(ENODEV, "fuzz: the card went away"); }

static bool goes(void) {
  if (lying_card.accesses > 0 && --lying_card.accesses == 0) lying_card.gone = true;
  return lying_card.gone;
}

static uint32_t truth(unsigned region, uint64_t offset) {
  if (region == UL_CONFIG_SPACE) return offset == 0 ? (uint32_t)QDMA_DEVICE << 16 | QDMA_VENDOR : 0;
  if (region == UL_BAR_DMA) {
    switch (offset) {
      case QDMA_IDENTIFIER:
        return QDMA_IDENTIFIER_MAGIC << 16;
      case QDMA_VERSION:
        return QDMA_VERSION_EQDMA5;
      case QDMA_QUEUES:
        return QUEUES;
      default:
        break;
    }
    bool data = offset >= QDMA_CONTEXT_DATA && offset < QDMA_CONTEXT_MASK;
    return data ? window[(offset - QDMA_CONTEXT_DATA) / 4] : 0;
  }
  if (offset == ULLNIC_CARD_REGISTER(ID)) return CARD_REGS__ID__ID_reset;
  if (offset == ULLNIC_CARD_REGISTER(VERSION)) {
    return CARD_REGS__VERSION__MAJOR_reset << CARD_REGS__VERSION__MAJOR_bp | 1;
  }
  if (offset == ULLNIC_CARD_REGISTER(CARD)) return CARD_PORTS << CARD_REGS__CARD__PORTS_bp;
  if (offset == ULLNIC_CARD_REGISTER(TCP_ENABLES)) return 1;
  if (offset == ULLNIC_HOST_PATH_REGISTER(0, MAX_FRAME)) return 1518;
  if (offset == ULLNIC_HOST_PATH_REGISTER(1, MAX_FRAME)) return ULLNIC_MAX_FRAME;
  if (offset == ULLNIC_ATE_BASE(0) + ULLNIC_ATE_ENGINE_ID) return ULLNIC_ATE_ENGINE_MAGIC;
  if (offset == ULLNIC_ATE_BASE(0) + ULLNIC_ATE_ENGINE_VERSION) {
    return ULLNIC_ATE_ENGINE_MAJOR << 16;
  }
  if (offset == ULLNIC_ATE_BASE(0) + ULLNIC_ATE_ENGINE_CAPABILITY) {
    return LONGEST_PAYLOAD << 16 | (ENGINE_CONNECTIONS - 1);
  }
  return 0;
}

static int read32(struct ul_transport* transport, unsigned region, uint64_t offset,
                  uint32_t* value) {
  (void)transport;
  if (goes()) return fail_gone();
  *value = truth(region, offset);
  for (unsigned i = 0; i < LIES; i++) {
    const struct lie* lie = &lying_card.lies[i];
    if (lie->used && lie->region == region && lie->offset == offset) *value = lie->value;
  }
  return 0;
}

/* A card would take these for nonexistent entries of a ring. */
static void check_doorbell(uint64_t offset, uint32_t value) {
  unsigned qid = (unsigned)(offset - QDMA_DOORBELLS) / 16, which = (unsigned)offset % 16;
  uint32_t entries = which == QDMA_DOORBELL_H2C ? UL_SEND_SLOTS : UL_BUFFERS;
  if (qid >= CARD_PORTS || which == 0 || (value & 0xffff) >= entries) abort();
  lying_card.written[qid][which / 4] = value;
}

static void do_context(uint32_t command) {
  unsigned qid = command >> 7, selector = command >> 1 & 15;
  if (qid >= CARD_PORTS) return;
  uint32_t* context = contexts[selector][qid];
  switch (command >> 5 & 3) {
    case QDMA_WRITE:
      memcpy(context, window, sizeof(window));
      break;
    case QDMA_READ:
      memcpy(window, context, sizeof(window));
      break;
    default:
      memset(context, 0, sizeof(window));
  }
}

static int write32(struct ul_transport* transport, unsigned region, uint64_t offset,
                   uint32_t value) {
  (void)transport;
  if (goes()) return fail_gone();
  if (region != UL_BAR_DMA) return 0;
  if (offset >= QDMA_DOORBELLS) {
    check_doorbell(offset, value);
  } else if (offset == QDMA_CONTEXT_COMMAND) {
    do_context(value);
  } else if (offset >= QDMA_CONTEXT_DATA && offset < QDMA_CONTEXT_MASK) {
    window[(offset - QDMA_CONTEXT_DATA) / 4] = value;
  }
  return 0;
}

static int map(struct ul_transport* transport, void* memory, int fd, uint64_t offset, size_t bytes,
               uint64_t iova) {
  (void)transport;
  (void)memory;
  (void)fd;
  (void)offset;
  (void)bytes;
  (void)iova;
  return goes() ? fail_gone() : 0;
}

static int unmap(struct ul_transport* transport, uint64_t iova, size_t bytes) {
  (void)transport;
  (void)iova;
  (void)bytes;
  return goes() ? fail_gone() : 0;
}

static int set_vectors(struct ul_transport* transport, const int* eventfds, unsigned count) {
  (void)transport;
  for (unsigned i = 0; i < count && i < CARD_PORTS; i++) lying_card.interrupt[i] = eventfds[i];
  return goes() ? fail_gone() : 0;
}

static int reset(struct ul_transport* transport) {
  (void)transport;
  return goes() ? fail_gone() : 0;
}

static int alive(struct ul_transport* transport) {
  (void)transport;
  return lying_card.gone ? fail_gone() : 0;
}

static int watch(struct ul_transport* transport, uint32_t* events) {
  (void)transport;
  static int ends[2] = {-1, -1};
  if (ends[0] < 0 && pipe2(ends, O_CLOEXEC) < 0) abort();
  *events = EPOLLRDHUP;
  return ends[0];
}

static void close_transport(struct ul_transport* transport) {
  free(transport);
  lying_card.open = false;
}

/* Replaces the one that connects to a socket. */
int __wrap_ul_vfio_user_open(const char* name, const char* path, struct ul_transport** opened);
int __wrap_ul_vfio_user_open(const char* name, const char* path, struct ul_transport** opened) {
  static const struct ul_transport_ops ops = {.read32 = read32,
                                              .write32 = write32,
                                              .map = map,
                                              .unmap = unmap,
                                              .set_vectors = set_vectors,
                                              .reset = reset,
                                              .alive = alive,
                                              .watch = watch,
                                              .close = close_transport};
  (void)path;
  if (goes()) return fail_gone();
  struct ul_transport* transport = calloc(1, sizeof(*transport));
  if (transport == NULL) abort();
  *transport = (struct ul_transport){.ops = &ops, .name = name, .vectors = 32};
  transport->bar_size[UL_BAR_DMA] = QDMA_BAR_BYTES;
  transport->bar_size[UL_BAR_CARD] = ULLNIC_BAR_SIZE;
  lying_card.open = true;
  *opened = transport;
  return 0;
}

/* Seven MB per port are allocated page by page on use: most runs use few. */
int __wrap_posix_fallocate(int fd, off_t offset, off_t bytes);
int __wrap_posix_fallocate(int fd, off_t offset, off_t bytes) {
  return ftruncate(fd, offset + bytes) == 0 ? 0 : errno;
}

void* __real_mmap(void* at, size_t bytes, int protection, int flags, int fd, off_t offset);
void* __wrap_mmap(void* at, size_t bytes, int protection, int flags, int fd, off_t offset);
void* __wrap_mmap(void* at, size_t bytes, int protection, int flags, int fd, off_t offset) {
  return __real_mmap(at, bytes, protection, flags & ~MAP_POPULATE, fd, offset);
}
