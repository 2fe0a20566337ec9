/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 The ullnic authors */
/*
 * Where kernels from 6.1 on differ.
 */
#ifndef ULLNIC_COMPAT_H
#define ULLNIC_COMPAT_H

#include <linux/version.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
#include <net/page_pool/helpers.h>
#define UL_HAS_HWTSTAMP_NDO 1
#else
#include <net/page_pool.h>
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define ul_ts_info kernel_ethtool_ts_info
#else
#define ul_ts_info ethtool_ts_info
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define UL_HAS_XDP_FEATURES 1
#endif

#endif /* ULLNIC_COMPAT_H */
