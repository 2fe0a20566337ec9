/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Cards that this process has open. A card belongs to one process and is opened once, whatever the
 * number of its ports that are devices.
 */
#include "ullnic/card.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pmd.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pmd_card* cards;

static struct pmd_card* find(const char* name) {
  for (struct pmd_card* card = cards; card != NULL; card = card->next) {
    if (strcmp(card->name, name) == 0) {
      return card;
    }
  }
  return NULL;
}

static int open_card(const char* device, const char* name, struct pmd_card** opened) {
  struct pmd_card* card = calloc(1, sizeof *card);
  if (card == NULL || (card->name = strdup(name)) == NULL) {
    free(card);
    PMD_LOG(ERR, device, "out of memory");
    return -ENOMEM;
  }
  const int result = ullnic_open(name, &card->card);
  if (result != 0) {
    PMD_LOG(ERR, device, "%s", ullnic_last_error());
    free(card->name);
    free(card);
    return result;
  }
  card->next = cards;
  cards = card;
  *opened = card;
  return 0;
}

int pmd_card_open(const char* device, const char* name, struct pmd_card** opened) {
  pthread_mutex_lock(&lock);
  *opened = find(name);
  const int result = *opened != NULL ? 0 : open_card(device, name, opened);
  if (result == 0) {
    ++(*opened)->users;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

static void close_card(struct pmd_card* card) {
  for (struct pmd_card** at = &cards; *at != NULL; at = &(*at)->next) {
    if (*at == card) {
      *at = card->next;
      break;
    }
  }
  ullnic_close(card->card);
  free(card->name);
  free(card);
}

void pmd_card_close(struct pmd_card* card) {
  pthread_mutex_lock(&lock);
  if (--card->users == 0) {
    close_card(card);
  }
  pthread_mutex_unlock(&lock);
}

static int take(const char* device, struct pmd_card* card, unsigned port) {
  if (ullnic_kind(card->card) == ULLNIC_KIND_TESTER) {
    PMD_LOG(ERR, device, "%s is a tester, which has no MAC; name a card, or use ullnic-latency",
            card->name);
    return -ENOTSUP;
  }
  if (port >= ullnic_ports(card->card)) {
    PMD_LOG(ERR, device, "%s has no port %u; give port=0 to port=%u", card->name, port,
            ullnic_ports(card->card) - 1);
    return -EINVAL;
  }
  if (card->taken >> port & 1) {
    PMD_LOG(ERR, device, "port %u of %s is a device already; give another port", port, card->name);
    return -EEXIST;
  }
  card->taken |= 1u << port;
  ++card->users;
  return 0;
}

int pmd_card_take_port(const char* device, struct pmd_card* card, unsigned port) {
  pthread_mutex_lock(&lock);
  const int result = take(device, card, port);
  pthread_mutex_unlock(&lock);
  return result;
}

void pmd_card_release_port(struct pmd_card* card, unsigned port) {
  pthread_mutex_lock(&lock);
  card->taken &= ~(1u << port);
  pthread_mutex_unlock(&lock);
  pmd_card_close(card);
}
