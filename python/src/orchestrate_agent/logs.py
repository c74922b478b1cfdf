"""Reads logs without the program: runs, steps, calls and rewards as pandas data frames, frames as arrays.

    from orchestrate_agent.logs import frames, read_log

    log = read_log("runs/crypt-1bd850fa.sqlite")
    log.rewards.groupby(["run_id", "agent"])["reward"].sum()

The content of the log is not checked; `orchestrate verify` does that.
"""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Union

import numpy as np
import pandas as pd
import pyarrow as pa
from PIL import Image

#: "orch", as in the header of every log.
_APPLICATION = 0x6F726368
#: The newest version of the tables that is understood.
_VERSION = 6

#: By run: itself, and for a fork the runs whose steps it begins with, each with the steps that are its own.
_LINEAGE = """
WITH RECURSIVE lineage (child, run, first, last) AS (
  SELECT run, run, coalesce(fork_step, 1), 9007199254740991 FROM runs
  UNION ALL
  SELECT child, parents.run, coalesce(parents.fork_step, 1), min(lineage.last, lineage.first - 1)
  FROM lineage JOIN runs AS forks ON forks.run = lineage.run JOIN runs AS parents ON parents.run = forks.parent_run
)
"""

_RUNS = """
SELECT run_id, name, seed, coalesce(status, 'running') AS status, reason, turns, steps, genesis, chain, started_at, ended_at
FROM runs JOIN sittings AS first ON first.run = runs.run AND first.sitting = 1
LEFT JOIN ends ON ends.run = runs.run
  AND ends.sitting = (SELECT max(sitting) FROM sittings WHERE sittings.run = runs.run)
ORDER BY runs.run
"""

_STEPS = (
    _LINEAGE
    + """
SELECT runs.run_id, step, turn, agent, acts, %s AS rewards, state, steps.chain, finished_at
FROM lineage JOIN runs ON runs.run = child JOIN steps ON steps.run = lineage.run AND step BETWEEN first AND last
ORDER BY child, step
"""
)

_CALLS = (
    _LINEAGE
    + """
SELECT runs.run_id, calls.call, step, turn, agent, attempt, purpose, controller, content, reasoning, error, finish_reason,
  model, json_extract(usage, '$.promptTokens') AS prompt_tokens,
  json_extract(usage, '$.completionTokens') AS completion_tokens, latency_ms
FROM lineage JOIN runs ON runs.run = child JOIN calls ON calls.run = lineage.run AND step BETWEEN first AND last
LEFT JOIN replies ON replies.run = calls.run AND replies.call = calls.call
ORDER BY child, calls.call
"""
)

_FRAMES = (
    _LINEAGE
    + """
SELECT runs.run_id, calls.call, step, turn, agent, png
FROM lineage JOIN runs ON runs.run = child JOIN calls ON calls.run = lineage.run AND step BETWEEN first AND last
JOIN frames USING (frame)
WHERE (:run IS NULL OR runs.run_id = :run) AND (:agent IS NULL OR agent = :agent)
ORDER BY child, calls.call
"""
)


@dataclass(frozen=True)
class Log:
    """The tables of a log. Times are milliseconds since 1970."""

    #: One row a run: how it ended.
    runs: pd.DataFrame
    #: One row an agent's step: the act that settled it, and what it came to. `reward` is what the agent was paid from it up to its next step.
    steps: pd.DataFrame
    #: One row a call of a model or program, with its reply.
    calls: pd.DataFrame
    #: One row a payment: at which step an agent got it.
    rewards: pd.DataFrame

    def to_arrow(self) -> Dict[str, pa.Table]:
        """The tables as pyarrow tables, by name."""
        tables = {"runs": self.runs, "steps": self.steps, "calls": self.calls, "rewards": self.rewards}
        return {name: pa.Table.from_pandas(table, preserve_index=False) for name, table in tables.items()}


@dataclass(frozen=True)
class Frame:
    """A picture that was sent with a call, as an array of height × width × RGB."""

    run_id: str
    call: int
    step: int
    turn: int
    agent: str
    pixels: np.ndarray


