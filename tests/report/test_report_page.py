# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The report's page in a headless Chromium, and that the checks detect what they are for."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from page_checks import look_at, problems_in, problems_of
from sample_report import HOSTILE, sample
from ullnic.deep import deep
from ullnic.errors import UllnicError
from ullnic.report import browser as browsers
from ullnic.report.model import Pair, Plot, Range, Report, Section

PAGE = deep(__file__, "python/ullnic/report", "tests/report/page_checks.py", "tests/report/sample_report.py")
# Width in pixels and scheme of colours: one in every run, the others when something of the page has changed.
LOOKS = [
    pytest.param(400, True, id="400-dark"),
    *(
        pytest.param(*look, id=name, marks=PAGE)
        for name, look in {"400-light": (400, False), "1400-light": (1400, False), "1400-dark": (1400, True)}.items()
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    from ullnic.report.page import render  # slow: it imports matplotlib, and each worker imports this file

    folder = tmp_path_factory.mktemp("report")
    report = sample()
    (folder / "index.html").write_text(render(report, "report.json", "csv/{id}.csv"))
    (folder / "report.json").write_text(json.dumps(report.as_json()))
    (folder / "csv").mkdir()
    for item in (item for section in report.sections for item in section.items):
        (folder / "csv" / f"{item.id}.csv").write_text("")
    return folder


@pytest.fixture(scope="module")
def look(browser, folder) -> dict:
    return look_at(browser, folder / "index.html", 1400, False)[1]


@pytest.mark.parametrize("width, dark", LOOKS)
def test_page_is_sound(browser, folder, width, dark):
    assert problems_of(browser, folder / "index.html", folder / "report.json", width, dark) == []


# (text of the page, its replacement, the problem to be found); the faults of a list are planted in one page
FAULTS = [
    [
        (">27.28</td>", ">27.29</td>", "table 'sop-sop': rows"),
        (", ns</span>", ", ms</span>", "table 'sop-sop': headings"),
        ("--seed 1", "--seed 2", "table 'sop-sop': commands"),
        ("Estimated, no samples.", "Estimated, some samples.", "table 'luts': note"),
        ('<th scope="col" class="words">verdict', "<th hidden>verdict", "table 'luts': headings"),
        ('<svg class="narrow"', "<svg", "plot 'sop-sop-plot': 2 pictures to be seen"),
        ("<h2>", '<h2 style="width: 3000px">', "outside the window: <h2"),
        ("<dt>commit</dt>", "<dt style='width: 9px; white-space: nowrap'>a commit</dt>", "too long for its box: <dt"),
        ("--muted: #565f69", "--muted: #8a9097", "contrast 3."),
        ("</main>", "<script>throw Error('planted')</script></main>", "script error: planted"),
        ("</main>", '<img src="missing.png" alt=""></main>', "asks for file:"),
        ('href="csv/luts.csv"', 'href="csv/none.csv"', "link to no file: csv/none.csv"),
        ('href="#timing"', 'href="#nowhere"', "link to nothing: #nowhere"),
        ('id="timing"', 'id="latency"', "id 'latency' twice"),
    ],
    [
        ('<svg class="wide"', '<svg style="display: none"', "plot 'sop-sop-plot': 0 pictures to be seen"),
        ("--paper: #ffffff", "--paper: #888888", "background rgb(136, 136, 136)"),
    ],
    [
        ('class="mark n0"', 'class="other"', "plot 'sop-sop-plot': 7 marks for 8"),
        (">RX FIFO, 32/32</text>", "></text>", "plot 'sop-sop-plot': does not say 'RX FIFO, 32/32'"),
        ("</svg>", '<text x="1" y="25">no FIFO at all</text></svg>', "lies on 'no FIFO at all'"),
        ("</svg>", '<text x="990" y="200">cut</text></svg>', "text 'cut' is cut off"),
        ('<figure class="table" id="luts">', '<figure id="luts">', "tables ['sop-sop']"),
    ],
    [('<figure class="plot" id="sizes">', '<figure id="sizes">', "plots ['sop-sop-plot'")],
]


@pytest.mark.parametrize("faults", FAULTS, ids=range(len(FAULTS)))
def test_faults_are_seen(browser, folder, faults):
    page = (folder / "index.html").read_text()
    for whole, broken, _ in faults:
        assert whole in page
        page = page.replace(whole, broken, 1)
    path = folder / "broken.html"
    path.write_text(page)
    problems = problems_of(browser, path, folder / "report.json", 1400, False)
    for *_, found in faults:
        assert any(found in problem for problem in problems), (found, problems)


@pytest.mark.parametrize(
    "plot,number,key,value",
    [
        ("sop-sop-plot", 1, "high", 35.9),
        ("clocks-log", 2, "low", 2200),
        ("luts-plot", 3, "ours", 1000),
        ("histograms", 0, "values", [[24.82 + k, 100] for k in range(7)]),
        ("histograms", 6, "values", [[48.57, 100]]),
        ("sizes", 2, "x", [60, 64, 128, 256, 512, 1024, 1152, 1518]),
        ("sizes", 0, "published", [None, 29.44, None, None, 34.66, None, 28.44, 41.592]),
        ("sizes", 0, "published", [28.44, None, None, None, 34.66, None, 28.44, 41.592]),
        ("sizes", 1, "published", None),
        ("phases", 1, "high", [37.76] * 33),
        ("points", 0, "low", [1.5]),
        ("points", 1, "high", [6.0]),
        ("sop-sop-plot", 2, "mid", 39.28),
        ("sop-sop-plot", 4, "published", [40.34, 47.54]),
        ("histograms", 1, "published", [31.56, 38.76]),
        ("luts-plot", 1, "published", 1100),
        ("luts-plot", 1, "published", None),
        ("clocks", 0, "needs", 600.0),
        ("clocks", 0, "needs", None),
        ("phases", 0, "mean", [27.28] * 33),
    ],
)
def test_mark_out_of_place_is_seen(look, folder, plot, number, key, value):
    """The JSON has a different value from the drawn one."""
    report = json.loads((folder / "report.json").read_text())
    items = {item["id"]: item for section in report["sections"] for item in section["items"]}
    items[plot]["marks"][number][key] = value
    problems = problems_in(look, folder, report, False)
    assert problems and all(problem.startswith(f"plot '{plot}': ") for problem in problems)


def test_same_plots_in_another_process(folder):
    program = "from sample_report import sample; from ullnic.report.plots import draw\n"
    program += "plots = {type(p.marks[0]): p for s in sample().sections for p in s.plots()}\n"
    program += "print('@'.join(map(draw, plots.values())), end='')"
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    env = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "7"}
    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env, check=True).stdout
    page = (folder / "index.html").read_text()
    assert [plot in page for plot in other.split("@")] == [True] * 4


