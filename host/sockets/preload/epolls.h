/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The epolls that contain a socket whose descriptor may yet be replaced.
 */
#ifndef ULLNIC_PRELOAD_EPOLLS_H
#define ULLNIC_PRELOAD_EPOLLS_H

/* The descriptor has been replaced: registers it where the old one was. */
void epolls_renew(int fd);
/* A socket or an epoll has been closed. */
void epolls_forget(int fd);

#endif /* ULLNIC_PRELOAD_EPOLLS_H */
