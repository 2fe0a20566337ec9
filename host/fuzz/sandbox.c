/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The linker (--wrap, see CMakeLists.txt) replaces system functions that would make a run depend on
 * more than its input.
 */
#include "sandbox.h"

#include <errno.h>
#include <sanitizer/allocator_interface.h>
#include <sanitizer/asan_interface.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Half of the slots are for memory of the run: a full send buffer of six connections whose peer has
 * the minimum MSS (48), two blocks per segment. */
enum { SLOTS = 1 << 18, MARKS = 64, FIRST_MS = 1000000 };

/* Set by the linker: location of the variables of state_section.h. */
extern char __start_ullnic_state_bss[], __stop_ullnic_state_bss[];
extern char __start_ullnic_state_data[], __stop_ullnic_state_data[];

static char *bss_before, *data_before;
static _Thread_local bool inside; /* true during a run; libFuzzer's own memory is not tracked */
static uint64_t now_ms_, random_count;
static uint32_t user;
static int first_fd;

/* Memory of the run: a hash table of addresses. */
static struct {
  const volatile void* address;
  size_t bytes;
} pieces[SLOTS];
static size_t piece_count;
static size_t marked_bytes[MARKS], marked_count;

static size_t slot_of(const volatile void* address) {
  size_t slot = (uintptr_t)address / 16 * 0x9e3779b1u % SLOTS;
  while (pieces[slot].address != NULL && pieces[slot].address != address) slot = (slot + 1) % SLOTS;
  return slot;
}

static void allocated(const volatile void* address, size_t bytes) {
  if (!inside || address == NULL) return;
  if (piece_count >= SLOTS / 2) { /* a run that allocates without end is a finding */
    inside = false;               /* libFuzzer allocates to keep the input */
    fprintf(stderr, "ERROR: a run has %zu pieces of memory at once\n", piece_count);
    abort();
  }
  size_t slot = slot_of(address);
  pieces[slot].address = address;
  pieces[slot].bytes = bytes;
  piece_count++;
}

static void freed(const volatile void* address) {
  if (!inside || address == NULL) return;
  size_t hole = slot_of(address);
  if (pieces[hole].address == NULL) return;
  pieces[hole].address = NULL;
  piece_count--;
  /* Later entries that are there only because this slot was in use. */
  for (size_t slot = (hole + 1) % SLOTS; pieces[slot].address != NULL; slot = (slot + 1) % SLOTS) {
    const volatile void* moved = pieces[slot].address;
    size_t moved_bytes = pieces[slot].bytes;
    pieces[slot].address = NULL;
    size_t place = slot_of(moved);
    pieces[place].address = moved;
    pieces[place].bytes = moved_bytes;
  }
}

void sandbox_mark(void) {
  marked_count = 0;
  for (size_t slot = 0; slot < SLOTS; slot++) {
    if (pieces[slot].address == NULL) continue;
    if (marked_count == MARKS) abort();
    marked_bytes[marked_count++] = pieces[slot].bytes;
  }
}

static bool is_marked(size_t bytes) {
  for (size_t i = 0; i < marked_count; i++) {
    if (marked_bytes[i] != bytes) continue;
    marked_bytes[i] = marked_bytes[--marked_count];
    return true;
  }
  return false;
}

void sandbox_check_memory(size_t allowed_bytes, size_t allowed_too) {
  for (size_t slot = 0; slot < SLOTS; slot++) {
    size_t bytes = pieces[slot].bytes;
    if (pieces[slot].address == NULL || bytes == allowed_bytes || bytes == allowed_too ||
        is_marked(bytes))
      continue;
    fprintf(stderr, "ERROR: memory leak: of %zu bytes, of which the run keeps one more\n", bytes);
    __asan_describe_address((void*)pieces[slot].address);
    abort();
  }
}

/* Between variables are redzones: memcpy() is instrumented, this function is not. */
__attribute__((no_sanitize("address"), no_builtin("memcpy"), noinline)) static void copy_words(
    char* to, const char* from, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof(uint64_t); i++) {
    ((volatile uint64_t*)to)[i] = ((const uint64_t*)from)[i];
  }
  for (size_t i = bytes / sizeof(uint64_t) * sizeof(uint64_t); i < bytes; i++) to[i] = from[i];
}

