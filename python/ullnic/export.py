# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic export`: a core with given parameters as Verilog-2005, for tools that do not read its SystemVerilog.

yosys elaborates it: its slang reader, then its writer of Verilog. Instances, ports, registers and memories keep their
names, so that constraints can name them. Processes become assignments, and each module is built for its parameters.
"""

import re
import subprocess
from collections import Counter
from pathlib import Path

import click

from ullnic.errors import UllnicError
from ullnic.options import OutputFolder
from ullnic.paths import BUILD, ROOT, VERSION, module_command
from ullnic.progress import log_tail, run_logged
from ullnic.sources import listed_files
from ullnic.synth.worker import STEP
from ullnic.toolchain import find_verilator, tool_env

DIRECTORY = BUILD / "export"
# Each top level that a design can instantiate, and its lists of files below cores/.
TOPS = {
    "macpcs": ("common/common.f", "macpcs/macpcs.f"),
    "macpcs_managed": ("common/common.f", "macpcs/macpcs.f", "macpcs/macpcs_managed.f"),
    "ate": ("common/common.f", "ate/ate.f"),
    "ate_tx": ("common/common.f", "ate/ate.f"),
    "toe": ("common/common.f", "toe/toe.f"),
    "toe_axil": ("common/common.f", "toe/toe.f", "toe/toe_axil.f"),
    "qdma": ("common/common.f", "qdma/qdma.f"),
    "qdma_usp": ("common/common.f", "qdma/qdma.f"),
}
SETTING = re.compile(r"[A-Za-z_]\w*=-?\d+")
IDENTIFIER = re.compile(r"[A-Za-z](?:_?[A-Za-z0-9])*")  # of Verilog and of VHDL
# Registers are neither merged nor removed: constraints name them. Without opt_reduce each bit of a RAM's write enable
# would be a statement.
LOGIC = "t:* t:$*ff* %d"
# Of attributes, only those of the sources are left: src and hdlname would be half of the file.
ELABORATE = """\
step reading SystemVerilog
read_slang --keep-hierarchy -j 1 --unroll-limit 100000 {parameters} --top {top} {files}
hierarchy -check -top {top}
step elaborating
proc
bwmuxmap
chformal -remove
opt_expr
opt_merge {logic}
opt_muxtree
opt_reduce
opt_merge {logic}
opt_expr
opt_clean
check -assert
setattr -mod -unset src -unset hdlname
setattr -unset src -unset hdlname
rename {top} {name}
step writing Verilog
write_verilog {raw}
"""
# What is written is read back by yosys' own reader, which knows Verilog-2005 only.
CHECK = """\
step reading it back
read_verilog {written}
hierarchy -check -top {name}
proc
check -assert
"""
MODULE = re.compile(r"^module (\\\S+ |\w+ ?)\(.*?^endmodule\n", re.MULTILINE | re.DOTALL)
ESCAPED = re.compile(r"\\(\S+) ")
MEMORY = re.compile(r"^  initial begin\n((?:    .+\[\d+\] = .+;\n)+)  end\n", re.MULTILINE)
CHUNK = 64
PORT = re.compile(r"^  (input|output|inout)(?: \[(\d+):0\])? (\w+);$", re.MULTILINE)


def sources(top: str) -> list[Path]:
    return [file for name in TOPS[top] for file in listed_files(ROOT / "cores" / name)]


def check_settings(top: str, settings: tuple[str, ...]) -> None:
    """Refuses parameters that the module does not have or whose values it refuses: yosys would accept them."""
    quiet = ("--quiet", "-Wno-lint", "-Wno-style", "-Wno-MULTIDRIVEN")
    argv = [find_verilator(), "--lint-only", *quiet, "--top-module", top, *(f"-G{each}" for each in settings)]
    done = subprocess.run([*argv, *sources(top)], capture_output=True, text=True, env=tool_env())
    if done.returncode == 0:
        return
    said = re.findall(r"^%Warning-USERERROR: [^:]*:\d+:\d+: (.*)$", done.stderr, re.MULTILINE)
    absent = re.search(r"Parameters from the command line were not found in the design: (.*)", done.stderr)
    if absent:
        raise UllnicError(f"{top} has no parameter {absent[1]}", f"its parameters are in cores/{readme_of(top)}")
    if said:
        raise UllnicError("\n".join(dict.fromkeys(said)), f"the limits are in cores/{readme_of(top)}")
    raise UllnicError(f"{top} cannot be elaborated:\n{done.stderr[-2000:]}", f"{argv[0]} said this")


def readme_of(top: str) -> str:
    return f"{Path(TOPS[top][-1]).parent}/README.md"


def export(top: str, settings: tuple[str, ...], name: str, folder: Path, show: bool = True) -> Path:
    """Writes folder/NAME.v, and returns its path."""
    check_settings(top, settings)
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    raw, written = DIRECTORY / f"{name}.raw.v", folder / f"{name}.v"
    parameters = " ".join(f"-G {each}" for each in settings)
    files = " ".join(map(quoted, sources(top)))
    script = ELABORATE.format(logic=LOGIC, parameters=parameters, top=top, files=files, name=name, raw=quoted(raw))
    yosys(f"{name}: Verilog", DIRECTORY / f"{name}.ys", script, show)
    modules = shared({match[1].strip(): in_chunks(match[0]) for match in MODULE.finditer(raw.read_text())}, name)
    raw.unlink()
    part = DIRECTORY / f"{name}.part.v"
    part.write_text(header(top, settings, name) + "\n".join(modules))
    yosys(f"{name}: check", DIRECTORY / f"{name}.check.ys", CHECK.format(written=quoted(part), name=name), show)
    written.write_text(part.read_text())
    part.unlink()
    return written


def quoted(path: Path) -> str:
    if re.search(r'[\s"]', str(path)):
        raise UllnicError(f"yosys cannot read '{path}'", "copy the project to a folder whose path has no spaces")
    return str(path)


def yosys(label: str, path: Path, script: str, show: bool) -> None:
    path.write_text(script)
    log = path.with_suffix(".log")
    log.unlink(missing_ok=True)

    def step(line: str) -> str | None:
        return line.removeprefix(STEP) if line.startswith(STEP) else None

    argv = module_command("ullnic.synth.worker", path)
    if run_logged(label, argv, log, describe=step, show=show, quiet_start=True) != 0:
        faults = [line for line in log.read_text(errors="replace").splitlines() if "error:" in line.lower()]
        raise UllnicError(f"{label} failed:\n" + "\n".join(faults[:10] or [log_tail(log, 10)]), f"see the log, {log}")


def shared(modules: dict[str, str], top: str) -> list[str]:
    """The texts of the modules with plain names that begin with that of the top level, equal ones merged.

    Each instance has a module of its own at first, whose name is an escaped one: \\MODULE$PATH.
    """
    texts = modules
    while True:  # modules are equal once those that they instantiate are
        first: dict[str, str] = {}
        same = {name: first.setdefault(text.partition("(")[2], name) for name, text in texts.items()}
        if all(name == other for name, other in same.items()):
            break
        texts = {name: renamed(text, same) for name, text in texts.items() if same[name] == name}
    bases = Counter(base_of(name) for name in texts)
    numbers: Counter[str] = Counter()
    plain = {}
    for name in texts:
        base = base_of(name)
        numbers[base] += 1
        suffix = f"_{numbers[base]}" if bases[base] > 1 else ""
        plain[name] = name if name == top else f"{top}__{base}{suffix}"
    return [renamed(text, plain) for text in texts.values()]


def in_chunks(text: str) -> str:
    """With the initial values of memories in short blocks: yosys' own reader needs a time that is quadratic in their
    length.
    """

    def cut(match: re.Match) -> str:
        lines = match[1].splitlines(keepends=True)
        chunks = ("".join(lines[first : first + CHUNK]) for first in range(0, len(lines), CHUNK))
        return "".join(f"  initial begin\n{chunk}  end\n" for chunk in chunks)

    return MEMORY.sub(cut, text)


def base_of(name: str) -> str:
    return name.removeprefix("\\").partition("$")[0]


def renamed(text: str, names: dict[str, str]) -> str:
    """With other names of modules; only these begin with a backslash and have this form."""
    return ESCAPED.sub(lambda match: f"{names[match[0].strip()]} " if match[0].strip() in names else match[0], text)


def header(top: str, settings: tuple[str, ...], name: str) -> str:
    lists = ", ".join(f"cores/{each}" for each in TOPS[top])
    return f"""\
// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// {name}: {top} of ullnic {VERSION} in Verilog-2005, with {" ".join(settings) or "its default parameters"}.
// Made by `./ullnic export` from {lists}.  Do not edit.

"""


def ports_of(verilog: Path, name: str) -> list[tuple[str, str, int]]:
    """Name, direction and width in bits of each port of the top level, in order."""
    text = next(match[0] for match in MODULE.finditer(verilog.read_text()) if match[1].strip() == name)
    order = re.split(r"\s*,\s*", re.match(r"module \w+ ?\(([^)]*)\)", text)[1].strip())
    found = {port: (direction, int(high) + 1 if high else 1) for direction, high, port in PORT.findall(text)}
    return [(port, *found[port]) for port in order]


def write_component(verilog: Path, name: str) -> Path:
    """A VHDL package with the component: a std_logic for each port of one bit, else a std_logic_vector."""
    modes = {"input": "in", "output": "out", "inout": "inout"}
    ports = ports_of(verilog, name)
    widest = max(len(port) for port, _, _ in ports)
    lines = [
        f"      {port:{widest}} : {modes[direction]:3} "
        + (f"std_logic_vector({bits - 1} downto 0)" if bits > 1 else "std_logic")
        for port, direction, bits in ports
    ]
    path, declared = verilog.with_name(f"{name}_component.vhd"), ";\n".join(lines)
    path.write_text(f"""\
