/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The DMA's error registers: errors that are set, the first of each kind, the interrupt target.
 */
#include <inttypes.h>
#include <stdio.h>

#include "dma.h"

/** A bit of a status register: its name in the contract, and what it means. */
struct error_bit {
  unsigned bit;
  const char* name;
  const char* text;
};

/* Errors that the RTL (cores/qdma/regs/qdma.rdl) and the model (sim/src/qdma/registers.h) raise. */
enum { DSC_DSC = 21 };
static const struct error_bit dsc_bits[] = {
    {1, "poison", "the host has answered a read with data that it says are damaged"},
    {2, "ur_ca", "the host does not answer at an address: not mapped, or not the function's"},
    {3, "bcnt", "the host's answer to a read has not the length or the address that was asked for"},
    {4, "param", "a context or a descriptor that cannot be"},
    {9, "timeout", "the host has not answered a read in time"},
    {20, "dma", "a read of descriptors or a transfer of data has failed"},
    {DSC_DSC, "dsc",
     "a doorbell with a PIDX outside of the ring or for a disabled queue, or a bad context"}};
static const struct error_bit trq_bits[] = {
    {0, "csr_unmapped", "no register there, or a write of one that can only be read"},
    {1, "vf_access_err", "a VF has accessed what only a PF has"},
    {4, "qspc_unmapped", "a doorbell that is none, or was written in part"},
    {5, "qid_range", "a doorbell for a queue or ring that is not of its function"}};
static const struct error_bit c2h_bits[] = {
    {1, "len_mismatch", "a packet is longer or shorter than was said, or than its buffers"},
    {4, "desc_rsp_err", "a queue is stopped by an error of its descriptors"},
    {7, "msi_int_fail", "an interrupt is lost: no such vector, or no valid ring"},
    {12, "wrb_inv_q_err", "a doorbell, an entry or a packet for a queue that is not valid"},
    {13, "wrb_qfull_err", "an entry for a completion ring that is full"},
    {14, "wrb_cidx_err", "a doorbell with a CIDX outside of the ring or beyond PIDX"}};
static const struct error_bit h2c_bits[] = {{0, "zero_len_ds", "a descriptor without bytes"},
                                            {2, "no_dma_ds", "a queue behind which no port is"}};
static const struct error_bit glbl_bits[] = {
    {9, "ind_ctxt_cmd", "a context command for a queue, ring or function that is not there"},
    {10, "ind_ctxt_cmd", "a context command for a kind of context that is not there"}};

/** A leaf of the errors. */
struct leaf {
  const char* title;
  const char* status_name;
  uint32_t status;
  uint32_t mask;
  const struct error_bit* bits;
  unsigned count;
};

#define BITS(table) (table), sizeof(table) / sizeof *(table)

static const struct error_bit* find(const struct error_bit* table, unsigned count, unsigned bit) {
  for (unsigned i = 0; i < count; ++i) {
    if (table[i].bit == bit) {
      return &table[i];
    }
  }
  return NULL;
}

static void print_bits(const struct leaf* leaf) {
  for (unsigned bit = 0; bit < 32; ++bit) {
    if (!(leaf->status >> bit & 1)) {
      continue;
    }
    const struct error_bit* known = find(leaf->bits, leaf->count, bit);
    printf("    bit %-2u %-14s %s%s\n", bit, known != NULL ? known->name : "?",
           known != NULL ? known->text : "not one that this tool knows",
           leaf->mask >> bit & 1 ? "" : " (masked: nobody is notified)");
  }
}

/** False: no error is set in the leaf. */
static bool print_leaf(const struct leaf* leaf) {
  printf("  %s (%s): %s\n", leaf->title, leaf->status_name,
         leaf->status != 0 ? "errors are set" : "none");
  print_bits(leaf);
  return leaf->status != 0;
}

static const char* name_of(const struct leaf* leaf, unsigned bit) {
  const struct error_bit* known = find(leaf->bits, leaf->count, bit);
  return known != NULL ? known->name : "of an unknown kind";
}

/** What can be done about an error of a kind: a bit of GLBL_DSC_ERR_STS. */
static const char* remedy_of(uint32_t kind) {
  switch (kind) {
    case 1:
      return "see the host's logs of memory errors and of PCIe (AER)";
    case 2:
      return "keep rings and buffers mapped for the card's function until their descriptors are "
             "done";
    case 3:
      return "see the host's log of PCIe (AER); a switch or a bridge changes completions";
    case 4:
      return "compare the descriptors and the context with what the program has meant: "
             "`ullnic-info queue`";
    case 9:
      return "see the state of the link, and the completion timeout of the slot (lspci -vv)";
    default:
      return NULL;
  }
}

