/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Files of lines KEY=VALUE, with the keys of the public tool. Keys that nobody knows are an error:
 * a misspelt one would measure something else.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NUMBER, HEX, RANGE, WORD, NAME, EMPTY, ABSENT };
enum { MAX_LINE = 256, MAX_QUEUE = 2047, MAX_BYTES = 32768, MAX_BURST = 1024, MAX_THREADS = 64 };
#define MAX_RUNTIME 86400
#define MAX_OFFSET ((UINT64_C(1) << 48) - 1)

struct key {
  const char* name;
  enum kind kind;
  size_t at;
  uint64_t min, max;
  const char* help; /**< of WORD the words, of others why no other value is possible */
};

#define AT(field) offsetof(struct config, field)
static const char one_function[] =
    "a card's name is that of one function; measure another with --card";
static const char no_traffic_manager[] =
    "this DMA has no streaming traffic manager; remove the line";
static const char one_channel[] = "this DMA has one memory-mapped channel, 0";
static const struct key keys[] = {
    {"name", NAME, AT(name), 0, 0, NULL},
    {"mode", WORD, AT(mode), 0, 0, "mm st"},
    {"dir", WORD, AT(dir), 0, 0, "h2c c2h bi"},
    {"pf_range", RANGE, AT(pf_range), 0, 0, one_function},
    {"q_range", RANGE, AT(q_range), 0, MAX_QUEUE, NULL},
    {"pkt_sz", NUMBER, AT(pkt_sz), 1, MAX_BYTES, NULL},
    {"num_pkt", NUMBER, AT(num_pkt), 1, MAX_BURST, NULL},
    {"num_threads", NUMBER, AT(num_threads), 1, MAX_THREADS, NULL},
    {"runtime", NUMBER, AT(runtime), 0, MAX_RUNTIME, NULL},
    {"rngidx", NUMBER, AT(rngidx), 0, 15, NULL},
    {"wb_acc", NUMBER, AT(wb_acc), 0, 7, NULL},
    {"cmpl_status_acc", NUMBER, AT(wb_acc), 0, 7, NULL},
    {"tmr_idx", NUMBER, AT(tmr_idx), 0, 15, NULL},
    {"cntr_idx", NUMBER, AT(cntr_idx), 0, 15, NULL},
    {"trig_mode", WORD, AT(trig_mode), 0, 0, "dis every usr_cnt usr usr_tmr cntr_tmr"},
    {"cmptsz", NUMBER, AT(cmptsz), 0, 3, NULL},
    {"pfetch_en", NUMBER, AT(pfetch_en), 0, 1, NULL},
    {"mm_chnl", NUMBER, AT(mm_chnl), 0, 0, one_channel},
    {"keyhole_en", NUMBER, AT(keyhole_en), 0, 1, NULL},
    {"aperture_sz", NUMBER, AT(aperture_sz), 0, UINT32_MAX, NULL},
    {"offset", NUMBER, AT(offset_ch0), 0, MAX_OFFSET, NULL},
    {"offset_ch0", NUMBER, AT(offset_ch0), 0, MAX_OFFSET, NULL},
    {"offset_ch1", NUMBER, AT(offset_ch1), 0, 0, one_channel},
    {"offset_q_en", NUMBER, AT(offset_q_en), 0, 1, NULL},
    {"h2c_q_start_offset", NUMBER, AT(h2c_q_start_offset), 0, MAX_OFFSET, NULL},
    {"h2c_q_offset_intvl", NUMBER, AT(h2c_q_offset_intvl), 0, UINT32_MAX, NULL},
    {"c2h_q_start_offset", NUMBER, AT(c2h_q_start_offset), 0, MAX_OFFSET, NULL},
    {"c2h_q_offset_intvl", NUMBER, AT(c2h_q_offset_intvl), 0, UINT32_MAX, NULL},
    {"dump_en", NUMBER, AT(dump_en), 0, 1, NULL},
    {"marker_en", NUMBER, AT(marker_en), 0, 1, NULL},
    {"no_memcpy", NUMBER, AT(no_memcpy), 0, 1, NULL},
    {"vf_perf", NUMBER, AT(vf_perf), 0, 0,
     "a virtual function has no user BAR and no contexts of its own; measure the physical one"},
    {"pci_bus", HEX, AT(pci_bus), 0, 0xff, NULL},
    {"pci_device", HEX, AT(pci_device), 0, 0x1f, NULL},
    {"pci_dev", HEX, AT(pci_device), 0, 0x1f, NULL},
    {"flags", EMPTY, 0, 0, 0, NULL},
    {"stm_mode", NUMBER, AT(stm_mode), 0, 0, no_traffic_manager},
    {"pipe_gl_max_lst", ABSENT, 0, 0, 0, no_traffic_manager},
    {"pipe_flow_id_lst", ABSENT, 0, 0, 0, no_traffic_manager},
    {"pipe_slr_id_lst", ABSENT, 0, 0, 0, no_traffic_manager},
    {"pipe_tdest_lst", ABSENT, 0, 0, 0, no_traffic_manager},
};
enum { KEYS = sizeof keys / sizeof *keys };

