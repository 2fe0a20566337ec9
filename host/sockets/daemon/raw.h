/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Raw frames of programs (`ullnicd:` in libullnic): each message of the pair is a frame.
 */
#ifndef ULLNICD_RAW_H
#define ULLNICD_RAW_H

#include "daemon/socket.h"

void raw_serve(struct socket* socket);

#endif /* ULLNICD_RAW_H */
