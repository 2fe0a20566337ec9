/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A card in a slot, by Linux VFIO: group, type 1 IOMMU, mapped BARs, MSI-X as eventfds. No hardware
 * exists yet: it has been tested only against a simulated kernel interface.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/vfio.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "error.h"
#include "transport.h"
#include "vfio_sysfs.h"

enum { MAX_VECTORS = 16 };

struct vfio {
  struct ul_transport transport;
  int container;
  int group;
  int device;
  int removal;  // eventfd: the kernel wants the device back
  uint64_t config_offset;
  volatile uint32_t* bar[6];
  atomic_bool gone;
};

static struct vfio* of(struct ul_transport* transport) {
  return (struct vfio*)transport;  // its first member
}

static int fail_gone(struct vfio* vfio) {
  atomic_store(&vfio->gone, true);
  return ul_fail(ENODEV, "%s: the card was removed; put it back and open it anew",
                 vfio->transport.name);
}

static int config_access(struct vfio* vfio, uint64_t offset, uint32_t* value, bool write) {
  const off_t at = (off_t)(vfio->config_offset + offset);
  const ssize_t done = write ? pwrite(vfio->device, value, sizeof *value, at)
                             : pread(vfio->device, value, sizeof *value, at);
  return done == sizeof *value ? 0
                               : ul_fail(EIO, "%s: no access to its configuration space: %s",
                                         vfio->transport.name, strerror(errno));
}

static int read32(struct ul_transport* transport, unsigned region, uint64_t offset,
                  uint32_t* value) {
  struct vfio* vfio = of(transport);
  if (atomic_load_explicit(&vfio->gone, memory_order_relaxed)) {
    return fail_gone(vfio);
  }
  if (region == UL_CONFIG_SPACE) {
    return config_access(vfio, offset, value, false);
  }
  *value = vfio->bar[region][offset / sizeof *value];
  return 0;
}

static int write32(struct ul_transport* transport, unsigned region, uint64_t offset,
                   uint32_t value) {
  struct vfio* vfio = of(transport);
  if (atomic_load_explicit(&vfio->gone, memory_order_relaxed)) {
    return fail_gone(vfio);
  }
  if (region == UL_CONFIG_SPACE) {
    return config_access(vfio, offset, &value, true);
  }
  atomic_thread_fence(memory_order_release);  // data that the word refers to is in memory
  vfio->bar[region][offset / sizeof value] = value;
  return 0;
}

static int map(struct ul_transport* transport, void* memory, int fd, uint64_t offset, size_t bytes,
               uint64_t iova) {
  (void)fd;
  (void)offset;  // the address implies it
  struct vfio_iommu_type1_dma_map request = {
      .argsz = sizeof request,
      .flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
      .vaddr = (uintptr_t)memory,
      .iova = iova,
      .size = bytes};
  if (ioctl(of(transport)->container, VFIO_IOMMU_MAP_DMA, &request) == 0) {
    return 0;
  }
  return ul_fail(errno,
                 "%s: cannot map %zu KiB for the card: %s; raise the limit of locked memory "
                 "(ulimit -l)",
                 transport->name, bytes / 1024, strerror(errno));
}

static int unmap(struct ul_transport* transport, uint64_t iova, size_t bytes) {
  struct vfio_iommu_type1_dma_unmap request = {
      .argsz = sizeof request, .iova = iova, .size = bytes};
  if (ioctl(of(transport)->container, VFIO_IOMMU_UNMAP_DMA, &request) == 0) {
    return 0;
  }
  return ul_fail(errno, "%s: cannot unmap memory: %s", transport->name, strerror(errno));
}

static int set_irqs(struct vfio* vfio, unsigned index, const int* eventfds, unsigned count) {
  struct {
    struct vfio_irq_set set;
    int fds[MAX_VECTORS];
  } request = {.set = {.argsz = (uint32_t)(sizeof request.set + count * sizeof(int)),
                       .flags = VFIO_IRQ_SET_ACTION_TRIGGER |
                                (count != 0 ? VFIO_IRQ_SET_DATA_EVENTFD : VFIO_IRQ_SET_DATA_NONE),
                       .index = index,
                       .count = count}};
  memcpy(request.fds, eventfds, count * sizeof(int));
  return ioctl(vfio->device, VFIO_DEVICE_SET_IRQS, &request) == 0 ? 0 : -errno;
}

static int set_vectors(struct ul_transport* transport, const int* eventfds, unsigned count) {
  if (count > MAX_VECTORS) {
    return ul_fail(EINVAL, "%s: at most %d interrupt vectors", transport->name, MAX_VECTORS);
  }
  const int none = -1;
  const int result =
      set_irqs(of(transport), VFIO_PCI_MSIX_IRQ_INDEX, count != 0 ? eventfds : &none, count);
  return result == 0 ? 0
                     : ul_fail(-result, "%s: cannot set interrupts: %s", transport->name,
                               strerror(-result));
}

static int reset(struct ul_transport* transport) {
  if (ioctl(of(transport)->device, VFIO_DEVICE_RESET) == 0) {
    return 0;
  }
  return ul_fail(errno, "%s: cannot reset the function: %s", transport->name, strerror(errno));
}

static int alive(struct ul_transport* transport) {
  struct vfio* vfio = of(transport);
  struct pollfd removal = {.fd = vfio->removal, .events = POLLIN};
  if (!atomic_load_explicit(&vfio->gone, memory_order_relaxed) && poll(&removal, 1, 0) <= 0) {
    return 0;
  }
  return fail_gone(vfio);
}

static int watch(struct ul_transport* transport, uint32_t* events) {
  *events = EPOLLIN;
  return of(transport)->removal;
}

