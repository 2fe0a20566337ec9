/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What ullnicd gives up once the card and its socket are open: another user's identity, all
 * capabilities, and every system call that it has no more use for. Whoever gets into it through a
 * frame or a request then has the card and its programs' sockets, and nothing else of the machine.
 */
#ifndef ULLNICD_PRIVILEGES_H
#define ULLNICD_PRIVILEGES_H

#include <stdbool.h>

/* Who it goes on as. False: there is no such user. */
bool privileges_set_user(const char* name);

/* For good; not `confined`: only the identity. False: it could not, and has said why. */
bool privileges_drop(bool confined);

#endif /* ULLNICD_PRIVILEGES_H */
