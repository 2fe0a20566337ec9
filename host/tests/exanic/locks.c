/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Mistakes that lock_check.c must notice, one in each run; "fair" has none.
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t signalled = PTHREAD_COND_INITIALIZER;
static int is_signalled;

static void* tell(void* data) {
  pthread_mutex_lock(&lock);
  is_signalled = 1;
  pthread_cond_signal(&signalled);
  pthread_mutex_unlock(&lock);
  return data;
}

/* Locks that are released in any order, a condition, and a mutex that may be locked twice. */
static void fair(void) {
  pthread_t thread;
  pthread_mutex_t twice;
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&twice, &recursive);
  pthread_mutex_lock(&twice);
  pthread_mutex_lock(&twice);
  pthread_mutex_unlock(&twice);
  pthread_mutex_unlock(&twice);
  pthread_mutex_lock(&lock);
  if (pthread_mutex_trylock(&other) != 0) return;
  pthread_create(&thread, NULL, tell, NULL);
  while (!is_signalled) pthread_cond_wait(&signalled, &lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&other);
  pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  alarm(20); /* a thread that waits for itself */
  if (strcmp(argv[1], "fair") == 0) {
    fair();
  } else if (strcmp(argv[1], "unlock") == 0) {
    pthread_mutex_unlock(&lock);
  } else {
    pthread_mutex_lock(&lock);
    if (strcmp(argv[1], "twice") == 0) pthread_mutex_lock(&lock);
  }
  return 0;
}
