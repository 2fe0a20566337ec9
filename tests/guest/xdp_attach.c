/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * In the guest: xdp_attach INTERFACE pass|drop|tx|redirect [INTERFACE] attaches a program to the
 * driver that does this to each frame. It stays until this process ends.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long bpf(int command, union bpf_attr* attributes) {
  return syscall(SYS_bpf, command, attributes, sizeof *attributes);
}

static struct bpf_insn move(uint8_t to, int32_t value) {
  return (struct bpf_insn){.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = to, .imm = value};
}

static long load(int action, int target) {
  static const char licence[] = "GPL";
  static char log[4096];
  const struct bpf_insn end = {.code = BPF_JMP | BPF_EXIT};
  const struct bpf_insn redirect = {.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_redirect};
  const struct bpf_insn returns[] = {move(BPF_REG_0, action), end};
  const struct bpf_insn redirects[] = {move(BPF_REG_1, target), move(BPF_REG_2, 0), redirect, end};
  union bpf_attr attributes = {.prog_type = BPF_PROG_TYPE_XDP,
                               .license = (uintptr_t)licence,
                               .log_buf = (uintptr_t)log,
                               .log_size = sizeof log,
                               .log_level = 1};
  if (action == XDP_REDIRECT) {
    attributes.insns = (uintptr_t)redirects;
    attributes.insn_cnt = sizeof redirects / sizeof *redirects;
  } else {
    attributes.insns = (uintptr_t)returns;
    attributes.insn_cnt = sizeof returns / sizeof *returns;
  }
  const long program = bpf(BPF_PROG_LOAD, &attributes);
  if (program < 0) {
    fprintf(stderr, "program not accepted: %s\n%s", strerror(errno), log);
  }
  return program;
}

int main(int argc, char** argv) {
  static const char* const actions[] = {[XDP_ABORTED] = "abort",
                                        [XDP_DROP] = "drop",
                                        [XDP_PASS] = "pass",
                                        [XDP_TX] = "tx",
                                        [XDP_REDIRECT] = "redirect"};
  int action = 0;
  while (argc >= 3 && action <= XDP_REDIRECT && strcmp(argv[2], actions[action]) != 0) {
    ++action;
  }
  if (argc < 3 || action > XDP_REDIRECT || (action == XDP_REDIRECT && argc != 4)) {
    fprintf(stderr, "xdp_attach INTERFACE abort|drop|pass|tx|redirect [INTERFACE]\n");
    return 2;
  }
  const long program = load(action, argc > 3 ? (int)if_nametoindex(argv[3]) : 0);
  if (program < 0) {
    return 1;
  }
  union bpf_attr attributes = {.link_create = {.prog_fd = (uint32_t)program,
                                               .target_ifindex = if_nametoindex(argv[1]),
                                               .attach_type = BPF_XDP,
                                               .flags = XDP_FLAGS_DRV_MODE}};
  if (bpf(BPF_LINK_CREATE, &attributes) < 0) {
    fprintf(stderr, "program not attached to %s: %s\n", argv[1], strerror(errno));
    return 1;
  }
  puts("attached");
  fflush(stdout);
  pause();
  return 0;
}
