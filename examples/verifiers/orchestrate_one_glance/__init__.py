"""One Glance for verifiers: a medicine is shown once, and one of the same colour must be taken elsewhere. A task is a seed, and each request of its episode is a
trace with the pictures that the agent has seen.

    vf-eval orchestrate-one-glance -n 10
"""

from typing import List, Optional

import verifiers.v1 as vf
from orchestrate_verifiers import OrchestrateEnv, OrchestrateTaskset, OrchestrateTasksetConfig, SeedTask

__all__ = ["OneGlanceTaskset", "OrchestrateEnv", "load_environment"]


class OneGlanceConfig(OrchestrateTasksetConfig):
    id: str = "orchestrate-one-glance"
    scenario: str = "one-glance"
    entity: Optional[str] = "apprentice"
    # Four past pictures, since words alone don't tell the colour; 1 for a success.
    set: List[str] = ["agents.apprentice.memory.pictures=4", "rewards={success: 1}"]


class OneGlanceTaskset(OrchestrateTaskset, vf.Taskset[SeedTask, OneGlanceConfig]):
    pass


def load_environment(**settings: object) -> vf.Env:
    """The environment with other settings than its own, such as `seeds=20` or `logs="runs"`."""
    return vf.load_environment(vf.resolve_env_config({"taskset": {"id": "orchestrate-one-glance", **settings}}))
