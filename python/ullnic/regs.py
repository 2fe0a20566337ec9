# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic regs`: generates each core's and card's register block, C header and pages from SystemRDL, or checks that
they are up to date.

cores/CORE/regs/CORE.rdl gives generated/CORE_regs_pkg.sv, CORE_regs.sv and CORE_regs.h, and README.md beside it. These
are committed, so that a core can be reused by copying its folder. The HTML pages go to build/docs/CORE_regs.
cards/CARD/regs have the same layout. A second source in a folder has its page in SOURCE.md. A source whose addrmap has
the property header_only describes hand-written registers, and gives no RTL. The property retimed, for a fast clock,
adds registers before the decoder (regs_request.py), in the read multiplexer and after it: a write takes one more cycle,
a read three. The codes of the kinds of cards come from their card.toml (regs_kinds.py). The Linux kernel module uses
one header (regs_linux.py).
"""

import difflib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ullnic import cells, regs_kinds, regs_linux
from ullnic.errors import UllnicError
from ullnic.paths import BUILD, ROOT

if TYPE_CHECKING:
    from systemrdl.node import AddrmapNode, FieldNode, MemNode, RegNode

LICENCE = "// SPDX-FileCopyrightText: 2026 The ullnic authors\n// SPDX-License-Identifier: Apache-2.0\n//\n"
COMMAND = "./ullnic regs"
DIFF_LINES = 40  # shown of each stale file


# Properties of an addrmap that a source defines itself: property header_only {...};
HEADER_ONLY, RETIMED = "header_only", "retimed"
# Defined while the register block is generated: with `ifndef a source hides what must not change the block.
BLOCK = "REGISTER_BLOCK"


def sources() -> list[Path]:
    return sorted([*ROOT.glob("cores/*/regs/*.rdl"), *ROOT.glob("cards/*/regs/*.rdl")])


def folders() -> dict[Path, list[Path]]:
    """The folders with sources, and those sources; also folders that only have the kind of a card."""
    found: dict[Path, list[Path]] = {folder: [] for folder in regs_kinds.folders(ROOT)}
    for source in sources():
        found.setdefault(source.parent, []).append(source)
    return found


def compiled(source: Path, generated: Path, *defined: str) -> "AddrmapNode":
    """`generated`: the folder of the files that it includes."""
    from peakrdl_regblock.udps import ALL_UDPS
    from systemrdl import RDLCompileError, RDLCompiler

    compiler = RDLCompiler()
    for user_property in ALL_UDPS:
        compiler.register_udp(user_property, soft=False)
    try:
        compiler.compile_file(str(source), [str(generated)], dict.fromkeys(defined, ""))
        return compiler.elaborate().top
    except RDLCompileError as error:  # the compiler has printed the place
        raise UllnicError(f"{source}: {error}", "correct the SystemRDL source") from None


def generate(place: Path, folder: list[Path], directory: Path) -> None:
    """Writes the generated files of the folder `place` below `directory`, which replaces the tree."""
    generated = directory / "generated"
    generated.mkdir(parents=True, exist_ok=True)
    for name, text in regs_kinds.texts(ROOT, place).items():
        (generated / name).write_text(LICENCE + made_from(regs_kinds.origin(place)) + text)
    for source in folder:
        make(source, directory, "README.md" if source == folder[0] else f"{source.stem}.md")


def make(source: Path, directory: Path, page_name: str) -> None:
    from peakrdl_cheader.c_standards import CStandard
    from peakrdl_cheader.exporter import CHeaderExporter
    from peakrdl_regblock import RegblockExporter
    from peakrdl_regblock.cpuif.axi4lite import AXI4Lite_Cpuif_flattened

    from ullnic.regs_request import RegisteredRequest

    generated = directory / "generated"
    top = compiled(source, generated)
    before = set(generated.iterdir())
    if not has(top, HEADER_ONLY):
        retimed = has(top, RETIMED)
        RegblockExporter().export(
            compiled(source, generated, BLOCK) if BLOCK in source.read_text() else top,
            str(generated),
            cpuif_cls=RegisteredRequest if retimed else AXI4Lite_Cpuif_flattened,
            err_if_bad_addr=True,
            err_if_bad_rw=True,
            retime_read_fanin=retimed,
            retime_read_response=retimed,
        )
    header = generated / f"{top.inst_name}.h"
    CHeaderExporter().export(top, str(header), std=CStandard.gnu11, reuse_typedefs=False)
    for path in set(generated.iterdir()) - before:
        text = "\n".join(line.rstrip() for line in path.read_text().splitlines())
        path.write_text(LICENCE + made_from(f"../{source.name}") + text + "\n")
    (directory / page_name).write_text(page(top, source.name))


def made_from(origin: str) -> str:
    return f"// Made from {origin} by {COMMAND}; do not edit.\n//\n"


def has(top: "AddrmapNode", name: str) -> bool:
    """Whether a source has set its own property."""
    return name in top.list_properties() and top.get_property(name)


# ---------------------------------------------------------------- the page


def page(top: "AddrmapNode", source_name: str) -> str:
    from systemrdl.node import AddressableNode, MemNode

    overview = ["| address | name | access | |", "| --- | --- | --- | --- |"]
    details = []
    for node in top.children():
        if not isinstance(node, AddressableNode):
            continue
        address = f"`0x{node.raw_absolute_address:03x}`"
        if isinstance(node, MemNode):
            last = node.absolute_address + node.size - 4
            span = f"{address} to `0x{last:03x}`"
            access = node.get_property("sw").name
            intro = " ".join([node.get_property("name") + ".", prose(node.get_property("desc"))]).strip()
            details += [f"\n## {node.inst_name} ({address})\n", intro + "\n", *counters(node)]
        else:
            span, access = address, register_access(node)
            if node.is_array:
                span += f" to `0x{node.raw_absolute_address + node.total_size - 4:03x}`"
            details += [f"\n## {node.inst_name} ({address})\n", *register(node)]
        overview.append(f"| {span} | [{node.inst_name}](#{anchor(node)}) | {access} | {node.get_property('name')} |")
    intro = [
        f"<!-- SPDX-License-Identifier: Apache-2.0. Made from {source_name} by {COMMAND}; do not edit. -->",
        f"# {top.get_property('name')}\n",
        prose(top.get_property("desc")) + "\n",
        "Access: r read, w write, w1c write 1 to clear, w1s write 1 to set. Bits that are not named read as 0.\n",
    ]
    return "\n".join([*intro, *overview, *details]) + "\n"


def anchor(node: "RegNode | MemNode") -> str:
    """The anchor that GitHub makes from the heading."""
    return f"{node.inst_name.lower()}-0x{node.raw_absolute_address:03x}"


def prose(text: str | None) -> str:
    """Paragraphs of one line each."""
    return "\n\n".join(" ".join(part.split()) for part in (text or "").replace("\r", "").split("\n\n"))


def register(node: "RegNode") -> Iterator[str]:
    if text := prose(node.get_property("desc")):
        yield f"{node.get_property('name')}. {text}\n"
    else:
        yield f"{node.get_property('name')}.\n"
    below: list[str] = []  # what is too long for the table
    yield "| bits | field | access | reset | |"
    yield "| --- | --- | --- | --- | --- |"
    for field in node.fields():
        bits = str(field.low) if field.width == 1 else f"{field.high}:{field.low}"
        about, listed = prose(field.get_property("desc")), values(field)
        meaning = " ".join([about, "; ".join(listed) + "." if listed else ""]).strip()
        if cells.words(meaning) > cells.MOST_WORDS:
            meaning = f"{about} Values below.".strip()
            below += [f"\nValues of {field.inst_name}:\n", *(f"- {value}" for value in listed)]
        yield f"| {bits} | {field.inst_name} | {field_access(field)} | {reset(field)} | {meaning} |"
    yield from below


def values(field: "FieldNode") -> list[str]:
    members = field.get_property("encode") or ()
    return [f"{member.value}: {prose(member.rdl_desc).rstrip('.')}" for member in members]


def counters(node: "MemNode") -> Iterator[str]:
    """Counters of a memory; none if its words are documented elsewhere."""
    registers = list(node.registers())
    if registers:
        yield "| address | name | access | |"
        yield "| --- | --- | --- | --- |"
    for reg in registers:
        low, high = f"`0x{reg.absolute_address:03x}`", f"`0x{reg.absolute_address + 4:03x}`"
        where = f"{low} low, {high} high" if reg.size == 8 else low
        yield f"| {where} | {reg.inst_name} | r | {prose(reg.get_property('desc'))} |"


def reset(field: "FieldNode") -> str:
    value = field.get_property("reset")
    if value is None:
        return "-"
    if not isinstance(value, int):  # a signal
        return value.get_property("name")
    return str(value) if value < 10 else f"0x{value:x}"


def field_access(field: "FieldNode") -> str:
    from systemrdl.rdltypes import OnWriteType

    special = {OnWriteType.woclr: "r/w1c", OnWriteType.woset: "r/w1s"}
    return special.get(field.get_property("onwrite")) or field.get_property("sw").name


def register_access(node: "RegNode") -> str:
    return ", ".join(sorted({field_access(field) for field in node.fields()}))


# ---------------------------------------------------------------- the command


def stale(directory: Path, folder: list[Path]) -> Iterator[str]:
    """A line, or a difference, for each file beside the sources that differs from what they generate."""
    with tempfile.TemporaryDirectory() as name:
        new = Path(name)
        generate(directory, folder, new)
        wanted = {path.relative_to(new) for path in new.rglob("*") if path.is_file()}
        there = {path.relative_to(directory) for path in [*directory.glob("generated/*"), *directory.glob("*.md")]}
        for path in sorted(there - wanted):
            yield f"{shown(directory / path)}: nothing makes this file"
        for path in sorted(wanted):
            kept = directory / path
            if not kept.exists():
                yield f"{shown(kept)}: missing"
            elif kept.read_text() != (new / path).read_text():
                texts = (kept.read_text().splitlines(), (new / path).read_text().splitlines())
                difference = list(difflib.unified_diff(*texts, str(shown(kept)), "made now", n=1, lineterm=""))
                yield "\n".join(difference[:DIFF_LINES])


def update(directory: Path, folder: list[Path]) -> None:
    """Updates all files or none: an error leaves the old ones."""
    with tempfile.TemporaryDirectory() as name:
        generate(directory, folder, Path(name))
        shutil.rmtree(directory / "generated", ignore_errors=True)
        for old in directory.glob("*.md"):
            old.unlink()
        shutil.copytree(Path(name) / "generated", directory / "generated")
        for page_made in Path(name).glob("*.md"):
            shutil.copy(page_made, directory)


def linux_header() -> str:
    """What the kernel module uses from several blocks."""
    blocks = {}
    for name, path in regs_linux.BLOCKS.items():
        source = ROOT / path
        blocks[name] = compiled(source, source.parent / "generated")
    return regs_linux.text(blocks, COMMAND)


def has_linux_module() -> bool:
    return (ROOT / regs_linux.HEADER).parent.parent.is_dir()


def stale_linux_header() -> Iterator[str]:
    kept = ROOT / regs_linux.HEADER
    if not has_linux_module():
        return
    if not kept.exists():
        yield f"{regs_linux.HEADER}: missing"
    elif kept.read_text() != (wanted := linux_header()):
        texts = (kept.read_text().splitlines(), wanted.splitlines())
        difference = list(difflib.unified_diff(*texts, str(regs_linux.HEADER), "made now", n=1, lineterm=""))
        yield "\n".join(difference[:DIFF_LINES])


def write_html(source: Path) -> Path:
    from peakrdl_html import HTMLExporter

    top = compiled(source, source.parent / "generated")
    directory = BUILD / "docs" / top.inst_name
    shutil.rmtree(directory, ignore_errors=True)
    directory.parent.mkdir(parents=True, exist_ok=True)
    HTMLExporter().export(top, str(directory))
    return directory / "index.html"


def shown(path: Path) -> Path:
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


EXAMPLES = """\b
Examples:
  ./ullnic regs                          make everything anew, after a change of an .rdl file
  ./ullnic regs --check                  is what is in the tree up to date?"""


@click.command(epilog=EXAMPLES)
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if a file is not up to date.")
def regs(check: bool) -> int:
    """Make the register block, C header and pages of each core and card from its SystemRDL source.

    cores/CORE/regs/CORE.rdl gives the README.md beside it, the RTL and the C header in generated/, and HTML pages in
    build/docs.
    """
    found = 0
    for directory, folder in folders().items():
        if check:
            for difference in stale(directory, folder):
                found += 1
                click.echo(difference)
            continue
        update(directory, folder)
        for source in folder:
            click.echo(f"{shown(source)}: {shown(write_html(source))}, page and generated/ beside the source")
    if check:
        for difference in stale_linux_header():
            found += 1
            click.echo(difference)
    elif has_linux_module():
        header = ROOT / regs_linux.HEADER
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text(linux_header())
        click.echo(f"{regs_linux.HEADER}")
    if found:
        click.echo(f"not up to date: {found} files; {COMMAND} makes them anew", err=True)
    elif check:
        click.echo("up to date")
    return 1 if found else 0
