/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The driver's part for cards in slots (host/dpdk/pci.c) without a slot: this file plays DPDK's bus
 * and the driver's other files. Prints failures.
 */
#include <bus_pci_driver.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pmd.h"

enum { MOST = 8, PORTS = 3 };

static int faults;

#define CHECK(what)                                           \
  do {                                                        \
    if (!(what)) {                                            \
      printf("case %zu, line %d: %s\n", at, __LINE__, #what); \
      ++faults;                                               \
    }                                                         \
  } while (0)

/** What each call returns, and what probe() must come to. */
static const struct step {
  int process, arguments, open;
  bool is_bound;
  unsigned ports;      /**< that the arguments name */
  unsigned fails_from; /**< the port whose device cannot be created, and those after it */
  int create;
  const char* given; /**< arguments; NULL: none */
  int result;
  unsigned created; /**< bit i: for port i it was tried */
  bool is_removed;
} steps[] = {
    {.is_bound = true, .fails_from = MOST, .created = 7},
    {.is_bound = true, .fails_from = MOST, .ports = 2, .given = "port=1", .created = 2},
    {.is_bound = true, .fails_from = MOST, .ports = 0x81, .created = 0x81},
    {.is_bound = true,
     .fails_from = 1,
     .create = -ENOMEM,
     .result = -ENOMEM,
     .created = 3,
     .is_removed = true},
    {.is_bound = true, .fails_from = 2, .create = -ENXIO, .result = 1, .created = 7},
    {.process = -ENOTSUP, .is_bound = true, .result = -ENOTSUP},
    {.result = -ENODEV},
    {.is_bound = true, .arguments = -EINVAL, .given = "wrong", .result = -EINVAL},
    {.is_bound = true, .open = -ENXIO, .result = 1},
    {.is_bound = true, .open = -EIO, .result = -EIO, .is_removed = true},
};

static size_t at;
static struct rte_pci_driver* driver;
static char said[200];
static unsigned opens, closes, frees, removes, created;
static struct pmd_card card;
static struct rte_pci_device device = {.name = "0000:01:00.0"};

int pmd_logtype;

void rte_pci_register(struct rte_pci_driver* registered) { driver = registered; }
void rte_pci_unregister(struct rte_pci_driver* registered) { (void)registered; }

int rte_log(uint32_t level, uint32_t type, const char* format, ...) {
  va_list arguments;
  (void)level, (void)type;
  va_start(arguments, format);
  vsnprintf(said, sizeof said, format, arguments);
  va_end(arguments);
  return 0;
}

unsigned ullnic_ports(const ullnic_t* of) {
  CHECK(of == NULL);
  return PORTS;
}

int pmd_check_process(const char* name) {
  CHECK(strcmp(name, "0000:01:00.0") == 0);
  return steps[at].process;
}

int pmd_arguments_parse(const char* name, const char* text, bool takes_card,
                        struct pmd_arguments* arguments) {
  CHECK(strcmp(name, "0000:01:00.0") == 0 && !takes_card);
  CHECK(steps[at].given == NULL ? text == NULL : strcmp(text, steps[at].given) == 0);
  *arguments = (struct pmd_arguments){.ports = steps[at].ports, .address = {{2, 0, 0, 0, 0, 9}}};
  return steps[at].arguments;
}

void pmd_arguments_free(struct pmd_arguments* arguments) { frees += arguments != NULL; }

int pmd_card_open(const char* name, const char* card_name, struct pmd_card** opened) {
  CHECK(strcmp(name, "0000:01:00.0") == 0 && strcmp(card_name, "vfio:0000:01:00.0") == 0);
  *opened = &card;
  ++opens;
  return steps[at].open;
}

void pmd_card_close(struct pmd_card* closed) { closes += closed == &card; }

int pmd_create(struct rte_device* of, const char* name, const struct pmd_arguments* arguments,
               struct pmd_card* on, unsigned port) {
  char wanted[40];
  unsigned before = (unsigned)__builtin_popcount(created);
  snprintf(wanted, sizeof wanted, "0000:01:00.0_port%u", port);
  CHECK(of == &device.device && on == &card && strcmp(name, wanted) == 0);
  CHECK(arguments->address.addr_bytes[5] == 9 + before && arguments->address.addr_bytes[0] == 2);
  created |= 1u << port;
  return port >= steps[at].fails_from ? steps[at].create : 0;
}

int pmd_remove(const struct rte_device* of) {
  removes += of == &device.device;
  return -EBUSY;
}

int main(void) {
  CHECK(driver != NULL && driver->id_table[0].vendor_id == 0x10ee);
  CHECK(driver->id_table[0].device_id == 0x903f && driver->id_table[1].vendor_id == 0);
  for (at = 0; at < sizeof steps / sizeof *steps; ++at) {
    const struct step* step = &steps[at];
    struct rte_devargs given = {.args = (char*)(uintptr_t)step->given};
    opens = closes = frees = removes = created = 0;
    said[0] = '\0';
    device.device.devargs = step->given != NULL ? &given : NULL;
    device.kdrv = step->is_bound ? RTE_PCI_KDRV_VFIO : RTE_PCI_KDRV_NIC_UIO;
    const bool is_asked = step->process == 0 && step->is_bound;
    CHECK(driver->probe(driver, &device) == step->result);
    CHECK(created == step->created && removes == step->is_removed);
    CHECK(opens == (is_asked && step->arguments == 0) && frees == opens);
    CHECK(closes == (opens != 0 && step->open == 0));
    CHECK((strstr(said, "bind it: dpdk-devbind.py -b vfio-pci 0000:01:00.0") != NULL) ==
          (step->process == 0 && !step->is_bound));
  }
  at = 0;
  CHECK(driver->remove(&device) == -EBUSY &&
        removes == 1 + steps[sizeof steps / sizeof *steps - 1].is_removed);
  printf("%d faults\n", faults);
  return faults != 0;
}
