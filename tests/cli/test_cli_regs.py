# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic regs`: the files in the tree match the sources; a stale file is found and regenerated."""

import pytest
from click.testing import CliRunner

from ullnic import regs, regs_linux
from ullnic.errors import UllnicError

TOY = """// SPDX-License-Identifier: Apache-2.0
addrmap toy_regs {
  name = "toy registers";
  desc = "First line,
          second line.";
  default sw = rw;
  reg {
    name = "Control";
    field { desc = "Run."; } run[0:0] = 0;
    field { desc = "How fast."; } speed[7:4] = 12;
  } CONTROL @ 0x8;

  reg {
    name = "Sizes";
    field { sw = rw; desc = "Bytes."; } size[15:0] = 0;
  } SIZE[3] @ 0x10 += 4;
};
"""
PAGE = """# toy registers

First line, second line.
"""
ROWS = [
    "| `0x008` | [CONTROL](#control-0x008) | rw | Control |",
    "| `0x010` to `0x018` | [SIZE](#size-0x010) | rw | Sizes |",
    "| 0 | run | rw | 0 | Run. |",
    "| 7:4 | speed | rw | 0xc | How fast. |",
]
MADE = ["README.md", "generated/toy_regs.h", "generated/toy_regs.sv", "generated/toy_regs_pkg.sv"]


def run_regs(*argv):
    result = CliRunner().invoke(regs.regs, argv, standalone_mode=False)
    if result.exception:
        raise result.exception
    return result.return_value, result.output


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """The directory of the registers of a tree with one core, all generated."""
    monkeypatch.setattr(regs, "ROOT", tmp_path)
    monkeypatch.setattr(regs, "BUILD", tmp_path / "build")
    directory = tmp_path / "cores" / "toy" / "regs"
    directory.mkdir(parents=True)
    (directory / "toy.rdl").write_text(TOY)
    assert run_regs()[0] == 0
    return directory


def test_the_tree_is_up_to_date():
    assert regs.sources(), "there is a core with registers"
    code, output = run_regs("--check")
    assert code == 0, output


def test_everything_is_made(toy, tmp_path):
    for name in MADE:
        assert "SPDX-License-Identifier: Apache-2.0" in "\n".join((toy / name).read_text().splitlines()[:6]), name
    page = (toy / "README.md").read_text()
    assert PAGE in page
    for row in ROWS:
        assert row in page.splitlines()
    assert (tmp_path / "build" / "docs" / "toy_regs" / "index.html").exists()
    assert run_regs("--check") == (0, "up to date\n")


@pytest.mark.parametrize("name", MADE)
def test_a_changed_and_a_missing_file_are_found(toy, name):
    for change in (lambda path: path.write_text(path.read_text() + "//\n"), lambda path: path.unlink()):
        change(toy / name)
        code, output = run_regs("--check")
        assert code == 1 and f"cores/toy/regs/{name}" in output
        assert "not up to date: 1 files; ./ullnic regs makes them anew" in output
        assert run_regs()[0] == 0 and run_regs("--check")[0] == 0


def test_a_file_that_nothing_makes_is_found_and_removed(toy):
    (toy / "generated" / "old.sv").touch()
    code, output = run_regs("--check")
    assert code == 1 and "cores/toy/regs/generated/old.sv: nothing makes this file" in output
    assert run_regs()[0] == 0
    assert not (toy / "generated" / "old.sv").exists()


def test_a_changed_source_is_found(toy):
    (toy / "toy.rdl").write_text(TOY.replace("speed[7:4]", "speed[9:6]"))
    code, output = run_regs("--check")
    assert code == 1 and "+| 9:6 | speed | rw | 0xc | How fast. |" in output


def test_an_error_in_the_source_is_reported_and_changes_nothing(toy):
    (toy / "toy.rdl").write_text(TOY.replace("sw = rw", "sw = red"))
    before = {name: (toy / name).read_text() for name in MADE}
    with pytest.raises(UllnicError, match="toy.rdl"):
        run_regs()
    assert {name: (toy / name).read_text() for name in MADE} == before


BARE = """// SPDX-License-Identifier: Apache-2.0
property header_only { type = boolean; component = addrmap; };
addrmap toy_more_regs {
  header_only = true;
  name = "more toy registers";
  default sw = r;
  reg { name = "Count"; field {} value[31:0]; } COUNT @ 0x4;
};
"""


def test_a_second_source_that_describes_only(toy):
    (toy / "toy_more.rdl").write_text(BARE)
    assert run_regs("--check")[0] == 1
    assert run_regs()[0] == 0
    assert "COUNT" in (toy / "toy_more.md").read_text() and "# toy registers" in (toy / "README.md").read_text()
    assert "TOY_MORE_REGS__COUNT" in (toy / "generated" / "toy_more_regs.h").read_text()
    assert not list(toy.glob("generated/toy_more_regs*.sv"))
    assert run_regs("--check") == (0, "up to date\n")
    (toy / "toy_more.rdl").unlink()
    code, output = run_regs("--check")
    assert code == 1 and "toy_more.md: nothing makes this file" in output
    assert run_regs()[0] == 0 and not (toy / "toy_more.md").exists()


def test_requests_and_what_is_read_may_pass_registers(toy):
    rtl = toy / "generated" / "toy_regs.sv"
    before = rtl.read_text()
    declared, map_of = "property retimed { type = boolean; component = addrmap; };", "addrmap toy_regs {"
    (toy / "toy.rdl").write_text(TOY.replace(map_of, f"{declared}\n{map_of}\n  retimed = true;"))
    assert run_regs()[0] == 0 and run_regs("--check") == (0, "up to date\n")
    for register in ("readback_done_r", "cpuif_rd_ack <=", "cpuif_req <="):
        assert register not in before and register in rtl.read_text()


def test_a_card_has_registers_too(toy, tmp_path):
    directory = tmp_path / "cards" / "box" / "regs"
    directory.mkdir(parents=True)
    (directory / "box.rdl").write_text(TOY.replace("toy_regs", "box_regs"))
    assert run_regs()[0] == 0
    assert (directory / "generated" / "box_regs.sv").exists() and run_regs("--check") == (0, "up to date\n")


LINUX = [
    "#define UL_TOY_CONTROL 0x8",
    "#define UL_TOY_CONTROL__RUN 0x00000001u",
    "#define UL_TOY_CONTROL__SPEED 0x000000f0u",
    "#define UL_TOY_CONTROL__RESET 0x000000c0u",
    "#define UL_TOY_SIZE(i) (0x10 + 0x4 * (i))",
]


def test_the_header_of_the_kernel_module(toy, tmp_path, monkeypatch):
    monkeypatch.setattr(regs_linux, "BLOCKS", {"TOY": (toy / "toy.rdl").relative_to(tmp_path)})
    header = tmp_path / regs_linux.HEADER
    header.parent.parent.mkdir(parents=True)
    code, output = run_regs("--check")
    assert code == 1 and f"{regs_linux.HEADER}: missing" in output
    assert run_regs()[0] == 0 and run_regs("--check") == (0, "up to date\n")
    for line in LINUX:
        assert line in header.read_text().splitlines()
    header.write_text(header.read_text().replace("0x8", "0x9"))
    code, output = run_regs("--check")
    assert code == 1 and "+#define UL_TOY_CONTROL 0x8" in output
