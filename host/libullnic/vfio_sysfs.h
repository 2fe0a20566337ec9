/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Facts from sysfs about a PCI device, read before VFIO is opened.
 */
#ifndef ULLNIC_LIB_VFIO_SYSFS_H
#define ULLNIC_LIB_VFIO_SYSFS_H

/**
 * Finds the IOMMU group of a device that is bound to vfio-pci.
 *
 * @param name for messages
 * @param root "/sys", or a tree like it
 * @param address as the user gave it: DDDD:BB:DD.F or BB:DD.F
 * @param[out] full the address with its domain, 13 bytes
 * @return 0, -EINVAL malformed address, -ENOENT no such device, -ENXIO no group or another driver
 */
int ul_vfio_find_group(const char* name, const char* root, const char* address, char* full,
                       unsigned* group);

#endif /* ULLNIC_LIB_VFIO_SYSFS_H */
