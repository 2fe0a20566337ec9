// SPDX-License-Identifier: GPL-2.0-only
// SPDX-FileCopyrightText: 2026 The ullnic authors
/*
 * The multi-queue DMA: is it one that this driver knows, its contexts.
 */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/iopoll.h>

#include "ullnic.h"

/* For a command: a card in a slot is much faster than a virtual one. */
#define COMMAND_POLL_US	   5
#define COMMAND_TIMEOUT_US (2 * USEC_PER_SEC)
/* A status of the H2C ring every 4 << n descriptors, and after the last. */
#define STATUS_INTERVAL 2
#define FETCH_MAX	3
/* Clocks of 4 ns: the timers of coalescing count microseconds. */
#define TIMER_TICK 250
/* What still is on its way to the host after a command has stopped a queue. */
#define SETTLE_US 10

static u32 dma_read(struct ul_card *card, u32 address)
{
	return readl(card->dma + address);
}

static void dma_write(struct ul_card *card, u32 address, u32 value)
{
	writel(value, card->dma + address);
}

/* The caller holds the lock of the contexts. */
static int run_command(struct ul_card *card, u32 operation, u32 selector,
		       unsigned int queue)
{
	u32 value;
	int err;

	dma_write(card, UL_QDMA_IND_CTXT_CMD,
		  FIELD_PREP(UL_QDMA_IND_CTXT_CMD__QID, queue) |
			  FIELD_PREP(UL_QDMA_IND_CTXT_CMD__OP, operation) |
			  FIELD_PREP(UL_QDMA_IND_CTXT_CMD__SEL, selector));
	err = readl_poll_timeout(card->dma + UL_QDMA_IND_CTXT_CMD, value,
				 !(value & UL_QDMA_IND_CTXT_CMD__BUSY),
				 COMMAND_POLL_US, COMMAND_TIMEOUT_US);
	if (err)
		dev_err(&card->pdev->dev,
			"the DMA does not end command %u of context %u, queue %u: %s\n",
			operation, selector, queue,
			value == ~0u ? "the card does not answer"
				     : "reset the function");
	return err;
}

static int write_context(struct ul_card *card, u32 selector, unsigned int queue,
			 const u32 words[UL_CONTEXT_WORDS])
{
	int i;

	for (i = 0; i < UL_CONTEXT_WORDS; i++) {
		dma_write(card, UL_QDMA_IND_CTXT_DATA(i), words[i]);
		dma_write(card, UL_QDMA_IND_CTXT_MASK(i), ~0u);
	}
	return run_command(card, UL_CONTEXT_WRITE, selector, queue);
}

static int read_context_word(struct ul_card *card, u32 selector,
			     unsigned int queue, int word, u32 *value)
{
	int err = run_command(card, UL_CONTEXT_READ, selector, queue);

	*value = dma_read(card, UL_QDMA_IND_CTXT_DATA(word));
	return err;
}

/**
 * ul_dma_start() - sets up the DMA after a reset of the function
 * @card: whose BARs are mapped
 *
 * Return: 0, or -ENODEV if it is not the DMA of an ullnic card, or the error of
 * a command.
 */
