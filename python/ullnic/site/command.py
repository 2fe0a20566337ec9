# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic docs`: checks the links of all pages, then makes the site of them."""

import shutil
import subprocess

import click

from ullnic import extras
from ullnic.errors import UllnicError
from ullnic.paths import BUILD, ISOLATED, ROOT, module_command
from ullnic.site import one_frame
from ullnic.site.architecture import PICTURE, architecture
from ullnic.sources import Sources

OUT = BUILD / "docs" / "site"  # beside the pages of ./ullnic regs
ADDRESS = "127.0.0.1:8000"

EXAMPLES = """\b
Examples:
  ./ullnic docs                          the site, in build/docs/site
  ./ullnic docs --serve                  the same at http://127.0.0.1:8000, again after each change of a page
  ./ullnic docs --check                  only check that what the pages link to is there
  ./ullnic docs --pictures               record one frame in the RTL, and draw the pictures of the pages again"""


@click.command(epilog=EXAMPLES)
@click.option("--check", is_flag=True, help="Check the links only; nothing is installed or made.")
@click.option("--serve", is_flag=True, help=f"Serve the site at {ADDRESS}, and make it again after each change.")
@click.option("--pictures", is_flag=True, help="Renew the pictures of the pages, and the figures of docs/one-frame.md.")
def docs(check: bool, serve: bool, pictures: bool) -> int:
    """Make the site of the project's pages.

    The pages are the Markdown files of the whole tree, from where they are. A link to a page, heading, source file or
    folder that is not there is an error. The site needs no web server: open build/docs/site/index.html. Python
    packages that make it (MkDocs, 150 MB) are installed on first use, into .venv/docs; later it needs no network.
    """
    if pictures:
        (ROOT / PICTURE).write_text(architecture())
        one_frame.update()
        click.echo(f"{PICTURE}, {one_frame.PICTURE}, {one_frame.PAGE}: made")
        return 0
    check_pages()
    if check:
        return 0
    make(serve)
    click.echo(f"{OUT.relative_to(ROOT)}/index.html: made")
    return 0


def check_pages() -> None:
    """Raises an error that names each broken link with its page and line."""
    pages = Sources.find().pages
    done = subprocess.run(module_command("ullnic.documents", *pages), cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise UllnicError((done.stdout + done.stderr).strip(), "correct the link, or add what it names")


def make(serve: bool = False) -> None:
    python = extras.ensure("docs") / "python"
    argv = [str(python), *ISOLATED[1:], "ullnic.site.build", str(OUT), *([ADDRESS] if serve else [])]
    if serve:
        click.echo(f"http://{ADDRESS}; Ctrl-C ends it", err=True)
        subprocess.run(argv, cwd=ROOT)
        return
    shutil.rmtree(OUT, ignore_errors=True)
    done = subprocess.run(argv, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise UllnicError(f"the site has faults:\n{done.stdout.strip()}", "correct the pages that it names")
