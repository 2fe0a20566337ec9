/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file exanic.h
 * Cards by the names that programs written for libexanic use, on top of libullnic.
 *
 * "exanic0" is the card that the environment variable ULLNIC_EXANIC0 names, in the form that
 * ullnic_open() takes (vfio-user:PATH or vfio:0000:01:00.0); "exanic1" that of ULLNIC_EXANIC1, and
 * so on. A port may follow the name ("exanic0:1"). A name of libullnic itself will do, too.
 */
#ifndef EXANIC_EXANIC_H
#define EXANIC_EXANIC_H

#include <stdint.h>
#include <stdlib.h>

#include "exanic/const.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A card that is held by this process. */
typedef struct exanic exanic_t;

/**
 * Holds a card. Handles are shared: the same name gives the same handle, and it has to be released
 * as often.
 *
 * @return NULL with the reason in exanic_get_last_error()
 */
exanic_t* exanic_acquire_handle(const char* device_name);
/** One more holder of the handle. */
void exanic_retain_handle(exanic_t* exanic);
/** The last release closes the card. NULL is fine. */
void exanic_release_handle(exanic_t* exanic);

/**
 * What went wrong in this thread's last call that failed: cause and remedy in one line. Never NULL.
 */
const char* exanic_get_last_error(void);

#ifdef __cplusplus
}
#endif

#endif /* EXANIC_EXANIC_H */
