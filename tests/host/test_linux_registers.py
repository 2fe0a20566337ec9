# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What the kernel module defines by hand about the card (host/linux/ullnic_hw.h) agrees with libullnic.

Registers are generated from their source, and `./ullnic regs --check` checks them.
"""

import subprocess

from ullnic.paths import ROOT

LINUX, HOST = ROOT / "host" / "linux", ROOT / "host"

# The module's name, and the expression with the same value in libullnic's headers.
SAME = {
    "UL_VENDOR": "QDMA_VENDOR",
    "UL_DEVICE(0)": "QDMA_DEVICE",
    "UL_DMA_BYTES": "QDMA_BAR_BYTES",
    "UL_CARD_BYTES": "ULLNIC_BAR_SIZE",
    "UL_MAX_PORTS": "ULLNIC_MAX_PORTS",
    "UL_MAC_BASE(3)": "ULLNIC_MACPCS_BASE(3)",
    "UL_PORT_BASE(3)": "ULLNIC_HOST_PATH_BASE(3)",
    "UL_DMA_MAGIC": "QDMA_IDENTIFIER_MAGIC",
    "UL_DMA_VERSION_MASK": "QDMA_VERSION_MASK",
    "UL_DMA_VERSION": "QDMA_VERSION_EQDMA5",
    "UL_DOORBELL(5)": "QDMA_DOORBELLS + 16 * 5",
    "UL_DOORBELL_H2C": "QDMA_DOORBELL_H2C",
    "UL_DOORBELL_C2H": "QDMA_DOORBELL_C2H",
    "UL_DOORBELL_COMPLETION": "QDMA_DOORBELL_COMPLETION",
    "UL_CIDX_TRIGGER(UL_TRIGGER_EVERY)": "QDMA_CIDX_TRIGGER_EVERY",
    "UL_CIDX_INTERRUPT": "QDMA_CIDX_INTERRUPT",
    "UL_CONTEXT_WORDS": "QDMA_CONTEXT_WORDS",
    "UL_CONTEXT_SW_C2H": "QDMA_SW_C2H",
    "UL_CONTEXT_SW_H2C": "QDMA_SW_H2C",
    "UL_CONTEXT_HW_C2H": "QDMA_HW_C2H",
    "UL_CONTEXT_HW_H2C": "QDMA_HW_H2C",
    "UL_CONTEXT_CREDIT_C2H": "QDMA_CREDIT_C2H",
    "UL_CONTEXT_CREDIT_H2C": "QDMA_CREDIT_H2C",
    "UL_CONTEXT_COMPLETION": "QDMA_COMPLETION",
    "UL_CONTEXT_PREFETCH": "QDMA_PREFETCH",
    "UL_CONTEXT_FUNCTION": "QDMA_FUNCTION_MAP",
    "UL_CONTEXT_CLEAR": "QDMA_CLEAR",
    "UL_CONTEXT_WRITE": "QDMA_WRITE",
    "UL_CONTEXT_READ": "QDMA_READ",
    "UL_CONTEXT_INVALIDATE": "QDMA_INVALIDATE",
    "UL_SW0_FUNCTION(3)": "QDMA_SW_FUNCTION(3)",
    "UL_SW1_ENABLE": "QDMA_SW_ENABLE",
    "UL_SW1_FETCH_CREDIT": "QDMA_SW_FETCH_CREDIT",
    "UL_SW1_STATUS_WHEN_DONE": "QDMA_SW_STATUS_WHEN_DONE",
    "UL_SW1_STATUS_INTERVAL": "QDMA_SW_STATUS_INTERVAL",
    "UL_SW1_FETCH_MAX(3)": "QDMA_SW_FETCH_MAX(3)",
    "UL_SW1_RING_SIZE(5)": "QDMA_SW_RING_SIZE(5)",
    "UL_SW1_DESCRIPTOR_8": "QDMA_SW_DESCRIPTOR_8",
    "UL_SW1_DESCRIPTOR_16": "QDMA_SW_DESCRIPTOR_16",
    "UL_SW1_STATUS_ENABLE": "QDMA_SW_STATUS_ENABLE",
    "UL_SW1_ERROR": "3u << 26",
    "UL_CMPL0_TRIGGER(UL_TRIGGER_EVERY)": "QDMA_CMPL_TRIGGER_EVERY",
    "UL_CMPL0_FUNCTION(3)": "QDMA_CMPL_FUNCTION(3)",
    "UL_CMPL0_COLOUR": "QDMA_CMPL_COLOUR",
    "UL_CMPL0_RING_SIZE(5)": "QDMA_CMPL_RING_SIZE(5)",
    "UL_CMPL3_VALID": "QDMA_CMPL_VALID",
    "UL_CMPL4_MODE_BY_DOORBELL": "QDMA_CMPL_MODE_BY_DOORBELL",
    "UL_CMPL4_VECTOR(7)": "QDMA_CMPL_VECTOR(7)",
    "UL_CMPL4_TO_HOST": "QDMA_CMPL_TO_HOST",
    "UL_PREFETCH0_BUFFER_SIZE(1)": "QDMA_PREFETCH_BUFFER_SIZE(1)",
    "UL_PREFETCH1_VALID": "QDMA_PREFETCH_VALID",
    "QDMA_ENTRY_COLOUR(UL_ENTRY_COLOUR)": "1",
    "QDMA_ENTRY_ERROR(UL_ENTRY_ERROR)": "1",
    "QDMA_ENTRY_USED_BUFFERS(UL_ENTRY_USED_BUFFERS)": "1",
    "QDMA_ENTRY_BYTES(UL_ENTRY_BYTES)": "0xffff",
    "UL_H2C_FIRST": "QDMA_H2C_FIRST",
    "UL_H2C_LAST": "QDMA_H2C_LAST",
    "QDMA_STATUS_ERROR(UL_STATUS_ERROR)": "3",
    "QDMA_STATUS_CIDX(UL_STATUS_CIDX)": "0xffff",
    "UL_MAX_FRAME": "ULLNIC_MAX_FRAME",
    "UL_PACKET_RECEIVED": "ULLNIC_FRAME_RECEIVED",
    "UL_PACKET_LAST_TYPE": "ULLNIC_FRAME_SENT_BAD",
    "UL_TICK_PS": "ULLNIC_TICK_PS",
    "UL_KIND_TESTER": "ULLNIC_KIND_TESTER",
    "UL_TESTER_TICK_PS": "ULLNIC_TESTER_TICK_PS",
    "UL_QDMA_GLBL_RNG_SZ(2)": "QDMA_RING_SIZE + 8",
    "UL_QDMA_IND_CTXT_CMD": "QDMA_CONTEXT_COMMAND",
    "UL_MAC_SNAPSHOT": "offsetof(macpcs_regs_t, SNAPSHOT)",
}
# As in the kernel's headers.
HEAD = """
#include <assert.h>
#include <stdint.h>
typedef uint32_t u32;
#define BIT(n) (1u << (n))
#define BIT_ULL(n) (1ull << (n))
#define GENMASK(high, low) ((~0u >> (31 - (high))) & (~0u << (low)))
#define GENMASK_ULL(high, low) ((~0ull >> (63 - (high))) & (~0ull << (low)))
#include "host/linux/ullnic_hw.h"
#include "libullnic/qdma_regs.h"
#include "macpcs_regs.h"
#include "ullnic/card.h"
#include "ullnic/ullnic.h"
"""
PLACES = (ROOT, HOST, HOST / "include", ROOT / "cards/common/regs/generated", ROOT / "cores/macpcs/regs/generated")


def compiles(text: str) -> str:
    """The compiler's messages for a C source; empty if it compiles."""
    options = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *(f"-I{place}" for place in PLACES)]
    done = subprocess.run(["cc", *options, "-xc", "-"], input=text, text=True, capture_output=True)
    return done.stderr


def asserts(pairs) -> str:
    return HEAD + "".join(f'static_assert(({ours}) == ({theirs}), "{ours}");\n' for ours, theirs in pairs)


def test_what_is_written_by_hand_agrees():
    assert compiles(asserts(SAME.items())) == ""


def test_a_difference_is_seen():
    assert "UL_SW1_ENABLE" in compiles(asserts([("UL_SW1_ENABLE", "QDMA_SW_FETCH_CREDIT")]))
