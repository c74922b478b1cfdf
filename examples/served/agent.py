#!/usr/bin/env python3
"""Explores a served grid world: picks up what it can, else goes where it went least often. Run by hand or by `orchestrate runner`."""

from orchestrate_agent import play

gone = {}


def decide(observation):
    things = observation.offers.get("TAKE", {}).get("thing", [])
    if things:
        return {"action": "TAKE", "thing": things[0]}
    go = observation.offers.get("GO", {})
    ways = [(slot, way) for slot in ("direction", "target") for way in go.get(slot, [])]
    if not ways:
        return "WAIT"
    slot, way = min(ways, key=lambda one: gone.get(one, 0))
    gone[slot, way] = gone.get((slot, way), 0) + 1
    return {"action": "GO", slot: way}


if __name__ == "__main__":
    ended = play(decide, heard=lambda seen, ack: print(f"T{seen.tick} {ack.action} {ack.message}"))
    print(ended.state, ended.reason)
