/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The C library's functions, which this library's interpose.
 */
#ifndef ULLNIC_PRELOAD_REAL_H
#define ULLNIC_PRELOAD_REAL_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "extensions/exported.h"

static inline void* real_function(const char* name) {
  void* function = dlsym(RTLD_NEXT, name);
  if (function == NULL) {
    fprintf(stderr, "ullnic-sockets: the C library has no %s()\n", name);
    abort();
  }
  return function;
}

/* REAL(close)(fd) */
#define REAL(name)                                                              \
  (*({                                                                          \
    static __typeof__(&name) real_pointer;                                      \
    __typeof__(&name) found = __atomic_load_n(&real_pointer, __ATOMIC_RELAXED); \
    if (found == NULL) {                                                        \
      found = (__typeof__(&name))real_function(#name);                          \
      __atomic_store_n(&real_pointer, found, __ATOMIC_RELAXED);                 \
    }                                                                           \
    found;                                                                      \
  }))

#endif /* ULLNIC_PRELOAD_REAL_H */
