"""A whole agent in one call: leases an entity, calls `decide` with each observation, and sends the result."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Callable, Optional, Tuple

from .client import Lease, World, WorldError
from .intents import Intent, IntentError, intent_fields
from .observation import Observation, observation_from
from .wire import world_pb2 as pb

_PARTS = [pb.PART_FACTS_JSON, pb.PART_OFFERS, pb.PART_FORMS, pb.PART_TEXT, pb.PART_FRAME]


@dataclass(frozen=True)
class Ack:
    """The acknowledgement of an intent. `reason` is a word such as ILLEGAL_ACTION, or empty if the intent was accepted."""

    accepted: bool
    reason: str
    message: str
    action: str
    attempts_left: int


@dataclass(frozen=True)
class Ended:
    """How the run ended: `state` is a word such as SUCCEEDED."""

    run: str
    tick: int
    state: str
    reason: str


def play(
    decide: Callable[[Observation], Intent],
    entity: Optional[str] = None,
    world: Optional[str] = None,
    controller: Optional[str] = None,
    run: str = "",
    token: Optional[str] = None,
    heard: Optional[Callable[[Observation, Ack], None]] = None,
    certificate: Optional[bytes] = None,
    own: Optional[Tuple[bytes, bytes]] = None,
) -> Ended:
    """Plays an entity to the end of its run.

    Omitted arguments come from the environment variables that a runner sets: WORLD_ADDR, ENTITY_ID, CONTROLLER_ID, WORLD_TOKEN.
    `heard` is called with each acknowledgement. `certificate` is the certificate (PEM) of the authority to trust, and turns on TLS;
    `own` is the client's key and certificate (PEM). Raises IntentError if `decide` returns something that is not an intent, WorldError
    if the server refuses a request, LeaseLost if the lease ends before the run, and WorldUnreachable if the server can't be reached.
    """
    address = world or os.environ.get("WORLD_ADDR") or "127.0.0.1:50051"
    wanted = entity or os.environ.get("ENTITY_ID")
    if not wanted:
        raise ValueError("no entity to play: pass entity=, or set ENTITY_ID")
    name = controller or os.environ.get("CONTROLLER_ID") or "python"
    token = token or os.environ.get("WORLD_TOKEN") or None
    with World(address, token, certificate, own) as served, served.acquire(wanted, name, run) as lease:
        for message in lease.observations(_PARTS):
            if message.is_final:
                state = pb.RunState.Name(message.state).replace("RUN_STATE_", "")
                return Ended(message.run, message.tick, state, message.reason)
            # The first message only says that the stream is open.
            if message.tick > 0:
                _answer(lease, message, decide, heard)
        raise lease.lost or RuntimeError("the server closed the stream of observations before the end of the run")


def _answer(lease: Lease, message: pb.Observation, decide, heard) -> None:
    observation = observation_from(message)
    intent = decide(observation)
    if intent is None:
        return
    fields = intent_fields(intent, observation)
    try:
        ack = lease.submit(tick=message.tick, attempt=message.attempt, **fields)
    except WorldError as refused:
        if refused.reason != "FIELD_INVALID":
            raise
        raise IntentError(str(refused), intent, observation) from None
    if ack.problem == "unknown-action" and "call" in fields:
        raise IntentError(ack.message, intent, observation)
    if heard is not None:
        reason = "" if ack.reason == 0 else pb.Reason.Name(ack.reason).replace("REASON_", "")
        heard(observation, Ack(ack.accepted, reason, ack.message, ack.action, ack.attempts_left))
