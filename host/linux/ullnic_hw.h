/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 The ullnic authors */
/*
 * What the registers' description does not have: the map of BAR 2, doorbells,
 * contexts, descriptors, completions and packets. tests/linux compares it with
 * what libullnic uses. Needs BIT() and GENMASK().
 */
#ifndef ULLNIC_HW_H
#define ULLNIC_HW_H

#include "generated/ullnic_regs.h"

#define UL_VENDOR 0x10ee
/* 903f, 913f, 923f, 933f: physical functions 0 to 3. */
#define UL_DEVICE(function) (0x903f + ((function) << 8))

#define UL_BAR_DMA	    0
#define UL_BAR_CARD	    2
#define UL_DMA_BYTES	    0x20000
#define UL_CARD_BYTES	    0x80000
#define UL_MAX_PORTS	    8

/* BAR 2; the card's own registers are at 0. */
#define UL_MAC_BASE(port)  (0x10000 + (port) * 0x1000)
#define UL_PORT_BASE(port) (0x28000 + (port) * 0x1000)

/* Identification of the DMA: EQDMA 5.0, soft. */
#define UL_DMA_MAGIC	    0x1fd3u
#define UL_DMA_MAGIC_SHIFT  16
#define UL_DMA_VERSION_MASK 0xfff00000u
#define UL_DMA_VERSION	    0x02200000u

/* Doorbells in BAR 0, 16 bytes a queue. */
#define UL_DOORBELL(queue)     (0x18000 + 16 * (queue))
#define UL_DOORBELL_H2C	       4
#define UL_DOORBELL_C2H	       8
#define UL_DOORBELL_COMPLETION 12
#define UL_PIDX_ARM	       BIT(16)
#define UL_CIDX_COUNT(index)   ((u32)(index) << 16)
#define UL_CIDX_TIMER(index)   ((u32)(index) << 20)
#define UL_CIDX_TRIGGER(mode)  ((u32)(mode) << 24)
#define UL_CIDX_INTERRUPT      BIT(28)
#define UL_TRIGGER_EVERY       1
#define UL_TRIGGER_TIMER_COUNT 5

/* Contexts: selectors and operations of IND_CTXT_CMD. */
#define UL_CONTEXT_WORDS      8
#define UL_CONTEXT_SW_C2H     0
#define UL_CONTEXT_SW_H2C     1
#define UL_CONTEXT_HW_C2H     2
#define UL_CONTEXT_HW_H2C     3
#define UL_CONTEXT_CREDIT_C2H 4
#define UL_CONTEXT_CREDIT_H2C 5
#define UL_CONTEXT_COMPLETION 6
#define UL_CONTEXT_PREFETCH   7
#define UL_CONTEXT_FUNCTION   12
#define UL_CONTEXT_CLEAR      0
#define UL_CONTEXT_WRITE      1
#define UL_CONTEXT_READ	      2
#define UL_CONTEXT_INVALIDATE 3

/* Software context of a descriptor ring, by its words. */
#define UL_SW0_FUNCTION(function) ((u32)(function) << 17)
#define UL_SW1_ENABLE		  BIT(0)
#define UL_SW1_FETCH_CREDIT	  BIT(1)
#define UL_SW1_STATUS_WHEN_DONE	  BIT(2)
#define UL_SW1_STATUS_INTERVAL	  BIT(3)
#define UL_SW1_FETCH_MAX(n)	  ((u32)(n) << 5)
#define UL_SW1_RING_SIZE(index)	  ((u32)(index) << 12)
#define UL_SW1_DESCRIPTOR_8	  0
#define UL_SW1_DESCRIPTOR_16	  BIT(16)
#define UL_SW1_STATUS_ENABLE	  BIT(20)
#define UL_SW1_INTERRUPT_ENABLE	  BIT(21)
#define UL_SW1_ERROR		  GENMASK(27, 26)
#define UL_SW4_VECTOR(vector)	  ((u32)(vector))

/* Completion context. */
#define UL_CMPL0_TRIGGER(mode)	    ((u32)(mode) << 2)
#define UL_CMPL0_FUNCTION(function) ((u32)(function) << 5)
#define UL_CMPL0_COLOUR		    BIT(27)
#define UL_CMPL0_RING_SIZE(index)   ((u32)(index) << 28)
#define UL_CMPL3_VALID		    BIT(28)
#define UL_CMPL3_ERROR		    GENMASK(30, 29)
#define UL_CMPL4_MODE_BY_DOORBELL   BIT(1)
#define UL_CMPL4_VECTOR(vector)	    ((u32)(vector) << 4)
#define UL_CMPL4_TO_HOST	    BIT(18)

/* Prefetch context. */
#define UL_PREFETCH0_BUFFER_SIZE(index) ((u32)(index) << 1)
#define UL_PREFETCH1_VALID		BIT(13)

/* Completion entry of 8 bytes. */
#define UL_ENTRY_COLOUR	      BIT_ULL(1)
#define UL_ENTRY_ERROR	      BIT_ULL(2)
#define UL_ENTRY_USED_BUFFERS BIT_ULL(3)
#define UL_ENTRY_BYTES	      GENMASK_ULL(19, 4)

/* H2C descriptor, and status in the ring's last slot. */
#define UL_H2C_FIRST	BIT(0)
#define UL_H2C_LAST	BIT(1)
#define UL_STATUS_ERROR GENMASK_ULL(1, 0)
#define UL_STATUS_CIDX	GENMASK_ULL(31, 16)

/* A packet to the card: this and two bytes of padding, then the frame. */
#define UL_CHUNK_BYTES	10
#define UL_CHUNK_HEADER 8
#define UL_CHUNK_PAD	2
#define UL_CHUNK_RAW	1
/* A packet of the card: this header, then the frame. */
#define UL_PACKET_BYTES	    16
#define UL_PACKET_RECEIVED  0
#define UL_PACKET_LAST_TYPE 2
/* The longest frame that comes, without FCS. */
#define UL_MAX_FRAME 9618

/* Picoseconds of a cycle of the host's clock; the tester counts finer. */
#define UL_TICK_PS	  4000
#define UL_KIND_TESTER	  3
#define UL_TESTER_TICK_PS 250

#endif /* ULLNIC_HW_H */
