# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic docs`: a broken link is named, source files have pages, and the site shows the pages as GitHub does."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt

from ullnic import extras, sources
from ullnic.deep import deep
from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic.site import command
from ullnic.site import sources as shown_sources
from ullnic.site.architecture import PICTURE, architecture
from ullnic.site.sources import PICTURES, page_of, resolved, shown, with_pages

PAGE = Path("cores/toy/README.md")
TREE = {
    "README.md": "# Toy\n\n[core](cores/toy), [file](cores/toy/toy.sv)\n",
    str(PAGE): "# The core\n\n[home](../../README.md#toy)\n",
    "cores/toy/toy.sv": "module toy;\nendmodule // ````\n",
    "cores/toy/tb/toy.py": "",
}


@pytest.fixture
def tree(tmp_path, monkeypatch):
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for module in (sources, command, shown_sources):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(extras, "ensure", lambda name: pytest.fail("--check needs no extra"))
    return tmp_path


def check():
    return CliRunner().invoke(command.docs, ["--check"], standalone_mode=False)


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("[a](../b.md)", "cores/toy/README.md:4: there is no ../b.md"),
        ("[a](toy.svh)", "cores/toy/README.md:4: there is no toy.svh"),
        ("![a](images/a.png)", "cores/toy/README.md:4: there is no images/a.png"),
        ("[a](../../README.md#old)", "cores/toy/README.md:4: README.md has no heading #old"),
    ],
    ids=["page", "source", "picture", "anchor"],
)
def test_broken_link_is_an_error_with_page_line_and_target(tree, text, complaint):
    assert check().return_value == 0
    (tree / PAGE).write_text(f"# The core\n\n\n{text}\n")
    failed = check().exception
    assert isinstance(failed, UllnicError) and complaint in failed.message


@pytest.mark.parametrize(
    "link, becomes",
    [
        ("](toy.sv)", "](toy.sv.page.md)"),
        ("](tb)", "](tb.page.md)"),
        ("](../../cores/toy#ports)", "](README.md#ports)"),
        ("](../../docs/a.md#b)", "](../../docs/a.md#b)"),
        ("](#ports)", "](#ports)"),
        ("](https://example.org/a.sv)", "](https://example.org/a.sv)"),
        ("](images/a.svg)", "](images/a.svg)"),
        ("```\n](toy.sv)\n```\n", "```\n](toy.sv)\n```\n"),
    ],
)
def test_links_to_sources_become_links_to_their_pages(tree, link, becomes):
    assert with_pages(link, PAGE) == becomes


def test_page_of_a_source_shows_it(tree):
    assert resolved(PAGE, "toy.sv") == Path("cores/toy/toy.sv")
    text = shown(Path("cores/toy/toy.sv"))
    assert "# `cores/toy/toy.sv`" in text and "\n`````systemverilog\nmodule toy;\nendmodule // ````\n`````\n" in text
    assert "- `toy.sv`" in shown(Path("cores/toy"))


def test_picture_is_that_of_its_source():
    assert (ROOT / PICTURE).read_text() == architecture(), "./ullnic docs --pictures draws it again"


CROSSINGS = r"async_fifo|axil_cdc|cdc_bits|cdc_handshake|sync_phase"


def test_architecture_names_every_clock_crossing_and_no_other():
    text = (ROOT / "docs/architecture.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \|", text, re.MULTILINE)
    table = {module: set(re.findall(r"\w+", cell)) for module, cell in rows}
    files = [path for part in ("cards/*", "cores/macpcs", "cores/ate") for path in ROOT.glob(f"{part}/rtl/*.sv")]
    instance = re.compile(rf"^ +({CROSSINGS})\b(?! *=)", re.MULTILINE)
    found = {path.stem: set(instance.findall(path.read_text())) for path in files}
    crossing = {module: parts for module, parts in found.items() if parts}
    assert len(table) > 8 and {module: crossing.get(module) for module in table} == table
    assert not [module for module in crossing if f"`{module}`" not in text]


@deep(__file__, "python/ullnic/site", "python/ullnic/documents.py", "requirements-docs.lock")
def test_site_has_every_page_as_github_shows_it():
    """Counts of what Python-Markdown could read differently from CommonMark; and nothing comes from another place."""
    command.check_pages()
    command.make()
    github = MarkdownIt("commonmark", {"html": True}).enable("table")
    for page in [page for page in sources.Sources.find().pages if page.parts[0] != ".github"]:
        made = command.OUT / page.with_name("index.html" if page.name == "README.md" else f"{page.stem}.html")
        html = made.read_text()
        assert not re.findall(r"(?:src|<link[^>]* href)=\"https?:[^\"]*", html), page
        article = html[html.index("<article") : html.index("</article>")]
        wanted = github.render((ROOT / page).read_text())
        for tag in ("li", "table", "tr", "td", "pre", "h1", "h2", "h3", "img", "strong", "em"):
            counts = [len(re.findall(rf"<{tag}[ >]", text)) for text in (wanted, article)]
            assert counts[0] == counts[1], f"{page}: {counts[0]} <{tag}> on GitHub, {counts[1]} on the site"
        for path in shown_sources.targets(page):
            name = path.as_posix() if path.suffix in PICTURES else page_of(path).removesuffix(".md") + ".html"
            assert path.suffix == ".md" or (command.OUT / name).is_file(), f"{page} links to {path}"
