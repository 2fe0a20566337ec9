# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The workflow of hosted CI and the issue forms, as far as this machine can check; the shards' combined results."""

import re
import sys

import pytest
import yaml

from cli_call import run
from ullnic.cli import COMMANDS
from ullnic.paths import ROOT

FILE = ROOT / ".github/workflows/ci.yml"
JOBS = yaml.safe_load(FILE.read_text())["jobs"]
STEPS = [step for job in JOBS.values() for step in job["steps"]]
FORMS = [path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"]


def test_every_action_is_pinned_by_commit_and_says_its_release():
    used = re.findall(r"uses: (.*)", FILE.read_text())
    assert len(used) > 5
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each) for each in used), used


def test_what_is_downloaded_is_kept_by_lock_file():
    caches = [step["with"] for step in STEPS if step.get("uses", "").startswith("actions/cache@")]
    assert {each["path"] for each in caches} == {".cache/wheels", ".cache/ccache"}
    assert all("hashFiles('requirements.lock')" in each["key"] for each in caches)


def test_its_commands_are_there():
    called = {word for step in STEPS for word in re.findall(r"\./ullnic (\w+)", step.get("run", ""))}
    assert called == {"lint", "test"} and called <= set(COMMANDS)
    assert JOBS["test"]["strategy"]["matrix"]["shard"] == list(range(1, 5)), "K of K/N; N is how many there are"


def test_one_job_stands_for_all():
    assert set(JOBS["collect"]["needs"]) == set(JOBS) - {"collect"} and JOBS["collect"]["if"] == "${{ always() }}"


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_forms_ask_for_what_is_needed(form):
    asked = yaml.safe_load(form.read_text())
    fields = [each for each in asked["body"] if each["type"] != "markdown"]
    assert asked["name"] and asked["description"] and all(each["attributes"]["label"] for each in fields)
    assert len({each["id"] for each in fields}) == len(fields)
    wanted = {"bug": {"commands", "seed", "doctor"}, "figure": {"where", "ours", "source"}, "feature": {"need", "cost"}}
    assert wanted[form.stem] <= {each["id"] for each in fields}


CASE = '<testcase classname="{}" name="{}">{}</testcase>'
GOOD, BAD = CASE.format("a", "t1", ""), CASE.format("a", "t2", "<failure/>")
SKIPPED = CASE.format("b", "t", "<skipped/>")


@pytest.mark.parametrize(
    "shards, code, said",
    [
        ([GOOD, SKIPPED], 0, "2 shards: 1 passed, 0 failed, 1 skipped"),
        ([GOOD, BAD + SKIPPED], 1, "- failed: `a::t2`\n\n2 shards: 1 passed, 1 failed, 1 skipped"),
        ([GOOD, GOOD], 1, "- in more than one shard: `a::t1`"),
        ([SKIPPED], 1, "1 shards: 0 passed"),
        ([], 1, "0 shards: 0 passed"),
    ],
    ids=("passed", "failed", "twice", "skipped", "nothing"),
)
def test_what_shards_found_is_one_result(tmp_path, shards, code, said):
    for number, cases in enumerate(shards):
        (tmp_path / f"{number}.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    done = run(sys.executable, "-I", ROOT / ".ci/collect.py", tmp_path)
    assert done.returncode == code and said in done.stdout, done.stdout + done.stderr
