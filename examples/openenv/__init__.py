"""A world of orchestrate over OpenEnv: an observation is the request that a model would get, an action is its reply."""

from .client import OrchestrateWorld, ReplyAction, RequestObservation

__all__ = ["OrchestrateWorld", "ReplyAction", "RequestObservation"]
