/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is to be measured: the keys of the public tool's configuration files, and the options.
 */
#ifndef ULLNIC_DMA_PERF_CONFIG_H
#define ULLNIC_DMA_PERF_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

enum { DONE = 0, DMA_FAILED = 1, BAD_CONFIG = 2 };
enum mode { MODE_MM, MODE_ST };
enum direction { DIR_H2C, DIR_C2H, DIR_BI };
enum { NAME_BYTES = 64, CARD_BYTES = 32 };

/** Values of the keys, with their names. */
struct config {
  char name[NAME_BYTES];
  uint64_t mode, dir;
  uint64_t pf_range[2], q_range[2];
  uint64_t pkt_sz, num_pkt, num_threads, runtime;
  uint64_t rngidx, wb_acc, tmr_idx, cntr_idx, trig_mode, cmptsz, pfetch_en;
  uint64_t mm_chnl, keyhole_en, aperture_sz;
  uint64_t offset_ch0, offset_ch1, offset_q_en;
  uint64_t h2c_q_start_offset, h2c_q_offset_intvl, c2h_q_start_offset, c2h_q_offset_intvl;
  uint64_t dump_en, marker_en, no_memcpy, vf_perf, stm_mode;
  uint64_t pci_bus, pci_device;
  /* Options. */
  const char* card;
  const char* json_file;
  uint64_t transfers; /**< of each queue and direction; 0: without limit */
  uint64_t timeout_s; /**< without any progress of a queue */
  bool check;         /**< data */
  /* Derived. */
  unsigned queues, ring_entries;
  char card_of_bus[CARD_BYTES];
};

/** Parses the command line and the files; exits with BAD_CONFIG if something is wrong. */
void parse_options(int argc, char** argv, struct config* config);

/** Defaults of all keys. */
void config_init(struct config* config);
/** Reads a file of lines KEY=VALUE; exits on an error. */
void config_file(struct config* config, const char* path);
/** Sets KEY=VALUE, of an option. */
void config_set(struct config* config, const char* text);
/** Checks what keys mean together and derives the rest. */
void config_check(struct config* config);

/** Words of a key's values. */
const char* mode_name(const struct config* config);
const char* direction_name(const struct config* config);
const char* trigger_name(const struct config* config);

_Noreturn void refuse(const char* format, ...) __attribute__((format(printf, 1, 2)));

#endif /* ULLNIC_DMA_PERF_CONFIG_H */
