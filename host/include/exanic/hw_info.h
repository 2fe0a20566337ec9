/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file hw_info.h
 * A table of another vendor's products: absent. Use the functions of util.h and port.h instead.
 */
#ifndef EXANIC_HW_INFO_H
#define EXANIC_HW_INFO_H

#include "exanic/pcie_if.h"

#ifdef __cplusplus
extern "C" {
#endif

struct exanic_hw_info;
struct exanic_fw_flash_info;
int exanic_get_hw_info(exanic_hardware_id_t hwid, struct exanic_hw_info* info) EXANIC_ABSENT(
    "ullnic: there is no table of products; exanic_get_num_ports(), exanic_get_hw_type() and "
    "exanic_get_caps() tell what the card is");

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_HW_INFO_H */
