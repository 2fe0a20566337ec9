# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What MkDocs calls: the pages of the whole tree, a page for each source file that they link to, GitHub's anchors."""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from ullnic.documents import anchor
from ullnic.paths import ROOT
from ullnic.site.sources import SUFFIX, is_shown, page_of, shown, targets, with_pages
from ullnic.sources import project_files

STYLE = "site.css"
FIRST_COMMENT = re.compile(r"\A(<!--.*?-->\s*)+", re.DOTALL)
# Sections for the pages that mkdocs.yml does not name, by folder.
SECTIONS = {"cores": "Cores", "cards": "Cards", "host": "Software", "sim": "Simulation"}
OTHERS = "More"


def pages() -> list[Path]:
    """All Markdown files but forms of the hosting site."""
    return sorted(path for path in project_files() if path.suffix == ".md" and path.parts[0] != ".github")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.mdx_configs["toc"]["slugify"] = lambda text, _separator: anchor(text)
    config.nav += sections(repr(config.nav))
    return config


def sections(known: str) -> list[dict]:
    """Sections for the pages that the navigation does not name: a group a folder."""
    found: dict[str, dict[str, list]] = {}
    for page in pages():
        if f"'{page.as_posix()}'" not in known:
            groups = found.setdefault(SECTIONS.get(page.parts[0], OTHERS), {})
            groups.setdefault("/".join(page.parts[1:2]), []).append(page.as_posix())
    return [{name: grouped(found[name])} for name in (*SECTIONS.values(), OTHERS) if name in found]


def grouped(by_folder: dict[str, list[str]]) -> list:
    """A folder with one page is that page. README.md of a folder is its first."""
    made: list = []
    for folder, names in by_folder.items():
        names.sort(key=lambda name: (not name.endswith(f"/{folder}/README.md"), name))
        made += names if len(names) == 1 or folder.endswith(".md") else [{folder: names}]
    return made


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The theme's files, and ours instead of those of docs_dir, whose addresses would be without `docs/`."""
    made = [file for file in files if file.src_dir != config.docs_dir]
    made.append(File.generated(config, STYLE, abs_src_path=str(Path(__file__).with_name(STYLE))))
    linked: set[Path] = set()
    for page in pages():
        made.append(File.generated(config, page.as_posix(), abs_src_path=str(ROOT / page)))
        linked |= {target for target in targets(page) if target.suffix != ".md"}
    for target in sorted(linked):
        if is_shown(target):
            made.append(File.generated(config, page_of(target), content=shown(target)))
        else:
            made.append(File.generated(config, target.as_posix(), abs_src_path=str(ROOT / target)))
    return Files(made)


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    source = page.file.src_uri
    if source.endswith(SUFFIX):
        return markdown
    # MkDocs finds a title only at the very beginning.
    return with_pages(FIRST_COMMENT.sub("", markdown), Path(source))


def on_serve(server: LiveReloadServer, **_: object) -> None:
    for page in pages():
        server.watch(str(ROOT / page))
