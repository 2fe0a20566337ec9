/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * @file ioctl.h
 * Names of the kernel driver's calls. All are absent: the driver runs in user space.
 */
#ifndef EXANIC_IOCTL_H
#define EXANIC_IOCTL_H

#include "exanic/absent.h"
#include "exanic/const.h"

#define EXAIOCGHWTSTAMP exanic_absent_kernel_driver()
#define EXAIOCGIFINFO exanic_absent_kernel_driver()
#define EXANICCTL_DEVICE_USAGE exanic_absent_kernel_driver()
#define EXANICCTL_DEVKIT_INFO exanic_absent_kernel_driver()
#define EXANICCTL_DEVKIT_INFO_EX exanic_absent_kernel_driver()
#define EXANICCTL_INFO exanic_absent_kernel_driver()
#define EXANICCTL_INFO_EX exanic_absent_kernel_driver()
#define EXANICCTL_INFO_EX2 exanic_absent_kernel_driver()
#define EXANICCTL_RX_FILTER_ADD_IP exanic_absent_kernel_driver()
#define EXANICCTL_RX_FILTER_ADD_MAC exanic_absent_kernel_driver()
#define EXANICCTL_RX_FILTER_BUFFER_ALLOC exanic_absent_kernel_driver()
#define EXANICCTL_RX_FILTER_BUFFER_ALLOC_EX exanic_absent_kernel_driver()
#define EXANICCTL_RX_FILTER_BUFFER_FREE exanic_absent_kernel_driver()
#define EXANICCTL_RX_FILTER_REMOVE_IP exanic_absent_kernel_driver()
#define EXANICCTL_RX_FILTER_REMOVE_MAC exanic_absent_kernel_driver()
#define EXANICCTL_RX_HASH_CONFIGURE exanic_absent_kernel_driver()
#define EXANICCTL_TX_BUFFER_ALLOC exanic_absent_kernel_driver()
#define EXANICCTL_TX_BUFFER_FREE exanic_absent_kernel_driver()
#define EXANICCTL_TX_FEEDBACK_ALLOC exanic_absent_kernel_driver()
#define EXANICCTL_TX_FEEDBACK_FREE exanic_absent_kernel_driver()
#define EXANICCTL_TYPE exanic_absent_kernel_driver()

EXANIC_ABSENT_STRUCT(exaioc_ifinfo);
EXANIC_ABSENT_STRUCT(exanicctl_devkit_info);
EXANIC_ABSENT_STRUCT(exanicctl_info);
EXANIC_ABSENT_STRUCT(exanicctl_info_ex);
EXANIC_ABSENT_STRUCT(exanicctl_info_ex2);
EXANIC_ABSENT_STRUCT(exanicctl_rx_filter_add_ip);
EXANIC_ABSENT_STRUCT(exanicctl_rx_filter_add_mac);
EXANIC_ABSENT_STRUCT(exanicctl_rx_filter_buffer_alloc);
EXANIC_ABSENT_STRUCT(exanicctl_rx_filter_buffer_free);
EXANIC_ABSENT_STRUCT(exanicctl_rx_filter_remove_ip);
EXANIC_ABSENT_STRUCT(exanicctl_rx_filter_remove_mac);
EXANIC_ABSENT_STRUCT(exanicctl_rx_hash_configure);
EXANIC_ABSENT_STRUCT(exanicctl_tx_buffer_alloc);
EXANIC_ABSENT_STRUCT(exanicctl_tx_buffer_free);
EXANIC_ABSENT_STRUCT(exanicctl_tx_feedback_alloc);
EXANIC_ABSENT_STRUCT(exanicctl_tx_feedback_free);
EXANIC_ABSENT_STRUCT(exanicctl_usage_info);
EXANIC_ABSENT_STRUCT(exanic_info_page);

#endif /* EXANIC_IOCTL_H */
