"""What an entity perceives when it is asked to decide: a plain view of the message of the wire."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Sequence

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
    #: By action that would be accepted now: the values of each of its slots; none where a slot is free, or nothing fits it now.
    offers: Mapping[str, Mapping[str, Sequence[str]]]
    #: The same as whole intents, each with its arguments, but those that need a number or words of one's own.
    actions: Sequence[Mapping[str, str]]
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
        actions=[action for form in message.forms for action in _actions(form)],
        text="\n\n".join("\n".join(section.lines) for section in message.text),
        png=message.frame.png,
        problem=message.problem,
    )


def _actions(form: pb.ActionForm) -> List[Dict[str, str]]:
    """All that one way of saying an action comes to; its values may be combined. None where a slot is not filled by a list or a word."""
    slots = [part for part in form.parts if part.slot]
    choices = [list(part.values) or ([part.word] if part.word else []) for part in slots]
    names = [part.slot for part in slots]
    return [{"action": form.action, **dict(zip(names, values))} for values in itertools.product(*choices)]
