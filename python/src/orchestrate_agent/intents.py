"""Turns what `decide` returned into fields of a request, or into an error that shows it together with a legal intent."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Union

from .observation import Observation
from .wire import world_pb2 as pb

#: A command in words ("GO north"), an action with its arguments ({"action": "GO", "direction": "north"}),
#: a message of the API, or None to send nothing in this tick.
Intent = Union[str, Mapping[str, Union[str, int]], pb.Words, None]


class IntentError(ValueError):
    """`decide` returned something that is not an intent: a wrong type, an unknown action, or arguments that the action doesn't have."""

    def __init__(self, why: str, returned: Any, observation: Observation):
        super().__init__(f"decide returned {_shown(returned)}: {_inner(why)}; legal now: {_legal(returned, observation)}")


def intent_fields(intent: Any, observation: Observation) -> Dict[str, Any]:
    """The intent as fields of SubmitIntentRequest. Raises IntentError for a wrong type; the server checks the action and its arguments."""
    if isinstance(intent, pb.Words):
        return {"words": intent}
    if isinstance(intent, str):
        return {"words": pb.Words(content=intent)}
    if not isinstance(intent, Mapping):
        why = f"an intent must be a str, a dict with \"action\", or None, not {_kind(intent)}"
        raise IntentError(why, intent, observation)
    action = intent.get("action")
    if not isinstance(action, str):
        raise IntentError('the dict must have the name of an action as "action"', intent, observation)
    arguments = {slot: value for slot, value in intent.items() if slot != "action"}
    for slot, value in arguments.items():
        # True and False are whole numbers to Python.
        if not isinstance(slot, str) or not isinstance(value, (str, int)) or isinstance(value, bool):
            why = f"an argument must be a str or an int, and {slot!r} is {_kind(value)}"
            raise IntentError(why, intent, observation)
    return {"call": pb.Call(action=action, args={slot: _value(value) for slot, value in arguments.items()})}


def _value(value: Union[str, int]) -> pb.Value:
    return pb.Value(number=value) if isinstance(value, int) else pb.Value(text=value)


def _kind(value: Any) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"


def _shown(returned: Any) -> str:
    text = repr(returned)
    return text if len(text) <= 200 else f"{text[:200]}…"


def _inner(sentence: str) -> str:
    """A sentence of the server, to be put inside another sentence; a name in capitals stays in capitals."""
    first = sentence[:1] if sentence[1:2].isupper() else sentence[:1].lower()
    return first + sentence[1:].rstrip(".")


def _legal(returned: Any, observation: Observation) -> Any:
    """A legal intent: with the same action if it is offered, otherwise one that shows how to give arguments."""
    wanted = returned.get("action") if isinstance(returned, Mapping) else None
    same = [action for action in observation.actions if action["action"] == wanted]
    with_arguments = [action for action in observation.actions if len(action) > 1]
    return next(iter([*same, *with_arguments, *observation.actions]), None)
