"""`orchestrate serve` as a child process on a free port, which ends together with this process."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from typing import List, Optional, Sequence


#: A small process that interrupts the server as Ctrl-C does once its standard input ends, which is when the process that has the other end is gone.
_GUARD = """
import os, signal, sys
sys.stdin.read()
try:
    os.kill(int(sys.argv[1]), signal.SIGINT if os.name == "posix" else signal.SIGTERM)
except OSError:
    pass
"""


class Server:
    """Serves a scenario in lockstep at `address`. The folder `logs` gets a log of each run; without it, the server chooses one."""

    def __init__(
        self,
        scenario: str,
        *,
        logs: Optional[str] = None,
        seed: Optional[str] = None,
        set: Sequence[str] = (),
        keep: Sequence[str] = (),
        modules: Sequence[str] = (),
        runs: int = 2,
        command: Optional[Sequence[str]] = None,
    ):
        program = list(command or _program())
        words = ["serve", scenario, "--listen", "127.0.0.1:0", "--pace", "lockstep", "--wait", "all"]
        # A learner may take its time, also while its process is too busy to renew a lease.
        words += ["--window", "86400000", "--ttl", "86400000"]
        # A run that was left ends while the next one begins; with more than one the server outlives a run.
        words += ["--runs", str(runs)]
        words += [] if logs is None else ["--out", os.path.join(logs, "")]
        words += [] if seed is None else ["--seed", seed]
        for option, values in (("--set", set), ("--keep", keep), ("--modules", modules)):
            words += [word for value in values for word in (option, value)]
        self._logs = logs
        self._first = ""
        self._said: List[str] = []
        self._process = subprocess.Popen(
            program + words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        # Also if this process is killed: then nothing else here would run. Ctrl-C in a terminal is not for the guard.
        self._guard = subprocess.Popen(
            [sys.executable, "-c", _GUARD, str(self._process.pid)], stdin=subprocess.PIPE, start_new_session=True
        )
        try:
            self.address = self._wait()
        except BaseException:
            self.close()
            raise
        threading.Thread(target=self._drain, daemon=True).start()
        # An environment that was never closed gives its server the time to end its runs.
        atexit.register(self.close)

    def _wait(self) -> str:
        for line in self._process.stdout:
            self._said.append(line)
            found = re.match(r"serving (\S+), run (\S+)", line)
            if found:
                self._first = found.group(2)
                return found.group(1)
        raise RuntimeError("orchestrate serve did not start; it printed:\n" + "".join(self._said))

    def _drain(self) -> None:
        # It ends with the server; nobody reads what is said after the start.
        try:
            for _ in self._process.stdout:
                pass
        except ValueError:
            pass

    def close(self) -> None:
        # First, so that it never interrupts another process that got the server's number.
        self._guard.kill()
        self._guard.wait()
        self._guard.stdin.close()
        if self._process.poll() is None:
            # As Ctrl-C does: its runs get their ends.
            if os.name == "posix":
                self._process.send_signal(signal.SIGINT)
            else:
                self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process.stdout.close()
        atexit.unregister(self.close)
        self._remove_unplayed()

    def _remove_unplayed(self) -> None:
        """Removes the log of the server's first run if nothing was played in it: every episode begins its own run."""
        path = os.path.join(self._logs or "", f"{self._first}.sqlite")
        if self._logs is None or not os.path.exists(path):
            return
        with sqlite3.connect(path) as log:
            steps = log.execute("SELECT count(*) FROM steps").fetchone()[0]
        log.close()
        if steps == 0:
            for left in (path, f"{path}-wal", f"{path}-shm"):
                if os.path.exists(left):
                    os.remove(left)


def _program() -> List[str]:
    named = os.environ.get("ORCHESTRATE")
    if named:
        return named.split()
    found = shutil.which("orchestrate")
    if found is None:
        raise FileNotFoundError("orchestrate is not on the PATH: install it, set ORCHESTRATE to the command that starts it, or pass command=")
    return [found]
