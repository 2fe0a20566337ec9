/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/** @file util.h Identity of a card. */
#ifndef EXANIC_UTIL_H
#define EXANIC_UTIL_H

#include <sys/types.h>
#include <time.h>

#include "exanic/exanic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** 0: any card that exanic_acquire_handle() returns is supported. */
int exanic_check_supported(exanic_t* exanic);

/**
 * The product that is most similar to the card: EXANIC_HW_X10_HPT for a tester, whose timestamps
 * have a resolution of 0.25 ns; EXANIC_HW_X10 for other cards.
 */
exanic_hardware_id_t exanic_get_hw_type(exanic_t* exanic);
/** EXANIC_FUNCTION_NIC, also for a card with user logic: it has no devkit regions. */
exanic_function_id_t exanic_get_function_id(exanic_t* exanic);
/** Bits of exanic_caps_t. */
uint32_t exanic_get_caps(exanic_t* exanic);
/** 0: no card has a time limit. */
int exanic_is_devkit_demo(exanic_t* exanic);
/** 0: no card is built with another vendor's kit. */
int exanic_is_devkit_free(exanic_t* exanic);

volatile uint32_t* exanic_get_devkit_registers(exanic_t* exanic) EXANIC_ABSENT(EXANIC_NO_DEVKIT);
char* exanic_get_devkit_memory(exanic_t* exanic) EXANIC_ABSENT(EXANIC_NO_DEVKIT);
volatile uint32_t* exanic_get_extended_devkit_registers(exanic_t* exanic)
    EXANIC_ABSENT(EXANIC_NO_DEVKIT);
char* exanic_get_extended_devkit_memory(exanic_t* exanic) EXANIC_ABSENT(EXANIC_NO_DEVKIT);
time_t exanic_get_hw_rev_date(exanic_t* exanic) EXANIC_ABSENT(
    "ullnic: a card does not say when it was built; ullnic_read32() with "
    "ULLNIC_CARD_REGISTER(VERSION) gives the version of its registers");
int exanic_get_sysfs_path(exanic_t* exanic, char* buf, size_t len) EXANIC_ABSENT(
    "ullnic: a port has no kernel interface, and a virtual card is no PCI device; the variable "
    "ULLNIC_EXANIC0 names the device of exanic0");

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_UTIL_H */
