"""Lets a Python program play entities of a world that `orchestrate serve` runs.

    from orchestrate_agent import play

    def decide(observation):
        return "GO north" if observation.can("GO") else "WAIT"

    play(decide, entity="knight")
"""

from .client import Lease, LeaseHeld, LeaseLost, World, WorldError, WorldUnreachable
from .intents import IntentError
from .observation import Observation
from .play import Ack, Ended, play

__all__ = [
    "Ack",
    "Ended",
    "IntentError",
    "Lease",
    "LeaseHeld",
    "LeaseLost",
    "Observation",
    "World",
    "WorldError",
    "WorldUnreachable",
    "play",
]
