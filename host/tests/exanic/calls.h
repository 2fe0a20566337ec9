/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A program for libexanic's calls; each mode prints results that pytest checks.
 */
#ifndef CALLS_H
#define CALLS_H

#include <exanic/exanic.h>
#include <exanic/fifo_rx.h>
#include <exanic/fifo_tx.h>
#include <exanic/port.h>
#include <exanic/register.h>
#include <exanic/time.h>
#include <exanic/util.h>

#ifdef _NETINET_IN_H
#error "programs bring in the kernel's own headers beside, which cannot stand beside <netinet/in.h>"
#endif
#include <exanic/config.h>
#include <exanic/filter.h>
#include <exanic/firewall.h>

void fail_call(const char* call);
/** Between two polls: the card is a process, too, and could need the core. */
void rest(void);
/** A frame that the cards answer, with a number in it. */
void fill(char* frame, size_t bytes, uint32_t number);

/** Sends, waits for the answer, and so on, in one thread. */
int run_turns(const char* device, int tx_port, int rx_port, int count, size_t bytes);
/** Sends `count` frames, starts to listen to the answers' port, which is already open, and sends
 * one more. */
int run_late(const char* device, int count);
/** One thread sends, then stops the other, which listens. */
int run_threads(const char* device, int tx_port, int rx_port, int count, size_t bytes);
/** Sends many without listening, then reads what was received. */
int run_flood(const char* device, int count);
/** Receive in chunks, read a ring directly, execute a script: a tester and its card. */
int run_chunks(void);
int run_ring(int count);
int run_script(void);
/** All other calls, and their errors. */
int run_facts(const char* device);

#endif /* CALLS_H */
