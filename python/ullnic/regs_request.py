# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The AXI4-Lite interface of a register block with a register between the arbiter of requests and the decoder.

Without it, the arbiter of reads and writes, the decoder and the selected register are one combinational path. The
register costs each access one cycle. A request that has to wait, for a read or an external memory, waits in it.
"""

import re

from peakrdl_regblock.cpuif.axi4lite import AXI4Lite_Cpuif_flattened

# What the interface drives into the decoder, and what makes it wait: names of the generator's
DRIVEN = ("req", "req_is_wr", "addr", "wr_data", "wr_biten")
STALLS = ("req_stall_rd", "req_stall_wr")
NAME = re.compile(rf"\bcpuif_({'|'.join((*DRIVEN, *STALLS))})\b")

DECLARATIONS = """\
// What is chosen, in front of the request register
logic chosen_req;
logic chosen_req_is_wr;
logic [{addr}:0] chosen_addr;
logic [{data}:0] chosen_wr_data;
logic [{data}:0] chosen_wr_biten;
logic chosen_req_stall_rd;
logic chosen_req_stall_wr;

"""

REGISTER = """

// Request register: holds a request until it is let pass
logic cpuif_req_waits;
assign cpuif_req_waits = cpuif_req & (cpuif_req_is_wr ? cpuif_req_stall_wr : cpuif_req_stall_rd);
assign chosen_req_stall_rd = cpuif_req_waits;
assign chosen_req_stall_wr = cpuif_req_waits;
always_ff {event} begin
    if({reset}) begin
        cpuif_req <= '0;
    end else if(!cpuif_req_waits) begin
        cpuif_req <= chosen_req;
    end
    if(!cpuif_req_waits) begin
        cpuif_req_is_wr <= chosen_req_is_wr;
        cpuif_addr <= chosen_addr;
        cpuif_wr_data <= chosen_wr_data;
        cpuif_wr_biten <= chosen_wr_biten;
    end
end"""


class RegisteredRequest(AXI4Lite_Cpuif_flattened):
    @property
    def max_outstanding(self) -> int:
        """Limit of outstanding requests. More would only speed up accesses that do not wait for each other."""
        return 2

    def get_implementation(self) -> str:
        interface = NAME.sub(r"chosen_\1", super().get_implementation())
        signals = self.exp.dereferencer
        register = REGISTER.format(
            event=signals.get_always_ff_event(self.reset), reset=signals.get_resetsignal(self.reset)
        )
        return DECLARATIONS.format(addr=self.addr_width - 1, data=self.data_width - 1) + interface + register