def read_log(path: Union[str, Path]) -> Log:
    """Reads all runs of a log. Raises ValueError if the file is not a log, is a log of a newer version,
    or is a log of version 4 or older and Python has a SQLite before 3.38."""
    with closing(_opened(path)) as db:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        column = "steps.rewards" if version >= 3 else "NULL"
        rows = db.execute(_STEPS % column).fetchall()
        return Log(
            runs=pd.read_sql_query(_RUNS, db),
            steps=_steps(rows),
            calls=pd.read_sql_query(_CALLS, db),
            rewards=_rewards(rows),
        )


def frames(path: Union[str, Path], run: Optional[str] = None, agent: Optional[str] = None) -> Iterator[Frame]:
    """The pictures that were sent, in order; optionally only those of one run or agent."""
    with closing(_opened(path)) as db:
        for *head, png in db.execute(_FRAMES, {"run": run, "agent": agent}):
            yield Frame(*head, np.asarray(Image.open(io.BytesIO(png)).convert("RGB")))


def _opened(path: Union[str, Path]) -> sqlite3.Connection:
    db = sqlite3.connect(f"{Path(path).resolve(strict=True).as_uri()}?mode=ro", uri=True)
    try:
        found = db.execute("PRAGMA application_id").fetchone()[0]
        version = db.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as error:
        db.close()
        raise ValueError(f"{path} is not a log") from error
    if found != _APPLICATION or version > _VERSION:
        db.close()
        raise ValueError(f"{path} is {'a log of a newer version' if found == _APPLICATION else 'not a log'}")
    if version < 5 and sqlite3.sqlite_version_info < (3, 38):
        db.close()
        needs = f"tables of version {version} need SQLite 3.38, and this Python has {sqlite3.sqlite_version}"
        raise ValueError(f"{path} can not be read: {needs}")
    return db


def _paid(rows) -> List[dict]:
    return [
        {"run_id": run_id, "step": step, "turn": turn, "agent": agent, "reward": float(amount)}
        for run_id, step, turn, _, _, rewards, *_ in rows
        for agent, amount in (json.loads(rewards)["paid"] if rewards else {}).items()
    ]


def _rewards(rows) -> pd.DataFrame:
    columns = {"run_id": "str", "step": "int64", "turn": "int64", "agent": "str", "reward": "float64"}
    return pd.DataFrame(_paid(rows), columns=list(columns)).astype(columns)


def _steps(rows) -> pd.DataFrame:
    made: List[dict] = []
    newest: Dict[tuple, dict] = {}
    for run_id, step, turn, agent, acts, rewards, state, chain, finished_at in rows:
        if agent != "world":
            row = _step(json.loads(acts))
            row = {"run_id": run_id, "step": step, "turn": turn, "agent": agent, **row, "reward": 0.0}
            row = {**row, "state": state, "chain": chain, "finished_at": finished_at}
            made.append(row)
            newest[run_id, agent] = row
        for each, amount in (json.loads(rewards)["paid"] if rewards else {}).items():
            # What an agent gets before its first step is of no act of its own.
            if (run_id, each) in newest:
                newest[run_id, each]["reward"] = round(newest[run_id, each]["reward"] + amount, 6)
    columns = "run_id step turn agent action args ok message instead_of refused unreadable unanswered reward state chain finished_at"
    return pd.DataFrame(made, columns=columns.split())


#: The codes of requests to which no answer came: none of them is a mistake in an answer.
_UNANSWERED = ("server-error", "no-choice", "filtered", "refused-by-model")


def _step(acts: List[dict]) -> dict:
    last = acts[-1]
    intent, result = last.get("intent") or {}, last["result"]
    failed = [act for act in acts if not act["result"]["ok"] and act.get("insteadOf") is None]
    unanswered = [act for act in failed if act["result"]["problem"]["code"] in _UNANSWERED]
    unread = [act for act in failed if act.get("intent") is None and act not in unanswered]
    return {
        "action": intent.get("action"),
        "args": json.dumps(intent.get("args", {})),
        "ok": result["ok"],
        "message": result["message"] if result["ok"] else result["problem"]["message"],
        "instead_of": (last.get("insteadOf") or {}).get("code"),
        "refused": len(failed) - len(unread) - len(unanswered),
        "unreadable": len(unread),
        "unanswered": len(unanswered),
    }