/** The kind of the first error. Only DMAs that know it say so. */
static void print_kind(const struct leaf* leaf, uint32_t sub_type) {
  const char* remedy = remedy_of(sub_type);
  if (remedy != NULL) {
    printf("    kind:  %s, %s; remedy: %s\n", name_of(leaf, sub_type),
           find(leaf->bits, leaf->count, sub_type)->text, remedy);
  }
}

/** The first read of the host that has failed: maybe of another queue, whose error comes later. */
static void print_first_read(const uint32_t log[4]) {
  static const char* const errors[] = {
      "an unknown error", "unsupported request (UR)", "completer abort (CA)",
      "poisoned data",    "no answer in time",        "an answer of another length or address",
      "an unknown error", "an unknown error"};
  static const char* const clients[] = {"descriptors, C2H",
                                        "descriptors, H2C",
                                        "payload, H2C",
                                        "descriptors, memory-mapped C2H",
                                        "descriptors, memory-mapped H2C",
                                        "payload, memory-mapped H2C",
                                        "something, unknown",
                                        "something, unknown"};
  if (!bits(log[0], 31, 31)) {
    return;
  }
  printf("    first read that has failed: of %s queue %" PRIu32 ", function %" PRIu32
         ", at 0x%" PRIx64 ", tag %" PRIu32 ": %s\n",
         clients[bits(log[0], 18, 16)], bits(log[0], 12, 0), bits(log[1], 23, 16),
         (uint64_t)log[3] << 32 | log[2], bits(log[1], 7, 0), errors[bits(log[0], 22, 20)]);
}

static void print_first_descriptor(const struct leaf* leaf, const uint32_t log[3]) {
  const uint32_t cidx = bits(log[1], 27, 12);
  const uint32_t kind = bits(log[1], 4, 0);
  if (!bits(log[0], 31, 31)) {
    return;
  }
  printf("    first: %s, %s queue %" PRIu32, name_of(leaf, kind),
         bits(log[0], 30, 30) ? "C2H" : "H2C", bits(log[0], 12, 0));
  if (cidx != 0) {  // 0 if it is a doorbell's, and of an older DMA
    printf(", CIDX %" PRIu32, cidx);
  }
  if (kind == DSC_DSC && log[2] != 0) {
    printf(", a doorbell with PIDX %" PRIu32 " when it was %" PRIu32, bits(log[2], 15, 0),
           bits(log[2], 31, 16));
  }
  printf("\n");
  print_kind(leaf, bits(log[1], 8, 5));
}

enum { TARGET_DOORBELLS = 2, PF_DOORBELLS = 0x18000, VF_DOORBELLS = 0x3000 };

/** The model stores neither target nor function: its only one is 0. */
static void print_first_access(uint32_t log) {
  static const char* const names[] = {"interrupt ring", "H2C PIDX", "C2H PIDX", "completion CIDX"};
  const uint32_t address = bits(log, 16, 0);
  const uint32_t target = bits(log, 30, 27);
  printf("    first: at 0x%05" PRIx32 " of BAR0", address);
  if (target != 0) {
    printf(", by function %" PRIu32, bits(log, 26, 17));
  }
  const uint32_t doorbells_at = address >= PF_DOORBELLS ? PF_DOORBELLS : VF_DOORBELLS;
  if (address >= doorbells_at &&
      (target == TARGET_DOORBELLS || (target == 0 && address >= PF_DOORBELLS))) {
    const uint32_t offset = address - doorbells_at;
    printf(", the doorbell %s of its queue %" PRIu32, names[offset % 16 / 4], offset / 16);
  }
  printf("\n");
}

static void print_first_of_queue(const struct leaf* leaf, uint32_t log, unsigned high) {
  printf("    first: %s, queue %" PRIu32 "\n", name_of(leaf, bits(log, high, 16)),
         bits(log, 12, 0));
}