int ul_dma_start(struct ul_card *card)
{
	const u32 map[UL_CONTEXT_WORDS] = {0, UL_MAX_PORTS};
	struct device *dev = &card->pdev->dev;
	u32 value = dma_read(card, UL_QDMA_CFG_BLK_IDENTIFIER);
	int err;
	int i;

	if (value >> UL_DMA_MAGIC_SHIFT != UL_DMA_MAGIC) {
		dev_err(dev, "no DMA of an ullnic card in BAR 0 (0x%08x)\n",
			value);
		return -ENODEV;
	}
	value = dma_read(card, UL_QDMA_GLBL2_MISC_CAP);
	if ((value & UL_DMA_VERSION_MASK) != UL_DMA_VERSION) {
		dev_err(dev,
			"the DMA has version 0x%08x; this driver knows 0x022xxxxx, EQDMA 5.0\n",
			value);
		return -ENODEV;
	}
	value = dma_read(card, UL_QDMA_GLBL2_CHANNEL_CAP) &
		UL_QDMA_GLBL2_CHANNEL_CAP__MULTIQ_MAX;
	if (value < UL_MAX_PORTS) {
		dev_err(dev, "the DMA has %u queues, %u are needed\n", value,
			UL_MAX_PORTS);
		return -ENODEV;
	}
	card->function = dma_read(card, UL_QDMA_GLBL2_CHANNEL_FUNC_RET) &
			 UL_QDMA_GLBL2_CHANNEL_FUNC_RET__FUNCTION_ID;

	mutex_lock(&card->context_lock);
	err = write_context(card, UL_CONTEXT_FUNCTION, card->function, map);
	mutex_unlock(&card->context_lock);
	if (err)
		return err;
	for (i = 0; i < UL_RING_SIZES; i++)
		dma_write(card, UL_QDMA_GLBL_RNG_SZ(i),
			  (UL_RING_LEAST << i) + 1);
	dma_write(card, UL_QDMA_C2H_BUF_SZ(0), UL_RX_BUFFER);
	dma_write(card, UL_QDMA_C2H_INT_TIMER_TICK, TIMER_TICK);
	value = dma_read(card, UL_QDMA_GLBL_DSC_CFG);
	value &= ~UL_QDMA_GLBL_DSC_CFG__WB_ACC_INT;
	value |= FIELD_PREP(UL_QDMA_GLBL_DSC_CFG__WB_ACC_INT, STATUS_INTERVAL);
	dma_write(card, UL_QDMA_GLBL_DSC_CFG, value);
	return 0;
}

/* Also sees whether the queue runs: an error at its start is in the context. */
static int check_started(struct ul_card *card, unsigned int queue)
{
	u32 h2c, c2h, completion;
	int err;

	err = read_context_word(card, UL_CONTEXT_SW_H2C, queue, 1, &h2c);
	if (err)
		return err;
	err = read_context_word(card, UL_CONTEXT_SW_C2H, queue, 1, &c2h);
	if (err)
		return err;
	err = read_context_word(card, UL_CONTEXT_COMPLETION, queue, 3,
				&completion);
	if (err)
		return err;
	if (!(h2c & c2h & UL_SW1_ENABLE) || ((h2c | c2h) & UL_SW1_ERROR) ||
	    !(completion & UL_CMPL3_VALID) || (completion & UL_CMPL3_ERROR)) {
		dev_err(&card->pdev->dev,
			"the DMA did not accept queue %u: contexts 0x%08x, 0x%08x, 0x%08x\n",
			queue, h2c, c2h, completion);
		return -EIO;
	}
	return 0;
}

static int change_contexts(struct ul_card *card, u32 operation,
			   unsigned int queue, const u8 *selectors, int count)
{
	int err = 0;
	int i;

	for (i = 0; i < count; i++) {
		int failed = run_command(card, operation, selectors[i], queue);

		err = err ?: failed;
	}
	return err;
}

