"""What an entity perceives when it has to decide, as a plain object made from the API's message."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Sequence

from .wire import world_pb2 as pb


@dataclass(frozen=True)
class Observation:
    """One request for a decision. Coordinates and distances are in tiles."""

    run: str
    entity: str
    tick: int
    #: From 1; more after a refusal or a free action.
    attempt: int
    #: Seconds until the tick accepts no more intents.
    time_left: float
    #: The number of ticks that were missed because this program was too slow.
    skipped_ticks: int
    #: Everything that this entity knows, as JSON; the environment documents the structure.
    facts: Mapping[str, Any]
    #: The actions that would be accepted now, each with the values of its slots; a slot has no values if it takes free text or a number.
    offers: Mapping[str, Mapping[str, Sequence[str]]]
    #: The same as complete intents, except those that need free text or a number.
    actions: Sequence[Mapping[str, str]]
    #: The text of this turn, one paragraph for each section.
    text: str
    #: The picture of what the entity sees, as a PNG; empty if there is none.
    png: bytes
    #: Why the previous answer was refused; empty if it was not.
    problem: str

    def can(self, action: str) -> bool:
        """Whether the action would be accepted now, at least with some arguments."""
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
    """All intents of one form of an action, whose values may be combined; empty if a slot takes free text or a number."""
    slots = [part for part in form.parts if part.slot]
    choices = [list(part.values) or ([part.word] if part.word else []) for part in slots]
    names = [part.slot for part in slots]
    return [{"action": form.action, **dict(zip(names, values))} for values in itertools.product(*choices)]
