/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into programs of the tests: ends one whose thread unlocks a mutex that it does not
 * hold, locks one that it holds, or ends the program with one held. A lock that is missing shows as
 * data races only, which one run in thousands hits; one too many as a hang.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 64 };

static int (*real_lock)(pthread_mutex_t* mutex);
static int (*real_trylock)(pthread_mutex_t* mutex);
static int (*real_unlock)(pthread_mutex_t* mutex);

static __thread struct {
  const pthread_mutex_t* mutex;
  const void* by; /* who locked it, a return address */
} held[MOST];
static __thread unsigned held_count;

/* Before main() there is one thread. */
__attribute__((constructor)) static void find_real(void) {
  *(void**)&real_lock = dlsym(RTLD_NEXT, "pthread_mutex_lock");
  *(void**)&real_trylock = dlsym(RTLD_NEXT, "pthread_mutex_trylock");
  *(void**)&real_unlock = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
}

static void end(const char* what, const pthread_mutex_t* mutex, const void* at) {
  Dl_info where = {0};
  dladdr(at, &where);
  fprintf(stderr, "lock_check: %s: mutex %p, %s (%s+%#lx)\n", what, (const void*)mutex,
          where.dli_sname != NULL ? where.dli_sname : "?",
          where.dli_fname != NULL ? where.dli_fname : "?",
          (unsigned long)((const char*)at - (const char*)where.dli_fbase));
  abort();
}

/* Others have no owner, or may be locked twice. */
static int is_checked(const pthread_mutex_t* mutex) {
  return (mutex->__data.__kind & 3) == PTHREAD_MUTEX_TIMED_NP;
}

static unsigned place_of(const pthread_mutex_t* mutex) {
  unsigned i = 0;
  while (i < held_count && held[i].mutex != mutex) i++;
  return i;
}

static void note(const pthread_mutex_t* mutex, const void* by) {
  if (held_count == MOST) end("too many are held", mutex, by);
  held[held_count].mutex = mutex;
  held[held_count++].by = by;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  const void* by = __builtin_return_address(0);
  if (real_lock == NULL) find_real(); /* another library's constructor */
  if (!is_checked(mutex)) return real_lock(mutex);
  if (place_of(mutex) < held_count) end("locked by the thread that holds it", mutex, by);
  int error = real_lock(mutex);
  if (error == 0) note(mutex, by);
  return error;
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  if (real_lock == NULL) find_real();
  int error = real_trylock(mutex);
  if (error == 0 && is_checked(mutex)) note(mutex, __builtin_return_address(0));
  return error;
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (real_lock == NULL) find_real();
  if (is_checked(mutex)) {
    unsigned place = place_of(mutex);
    if (place == held_count) {
      end("unlocked by a thread that does not hold it", mutex, __builtin_return_address(0));
    }
    held[place] = held[--held_count];
  }
  return real_unlock(mutex);
}

__attribute__((destructor)) static void at_end(void) {
  if (held_count > 0) end("held at the program's end", held[0].mutex, held[0].by);
}