-- SPDX-FileCopyrightText: 2026 The ullnic authors
-- SPDX-License-Identifier: Apache-2.0
--
-- The component of {verilog.name}.  Made by `./ullnic export`.  Do not edit.
library ieee;
use ieee.std_logic_1164.all;

package {name}_component is
  component {name} is
    port (
{declared}
    );
  end component;
end package;
""")
    return path


EXAMPLES = """\b
Examples:
  ./ullnic export macpcs --verilog                        build/export/macpcs.v
  ./ullnic export toe --verilog --set SESSION_COUNT=16 --set HOST_EN=1 --name toe16 --out rtl
  ./ullnic export macpcs --verilog --vhdl                 with macpcs_component.vhd beside it"""


@click.command("export", epilog=EXAMPLES)
@click.argument("core", type=click.Choice(tuple(TOPS)))
@click.option("--verilog", is_flag=True, help="Write Verilog-2005: NAME.v.")
@click.option("--vhdl", is_flag=True, help="Also write NAME_component.vhd: a VHDL package with its component.")
@click.option("--set", "settings", multiple=True, metavar="PARAMETER=VALUE", help="A parameter; may be repeated.")
@click.option("--name", metavar="NAME", help="Name of the module and of the file.  [default: that of the core]")
@click.option(
    "--out",
    "folder",
    type=OutputFolder(),
    default=DIRECTORY,
    show_default="build/export",
    help="The folder that is written to.",
)
def command(core: str, verilog: bool, vhdl: bool, settings: tuple[str, ...], name: str | None, folder: Path) -> None:
    """Write a core for tools that do not read its SystemVerilog.

    One file, for the parameters given here: the Verilog has none. Ports are those of the core. The modules below it
    have names that begin with its own, so that several exports fit into one design. docs/integrating.md says which
    tools need it.
    """
    if not verilog:
        raise click.UsageError("Say what to write: --verilog, for VHDL --verilog --vhdl.")
    for each in settings:
        if not SETTING.fullmatch(each):
            raise click.BadParameter(f"'{each}' is not PARAMETER=NUMBER.", param_hint="'--set'")
    name = name or core
    if not IDENTIFIER.fullmatch(name):
        raise click.BadParameter(f"'{name}' is not a name of Verilog and VHDL.", param_hint="'--name'")
    written = [export(core, settings, name, folder)]
    if vhdl:
        written.append(write_component(written[0], name))
    for path in written:
        click.echo(path)