static int write_queue(struct ul_card *card, const struct ul_queue *queue)
{
	const u32 rings = UL_SW1_ENABLE | UL_SW1_FETCH_MAX(FETCH_MAX);
	const u32 h2c[UL_CONTEXT_WORDS] = {
		UL_SW0_FUNCTION(card->function),
		rings | UL_SW1_STATUS_WHEN_DONE | UL_SW1_STATUS_INTERVAL |
			UL_SW1_RING_SIZE(queue->tx_size) | UL_SW1_DESCRIPTOR_16 |
			UL_SW1_STATUS_ENABLE | UL_SW1_INTERRUPT_ENABLE,
		lower_32_bits(queue->h2c),
		upper_32_bits(queue->h2c),
		UL_SW4_VECTOR(queue->vector),
	};
	const u32 c2h[UL_CONTEXT_WORDS] = {
		UL_SW0_FUNCTION(card->function),
		rings | UL_SW1_FETCH_CREDIT | UL_SW1_RING_SIZE(queue->rx_size) |
			UL_SW1_DESCRIPTOR_8,
		lower_32_bits(queue->c2h),
		upper_32_bits(queue->c2h),
	};
	const u64 base = queue->completions;
	const u32 completion[UL_CONTEXT_WORDS] = {
		UL_CMPL0_TRIGGER(UL_TRIGGER_EVERY) |
			UL_CMPL0_FUNCTION(card->function) | UL_CMPL0_COLOUR |
			UL_CMPL0_RING_SIZE(queue->rx_size),
		lower_32_bits(base >> 6),
		upper_32_bits(base >> 6),
		UL_CMPL3_VALID,
		UL_CMPL4_MODE_BY_DOORBELL | UL_CMPL4_VECTOR(queue->vector) |
			UL_CMPL4_TO_HOST,
	};
	const u32 prefetch[UL_CONTEXT_WORDS] = {
		UL_PREFETCH0_BUFFER_SIZE(0),
		UL_PREFETCH1_VALID,
	};
	int err;

	err = write_context(card, UL_CONTEXT_COMPLETION, queue->number,
			    completion);
	if (!err)
		err = write_context(card, UL_CONTEXT_PREFETCH, queue->number,
				    prefetch);
	if (!err)
		err = write_context(card, UL_CONTEXT_SW_C2H, queue->number, c2h);
	if (!err)
		err = write_context(card, UL_CONTEXT_SW_H2C, queue->number, h2c);
	return err;
}

/**
 * ul_queue_start() - writes all contexts of a queue
 * @card: the card
 * @queue: where its rings are; they begin at multiples of 64 bytes
 *
 * Return: 0, and the queue runs; or the error.
 */
int ul_queue_start(struct ul_card *card, const struct ul_queue *queue)
{
	static const u8 all[] = {
		UL_CONTEXT_SW_C2H,     UL_CONTEXT_SW_H2C,
		UL_CONTEXT_HW_C2H,     UL_CONTEXT_HW_H2C,
		UL_CONTEXT_CREDIT_C2H, UL_CONTEXT_CREDIT_H2C,
		UL_CONTEXT_COMPLETION, UL_CONTEXT_PREFETCH,
	};
	int err;

	mutex_lock(&card->context_lock);
	err = change_contexts(card, UL_CONTEXT_CLEAR, queue->number, all,
			      ARRAY_SIZE(all));
	if (!err)
		err = write_queue(card, queue);
	if (!err)
		err = check_started(card, queue->number);
	mutex_unlock(&card->context_lock);
	return err;
}

/**
 * ul_queue_stop() - ends both directions of a queue
 * @card: the card
 * @number: of the queue
 *
 * Return: 0, and the card does not touch the queue's memory any more; or the
 * error.
 */
int ul_queue_stop(struct ul_card *card, unsigned int number)
{
	static const u8 running[] = {
		UL_CONTEXT_SW_H2C,
		UL_CONTEXT_SW_C2H,
		UL_CONTEXT_PREFETCH,
		UL_CONTEXT_COMPLETION,
	};
	int err;

	mutex_lock(&card->context_lock);
	err = change_contexts(card, UL_CONTEXT_INVALIDATE, number, running,
			      ARRAY_SIZE(running));
	/* Entries before the command may be on their way; a read follows them.
	 */
	usleep_range(SETTLE_US, 2 * SETTLE_US);
	(void)dma_read(card, UL_QDMA_IND_CTXT_CMD);
	mutex_unlock(&card->context_lock);
	return err;
}

/**
 * ul_dma_coalesce() - sets time and count of an index for completion doorbells
 * @card: the card
 * @index: below 16
 * @usecs: time since the first unread packet
 * @frames: unread packets; the first of both triggers
 */
void ul_dma_coalesce(struct ul_card *card, unsigned int index, u32 usecs,
		     u32 frames)
{
	dma_write(card, UL_QDMA_C2H_TIMER_CNT(index), usecs);
	dma_write(card, UL_QDMA_C2H_CNT_TH(index), frames);
}
