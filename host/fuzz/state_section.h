/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Included before every source of ullnicd and lwIP: their variables lie together, so that
 * sandbox.c can put them back as they were before a run.
 */
#pragma clang section bss = "ullnic_state_bss" data = "ullnic_state_data"
