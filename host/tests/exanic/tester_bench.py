# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A simulated card that answers, and the tester that its ports are connected to."""

import csv
import json
import os
import signal
import subprocess
from pathlib import Path

PATIENCE_S = 120


def lock_check(host: Path) -> dict[str, str]:
    """For a program whose locks are checked: lock_check.c. The sanitizers, which have their own check, build it not."""
    library = host / "lib" / "libullnic-lock-check.so"
    return {"LD_PRELOAD": str(library)} if library.exists() else {}


class TesterBench:
    def __init__(self, folder: Path, host: Path, card_program: Path, card: str, setting: int | None = 0):
        """`setting`: of the answering card, see answering_card.c; None: it is exanic1, and nothing arms it."""
        folder.mkdir()
        self.folder, self.host = folder, host
        self.card_name = f"vfio-user:{folder / 'card.sock'}"
        self.tester_name = f"vfio-user:{folder / 'tester.sock'}"
        self.card_says = ""
        self.holder = None
        command = [card_program, "--card", card, "--port", "0=tester", "--port", "1=tester"]
        command += ["--socket", folder / "card.sock", "--tester-socket", folder / "tester.sock"]
        command += ["--pcapng-dir", folder, "--samples", folder / "samples.csv", "--exit-on-stdin-eof"]
        self.card = self._start([*command, "--status-interval", 3600])
        try:
            ready = self.card.stdout.readline()
            assert ready and json.loads(ready)["event"] == "ready", ready
            if setting is None:
                return
            self.holder = self._start([host / "bin" / "exanic-test-card", self.card_name, setting])
            armed = self.holder.stdout.readline()
            assert armed == "armed\n", armed + self.holder.stderr.read()
        except BaseException:
            self.close()
            raise

    @staticmethod
    def _start(command: list) -> subprocess.Popen:
        pipe = subprocess.PIPE
        return subprocess.Popen([str(each) for each in command], stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    def start(self, program: str, *arguments) -> subprocess.Popen:
        env = os.environ | {"ULLNIC_EXANIC0": self.tester_name}
        if self.holder is None:
            env["ULLNIC_EXANIC1"] = self.card_name
        env.pop("ULLNIC_EXANIC7", None)
        env |= lock_check(self.host)
        command = [self.host / "bin" / program, *arguments]
        pipe = subprocess.PIPE
        command = [str(each) for each in command]
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=env)

    def run(self, program: str, *arguments, code: int = 0, stdin: str = "") -> str:
        """Runs it; returns the program's stdout. Its standard error is in `self.err`."""
        process = self.start(program, *arguments)
        out = self.finish(process, stdin)
        assert process.returncode == code, f"exit {process.returncode}\n{out}\n{self.err}"
        return out

    def finish(self, process: subprocess.Popen, stdin: str = "") -> str:
        try:
            out, self.err = process.communicate(stdin, timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            out, self.err = process.communicate()
            raise AssertionError(f"still running after {PATIENCE_S} s\n{out}\n{self.err}") from None
        return out

    def stop_card(self) -> dict:
        """Ends the card gracefully; returns its summary. Its own samples can then be read."""
        orders, _ = self.holder.communicate("", timeout=PATIENCE_S)
        self.mirrored = int(orders)
        out, err = self.card.communicate("", timeout=PATIENCE_S)
        summary = json.loads(out.splitlines()[-1])
        assert summary["event"] == "summary", out + err
        return summary

    def kill_card(self) -> None:
        self.card.send_signal(signal.SIGKILL)

    def samples(self) -> list[dict]:
        """Samples as the simulation saw them on the lines."""
        with open(self.folder / "samples.csv", newline="") as file:
            return list(csv.DictReader(file))

    def close(self) -> None:
        for process in (self.holder, self.card):
            if process is not None and process.poll() is None:
                process.kill()
                process.communicate()
