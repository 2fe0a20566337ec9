// SPDX-License-Identifier: GPL-2.0-only
// SPDX-FileCopyrightText: 2026 The ullnic authors
/*
 * A port from its rings to its interrupt: up, down, and again.
 */
#include <linux/interrupt.h>
#include <linux/rtnetlink.h>

#include "ullnic.h"

static irqreturn_t interrupt(int irq, void *data)
{
	struct ul_port *port = data;

	napi_schedule_irqoff(&port->napi);
	return IRQ_HANDLED;
}

/*
 * The next completion sends an interrupt, also one that has come since NAPI
 * looked: the card holds the index against what is unread.
 */
static void arm(struct ul_port *port)
{
	ul_doorbell(port, UL_DOORBELL_COMPLETION,
		    port->rx.cidx | READ_ONCE(port->rx.trigger) |
			    UL_CIDX_INTERRUPT);
	ul_tx_arm(port);
}

static int poll(struct napi_struct *napi, int budget)
{
	struct ul_port *port = container_of(napi, struct ul_port, napi);
	int done = 0;

	ul_tx_clean(port, budget);
	if (budget)
		done = ul_rx_poll(port, budget);
	/* Without buffers in the card no interrupt would come. */
	if (unlikely(budget && ul_rx_is_starved(&port->rx)))
		return budget;
	/* A broken ring is set up again; until then it is left alone. */
	if (done < budget && napi_complete_done(napi, done) &&
	    likely(!port->rx.is_broken))
		arm(port);
	return done;
}

void ul_port_napi_add(struct ul_port *port)
{
	netif_napi_add(port->netdev, &port->napi, poll);
}

/**
 * ul_port_set_trigger() - sets interrupt coalescing as ethtool wants it
 * @port: the port
 *
 * It counts from the next completion doorbell on.
 */
void ul_port_set_trigger(struct ul_port *port)
{
	u32 trigger = UL_CIDX_TRIGGER(UL_TRIGGER_EVERY);

	if (port->rx_usecs) {
		ul_dma_coalesce(port->card, port->number, port->rx_usecs,
				port->rx_frames ?: U16_MAX);
		trigger = UL_CIDX_TRIGGER(UL_TRIGGER_TIMER_COUNT) |
			  UL_CIDX_TIMER(port->number) |
			  UL_CIDX_COUNT(port->number);
	}
	WRITE_ONCE(port->rx.trigger, trigger);
}

static int start_queue(struct ul_port *port)
{
	const struct ul_queue queue = {
		.number = port->number,
		.vector = port->number,
		.rx_size = ul_size_index(port->rx.entries),
		.tx_size = ul_size_index(port->tx.entries),
		.h2c = port->tx.desc_dma,
		.c2h = port->rx.desc_dma,
		.completions = port->rx.cmpl_dma,
	};

	return ul_queue_start(port->card, &queue);
}

/* Afterwards the card does not touch this port's memory. */
static void stop_queue(struct ul_port *port)
{
	if (!ul_queue_stop(port->card, port->number))
		return;
	netdev_err(port->netdev,
		   "the queue does not stop: no DMA of the card any more until it is reset\n");
	pci_clear_master(port->card->pdev);
}

/**
 * ul_port_up() - makes a port ready for traffic; under rtnl
 * @port: that is down
 *
 * Return: 0 or the error; then the port is down.
 */
int ul_port_up(struct ul_port *port)
{
	int irq = ul_vector_irq(port);
	int err;

	err = ul_rx_alloc(port);
	if (err)
		return err;
	err = ul_tx_alloc(port);
	if (err)
		goto free_rx;
	snprintf(port->irq_name, sizeof(port->irq_name), "%s-p%u",
		 netdev_name(port->netdev), port->number);
	err = request_irq(irq, interrupt, 0, port->irq_name, port);
	if (err) {
		netdev_err(port->netdev, "no interrupt %d: %d\n", irq, err);
		goto free_tx;
	}
	err = start_queue(port);
	if (err)
		goto free_interrupt;
	ul_port_set_trigger(port);
	if (ul_rx_fill(port, GFP_KERNEL))
		ul_rx_ring_doorbell(port);
	napi_enable(&port->napi);
	WRITE_ONCE(port->is_up, true);
	netif_start_queue(port->netdev);
	/* Arms the interrupt, after a look at what has come. */
	local_bh_disable();
	napi_schedule(&port->napi);
	local_bh_enable();
	return 0;

free_interrupt:
	stop_queue(port);
	free_irq(irq, port);
free_tx:
	ul_tx_free(port);
free_rx:
	ul_rx_free(port);
	return err;
}

/**
 * ul_port_down() - takes a port out of traffic; under rtnl
 * @port: that may be down already
 */
void ul_port_down(struct ul_port *port)
{
	if (!port->is_up)
		return;
	WRITE_ONCE(port->is_up, false);
	/* Waits for senders; those of XDP see is_up behind the same lock. */
	netif_tx_disable(port->netdev);
	napi_disable(&port->napi);
	stop_queue(port);
	free_irq(ul_vector_irq(port), port);
	ul_tx_free(port);
	ul_rx_free(port);
}

/**
 * ul_port_apply() - takes up other ring sizes; under rtnl
 * @port: the port
 */
int ul_port_apply(struct ul_port *port)
{
	if (!port->is_up)
		return 0;
	ul_port_down(port);
	return ul_port_up(port);
}

/* From any context: a queue that has stopped is set up again. */
void ul_port_restart(struct ul_port *port)
{
	schedule_work(&port->restart);
}

void ul_port_restart_work(struct work_struct *work)
{
	struct ul_port *port = container_of(work, struct ul_port, restart);
	int err = 0;

	rtnl_lock();
	if (netif_running(port->netdev) && netif_device_present(port->netdev)) {
		port->restarts++;
		netdev_warn(port->netdev, "queue is set up again\n");
		ul_port_down(port);
		err = ul_port_up(port);
	}
	if (err)
		netdev_err(port->netdev,
			   "queue cannot be set up again (%d): set the interface down and up\n",
			   err);
	rtnl_unlock();
}
