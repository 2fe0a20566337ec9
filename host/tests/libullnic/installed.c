/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A user's program that has only the installed files.
 */
#include <errno.h>
#include <string.h>

#include "ullnic/ate.h"
#include "ullnic/card.h"
#include "ullnic/macpcs_regs.h"
#include "ullnic/ullnic.h"

int main(void) {
  ullnic_t* card;
  const int result = ullnic_open("vfio-user:/nowhere/card", &card);
  return result == -ENOENT && strstr(ullnic_last_error(), "/nowhere/card") != NULL &&
                 ULLNIC_CARD_REGISTER(CARD) == 8 && strlen(ullnic_version()) >= 5
             ? 0
             : 1;
}
