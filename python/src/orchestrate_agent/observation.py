"""What an entity perceives when it is asked to decide: a plain view of the message of the wire."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Mapping, Sequence

from .wire import world_pb2 as pb


@dataclass(frozen=True)
class Observation:
    """One question to a controller. Coordinates and distances are in tiles."""

    run: str
    entity: str
    tick: int
    #: From 1; more after a refusal or a free action.
    attempt: int
    #: Seconds until the tick accepts no more intents.
    time_left: float
    #: Ticks that this program was too slow for.
    skipped_ticks: int
    #: What the world knows of itself and shows this entity, as JSON.
    facts: Mapping[str, Any]
    #: By action that would be accepted now: the values of each of its slots; none where a slot is free.
    offers: Mapping[str, Mapping[str, Sequence[str]]]
    #: The grounded text, a paragraph for each section.
    text: str
    #: The picture of what the entity sees, as PNG; empty where there is none.
    png: bytes
    #: Why the answer before this one did not do; empty for none.
    problem: str

    def can(self, action: str) -> bool:
        """Whether the action would be accepted now with some arguments."""
        return action in self.offers


def observation_from(message: pb.Observation) -> Observation:
    return Observation(
        run=message.run,
        entity=message.entity,
        tick=message.tick,
        attempt=message.attempt,
        time_left=message.time_left.ToTimedelta().total_seconds(),
        skipped_ticks=message.skipped_ticks,
        facts=json.loads(message.facts_json) if message.facts_json else {},
        offers={
            offer.action: {choice.slot: list(choice.values) for choice in offer.choices}
            for offer in message.offers
        },
        text="\n\n".join("\n".join(section.lines) for section in message.text),
        png=message.frame.png,
        problem=message.problem,
    )