static char* keep(const char* from, const char* end) {
  size_t bytes = (size_t)(end - from);
  char* kept = malloc(bytes);
  if (kept == NULL) abort();
  copy_words(kept, from, bytes);
  return kept;
}

static void start_once(void) {
  if (bss_before != NULL) return;
  bss_before = keep(__start_ullnic_state_bss, __stop_ullnic_state_bss);
  data_before = keep(__start_ullnic_state_data, __stop_ullnic_state_data);
  if (!__sanitizer_install_malloc_and_free_hooks(allocated, freed)) abort();
}

void sandbox_begin(void) {
  start_once();
  now_ms_ = FIRST_MS;
  random_count = user = 0;
  first_fd = dup(0);
  if (first_fd < 0) abort();
  inside = true;
}

void sandbox_end(void) {
  inside = false;
  for (size_t slot = 0; slot < SLOTS && piece_count > 0; slot++) {
    if (pieces[slot].address == NULL) continue;
    free((void*)pieces[slot].address);
    pieces[slot].address = NULL;
    piece_count--;
  }
  close_range((unsigned)first_fd, ~0u, 0);
  copy_words(__start_ullnic_state_bss, bss_before,
             (size_t)(__stop_ullnic_state_bss - __start_ullnic_state_bss));
  copy_words(__start_ullnic_state_data, data_before,
             (size_t)(__stop_ullnic_state_data - __start_ullnic_state_data));
}

void sandbox_advance(uint64_t ms) { now_ms_ += ms; }
void sandbox_set_user(uint32_t number) { user = number; }

int __wrap_clock_gettime(clockid_t clock, struct timespec* time);
int __wrap_clock_gettime(clockid_t clock, struct timespec* time) {
  (void)clock;
  time->tv_sec = (time_t)(now_ms_ / 1000);
  time->tv_nsec = (long)(now_ms_ % 1000) * 1000000;
  return 0;
}

ssize_t __wrap_getrandom(void* data, size_t bytes, unsigned flags);
ssize_t __wrap_getrandom(void* data, size_t bytes, unsigned flags) {
  (void)flags;
  for (size_t i = 0; i < bytes; i++) {
    uint64_t x = (random_count++ + 1) * 0x9e3779b97f4a7c15u;
    ((uint8_t*)data)[i] = (uint8_t)(x >> 32 ^ x >> 56);
  }
  return (ssize_t)bytes;
}

/* Never sleeps: the run itself advances time. */
int __real_epoll_wait(int poller, struct epoll_event* events, int most, int timeout_ms);
int __wrap_epoll_wait(int poller, struct epoll_event* events, int most, int timeout_ms);
int __wrap_epoll_wait(int poller, struct epoll_event* events, int most, int timeout_ms) {
  (void)timeout_ms;
  return __real_epoll_wait(poller, events, most, 0);
}

/* Abstract names would collide with those of another fuzzer on this machine. */
int __real_bind(int fd, const struct sockaddr* address, socklen_t length);
int __wrap_bind(int fd, const struct sockaddr* address, socklen_t length);
int __wrap_bind(int fd, const struct sockaddr* address, socklen_t length) {
  bool abstract = address->sa_family == AF_UNIX && address->sa_data[0] == '\0';
  return abstract ? 0 : __real_bind(fd, address, length);
}

int __real_getsockopt(int fd, int level, int option, void* value, socklen_t* length);
int __wrap_getsockopt(int fd, int level, int option, void* value, socklen_t* length);
int __wrap_getsockopt(int fd, int level, int option, void* value, socklen_t* length) {
  int result = __real_getsockopt(fd, level, option, value, length);
  if (result == 0 && level == SOL_SOCKET && option == SO_PEERCRED) {
    struct ucred* peer = value;
    peer->uid = peer->gid = user;
  }
  return result;
}

/* Messages are formatted, as they depend on the input, but not printed a thousand times a
 * second. */
void __wrap_log_message(const char* format, ...) __attribute__((format(printf, 1, 2)));
void __wrap_log_message(const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  if (getenv("ULLNIC_FUZZ_VERBOSE") != NULL) fprintf(stderr, "ullnicd: %s\n", line);
}
