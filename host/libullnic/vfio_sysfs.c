/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "vfio_sysfs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

/** Last component of the target of a device's link; empty if there is no such link. */
static const char* link_target(const char* root, const char* address, const char* link,
                               char whole[PATH_MAX]) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/bus/pci/devices/%s/%s", root, address, link);
  const ssize_t length = readlink(path, whole, PATH_MAX - 1);
  whole[length > 0 ? length : 0] = '\0';
  const char* slash = strrchr(whole, '/');
  return slash != NULL ? slash + 1 : whole;
}

static int parse(const char* address, char* full) {
  unsigned domain = 0;
  unsigned bus;
  unsigned device;
  unsigned function;
  int end = 0;
  if (sscanf(address, "%4x:%2x:%2x.%1u%n", &domain, &bus, &device, &function, &end) != 4 ||
      address[end] != '\0') {
    domain = 0;
    end = 0;
    if (sscanf(address, "%2x:%2x.%1u%n", &bus, &device, &function, &end) != 3 ||
        address[end] != '\0') {
      return -EINVAL;
    }
  }
  if (device > 31 || function > 7) {
    return -EINVAL;
  }
  snprintf(full, 13, "%04x:%02x:%02x.%u", domain & 0xffff, bus & 0xff, device, function);
  return 0;
}

int ul_vfio_find_group(const char* name, const char* root, const char* address, char* full,
                       unsigned* group) {
  if (parse(address, full) != 0) {
    return ul_fail(EINVAL, "%s: not a PCI address; one looks like 0000:01:00.0 (lspci -D)", name);
  }
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/bus/pci/devices/%s", root, full);
  if (access(path, F_OK) != 0) {
    return ul_fail(ENOENT, "%s: there is no PCI device %s; see lspci -D", name, full);
  }
  char target[PATH_MAX];
  const char* driver = link_target(root, full, "driver", target);
  if (strcmp(driver, "vfio-pci") != 0) {
    return ul_fail(ENXIO,
                   "%s: %s belongs to %s; bind it to vfio-pci: driverctl set-override %s vfio-pci",
                   name, full, driver[0] != '\0' ? driver : "no driver", full);
  }
  const char* number = link_target(root, full, "iommu_group", target);
  char* end;
  *group = (unsigned)strtoul(number, &end, 10);
  if (end == number || *end != '\0') {
    return ul_fail(ENXIO,
                   "%s: %s has no IOMMU group; turn the IOMMU on (firmware, kernel: "
                   "intel_iommu=on or amd_iommu=on)",
                   name, full);
  }
  return 0;
}
