"""An agent for orchestrate in plain Python: JSON Lines on standard input and output.

    orchestrate run scenarios/crypt.yaml --process knight="python3 examples/python-agent/agent.py"

It reads what it is offered and what it sees, wants a few general things in a fixed order (read, tell, take, open, explore), and knows
nothing of any scenario. What it must remember goes back with every reply, so that a new process could go on where this one was.
docs/reference/controllers.md has the protocol.
"""

import json
import re
import sys

PATIENCE_TURNS = 6  # what was tried in a place is not tried there again for so long
NEAR_TILES = 4  # how far SPEAK is sure to carry


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"type": "ready", "protocol": 1})
        elif message["type"] == "observe":
            memory = message["memory"] or {"tried": {}, "read": [], "told": [], "visits": {}, "locks": {}}
            command, why = decide(message, memory)
            content = f"{why}\nACTION: {command}"
            say({"type": "reply", "id": message["id"], "content": content, "memory": memory})
        elif message["type"] == "end":
            return


def say(message):
    print(json.dumps(message), flush=True)  # without flush nobody hears it


def decide(message, memory):
    """The first wish that was not tried lately in the same place."""
    facts, turn = message["observation"]["facts"], message["turn"]
    offered = {one["action"]: one["slots"] for one in message["observation"]["offered"]}
    room = facts["self"]["room"] or "nowhere"
    if message["attempt"] == 1:
        memory["visits"][room] = memory["visits"].get(room, 0) + 1
    for command, why in wishes(facts, offered, memory):
        key = f"{room}: {command}"
        if turn - memory["tried"].get(key, -PATIENCE_TURNS) >= PATIENCE_TURNS:
            memory["tried"][key] = turn
            remember(command, facts, memory)
            return command, why
    return "WAIT", "There is nothing that I would rather do."


def remember(command, facts, memory):
    verb, _, rest = command.partition(" ")
    if verb == "READ":
        memory["read"].append(rest)
    if verb == "SPEAK":
        memory["told"].append(json.loads(rest))
    if verb == "OPEN":
        memory["locks"][rest] = keys(facts)


def wishes(facts, offered, memory):
    """Most urgent first, as pairs of a command and a reason. What lies at hand is what is offered with its name."""
    people = [one for one in facts["bodies"] if one["kind"] == "person" and one["distance"] <= NEAR_TILES]
    for name in offered.get("READ", {}).get("thing", []):
        if name not in memory["read"]:
            yield f"READ {name}", f"Something is written on the {name}."
    for sentence in writings(facts) if people and "SPEAK" in offered else []:
        if sentence not in memory["told"]:
            yield f"SPEAK {json.dumps(sentence)}", f"The {people[0]['name']} may need to know."
    for name in offered.get("TAKE", {}).get("thing", []):
        yield f"TAKE {name}", f"The {name} may be of use."
    at_hand = offered.get("OPEN", {}).get("target", [])
    for lid in facts["things"] + facts["doors"]:
        if lid["name"] in at_hand and can_open(lid, facts, memory):
            yield f"OPEN {lid['name']}", f"The {lid['name']} is shut."
    has_room = len(facts["self"]["holds"]) < facts["self"]["carryMax"]
    for thing in facts["things"]:
        is_news = thing["readable"] and thing["name"] not in memory["read"]
        is_loot = has_room and (thing["portable"] or any(one["portable"] for one in thing["inside"]))
        if not is_beside(thing, facts) and (is_news or is_loot or can_open(thing, facts, memory)):
            yield f"GO TO {thing['name']}", f"I want a closer look at the {thing['name']}."
    yield from explore(facts, offered, memory)


def explore(facts, offered, memory):
    """On where it has not been, then to what stayed shut, then to the room where it was least."""
    ways = offered.get("GO", {}).get("direction", [])
    unknown = [one for one in facts["exits"] if one["leadsTo"] is None]
    for one in unknown:
        is_alone = sum(other["side"] == one["side"] for other in facts["exits"]) == 1
        way = one["side"] if is_alone or is_beside(one, facts) else f"TO {one['name']}"
        if one["state"] == "open":
            yield f"GO {way}", f"Beyond the {one['name']} I have not been."
    for one in unknown:
        if can_open(one, facts, memory) and not is_beside(one, facts):
            yield f"GO TO {one['name']}", f"The {one['name']} leads on."
    for side in ways:
        if all(one["side"] != side for one in facts["exits"]):
            yield f"GO {side}", "There may be more to see that way."
    for one in facts["remembered"] + facts["exits"]:
        if can_open(one, facts, memory) and not is_beside(one, facts):
            yield f"GO TO {one['name']}", f"The {one['name']} may open now."
    others = [room for room in facts["rooms"] if room != facts["self"]["room"]]
    for room in sorted(others, key=lambda room: memory["visits"].get(room, 0)):
        yield f"GO TO {room}", "Something may have changed there."


def writings(facts):
    """Sentences that the agent read itself; what others told it, they know."""
    for line in facts["recalled"]:
        found = re.search(r'reads?: "(.*)"$', line)
        if found:
            yield from (one.strip() for one in re.findall(r"[^.!?]+[.!?]", found[1]))


def is_beside(place, facts):
    return max(abs(place["x"] - facts["self"]["x"]), abs(place["y"] - facts["self"]["y"])) <= 1


def can_open(place, facts, memory):
    """A lock is tried once with all that is in hand, and again with something new."""
    state = place.get("lid") or place.get("state")
    return state == "closed" or (state == "locked" and memory["locks"].get(place["name"], "") != keys(facts))


def keys(facts):
    return ", ".join(sorted(thing["name"] for thing in facts["self"]["holds"]))


if __name__ == "__main__":
    main()
