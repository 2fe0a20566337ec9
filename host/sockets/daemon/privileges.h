/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Privileges that ullnicd drops once the card and its socket are open: it changes its user and
 * drops all capabilities and every system call that it no longer needs. An attacker that takes it
 * over through a frame or a request has the card and its programs' sockets, but nothing else of the
 * machine.
 */
#ifndef ULLNICD_PRIVILEGES_H
#define ULLNICD_PRIVILEGES_H

#include <stdbool.h>

/* The user that it changes to. False: there is no such user. */
bool privileges_set_user(const char* name);

/* Irreversible. Without `confined` only the identity changes. False: it failed and has printed
 * why. */
bool privileges_drop(bool confined);

#endif /* ULLNICD_PRIVILEGES_H */
