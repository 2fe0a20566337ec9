import cocotb, pytest
from qdma_write_bed import lanes, running_test, write_bench
from ullnic_tb import Stepper, cocotb_tests, seeded
@cocotb.test()
async def smoke(dut):
    s = Stepper(dut, ["clearing"])
    await s.reset()
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_completion(test):
    write_bench("qdma_completion", "qdma_arbiter", "qdma_context_ram", "qdma_completion_ring_pkg", "qdma_id_queue", "qdma_timer_wheel", "qdma_completion_next", "qdma_completion_ring", "qdma_completion_slots", "qdma_completion_room", "qdma_completion").run(__name__, test)
