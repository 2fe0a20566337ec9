/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arguments of a device: card=NAME,port=N,mac=XX:XX:XX:XX:XX:XX
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pmd.h"

struct parser {
  const char* device;
  struct pmd_arguments* arguments;
};

static int parse_card(const char* key, const char* value, void* opaque) {
  const struct parser* parser = opaque;
  (void)key;
  if (value == NULL || value[0] == '\0') {
    PMD_LOG(ERR, parser->device,
            "card= names none; give one, as in card=vfio-user:/path/to/socket");
    return -EINVAL;
  }
  if (parser->arguments->card != NULL) {
    PMD_LOG(ERR, parser->device, "card= is given twice; give it once");
    return -EINVAL;
  }
  parser->arguments->card = strdup(value);
  return parser->arguments->card != NULL ? 0 : -ENOMEM;
}

static int parse_port(const char* key, const char* value, void* opaque) {
  const struct parser* parser = opaque;
  (void)key;
  char* end = NULL;
  const unsigned long number =
      value != NULL && value[0] >= '0' && value[0] <= '9' ? strtoul(value, &end, 10) : 0;
  if (end == NULL || *end != '\0' || number >= ULLNIC_MAX_PORTS) {
    PMD_LOG(ERR, parser->device, "port=%s is no number of a port; give one from 0 to %d",
            value != NULL ? value : "", ULLNIC_MAX_PORTS - 1);
    return -EINVAL;
  }
  parser->arguments->ports |= 1u << number;
  return 0;
}

static int parse_mac(const char* key, const char* value, void* opaque) {
  const struct parser* parser = opaque;
  (void)key;
  struct rte_ether_addr* address = &parser->arguments->address;
  if (value == NULL || rte_ether_unformat_addr(value, address) != 0 ||
      !rte_is_valid_assigned_ether_addr(address)) {
    PMD_LOG(ERR, parser->device,
            "mac=%s is no address of a port; give one of the form 02:00:00:00:00:01",
            value != NULL ? value : "");
    return -EINVAL;
  }
  parser->arguments->has_address = true;
  return 0;
}

int pmd_arguments_parse(const char* device, const char* text, bool takes_card,
                        struct pmd_arguments* arguments) {
  static const char* const of_vdev[] = {"card", "port", "mac", NULL};
  const char* const* keys = takes_card ? of_vdev : of_vdev + 1;
  *arguments = (struct pmd_arguments){0};
  if (text == NULL || text[0] == '\0') {
    return 0;
  }
  struct rte_kvargs* pairs = rte_kvargs_parse(text, keys);
  if (pairs == NULL) {
    PMD_LOG(ERR, device, "'%s' is not understood; give %sport=N,mac=XX:XX:XX:XX:XX:XX", text,
            takes_card ? "card=NAME," : "");
    return -EINVAL;
  }
  struct parser parser = {device, arguments};
  int result = rte_kvargs_process(pairs, "card", parse_card, &parser);
  if (result == 0) {
    result = rte_kvargs_process(pairs, "port", parse_port, &parser);
  }
  if (result == 0) {
    result = rte_kvargs_process(pairs, "mac", parse_mac, &parser);
  }
  rte_kvargs_free(pairs);
  if (result != 0) {
    pmd_arguments_free(arguments);
    return -EINVAL;
  }
  return 0;
}

void pmd_arguments_free(struct pmd_arguments* arguments) {
  free(arguments->card);
  arguments->card = NULL;
}
