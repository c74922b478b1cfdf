"""Plays an episode of the Brass Key at the address of a server, with replies that win: `python play.py http://127.0.0.1:8000`."""

import sys

from orchestrate_world import OrchestrateWorld, ReplyAction

WAY = [
    "GO TO brass key",
    "TAKE brass key",
    "GO TO oak door",
    "OPEN oak door",
    "GO east",
    "GO TO silver goblet",
    "TAKE silver goblet",
]

with OrchestrateWorld(base_url=sys.argv[1]).sync() as world:
    result = world.reset(seed=1)
    for action in WAY:
        print(f"turn {result.observation.tick}: {action}")
        result = world.step(ReplyAction(reply=f"ACTION: {action}"))
    print(f"done {result.done}, won {result.observation.terminated}, reward {result.reward}")
