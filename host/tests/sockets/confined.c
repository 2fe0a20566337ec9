/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a process can still do after dropping its privileges as ullnicd does. Each line: the attempt
 * and its result; then its status. `confined [USER]`
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/privileges.h"

static void* page;

static long try_open(void) { return open("/proc/self/status", O_RDONLY); }
static long try_write_file(void) { return open("/tmp/confined", O_RDWR | O_CREAT, 0600); }
static long try_start_program(void) { return execl("/bin/true", "true", (char*)NULL); }
static long try_fork(void) { return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }
static long try_trace(void) { return ptrace(PTRACE_TRACEME, 0, 0, 0); }
static long try_kill(void) { return kill(getppid(), 0); }
static long try_become_root(void) { return setuid(0); }
static long try_network(void) { return socket(AF_INET, SOCK_STREAM, 0); }
static long try_connect(void) { return connect(0, NULL, 0); }
static long try_mount(void) { return syscall(SYS_mount, "none", "/", "tmpfs", 0, NULL); }
static long try_shared_memory(void) { return syscall(SYS_shmget, IPC_PRIVATE, 4096, 0600); }
static long try_executable_memory(void) {
  void* at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? -1 : 0;
}
static long try_make_executable(void) { return mprotect(page, 4096, PROT_READ | PROT_EXEC); }
static long try_map(void) {
  void* at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? -1 : 0;
}
static long try_memory(void) { return mprotect(page, 4096, PROT_READ); }
static long try_socket_pair(void) {
  int ends[2];
  return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

static const struct {
  const char* name;
  long (*attempt)(void);
} attempts[] = {
    {"open a file", try_open},
    {"write a file", try_write_file},
    {"start a program", try_start_program},
    {"fork", try_fork},
    {"trace", try_trace},
    {"kill", try_kill},
    {"become root", try_become_root},
    {"open a network socket", try_network},
    {"connect", try_connect},
    {"mount", try_mount},
    {"share memory", try_shared_memory},
    {"map executable memory", try_executable_memory},
    {"make memory executable", try_make_executable},
    {"map memory", try_map},
    {"protect memory", try_memory},
    {"make a pair of sockets", try_socket_pair},
};

int main(int argc, char** argv) {
  page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  FILE* status = fopen("/proc/self/status", "r");
  if (status == NULL || (argc > 1 && !privileges_set_user(argv[1])) || !privileges_drop(true))
    return 1;
  for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
    errno = 0;
    long result = attempts[i].attempt();
    printf("%s: %s\n", attempts[i].name, result < 0 ? strerrorname_np(errno) : "done");
  }
  for (char line[256]; fgets(line, sizeof(line), status) != NULL;) fputs(line, stdout);
  fflush(stdout);
  char end;
  if (read(STDIN_FILENO, &end, 1) != 0) return 1; /* the test inspects the process meanwhile */
#ifdef __x86_64__
  __asm__ volatile("int $0x80" ::"a"(20) : "memory"); /* getpid() by the number of 32 bits */
#endif
  return 3; /* it was not killed */
}
