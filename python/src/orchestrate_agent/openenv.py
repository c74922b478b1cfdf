"""Worlds over OpenEnv: an observation is the request that a model would get, an action is a reply in words.

    from orchestrate_agent.openenv import openenv_app

    app = openenv_app("goblet.yaml", size=8, logs="runs")       # then: uvicorn module:app

    with GenericEnvClient(base_url="http://127.0.0.1:8000").sync() as env:
        result = env.reset(seed=1)
        result = env.step({"reply": "ACTION: GO north"})
"""

from __future__ import annotations

import threading
from typing import Any, Dict, List, Optional

from fastapi import FastAPI
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from .chat import ChatEnv, ChatEnvs, ChatObservation, Snapshot, chat_envs
from .openai import openai_messages


class ReplyAction(Action):
    reply: str = Field(description="The text of a reply, as a model would write it")


class RequestObservation(Observation):
    """A request to a model, in the format of OpenAI-compatible servers, and the result of the previous reply."""

    messages: List[Dict[str, Any]] = Field(
        default_factory=list, description="Messages of the request; empty after the end of the episode; pictures are PNG data URLs"
    )
    form: Dict[str, Any] = Field(
        default_factory=dict, description="The form of the reply: protocol, regex, schema, grammar, tools and sampling_seed"
    )
    run: str = Field(default="", description="The id of the run; its log is RUN.sqlite")
    tick: int = 0
    attempt: int = 0
    rewards: Dict[str, float] = Field(default_factory=dict, description="The reward split by the keys of the scenario's rewards")
    terminated: bool = Field(default=False, description="Whether the world's rules ended the episode")
    truncated: bool = Field(default=False, description="Whether a limit such as turns.max ended it")
    message: str = Field(default="", description="Why the reply was refused, or the result of a free action")


class OrchestrateEnvironment(Environment[ReplyAction, RequestObservation, State]):
    """One world. `reset` takes seed and overrides, and the run and tick of an observation to continue from there."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, env: ChatEnv, release: Any):
        super().__init__()
        self._env, self._release = env, release
        self._state = State()

    def reset(
        self,
        seed: Optional[int] = None,
        episode_id: Optional[str] = None,
        overrides: Any = (),
        run: Optional[str] = None,
        tick: Optional[int] = None,
        **_: Any,
    ) -> RequestObservation:
        snapshot = None if run is None else Snapshot(run, 1 if tick is None else tick)
        asked = self._env.reset(seed, overrides, snapshot)
        self._state = State(episode_id=episode_id or asked.run, step_count=0)
        return RequestObservation(**request_of(asked))

    def step(self, action: ReplyAction, timeout_s: Optional[float] = None, **_: Any) -> RequestObservation:
        step = self._env.step(action.reply)
        self._state.step_count += 1
        return RequestObservation(
            **({"run": self._env.run} if step.observation is None else request_of(step.observation)),
            done=step.is_over,
            reward=step.reward,
            rewards=step.rewards,
            terminated=step.terminated,
            truncated=step.truncated,
            message=step.message,
        )

    @property
    def state(self) -> State:
        return self._state

    def close(self) -> None:
        self._env.close()
        self._release(self._env)


def request_of(observation: ChatObservation) -> Dict[str, Any]:
    """A request as plain data."""
    return {
        "messages": openai_messages(observation),
        "form": vars(observation.form),
        "run": observation.run,
        "tick": observation.tick,
        "attempt": observation.attempt,
    }


def openenv_app(scenario: str, entity: Optional[str] = None, *, size: int = 8, **options: Any) -> FastAPI:
    """An OpenEnv server for up to `size` sessions, each with its own world; it has the options of `chat_envs`."""
    envs: ChatEnvs = chat_envs(scenario, entity, size=size, **options)
    free, lock = list(envs.envs), threading.Lock()

    def release(env: ChatEnv) -> None:
        with lock:
            if env not in free:
                free.append(env)

    def environment() -> OrchestrateEnvironment:
        with lock:
            if not free:
                raise RuntimeError(f"all {size} worlds are in use: raise size= to serve more")
            return OrchestrateEnvironment(free.pop(), release)

    # With OpenEnv's page for people at /web where ENABLE_WEB_INTERFACE is true, as `openenv push` sets it.
    app = create_app(environment, ReplyAction, RequestObservation, env_name="orchestrate", max_concurrent_envs=size)
    # A child process that its server leaves behind would play on.
    app.router.on_shutdown.append(envs.close)
    return app
