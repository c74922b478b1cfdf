"""The client: the world's own types in place of OpenEnv's untyped dictionaries."""

from typing import Any, Dict

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import State
from orchestrate_agent.openenv import ReplyAction, RequestObservation


class OrchestrateWorld(EnvClient[ReplyAction, RequestObservation, State]):
    def _step_payload(self, action: ReplyAction) -> Dict[str, Any]:
        return {"reply": action.reply}

    def _parse_result(self, payload: Dict[str, Any]) -> StepResult[RequestObservation]:
        reward, done = payload.get("reward"), payload.get("done", False)
        observation = RequestObservation(**{**payload["observation"], "reward": reward, "done": done})
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: Dict[str, Any]) -> State:
        return State(**payload)
