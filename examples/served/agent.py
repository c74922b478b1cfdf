#!/usr/bin/env python3
"""Explores a served grid world: picks up what it can, tries exits it has not tried. Run by hand or by `orchestrate runner`."""

from orchestrate_agent import play

tried = {}


def decide(observation):
    things = observation.offers.get("TAKE", {}).get("thing", [])
    if things:
        return {"action": "TAKE", "thing": things[0]}
    here = (observation.facts["self"]["x"], observation.facts["self"]["y"])
    exits = observation.offers.get("GO", {}).get("direction", [])
    if not exits:
        return "WAIT"
    # The exit that was taken least often from here.
    direction = min(exits, key=lambda way: tried.get((here, way), 0))
    tried[here, direction] = tried.get((here, direction), 0) + 1
    return {"action": "GO", "direction": direction}


if __name__ == "__main__":
    ended = play(decide, heard=lambda seen, ack: print(f"T{seen.tick} {ack.action} {ack.message}"))
    print(ended.state, ended.reason)