/** Where a key was set: "FILE:LINE" or "--set"; empty: nowhere. */
static char where_set[KEYS][MAX_LINE];

static void* place(struct config* config, const struct key* key) { return (char*)config + key->at; }

static const struct key* find(const char* name) {
  for (unsigned i = 0; i < KEYS; ++i) {
    if (strcmp(keys[i].name, name) == 0) {
      return &keys[i];
    }
  }
  return NULL;
}

static const char* where(const char* name) { return where_set[find(name) - keys]; }

/** "mode=st" at the place where the key was set, for messages. */
#define REFUSE_KEY(name, format, ...) \
  refuse("%s%s%s: " format, where(name), *where(name) != '\0' ? ": " : "", name, ##__VA_ARGS__)

static bool number_of(const char* text, int base, uint64_t* value) {
  char* end;
  errno = 0;
  *value = strtoull(text, &end, base);
  return errno == 0 && end != text && *end == '\0' && isxdigit((unsigned char)*text);
}

static void set_word(struct config* config, const struct key* key, const char* at,
                     const char* value) {
  uint64_t number = 0;
  const size_t length = strlen(value);
  for (const char* word = key->help; *word != '\0'; ++number) {
    const size_t bytes = strcspn(word, " ");
    if (bytes == length && strncmp(word, value, bytes) == 0) {
      *(uint64_t*)place(config, key) = number;
      return;
    }
    word += bytes + strspn(word + bytes, " ");
  }
  refuse("%s: %s=%s: give one of: %s", at, key->name, value, key->help);
}

static void refuse_number(const struct key* key, const char* at, const char* value) {
  if (key->help != NULL) {
    refuse("%s: %s=%s: not supported: %s", at, key->name, value, key->help);
  }
  const char* hexadecimal = key->kind == HEX ? "hexadecimal " : "";
  const char* two = key->kind == RANGE ? "two numbers FIRST:LAST" : "a number";
  refuse("%s: %s=%s: give %s%s from %llu to %llu", at, key->name, value, hexadecimal, two,
         (unsigned long long)key->min, (unsigned long long)key->max);
}

static void set_range(struct config* config, const struct key* key, const char* at, char* value) {
  uint64_t* range = place(config, key);
  char* colon = strchr(value, ':');
  bool good = colon != NULL;
  if (good) {
    *colon = '\0';
    good = number_of(value, 0, &range[0]) && number_of(colon + 1, 0, &range[1]) &&
           range[0] >= key->min && range[0] <= range[1] && range[1] <= key->max;
    *colon = ':';
  }
  if (!good) {
    refuse_number(key, at, value);
  }
}

/** It goes into reports: nothing in it may need quoting. */
static void set_name(struct config* config, const char* at, const char* value) {
  size_t length = strlen(value);
  if (length == 0 || length >= NAME_BYTES) {
    refuse("%s: name=%s: give 1 to %d characters", at, value, NAME_BYTES - 1);
  }
  for (const char* c = value; *c != '\0'; ++c) {
    if (!isalnum((unsigned char)*c) && strchr("_.- ", *c) == NULL) {
      refuse("%s: name=%s: give letters, digits, blanks and _ . -", at, value);
    }
  }
  memcpy(config->name, value, length + 1);
}

static void set(struct config* config, const struct key* key, const char* at, char* value) {
  uint64_t number;
  switch (key->kind) {
    case NAME:
      set_name(config, at, value);
      return;
    case WORD:
      set_word(config, key, at, value);
      return;
    case RANGE:
      set_range(config, key, at, value);
      return;
    case EMPTY:
      if (*value != '\0') {
        refuse("%s: %s=%s: not supported: it has no flags; leave the value empty", at, key->name,
               value);
      }
      return;
    case ABSENT:
      refuse("%s: %s: not supported: %s", at, key->name, key->help);
    default:
      if (!number_of(value, key->kind == HEX ? 16 : 0, &number) || number < key->min ||
          number > key->max) {
        refuse_number(key, at, value);
      }
      *(uint64_t*)place(config, key) = number;
  }
}

static char* trim(char* text) {
  text += strspn(text, " \t\r\n");
  size_t length = strlen(text);
  while (length > 0 && isspace((unsigned char)text[length - 1])) {
    text[--length] = '\0';
  }
  return text;
}

static void set_line(struct config* config, char* line, const char* at, bool is_file) {
  char* equals = strchr(line, '=');
  if (equals == NULL) {
    refuse("%s: %s: give KEY=VALUE; a comment begins with #", at, line);
  }
  *equals = '\0';
  const char* name = trim(line);
  const struct key* key = find(name);
  if (key == NULL) {
    refuse("%s: %s: there is no such key; ullnic-dma-perf --help lists them", at, name);
  }
  char* before = where_set[key - keys];
  if (is_file && *before != '\0') {
    refuse("%s: %s: it is set at %s already; remove one of them", at, name, before);
  }
  snprintf(before, MAX_LINE, "%s", at);
  set(config, key, at, trim(equals + 1));
}

void config_file(struct config* config, const char* path) {
  FILE* file = fopen(path, "r");
  if (file == NULL) {
    refuse("%s: cannot read it: %s", path, strerror(errno));
  }
  char line[MAX_LINE];
  char at[MAX_LINE];
  for (unsigned number = 1; fgets(line, sizeof line, file) != NULL; ++number) {
    snprintf(at, sizeof at, "%s:%u", path, number);
    if (strchr(line, '\n') == NULL && !feof(file)) {
      refuse("%s: no line of text of at most %d characters; is this a configuration file?", at,
             MAX_LINE - 2);
    }
    line[strcspn(line, "#")] = '\0';
    char* text = trim(line);
    if (*text != '\0') {
      set_line(config, text, at, true);
    }
  }
  if (ferror(file)) {
    refuse("%s: cannot read it: %s", path, strerror(errno));
  }
  fclose(file);
}

void config_set(struct config* config, const char* text) {
  char line[MAX_LINE];
  if (strlen(text) >= sizeof line) {
    refuse("--set: give KEY=VALUE, at most %d characters", MAX_LINE - 1);
  }
  snprintf(line, sizeof line, "%s", text);
  set_line(config, line, "--set", false);
}

void config_init(struct config* config) {
  *config = (struct config){.num_pkt = 64,
                            .num_threads = 1,
                            .wb_acc = 5,
                            .trig_mode = 5,
                            .marker_en = 1,
                            .timeout_s = 20,
                            .check = true};
}

static const char* word(const char* key, uint64_t number) {
  static _Thread_local char text[16];
  const char* at = find(key)->help;
  for (; number > 0; --number) {
    at += strcspn(at, " ") + 1;
  }
  snprintf(text, sizeof text, "%.*s", (int)strcspn(at, " "), at);
  return text;
}

const char* mode_name(const struct config* config) { return config->mode == MODE_MM ? "mm" : "st"; }
const char* direction_name(const struct config* config) { return word("dir", config->dir); }
const char* trigger_name(const struct config* config) {
  return word("trig_mode", config->trig_mode);
}

static void check_memory_mapped(const struct config* config) {
  if (config->mode != MODE_MM && config->keyhole_en != 0) {
    REFUSE_KEY("keyhole_en", "a keyhole is for mode=mm; set keyhole_en=0");
  }
  if (config->keyhole_en != 0 &&
      (config->aperture_sz < config->pkt_sz || config->aperture_sz % config->pkt_sz != 0)) {
    REFUSE_KEY("aperture_sz", "%llu: not supported: with keyhole_en=1 give a multiple of pkt_sz",
               (unsigned long long)config->aperture_sz);
  }
}

void config_check(struct config* config) {
  static const uint16_t ring_sizes[16] = {2048, 64,   128,  192,  256,  384,  512,   768,
                                          1024, 1536, 3072, 4096, 6144, 8192, 12288, 16384};
  static const char* const required[] = {"mode", "dir", "pkt_sz"};
  for (unsigned i = 0; i < sizeof required / sizeof *required; ++i) {
    if (*where(required[i]) == '\0') {
      refuse("%s is not set; add %s=... to the file, or --set", required[i], required[i]);
    }
  }
  check_memory_mapped(config);
  if (config->runtime == 0 && config->transfers == 0) {
    refuse("nothing ends the run; set runtime to seconds, or give --transfers");
  }
  config->queues = (unsigned)(config->q_range[1] - config->q_range[0]) + 1;
  config->ring_entries = ring_sizes[config->rngidx];
  if (config->card == NULL && (*where("pci_bus") != '\0')) {
    snprintf(config->card_of_bus, sizeof config->card_of_bus, "vfio:0000:%02x:%02x.0",
             (unsigned)config->pci_bus, (unsigned)config->pci_device);
    config->card = config->card_of_bus;
  }
  if (config->card == NULL) {
    refuse("no card is named; give --card, as in --card vfio-user:/tmp/card, or set ULLNIC_CARD");
  }
}
