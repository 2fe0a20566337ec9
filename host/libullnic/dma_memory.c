/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dma_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "error.h"

/** Creates the file and both mappings of it. */
static int make_views(struct ul_dma_memory* memory, size_t plain) {
  memory->fd = memfd_create("ullnic", MFD_CLOEXEC);
  if (memory->fd < 0) {
    return -1;
  }
  // Allocated now: a failure on first access would be a SIGBUS.
  errno = posix_fallocate(memory->fd, 0, (off_t)memory->bytes);
  if (errno != 0) {
    return -1;
  }
  uint8_t* base =
      mmap(NULL, memory->bytes + memory->mirrored, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) {
    return -1;
  }
  memory->base = base;
  if (mmap(base, memory->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE,
           memory->fd, 0) == MAP_FAILED ||
      (memory->mirrored != 0 &&
       mmap(base + memory->bytes, memory->mirrored, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
            memory->fd, (off_t)plain) == MAP_FAILED)) {
    return -1;
  }
  // A child would write into the parent's rings.
  madvise(base, memory->bytes + memory->mirrored, MADV_DONTFORK);
  return 0;
}

static void drop_views(struct ul_dma_memory* memory) {
  if (memory->base != NULL) {
    munmap(memory->base, memory->bytes + memory->mirrored);
    memory->base = NULL;
  }
  if (memory->fd >= 0) {
    close(memory->fd);
    memory->fd = -1;
  }
}

int ul_dma_memory_make(struct ul_dma_memory* memory, struct ul_transport* transport, size_t plain,
                       size_t ring, size_t mirror, uint64_t iova) {
  *memory =
      (struct ul_dma_memory){.bytes = plain + ring, .mirrored = mirror, .iova = iova, .fd = -1};
  if (make_views(memory, plain) != 0) {
    const int error = errno;
    drop_views(memory);
    if (error == EMFILE || error == ENFILE) {
      return ul_fail(error, "no descriptor for a port's rings: %s; close some, or raise ulimit -n",
                     strerror(error));
    }
    return ul_fail(ENOMEM, "no %zu KiB of memory for a port's rings: %s; free some memory",
                   (plain + ring) / 1024, strerror(error));
  }
  const int result =
      transport->ops->map(transport, memory->base, memory->fd, 0, memory->bytes, iova);
  if (result != 0) {
    drop_views(memory);
  }
  return result;
}

void ul_dma_memory_free(struct ul_dma_memory* memory, struct ul_transport* transport) {
  if (memory->base != NULL) {
    // A device that is gone no longer accesses the memory.
    (void)transport->ops->unmap(transport, memory->iova, memory->bytes);
  }
  drop_views(memory);
}
