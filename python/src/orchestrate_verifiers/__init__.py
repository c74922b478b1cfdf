"""Worlds for Prime Intellect's verifiers: a seed is a task, an episode is a run of a served world, and each request of an episode is a separate
trace, so that a trainer sees the requests that the program sends, one picture each. The reward of a trace is the sum of the rewards from its request to the
end of the episode.

    vf-eval orchestrate-verifiers --env.taskset.scenario goblet.yaml --env.taskset.logs runs
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, Dict, List, Optional, Tuple

import verifiers.v1 as vf

from orchestrate_agent.chat import ChatEnv, ChatEnvs, ChatObservation, ChatStep, chat_envs
from orchestrate_agent.openai import openai_messages

__all__ = ["OrchestrateEnv", "OrchestrateTaskset"]


class SeedData(vf.TaskData):
    seed: int


class SeedTask(vf.Task[SeedData]):
    pass


class RequestTask(vf.Task[vf.TaskData]):
    """One request: its messages are the prompt, and the world scores the reply."""


class OrchestrateTasksetConfig(vf.TasksetConfig):
    scenario: str = ""
    """Path of the scenario."""
    entity: Optional[str] = None
    """The entity to play, if the scenario has several."""
    keep: List[str] = []
    """Agents that the server plays."""
    set: List[str] = []
    """Settings such as `turns.max=20`."""
    logs: str = "runs"
    """Folder for the logs of the runs."""
    first_seed: int = 1
    seeds: int = 100
    """Number of seeds; each is a task."""
    size: int = 8
    """Number of worlds played at once."""


class OrchestrateTaskset(vf.Taskset[SeedTask, OrchestrateTasksetConfig]):
    def load(self) -> Iterator[SeedTask]:
        config = self.config
        for seed in range(config.first_seed, config.first_seed + config.seeds):
            yield SeedTask(SeedData(name=f"seed {seed}", seed=seed), config.task)


class OrchestrateEnvConfig(vf.EnvConfig):
    # Only a request and its reply: no tools, no sandbox.
    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"}, max_turns=1)


class OrchestrateEnv(vf.Env[OrchestrateEnvConfig]):
    _envs: Optional[ChatEnvs] = None

    async def start(self) -> None:
        config = self.taskset.config
        if not config.scenario:
            raise ValueError("no scenario was given: pass --env.taskset.scenario FILE")
        options: Dict[str, Any] = {"keep": config.keep, "set": config.set, "logs": config.logs}
        self._envs = await asyncio.to_thread(
            lambda: chat_envs(config.scenario, config.entity, size=config.size, controller="verifiers", **options)
        )
        self._free: asyncio.Queue[ChatEnv] = asyncio.Queue()
        for env in self._envs.envs:
            self._free.put_nowait(env)

    async def stop(self) -> None:
        if self._envs is not None:
            await asyncio.to_thread(self._envs.close)

    async def run(self, task: SeedTask, agents: vf.Agents) -> None:
        env = await self._free.get()
        try:
            played = await self._played(env, task, agents)
        finally:
            await asyncio.to_thread(env.close)
            self._free.put_nowait(env)
        left = 0.0
        for trace, step in reversed(played):
            left += step.reward
            trace.record_reward("return", left)
            trace.record_metrics({**step.rewards, "terminated": float(played[-1][1].terminated)})

    async def _played(self, env: ChatEnv, task: SeedTask, agents: vf.Agents) -> List[Tuple[vf.Trace, ChatStep]]:
        played: List[Tuple[vf.Trace, ChatStep]] = []
        asked: Optional[ChatObservation] = await asyncio.to_thread(env.reset, task.data.seed)
        while asked is not None:
            name = f"{task.data.name}, turn {asked.tick}"
            prompt: Any = openai_messages(asked)
            trace = await agents.player.run(RequestTask(vf.TaskData(name=name, prompt=prompt)))
            if not trace.ok:
                raise RuntimeError(f"the model did not answer: {trace.last_error}")
            step = await asyncio.to_thread(env.step, trace.last_reply)
            played.append((trace, step))
            asked = step.observation
        return played
