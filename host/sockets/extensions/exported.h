/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ULLNIC_EXTENSIONS_EXPORTED_H
#define ULLNIC_EXTENSIONS_EXPORTED_H

/* Marks the public calls of a library whose symbols are hidden by default. */
#define EXPORTED __attribute__((visibility("default")))

#endif /* ULLNIC_EXTENSIONS_EXPORTED_H */
