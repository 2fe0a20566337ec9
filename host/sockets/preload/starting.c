/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Check of exasock --require before it starts a program: does ullnicd answer, and will the program
 * load this library? exasock runs a separate process with EXASOCK_CHECK, the program's file; it
 * prints "ready" or, on stderr, what is missing.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "preload/daemon.h"
#include "preload/notes.h"
#include "preload/real.h"

enum { MOST_SCRIPTS = 4, LINE = 256, FAILED = 1 };

/* A program's file, as the system would execute it. */
struct program {
  unsigned char class; /* EI_CLASS, 0: no ELF file */
  uint16_t machine;
  char loader[PATH_MAX]; /* ld.so; empty: linked statically */
};

static bool refuse(const char* file, const char* why) {
  fprintf(stderr, "exasock: %s: %s\n", file, why);
  return false;
}

static void read_loader(int file, uint64_t offset, uint64_t size, struct program* program) {
  char name[PATH_MAX] = {0};
  if (size >= sizeof(name) || pread(file, name, size, (off_t)offset) != (ssize_t)size) return;
  if (realpath(name, program->loader) == NULL) strcpy(program->loader, name);
}

static void read_elf64(int file, struct program* program) {
  Elf64_Ehdr head;
  Elf64_Phdr part;
  if (pread(file, &head, sizeof(head), 0) != (ssize_t)sizeof(head)) return;
  program->machine = head.e_machine;
  for (unsigned i = 0; i < head.e_phnum; i++) {
    off_t place = (off_t)(head.e_phoff + (uint64_t)i * head.e_phentsize);
    if (pread(file, &part, sizeof(part), place) != (ssize_t)sizeof(part)) return;
    if (part.p_type == PT_INTERP) read_loader(file, part.p_offset, part.p_filesz, program);
  }
}

static struct program read_program(int file, const char* head) {
  struct program program = {0};
  if (memcmp(head, ELFMAG, SELFMAG) != 0) return program;
  program.class = (unsigned char)head[EI_CLASS];
  if (program.class == ELFCLASS64) read_elf64(file, &program);
  return program;
}

static bool has_more_rights(const struct stat* status, int file) {
  if (geteuid() == 0) return false; /* no privileges to gain, so the loader trusts the user */
  bool set_user = (status->st_mode & S_ISUID) && status->st_uid != geteuid();
  bool set_group = (status->st_mode & S_ISGID) && status->st_gid != getegid();
  return set_user || set_group || fgetxattr(file, "security.capability", NULL, 0) > 0;
}

/* Whether the loader will preload this library. `next`: a script's interpreter. */
static bool check_file(const char* name, char* next) {
  struct stat status;
  char head[LINE] = {0};
  int file = open(name, O_RDONLY | O_CLOEXEC), own = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  bool good = true;
  *next = '\0';
  if (file < 0 || fstat(file, &status) != 0) {
    good = refuse(name, strerror(errno));
  } else if (has_more_rights(&status, file)) {
    good = refuse(name,
                  "it runs with another user's rights (set-user-ID, set-group-ID or file "
                  "capabilities), so no library can be put into it: run it as that user, from a "
                  "copy without them");
  } else if (pread(file, head, sizeof(head) - 1, 0) > 2 && memcmp(head, "#!", 2) == 0) {
    sscanf(head + 2, " %255[^ \t\n]", next);
  } else {
    struct program program = read_program(file, head);
    char own_head[LINE] = {0};
    if (own < 0 || pread(own, own_head, SELFMAG + 1, 0) < 0) own_head[0] = '\0';
    struct program ours = read_program(own, own_head);
    bool alike = program.class == ours.class && program.machine == ours.machine;
    if (alike && program.loader[0] == '\0') {
      good = refuse(name,
                    "it is linked statically, so no library can be put into it: link it "
                    "dynamically");
    } else if (program.class != 0 && (!alike || strcmp(program.loader, ours.loader) != 0)) {
      good = refuse(name,
                    "it is of another architecture or C library than libullnic-sockets.so: "
                    "build that for it");
    }
  }
  if (file >= 0) REAL(close)(file);
  if (own >= 0) REAL(close)(own);
  return good;
}

/* As execvp() finds it. */
static void find_program(const char* name, char* file) {
  const char* folder = getenv("PATH");
  if (folder == NULL) folder = "/bin:/usr/bin";
  while (strchr(name, '/') == NULL && *folder != '\0') {
    int length = (int)strcspn(folder, ":");
    snprintf(file, PATH_MAX, "%.*s%s%s", length, folder, length > 0 ? "/" : "./", name);
    if (access(file, X_OK) == 0) return;
    folder += folder[length] == ':' ? length + 1 : length;
  }
  snprintf(file, PATH_MAX, "%s", name);
}

static bool check_program(const char* name) {
  char file[PATH_MAX], next[LINE];
  find_program(name, file);
  for (int depth = 0; depth < MOST_SCRIPTS; depth++) {
    if (!check_file(file, next)) return false;
    if (next[0] == '\0') return true;
    snprintf(file, sizeof(file), "%s", next);
  }
  return refuse(name, "a script of a script of scripts");
}

static bool check_daemon(void) {
  struct control_request request = new_request(CONTROL_PROBE);
  struct control_reply reply;
  int error = daemon_ask(&request, &reply, NULL);
  if (error == 0) return true;
  if (error == EACCES) {
    fprintf(stderr,
            "exasock: ullnicd at %s is not for user %u: start it with --allow-user or "
            "--allow-group; without --require the program would run on the kernel's sockets\n",
            daemon_path(), (unsigned)geteuid());
    return false;
  }
  fprintf(stderr,
          "exasock: ullnicd does not answer at %s (%s): start it, or set " CONTROL_PATH_VARIABLE
          "; without --require the program would run on the kernel's sockets\n",
          daemon_path(), strerror(error));
  return false;
}

__attribute__((constructor)) static void check(void) {
  const char* name = getenv("EXASOCK_CHECK");
  if (name == NULL) return;
  bool good = check_program(name) && check_daemon();
  if (good) puts("ready");
  fflush(stdout);
  _exit(good ? 0 : FAILED);
}