static void close_fd(int fd) {
  if (fd >= 0) {
    close(fd);
  }
}

static void close_device(struct ul_transport* transport) {
  struct vfio* vfio = of(transport);
  for (unsigned bar = 0; bar < 6; ++bar) {
    if (vfio->bar[bar] != NULL) {
      munmap((void*)vfio->bar[bar], transport->bar_size[bar]);
    }
  }
  close_fd(vfio->removal);
  close_fd(vfio->device);
  close_fd(vfio->group);
  close_fd(vfio->container);
  free(vfio);
}

static const struct ul_transport_ops vfio_ops = {
    .read32 = read32,
    .write32 = write32,
    .map = map,
    .unmap = unmap,
    .set_vectors = set_vectors,
    .reset = reset,
    .alive = alive,
    .watch = watch,
    .close = close_device,
};

static int open_group(struct vfio* vfio, unsigned number) {
  const char* name = vfio->transport.name;
  char path[32];
  vfio->container = open("/dev/vfio/vfio", O_RDWR | O_CLOEXEC);
  if (vfio->container < 0) {
    return ul_fail(errno, "%s: /dev/vfio/vfio: %s; modprobe vfio-pci", name, strerror(errno));
  }
  if (ioctl(vfio->container, VFIO_GET_API_VERSION) != VFIO_API_VERSION ||
      ioctl(vfio->container, VFIO_CHECK_EXTENSION, VFIO_TYPE1v2_IOMMU) != 1) {
    return ul_fail(EPROTO, "%s: this kernel's VFIO has no type 1 IOMMU; modprobe vfio_iommu_type1",
                   name);
  }
  snprintf(path, sizeof path, "/dev/vfio/%u", number);
  vfio->group = open(path, O_RDWR | O_CLOEXEC);
  if (vfio->group < 0) {
    return ul_fail(
        errno, "%s: %s: %s; %s", name, path, strerror(errno),
        errno == EBUSY ? "end the program that holds the card" : "give this user access to it");
  }
  struct vfio_group_status status = {.argsz = sizeof status};
  if (ioctl(vfio->group, VFIO_GROUP_GET_STATUS, &status) != 0 ||
      !(status.flags & VFIO_GROUP_FLAGS_VIABLE)) {
    return ul_fail(ENXIO,
                   "%s: other devices of IOMMU group %u are in use; bind them all to vfio-pci",
                   name, number);
  }
  if (ioctl(vfio->group, VFIO_GROUP_SET_CONTAINER, &vfio->container) != 0 ||
      ioctl(vfio->container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU) != 0) {
    return ul_fail(errno, "%s: cannot set the IOMMU up: %s", name, strerror(errno));
  }
  return 0;
}

static int map_bars(struct vfio* vfio) {
  for (unsigned index = 0; index <= UL_CONFIG_SPACE; ++index) {
    struct vfio_region_info region = {.argsz = sizeof region, .index = index};
    if (ioctl(vfio->device, VFIO_DEVICE_GET_REGION_INFO, &region) != 0) {
      continue;
    }
    if (index == UL_CONFIG_SPACE) {
      vfio->config_offset = region.offset;
    }
    if ((index != UL_BAR_DMA && index != UL_BAR_CARD) || region.size == 0) {
      continue;
    }
    void* at = mmap(NULL, region.size, PROT_READ | PROT_WRITE, MAP_SHARED, vfio->device,
                    (off_t)region.offset);
    if (at == MAP_FAILED) {
      return ul_fail(errno, "%s: cannot map BAR%u: %s", vfio->transport.name, index,
                     strerror(errno));
    }
    vfio->bar[index] = at;
    vfio->transport.bar_size[index] = region.size;
  }
  return 0;
}

static int open_device(struct vfio* vfio, const char* full) {
  const char* name = vfio->transport.name;
  vfio->device = ioctl(vfio->group, VFIO_GROUP_GET_DEVICE_FD, full);
  if (vfio->device < 0) {
    return ul_fail(errno, "%s: VFIO does not give %s: %s", name, full, strerror(errno));
  }
  const int result = map_bars(vfio);
  if (result != 0) {
    return result;
  }
  struct vfio_irq_info vectors = {.argsz = sizeof vectors, .index = VFIO_PCI_MSIX_IRQ_INDEX};
  if (ioctl(vfio->device, VFIO_DEVICE_GET_IRQ_INFO, &vectors) == 0) {
    vfio->transport.vectors = vectors.count;
  }
  vfio->removal = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (vfio->removal < 0) {
    return ul_fail(errno, "%s: no eventfd: %s", name, strerror(errno));
  }
  // With a kernel that lacks it, the card's removal waits until the program ends.
  (void)set_irqs(vfio, VFIO_PCI_REQ_IRQ_INDEX, &vfio->removal, 1);
  return 0;
}

int ul_vfio_open(const char* name, const char* address, struct ul_transport** transport) {
  char full[13];
  unsigned number;
  int result = ul_vfio_find_group(name, "/sys", address, full, &number);
  if (result != 0) {
    return result;
  }
  struct vfio* vfio = calloc(1, sizeof *vfio);
  if (vfio == NULL) {
    return ul_fail_text(ENOMEM, "out of memory");
  }
  vfio->transport.ops = &vfio_ops;
  vfio->transport.name = name;
  vfio->container = vfio->group = vfio->device = vfio->removal = -1;
  result = open_group(vfio, number);
  if (result == 0) {
    result = open_device(vfio, full);
  }
  if (result != 0) {
    close_device(&vfio->transport);
    return result;
  }
  *transport = &vfio->transport;
  return 0;
}
