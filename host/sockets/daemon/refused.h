/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Counts packets that are withheld from lwIP (lwip/checks.h).
 */
#ifndef ULLNICD_REFUSED_H
#define ULLNICD_REFUSED_H

/* Prints on stderr what was refused, if anything was. */
void refused_tell(void);

#endif /* ULLNICD_REFUSED_H */
