/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Included before every source of ullnicd and lwIP: places their variables in one section, so that
 * sandbox.c can restore them before a run.
 */
#pragma clang section bss = "ullnic_state_bss" data = "ullnic_state_data"
