# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The points of a report through Snakemake, on this machine."""

import os
import re
import sys
from dataclasses import replace

import pytest

from ullnic.configs import DEFAULT
from ullnic.deep import deep
from ullnic.errors import UllnicError
from ullnic.extras import ensure
from ullnic.locks import file_lock
from ullnic.paths import BUILD
from ullnic.points.plan import all_points, measure
from ullnic.points.simulated import LATENCY
from ullnic.report import cluster
from ullnic.report.cluster import Progress, run_points
from ullnic.report.standing import parts

SEED = 5
JOBS = 2

# The first one installs Snakemake, which takes a minute, or two without a cache.
pytestmark = [
    deep(
        *(__file__, "python/ullnic/points", "python/ullnic/measure", "python/ullnic/extras.py"),
        *("python/ullnic/report/cluster.py", "python/ullnic/report/Snakefile"),
        lambda: parts()["macpcs"],
    ),
    pytest.mark.skipif(sys.version_info < (3, 11), reason="Snakemake needs Python 3.11"),
]


@pytest.fixture(autouse=True)
def alone():
    """They run one at a time, since they share a folder. (Groups of pytest-xdist 3.8 are lost with pytest 9.2.)

    Snakemake is installed before a test checks what it leaves in $HOME: pip runs rustc for its version, and rustup's
    rustc leaves files there.
    """
    with file_lock(BUILD / "report" / "snakemake-tests.lock", "test"):
        ensure("cluster")
        yield


@pytest.fixture
def store(tmp_path, monkeypatch):
    """Sets the folder of the results; a repeated call sets another one."""

    def use(name):
        monkeypatch.setenv("ULLNIC_POINTS", str(tmp_path / name))

    use("points")
    return use


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty home and an empty current directory."""
    folders = tmp_path / "home", tmp_path / "here"
    for folder in folders:
        folder.mkdir()
    monkeypatch.setenv("HOME", str(folders[0]))
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(folders[1])
    return folders


def points():
    return [point for point in all_points([DEFAULT], frames=200, seed=SEED) if point.kind == LATENCY]


def test_results_are_those_of_the_direct_run_and_nothing_runs_twice(store, home):
    store("direct")
    for point in points():
        measure(point)
    direct = [point.result() for point in points()]

    store("snakemake")
    run_points(points(), "local", JOBS)
    assert len(direct) == 5 and [point.result() for point in points()] == direct
    assert not any(os.listdir(folder) for folder in home), "Snakemake's files belong into build/"

    said = cluster.LOG.read_text()
    written = [point.path.stat().st_mtime_ns for point in points()]
    run_points(points(), "local", JOBS)
    assert cluster.LOG.read_text() == said and [point.path.stat().st_mtime_ns for point in points()] == written

    one, *others = points()
    one.path.write_text("damaged")
    run_points(points(), "local", JOBS)
    assert [point.result() for point in points()] == direct
    assert [point.path.stat().st_mtime_ns for point in others] == written[1:], "only what is missing is measured"


def test_progress_is_told_whenever_a_point_ends(store):
    progress = Progress(points(), JOBS)
    assert progress("Select jobs to execute...") == "0 of 5 points, time left not known yet"
    run_points(points(), "local", JOBS, progress=False)
    steps = [step for line in cluster.LOG.read_text().splitlines() if (step := progress(line))]
    assert len(steps) >= 6 and re.fullmatch(r"5 of 5 points, about \d+ s left", steps[-1])


def test_a_failing_point_is_named_with_its_log_and_the_others_are_kept(store):
    good = points()
    bad = replace(good[0], variant="nonsense")
    with pytest.raises(UllnicError) as failure:
        run_points([bad, *good], "local", jobs=1, progress=False)
    assert failure.value.message.startswith(f"1 of 6 points failed; the first is {bad.name}, ")
    assert f"there is no point '{bad.name}'" in failure.value.message  # the command's output
    assert bad.command in failure.value.remedy and str(cluster.log_of(bad)) in failure.value.remedy
    assert all(point.result() is not None for point in good)


def test_a_machine_with_other_sources_is_not_believed(store):
    """It keeps its result under another key; the requested one does not exist."""
    other = replace(points()[0], content="of other sources")
    with pytest.raises(UllnicError, match="1 of 1 points failed") as failure:
        run_points([other], "local", JOBS, progress=False)
    assert f"cannot access '{other.path}'" in failure.value.message


def test_the_build_comes_first_and_its_failure_is_reported(store):
    with pytest.raises(UllnicError, match="the build for the points failed") as failure:
        run_points(points(), "local", JOBS, progress=False, build=["run-point", "no/such/point/at-all"])
    assert "there is no point 'no/such/point/at-all'" in failure.value.message
    assert not any(cluster.log_of(point).exists() for point in points())


def test_what_snakemake_refuses_is_reported(store):
    with pytest.raises(UllnicError, match="Snakemake failed") as failure:
        run_points(points(), "local", JOBS, ["--no-such-option"], progress=False)
    assert "no-such-option" in failure.value.message


@pytest.mark.parametrize(("executor", "command"), [("slurm", "sbatch"), ("kubernetes", "rsync")])
def test_what_an_executor_needs_is_named(store, monkeypatch, executor, command):
    monkeypatch.setattr(cluster, "which", lambda name: None)
    with pytest.raises(UllnicError, match=f"'{command}'.* not there") as failure:
        run_points(points(), executor, JOBS, progress=False)
    assert command in failure.value.remedy


def test_an_unknown_executor_is_refused(store):
    with pytest.raises(UllnicError, match="no executor 'abacus'") as failure:
        run_points(points(), "abacus", JOBS)
    assert "local, slurm, kubernetes" in failure.value.remedy
