/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The device behind a virtual card's socket. Register writes need no reply, so they cost one
 * send.
 */
#include <errno.h>
#include <linux/vfio.h>
#include <stdlib.h>
#include <sys/epoll.h>

#include "error.h"
#include "transport.h"
#include "vfio_user_link.h"

struct vfio_user {
  struct ul_transport transport;
  struct vfio_user_link link;
};

static struct vfio_user_link* link_of(struct ul_transport* transport) {
  return &((struct vfio_user*)transport)->link;  // it is the first member
}

static int read32(struct ul_transport* transport, unsigned region, uint64_t offset,
                  uint32_t* value) {
  const struct vfio_user_access access = {offset, region, sizeof *value};
  struct {
    struct vfio_user_access access;
    uint32_t value;
  } answer;
  struct vfio_user_request request = {.command = VFIO_USER_REGION_READ,
                                      .body = &access,
                                      .bytes = sizeof access,
                                      .reply = &answer,
                                      .room = sizeof access + sizeof *value};
  const int result = ul_link_request(link_of(transport), &request);
  if (result == 0) {
    *value = answer.value;
  }
  return result;
}

static int write32(struct ul_transport* transport, unsigned region, uint64_t offset,
                   uint32_t value) {
  struct {
    struct vfio_user_access access;
    uint32_t value;
  } const body = {{offset, region, sizeof value}, value};
  const struct vfio_user_request request = {.command = VFIO_USER_REGION_WRITE,
                                            .posted = true,
                                            .body = &body,
                                            .bytes = sizeof body.access + sizeof value};
  return ul_link_request(link_of(transport), &request);
}

static int map(struct ul_transport* transport, void* memory, int fd, uint64_t offset, size_t bytes,
               uint64_t iova) {
  (void)memory;  // the file descriptor implies it
  const struct vfio_user_map body = {sizeof body, VFIO_USER_MAP_READ | VFIO_USER_MAP_WRITE, offset,
                                     iova, bytes};
  const struct vfio_user_request request = {
      .command = VFIO_USER_DMA_MAP, .body = &body, .bytes = sizeof body, .fds = &fd, .fd_count = 1};
  return ul_link_request(link_of(transport), &request);
}

static int unmap(struct ul_transport* transport, uint64_t iova, size_t bytes) {
  const struct vfio_user_unmap body = {sizeof body, 0, iova, bytes};
  const struct vfio_user_request request = {
      .command = VFIO_USER_DMA_UNMAP, .body = &body, .bytes = sizeof body};
  return ul_link_request(link_of(transport), &request);
}

static int set_vectors(struct ul_transport* transport, const int* eventfds, unsigned count) {
  if (count > VFIO_USER_MAX_FDS) {
    return ul_fail(EINVAL, "%s: %u interrupt vectors in one message, at most %d", transport->name,
                   count, VFIO_USER_MAX_FDS);
  }
  const struct vfio_irq_set body = {
      .argsz = sizeof body,
      .flags = VFIO_IRQ_SET_ACTION_TRIGGER |
               (count != 0 ? VFIO_IRQ_SET_DATA_EVENTFD : VFIO_IRQ_SET_DATA_NONE),
      .index = VFIO_PCI_MSIX_IRQ_INDEX,
      .count = count};
  const struct vfio_user_request request = {.command = VFIO_USER_DEVICE_SET_IRQS,
                                            .body = &body,
                                            .bytes = sizeof body,
                                            .fds = eventfds,
                                            .fd_count = count};
  return ul_link_request(link_of(transport), &request);
}

static int reset(struct ul_transport* transport) {
  const struct vfio_user_request request = {.command = VFIO_USER_DEVICE_RESET};
  return ul_link_request(link_of(transport), &request);
}

static int alive(struct ul_transport* transport) {
  struct vfio_user_link* link = link_of(transport);
  return ul_link_alive(link) ? 0 : ul_link_fail_gone(link);
}

static int watch(struct ul_transport* transport, uint32_t* events) {
  *events = EPOLLRDHUP;
  return link_of(transport)->socket;
}

static void close_device(struct ul_transport* transport) {
  ul_link_close(link_of(transport));
  free(transport);
}

static const struct ul_transport_ops vfio_user_ops = {
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

static int look_at_device(struct vfio_user* user) {
  struct vfio_device_info info = {.argsz = 16};
  const struct vfio_user_request get_info = {
      .command = VFIO_USER_DEVICE_GET_INFO, .body = &info, .bytes = 16, .reply = &info, .room = 16};
  int result = ul_link_request(&user->link, &get_info);
  if (result == 0 && !(info.flags & VFIO_DEVICE_FLAGS_PCI)) {
    return ul_fail(ENXIO, "%s: it is not a PCI device, so not a card; give another socket",
                   user->transport.name);
  }
  for (unsigned bar = 0; result == 0 && bar < 6; ++bar) {
    struct vfio_region_info region = {.argsz = sizeof region, .index = bar};
    const struct vfio_user_request get_region = {.command = VFIO_USER_DEVICE_GET_REGION_INFO,
                                                 .body = &region,
                                                 .bytes = sizeof region,
                                                 .reply = &region,
                                                 .room = sizeof region};
    result = ul_link_request(&user->link, &get_region);
    user->transport.bar_size[bar] = region.size;
  }
  if (result == 0) {
    struct vfio_irq_info vectors = {.argsz = sizeof vectors, .index = VFIO_PCI_MSIX_IRQ_INDEX};
    const struct vfio_user_request get_vectors = {.command = VFIO_USER_DEVICE_GET_IRQ_INFO,
                                                  .body = &vectors,
                                                  .bytes = sizeof vectors,
                                                  .reply = &vectors,
                                                  .room = sizeof vectors};
    result = ul_link_request(&user->link, &get_vectors);
    user->transport.vectors = vectors.count;
  }
  return result;
}

int ul_vfio_user_open(const char* name, const char* path, struct ul_transport** transport) {
  struct vfio_user* user = calloc(1, sizeof *user);
  if (user == NULL) {
    return ul_fail_text(ENOMEM, "out of memory");
  }
  user->transport.ops = &vfio_user_ops;
  user->transport.name = name;
  int result = ul_link_open(&user->link, name, path);
  if (result == 0) {
    result = look_at_device(user);
  }
  if (result != 0) {
    close_device(&user->transport);
    return result;
  }
  *transport = &user->transport;
  return 0;
}
