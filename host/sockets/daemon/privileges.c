/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/privileges.h"

#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pwd.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/log.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "add the processor to the filter of system calls"
#endif

static struct {
  bool wanted;
  uid_t uid;
  gid_t gid;
  char name[64];
} user;

bool privileges_set_user(const char* name) {
  const struct passwd* found = getpwnam(name);
  if (found == NULL || strlen(name) >= sizeof(user.name)) return false;
  user.wanted = true;
  user.uid = found->pw_uid;
  user.gid = found->pw_gid;
  strcpy(user.name, name);
  return true;
}

static bool failed(const char* what) {
  log_message("cannot %s: %s; --unconfined goes on without", what, strerror(errno));
  return false;
}

static bool become_user(void) {
  if (!user.wanted || (user.uid == geteuid() && user.gid == getegid())) return true;
  if (initgroups(user.name, user.gid) == 0 && setgid(user.gid) == 0 && setuid(user.uid) == 0) {
    return true;
  }
  log_message("cannot become user %s: %s; start it as root, or without --user", user.name,
              strerror(errno));
  return false;
}

/* Empties the bounding set, so that no program it starts could gain capabilities. EPERM: it lacks
 * the capability to do so. */
static bool drop_bounds(void) {
  for (unsigned long cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++) {
    if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0 && errno != EPERM) return false;
  }
  return true;
}

static bool drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
  return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 &&
         syscall(SYS_capset, &header, none) == 0;
}

/* System calls of the daemon, lwIP and libullnic once everything is open, including the C library's
 * choices. No file is opened, no program started, no process inspected or signalled. */
static const uint32_t allowed[] = {
    SYS_accept4,
    SYS_bind,
    SYS_brk,
    SYS_clock_gettime,
    SYS_clock_nanosleep,
    SYS_close,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_eventfd2,
    SYS_exit,
    SYS_exit_group,
    SYS_fcntl,
    SYS_fstat,
    SYS_futex,
    SYS_getpeername,
    SYS_getpid,
    SYS_getrandom,
    SYS_getsockname,
    SYS_getsockopt,
    SYS_gettid,
    SYS_gettimeofday,
    SYS_ioctl,
    SYS_listen,
    SYS_lseek,
    SYS_madvise,
    SYS_mremap,
    SYS_munmap,
    SYS_nanosleep,
    SYS_newfstatat,
    SYS_ppoll,
    SYS_pread64,
    SYS_pwrite64,
    SYS_read,
    SYS_readv,
    SYS_recvfrom,
    SYS_recvmmsg,
    SYS_recvmsg,
    SYS_restart_syscall,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sendmmsg,
    SYS_sendmsg,
    SYS_sendto,
    SYS_setsockopt,
    SYS_shutdown,
    SYS_socketpair,
    SYS_unlinkat,
    SYS_write,
    SYS_writev,
#ifdef __x86_64__
    SYS_epoll_wait,
    SYS_poll,
    SYS_time,
    SYS_unlink,
#endif
};

/* Neither may create executable memory. */
static const uint32_t allowed_without_exec[] = {SYS_mmap, SYS_mprotect};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
/* Executes the next statement only if the value is, or is not, `k`. */
#define IF_EQUAL(k) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, 1)
#define UNLESS_SET(k) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, k, 1, 0)
#define UNLESS_EQUAL(k) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 1, 0)
#define SKIP_UNLESS_EQUAL(k, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, skipped)

/* All others fail with EPERM: a C library that tries a newer call first falls back to an older one.
 * Calls by another architecture's numbers (32 bits) kill the process. */
static bool filter_calls(void) {
  enum { ENTRY = 2, ENTRY_WITHOUT_EXEC = 5, HEAD = 4, TAIL = 1 };
  struct sock_filter
      code[HEAD + ENTRY * COUNT(allowed) + ENTRY_WITHOUT_EXEC * COUNT(allowed_without_exec) + TAIL];
  struct sock_filter* at = code;
  *at++ = (struct sock_filter)LOAD(arch);
  *at++ = (struct sock_filter)UNLESS_EQUAL(ARCHITECTURE);
  *at++ = (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS);
  *at++ = (struct sock_filter)LOAD(nr);
  for (size_t i = 0; i < COUNT(allowed); i++) {
    *at++ = (struct sock_filter)IF_EQUAL(allowed[i]);
    *at++ = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
  }
  for (size_t i = 0; i < COUNT(allowed_without_exec); i++) {
    *at++ = (struct sock_filter)SKIP_UNLESS_EQUAL(allowed_without_exec[i], ENTRY_WITHOUT_EXEC - 1);
    *at++ = (struct sock_filter)LOAD(args[2]);
    *at++ = (struct sock_filter)UNLESS_SET(PROT_EXEC);
    *at++ = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    *at++ = (struct sock_filter)RETURN(SECCOMP_RET_ERRNO | EPERM);
  }
  *at++ = (struct sock_filter)RETURN(SECCOMP_RET_ERRNO | EPERM);
  struct sock_fprog program = {.len = (unsigned short)(at - code), .filter = code};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool privileges_drop(bool confined) {
  if (!confined) return become_user();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("give up new privileges");
  if (!drop_bounds()) return failed("drop its capabilities"); /* needs one, so it comes first */
  if (!become_user()) return false;
  if (!drop_capabilities()) return failed("drop its capabilities");
  /* After the change of identity, which resets it: no debugger of the same user, no core file. */
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return failed("hide its memory");
  return filter_calls() || failed("filter its system calls");
}
