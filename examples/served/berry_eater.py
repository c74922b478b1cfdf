#!/usr/bin/env python3
"""Eats berries in the world of scenarios/berries.yaml: walks to heaps, picks an amount, eats it, tells of the tree and shakes it, opens what is in the way.

`orchestrate runner examples/served/berries.runner.yaml` runs one for each entity. Its configuration, a JSON file at AGENT_CONFIG_PATH:
`appetite` (2) is how many of each kind it eats, `first` the kind that it looks for before the others.
"""

import json
import os
import zlib
from collections import deque

from orchestrate_agent import play

WAYS = {
    "north": (0, -1),
    "north-east": (1, -1),
    "east": (1, 0),
    "south-east": (1, 1),
    "south": (0, 1),
    "south-west": (-1, 1),
    "west": (-1, 0),
    "north-west": (-1, -1),
}
# Tiles: SPEAK reaches 6, and others may take a step meanwhile.
HEARD_AT = 4
KINDS = ("red berries", "blue berries", "golden berries")


class BerryEater:
    def __init__(self, appetite=2, first=KINDS[0]):
        self.hunger = {kind: appetite for kind in sorted(KINDS, key=lambda kind: kind != first)}
        self.knows_tree = self.has_told = False

    def decide(self, seen):
        facts = seen.facts
        return (
            self.eat(facts)
            or self.pick(facts)
            or self.tell(seen)
            or self.go_eat(facts)
            or self.shake(seen)
            or self.open_door(seen)
            or self.explore(facts)
            or "WAIT"
        )

    def eat(self, facts):
        for held in facts["self"]["holds"]:
            if held["name"] in self.hunger:
                return {"action": "USE", "thing": held["id"], "amount": held["amount"]}
        return None

    def pick(self, facts):
        for thing in self.wanted(facts):
            if thing["distance"] == 0:
                amount = min(self.hunger[thing["name"]], thing["amount"])
                return {"action": "TAKE", "thing": thing["id"], "amount": amount}
        return None

    def go_eat(self, facts):
        for thing in self.wanted(facts):
            move = toward(facts, [(thing["x"], thing["y"])])
            if move:
                return move
        return None

    def wanted(self, facts):
        """Heaps in sight, or seen before, of what it still wants: the kind comes first, then the distance."""
        heaps = facts["things"] + [dict(thing, amount=1) for thing in facts["remembered"]]
        kinds = [kind for kind, left in self.hunger.items() if left > 0]
        wanted = [thing for thing in heaps if thing["name"] in kinds]
        return sorted(wanted, key=lambda thing: (kinds.index(thing["name"]), thing["distance"]))

    def tell(self, seen):
        """Whoever has seen the tree tells the first that it meets."""
        self.knows_tree |= any(thing["name"] == "berry tree" for thing in seen.facts["things"])
        is_anyone_near = any(body["distance"] <= HEARD_AT for body in seen.facts["bodies"])
        if self.has_told or not (self.knows_tree and is_anyone_near):
            return None
        self.has_told = True
        return {"action": "SPEAK", "text": "Golden berries hang in the tree of the orchard. Shake it with me!"}

    def shake(self, seen):
        trees = [thing for thing in seen.facts["things"] if thing["name"] == "berry tree"]
        if not trees or self.hunger["golden berries"] <= 0:
            return None
        tree = trees[0]
        if near(seen.facts["self"], tree):
            return {"action": "USE", "thing": tree["id"]}
        return toward(seen.facts, around(tree))

    def open_door(self, seen):
        closed = [door for door in seen.facts["doors"] if door["state"] == "closed"]
        for door in sorted(closed, key=lambda door: door["distance"]):
            if near(seen.facts["self"], door):
                return {"action": "OPEN", "target": door["id"]}
            move = toward(seen.facts, around(door))
            if move:
                return move
        return None

    def explore(self, facts):
        for tile in facts["frontier"]:
            move = toward(facts, [(tile["x"], tile["y"])])
            if move:
                return move
        return aside(facts)

    def heard(self, seen, ack):
        """What became of the last intent."""
        if ack.accepted and ack.action == "USE":
            self.swallow(seen.facts)
        print(f"T{seen.tick} {ack.action or ack.reason} {ack.message}", flush=True)

    def swallow(self, facts):
        for held in facts["self"]["holds"]:
            if held["name"] in self.hunger:
                self.hunger[held["name"]] -= held["amount"]
                return


def near(one, other):
    return abs(one["x"] - other["x"]) + abs(one["y"] - other["y"]) <= 1


def around(thing):
    return [(thing["x"] + dx, thing["y"] + dy) for dx, dy in WAYS.values() if 0 in (dx, dy)]


def toward(facts, goals):
    """A step on the way to one of the tiles; None for no way. Where others stand in it, it queues, and steps aside now and then."""
    bodies = {(body["x"], body["y"]) for body in facts["bodies"]}
    way = first_step(facts, goals, bodies)
    if way:
        return {"action": "GO", "direction": way}
    if first_step(facts, goals, set()) is None:
        return None
    return aside(facts) if mood(facts) % 3 == 0 else {"action": "WAIT"}


def aside(facts):
    """Makes room for others, each another way."""
    steps = facts["steps"]
    return {"action": "GO", "direction": steps[mood(facts) % len(steps)]} if steps else None


def mood(facts):
    """A number that differs from turn to turn and from one to another, and is the same in every run."""
    return zlib.crc32(f"{facts['self']['id']} {facts['turn']}".encode())


def first_step(facts, goals, bodies):
    """The first of the fewest steps to one of the tiles, over known ground and around bodies; None for no way.

    Where all of them lie outside the window, it is a step to the tile in it that is nearest to one.
    """
    window, me = facts["window"], facts["self"]

    def is_inside(x, y):
        row, column = y - window["y"], x - window["x"]
        return 0 <= row < len(window["rows"]) and 0 <= column < len(window["rows"][row])

    def is_free(x, y):
        ground = window["rows"][y - window["y"]][x - window["x"]] if is_inside(x, y) else "?"
        return ground == "." and (x, y) not in bodies

    start, goals = (me["x"], me["y"]), set(goals)
    ways, queue = {start: None}, deque([start])
    while queue:
        x, y = queue.popleft()
        if (x, y) in goals:
            return ways[x, y]
        for name, (dx, dy) in WAYS.items():
            # A diagonal step needs both tiles beside it.
            is_open = is_free(x + dx, y + dy) and (0 in (dx, dy) or (is_free(x + dx, y) and is_free(x, y + dy)))
            if is_open and (x + dx, y + dy) not in ways:
                ways[x + dx, y + dy] = ways[x, y] or name
                queue.append((x + dx, y + dy))
    return ways[nearest(ways, goals)] if not any(is_inside(x, y) for x, y in goals) else None


def nearest(tiles, goals):
    return min(tiles, key=lambda tile: min(max(abs(tile[0] - x), abs(tile[1] - y)) for x, y in goals))


def configured():
    path = os.environ.get("AGENT_CONFIG_PATH")
    if path is None:
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file) or {}


if __name__ == "__main__":
    eater = BerryEater(**configured())
    ended = play(eater.decide, heard=eater.heard)
    print(ended.state, ended.reason)
