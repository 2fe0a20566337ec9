/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file exanic.h
 * Cards by the names that programs written for libexanic use, on top of libullnic.
 *
 * "exanic0" is the card that the environment variable ULLNIC_EXANIC0 names, in the form that
 * ullnic_open() accepts (vfio-user:PATH or vfio:0000:01:00.0); "exanic1" that of ULLNIC_EXANIC1,
 * and so on. A port may follow the name ("exanic0:1"). Names of libullnic are accepted, too.
 */
#ifndef EXANIC_EXANIC_H
#define EXANIC_EXANIC_H

#include <stdint.h>
#include <stdlib.h>

#include "exanic/const.h"
#include "exanic/hw_info.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MAX_DEVICE_NAME_LEN 128

#define EXANIC_NO_REGISTERS                                                                     \
  "ullnic: cards have no registers in a program's memory; call exanic_register_read() and "     \
  "exanic_register_write(exanic, index, value), with REG_PORT_INDEX(port, REG_PORT_TX_COMMAND)" \
  " for a preloaded frame"
#define EXANIC_NO_DEVKIT                                                                 \
  "ullnic: cards have no devkit region in a program's memory; call ullnic_read32() and " \
  "ullnic_write32() with ULLNIC_USER_BASE of ullnic/card.h"
#define EXANIC_NO_TX_REGION \
  "ullnic: memory for frames belongs to a transmit buffer: use exanic_tx_t::buffer"
#define EXANIC_NO_DRIVER_STATE                                                                   \
  "ullnic: no kernel driver is there, and no descriptor of one; the functions of exanic/*.h do " \
  "what programs need"

/** A card that this process holds. Read-only. */
typedef struct exanic {
  struct exanic_own* own; /**< the library's */
  char name[MAX_DEVICE_NAME_LEN];
  unsigned int num_ports;
  uint32_t tick_hz; /**< timestamp ticks per second */
  uint32_t caps;    /**< exanic_caps_t */
  unsigned int max_filter_buffers;
  EXANIC_ABSENT_MEMBER(registers, EXANIC_NO_REGISTERS);
  EXANIC_ABSENT_MEMBER(devkit_regs_region, EXANIC_NO_DEVKIT);
  EXANIC_ABSENT_MEMBER(devkit_mem_region, EXANIC_NO_DEVKIT);
  EXANIC_ABSENT_MEMBER(devkit_regs_ex_region, EXANIC_NO_DEVKIT);
  EXANIC_ABSENT_MEMBER(devkit_mem_ex_region, EXANIC_NO_DEVKIT);
  EXANIC_ABSENT_MEMBER(devkit_regs_size, EXANIC_NO_DEVKIT);
  EXANIC_ABSENT_MEMBER(devkit_mem_size, EXANIC_NO_DEVKIT);
  EXANIC_ABSENT_MEMBER(devkit_regs_ex_size, EXANIC_NO_DEVKIT);
  EXANIC_ABSENT_MEMBER(devkit_mem_ex_size, EXANIC_NO_DEVKIT);
  EXANIC_ABSENT_MEMBER(tx_buffer, EXANIC_NO_TX_REGION);
  EXANIC_ABSENT_MEMBER(tx_buffer_size, EXANIC_NO_TX_REGION);
  EXANIC_ABSENT_MEMBER(tx_feedback_slots, EXANIC_NO_TX_REGION);
  EXANIC_ABSENT_MEMBER(filters, "ullnic: the library filters frames: use exanic_filter_add_ip()");
  EXANIC_ABSENT_MEMBER(filters_size, "ullnic: the library filters frames");
  EXANIC_ABSENT_MEMBER(info_page, EXANIC_NO_DRIVER_STATE);
  EXANIC_ABSENT_MEMBER(fd, EXANIC_NO_DRIVER_STATE);
  EXANIC_ABSENT_MEMBER(if_index, "ullnic: a port has no kernel interface, and so no index of one");
  EXANIC_ABSENT_MEMBER(hw_info,
                       "ullnic: there is no table of products; exanic_get_num_ports() and "
                       "exanic_get_caps() tell what the card is");
} exanic_t;

/**
 * Acquires a card. Handles are shared and counted: the same name gives the same handle, and each
 * acquisition needs a release. A child made by fork() can neither use its parent's handle nor
 * acquire the same card.
 *
 * @return NULL with the reason in exanic_get_last_error()
 */
exanic_t* exanic_acquire_handle(const char* device_name);
/** Adds a reference to the handle. */
void exanic_retain_handle(exanic_t* exanic);
/** Drops a reference; the last release closes the card. NULL is ignored. */
void exanic_release_handle(exanic_t* exanic);

/**
 * Cause and remedy, in one line, of this thread's last call that failed. Never NULL.
 */
const char* exanic_get_last_error(void);
/** Sets that text, for libraries on top of this one. */
__attribute__((format(printf, 1, 2))) void exanic_err_printf(const char* fmt, ...);

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_EXANIC_H */