static void print_interrupt(const struct ullnic_dma_errors* e) {
  const uint32_t setting = e->glbl_err_int;
  printf("  error interrupt: ");
  if (setting == 0) {
    printf("not set up\n");
    return;
  }
  printf("%s, %s %" PRIu32 " of function %" PRIu32 "\n",
         bits(setting, 24, 24) ? "armed" : "not armed: it has been sent, or never was armed",
         bits(setting, 23, 23) ? "by way of interrupt ring" : "vector", bits(setting, 22, 12),
         bits(setting, 11, 0));
  const uint32_t masked = e->glbl_err_stat & ~e->glbl_err_mask;
  if (masked != 0) {
    printf("    does not tell of 0x%08" PRIx32 " of GLBL_ERR_STAT, which GLBL_ERR_MASK masks\n",
           masked);
  }
}

static void print_raw_errors(const struct ullnic_dma_errors* e) {
  printf("  words as the DMA has them\n");
  const struct {
    const char* name;
    const uint32_t* words;
    unsigned count;
  } words[] = {{"GLBL_ERR_STAT", &e->glbl_err_stat, 1},
               {"GLBL_ERR_MASK", &e->glbl_err_mask, 1},
               {"GLBL_ERR_INT", &e->glbl_err_int, 1},
               {"GLBL_DSC_ERR_STS", &e->dsc_err_sts, 1},
               {"GLBL_DSC_ERR_MSK", &e->dsc_err_msk, 1},
               {"GLBL_DSC_ERR_LOG0-2", e->dsc_err_log, 3},
               {"GLBL_TRQ_ERR_STS", &e->trq_err_sts, 1},
               {"GLBL_TRQ_ERR_MSK", &e->trq_err_msk, 1},
               {"GLBL_TRQ_ERR_LOG", &e->trq_err_log, 1},
               {"C2H_ERR_STAT", &e->c2h_err_stat, 1},
               {"C2H_ERR_MASK", &e->c2h_err_mask, 1},
               {"C2H_FIRST_ERR_QID", &e->c2h_first_err_qid, 1},
               {"H2C_ERR_STAT", &e->h2c_err_stat, 1},
               {"H2C_ERR_MASK", &e->h2c_err_mask, 1},
               {"H2C_FIRST_ERR_QID", &e->h2c_first_err_qid, 1},
               {"GLBL2_SYSTEM_ID", &e->extensions, 1},
               {"READ_ERR_LOG0-3", e->read_err_log, 4},
               {"WATCHDOG", e->watchdog, 4}};
  for (unsigned i = 0; i < sizeof words / sizeof *words; ++i) {
    print_raw(words[i].name, words[i].words, words[i].count);
  }
}

void print_errors(const struct ullnic_dma_errors* e, const struct ullnic_dma_event* events,
                  bool raw) {
  const struct leaf dsc = {"descriptors", "GLBL_DSC_ERR_STS", e->dsc_err_sts, e->dsc_err_msk,
                           BITS(dsc_bits)};
  const struct leaf trq = {"accesses of BAR0", "GLBL_TRQ_ERR_STS", e->trq_err_sts, e->trq_err_msk,
                           BITS(trq_bits)};
  const struct leaf c2h = {"C2H", "C2H_ERR_STAT", e->c2h_err_stat, e->c2h_err_mask, BITS(c2h_bits)};
  const struct leaf h2c = {"H2C", "H2C_ERR_STAT", e->h2c_err_stat, e->h2c_err_mask, BITS(h2c_bits)};
  // The leaves have their own lines; the remaining bits belong to none.
  const uint32_t own = 1u << 9 | 1u << 10;
  const struct leaf commands = {"context commands", "GLBL_ERR_STAT", e->glbl_err_stat & own,
                                e->glbl_err_mask, BITS(glbl_bits)};
  printf(
      "errors of the DMA since they were last cleared: %s\n",
      (dsc.status | trq.status | c2h.status | h2c.status | commands.status) != 0 ? "some" : "none");
  if (print_leaf(&dsc)) {
    print_first_descriptor(&dsc, e->dsc_err_log);
  }
  print_first_read(e->read_err_log);
  if (print_leaf(&trq)) {
    print_first_access(e->trq_err_log);
  }
  if (print_leaf(&c2h)) {
    print_first_of_queue(&c2h, e->c2h_first_err_qid, 20);
  }
  if (h2c.status != 0) {  // the RTL has no such leaf: it reports these as descriptor errors
    print_leaf(&h2c);
    print_first_of_queue(&h2c, e->h2c_first_err_qid, 19);
  }
  print_leaf(&commands);
  print_interrupt(e);
  if (has_watchdog(e->extensions)) {
    print_watchdog(e, events);
  }
  if (raw) {
    print_raw_errors(e);
    print_raw_events(e, events);
  }
}
