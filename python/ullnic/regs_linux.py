# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The registers that the Linux kernel module uses, generated from their SystemRDL for `./ullnic regs`.

One header, host/linux/generated/ullnic_regs.h, in the kernel's own style: plain macros, no types. The module is under
the GPL, version 2, which is incompatible with Apache-2.0, so this header is dual-licensed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from systemrdl.node import AddrmapNode, RegNode

HEADER = Path("host/linux/generated/ullnic_regs.h")
PREFIX = "UL"
# The blocks, by the name that their registers have in the module.
BLOCKS = {
    "QDMA": Path("cores/qdma/regs/qdma.rdl"),
    "CARD": Path("cards/common/regs/card.rdl"),
    "PORT": Path("cards/common/regs/card_port.rdl"),
    "MAC": Path("cores/macpcs/regs/macpcs.rdl"),
}
LICENCE = (
    "/* SPDX-FileCopyrightText: 2026 The ullnic authors\n * SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only\n *\n"
)
WORD_BITS = 32


def text(blocks: "dict[str, AddrmapNode]", command: str) -> str:
    """`blocks`: the compiled sources of BLOCKS."""
    lines = [
        LICENCE + f" * Made from {', '.join(path.name for path in BLOCKS.values())} by {command}; do not edit.",
        " * Addresses are relative to the block. A register's reset is NAME__RESET, a field's mask NAME__FIELD.",
        " */",
        "#ifndef ULLNIC_REGS_H",
        "#define ULLNIC_REGS_H",
    ]
    for name, top in blocks.items():
        lines += ["", f"/* {top.get_property('name')} */", *block(f"{PREFIX}_{name}", top)]
    return "\n".join([*lines, "", "#endif /* ULLNIC_REGS_H */", ""])


def block(prefix: str, top: "AddrmapNode") -> Iterator[str]:
    from systemrdl.node import MemNode, RegNode

    for node in top.children():
        if isinstance(node, MemNode):
            for reg in node.registers():
                yield from register(f"{prefix}_{node.inst_name}_{reg.inst_name}", reg, reg.absolute_address)
        elif isinstance(node, RegNode):
            yield from register(f"{prefix}_{node.inst_name}", node, node.raw_absolute_address)


def register(name: str, reg: "RegNode", address: int) -> Iterator[str]:
    if reg.is_array:
        yield f"#define {name}(i) (0x{address:x} + 0x{reg.array_stride:x} * (i))"
    else:
        yield f"#define {name} 0x{address:x}"
    whole = [field for field in reg.fields() if field.width >= WORD_BITS]
    for field in reg.fields():
        if field not in whole:
            mask = ((1 << field.width) - 1) << field.low
            yield f"#define {name}__{field.inst_name.upper()} 0x{mask:08x}u"
    resets = [(field.get_property("reset"), field.low) for field in reg.fields()]
    if resets and all(isinstance(value, int) for value, _ in resets) and reg.size * 8 == WORD_BITS:
        yield f"#define {name}__RESET 0x{sum(value << low for value, low in resets):08x}u"
