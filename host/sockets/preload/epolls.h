/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which epolls a socket is in that may yet become another descriptor.
 */
#ifndef ULLNIC_PRELOAD_EPOLLS_H
#define ULLNIC_PRELOAD_EPOLLS_H

/* The descriptor is another one now: registers it where the old one was. */
void epolls_renew(int fd);
/* It is closed, as a socket or as an epoll. */
void epolls_forget(int fd);

#endif /* ULLNIC_PRELOAD_EPOLLS_H */