def test_without_files_beside_it(browser, tmp_path):
    """No link to JSON or CSV if the caller has none, and no optional parts."""
    from ullnic.report.page import render

    table = sample().sections[2].tables()[0]
    report = Report("title", (), (), (Section("only", "Only", (), (table,)),))
    (tmp_path / "index.html").write_text(render(report))
    (tmp_path / "report.json").write_text(json.dumps(report.as_json()))
    assert problems_of(browser, tmp_path / "index.html", tmp_path / "report.json", 1400, False) == []


@pytest.mark.parametrize(
    "text,marked",
    [
        ("plain", "plain"),
        ("`a` and `b`", "<code>a</code> and <code>b</code>"),
        ("a lone ` stays", "a lone ` stays"),
        ("`a` and a lone `", "<code>a</code> and a lone `"),
        ("`<b>` & <i>", "<code>&lt;b&gt;</code> &amp; &lt;i&gt;"),
        ("**no** _other_", "**no** _other_"),
    ],
)
def test_code_in_text(text, marked):
    from ullnic.report.page import code

    assert code(text) == marked


@pytest.mark.parametrize(
    "marks,log_x,said",
    [
        ((), False, "nothing to draw"),
        ((Pair("a", 1.0, None),), True, "no logarithmic axis"),
        ((Range("a", 0.0, 1.0, 2.0),), True, "0.0 on a logarithmic axis"),
    ],
)
def test_what_cannot_be_drawn(marks, log_x, said):
    from ullnic.report.plots import draw

    with pytest.raises(ValueError, match=said):
        draw(Plot("id", "title", "note", "x", marks, log_x=log_x))


def test_hostile_label_is_text_in_a_plot():
    from ullnic.report.plots import draw

    drawn = draw(Plot("id", HOSTILE, "note", HOSTILE, (Range(HOSTILE, 1.0, 2.0, 3.0),)))
    assert "<script" not in drawn and "id=" not in drawn and "&lt;script&gt;" in drawn


def apart(function, *arguments):
    """In a separate thread: Playwright does not start twice in one."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(function, *arguments).result()


def test_picture(browser, folder, tmp_path):
    """The picture shows the dark page: the theme is applied. `browser`: only where there is one."""
    from matplotlib.image import imread

    picture = tmp_path / "top.png"
    apart(browsers.screenshot, folder / "index.html", picture, 1400, 900, True)
    pixels = imread(picture)
    assert pixels.shape[:2] == (900, 1400)
    assert max(pixels[0, 0, :3]) < 0.2
    assert picture.stat().st_size < 300_000


def test_chromium_that_is_none(monkeypatch):
    monkeypatch.setenv("ULLNIC_CHROMIUM", "/nowhere/chromium")
    with pytest.raises(UllnicError, match="/nowhere/chromium is not a program") as caught:
        browsers.find_chromium()
    assert "unset it" in caught.value.remedy


def test_chromium_that_does_not_start(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("ULLNIC_CHROMIUM", "/bin/false")
    with pytest.raises(UllnicError, match="/bin/false does not start") as caught:
        apart(browsers.screenshot, folder / "index.html", tmp_path / "top.png", 1400, 900)
    assert "install Debian's package chromium" in caught.value.remedy
