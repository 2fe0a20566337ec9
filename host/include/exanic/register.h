/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file register.h
 * Programs include it; there is nothing in it. A card of ours has registers of its own:
 * ullnic/card.h.
 */
#ifndef EXANIC_REGISTER_H
#define EXANIC_REGISTER_H

#include "exanic/exanic.h"

#endif /* EXANIC_REGISTER_H */
