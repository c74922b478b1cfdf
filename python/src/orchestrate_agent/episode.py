"""One run of a served world, as a learner steps through it: leases on its entities, their actions, and the results."""

from __future__ import annotations

import queue
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence

from .client import Lease, World
from .wire import world_pb2 as pb

_PARTS = [pb.PART_OFFERS, pb.PART_TEXT, pb.PART_FRAME, pb.PART_LEGAL]
_TAKEN = pb.REASON_UNSPECIFIED
_REFUSED = (pb.REASON_UNREADABLE, pb.REASON_ILLEGAL_ACTION)


@dataclass
class Moment:
    """The situation of an entity after a step. `message` is its newest observation; None before the first."""

    message: Optional[pb.Observation] = None
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False
    #: Whether it decides in the next step.
    is_asked: bool = False
    #: Messages between two steps: why an action was refused, or the result of a free action.
    feedback: List[str] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return self.terminated or self.truncated


@dataclass(frozen=True)
class Snapshot:
    """The state of a run at the start of a tick. It is valid as long as the server that played the run is running."""

    run: str
    tick: int


def creation(
    seed: Optional[int], snapshot: Optional[Snapshot] = None, overrides: Sequence[str] = ()
) -> pb.CreateRunRequest:
    """The request for a run with a seed (by default the scenario's), or for one that begins at a snapshot."""
    if seed is not None and snapshot is not None:
        raise ValueError("a snapshot uses the seed of its run: leave out seed")
    request = pb.CreateRunRequest(seed="" if seed is None else str(seed), set=overrides)
    if snapshot is not None:
        request.from_run, request.from_tick = snapshot.run, snapshot.tick
    return request


class _Stream:
    """The messages of a stream, read in a separate thread, so that none is missed while the learner is busy."""

    def __init__(self, messages):
        self._messages = messages
        self._queue: "queue.Queue[Any]" = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for message in self._messages:
                self._queue.put(message)
            self._queue.put(RuntimeError("the server closed the stream before the end of the run"))
        except Exception as error:  # Raised by the next call of `next`.
            self._queue.put(error)

    def next(self):
        message = self._queue.get()
        if isinstance(message, Exception):
            raise message
        return message


class Seat:
    """An entity with its lease; `parts` are the parts that its observations contain."""

    def __init__(self, world: World, run: str, entity: str, parts: Sequence["pb.Part"], controller: str = "learner"):
        self.lease: Lease = world.acquire(entity, controller, run)
        self._stream = _Stream(self.lease.observations(parts))

    def next(self) -> pb.Observation:
        message = self._stream.next()
        # The first message only says that the stream is open.
        while message.tick == 0 and not message.is_final:
            message = self._stream.next()
        return message

    def answer(self, tick: int, attempt: int, **intent: Any) -> pb.IntentAck:
        """Submits one intent for the open tick and attempt."""
        ack = self.lease.submit(tick=tick, attempt=attempt, **intent)
        if ack.reason not in (_TAKEN, *_REFUSED, pb.REASON_FREE_ACT):
            raise RuntimeError(f"the server did not take the intent for tick {tick}: {pb.Reason.Name(ack.reason)}")
        return ack

    def act(self, message: pb.Observation, intent: Mapping[str, Any]) -> List[str]:
        """Performs one action and returns the messages about it. After a free or refused action, the entity waits for the rest of its turn."""
        ack = self.answer(message.tick, message.attempt, **intent)
        if ack.accepted and ack.reason == _TAKEN:
            return []
        told = [ack.message] if ack.message else []
        if ack.reason in _REFUSED and ack.attempts_left <= 0:
            return told
        again = self.next()
        if ack.accepted:
            told += [line for section in again.text if section.section == "last" for line in section.lines]
        self.lease.submit(tick=again.tick, attempt=again.attempt, wait=pb.Wait())
        return told


class Episode:
    """Holds the leases on `entities` until it is closed; the run begins once all are held.

    If entities act at once, a step is a tick. If they act one after another, a step is the turn of one entity, and lasts until the next
    one has to decide.
    """

    def __init__(self, world: World, run: str, entities: Sequence[str]):
        self._world, self.run, self.entities = world, run, list(entities)
        self._ticks = _Stream(world.stream(world.worlds.StreamTicks, pb.StreamTicksRequest(run=run)))
        self._tick = 0
        self._seats = {entity: Seat(world, run, entity, _PARTS) for entity in entities}
        self._pool = ThreadPoolExecutor(max_workers=len(self.entities))
        self.moments: Dict[str, Moment] = {entity: Moment() for entity in entities}
        self._hear({})
        #: Whether no step was taken yet.
        self.is_fresh = True

    @property
    def alive(self) -> List[str]:
        return [entity for entity in self.entities if not self.moments[entity].is_over]

    @property
    def asked(self) -> List[str]:
        """The entities that decide in the next step."""
        return [entity for entity in self.alive if self.moments[entity].is_asked]

    def step(self, intents: Mapping[str, Mapping[str, Any]]) -> Dict[str, Moment]:
        """Takes a step, and returns the new situation of every entity that was alive before it."""
        self.is_fresh = False
        acting = {
            entity: self._pool.submit(self._seats[entity].act, self.moments[entity].message, intents[entity])
            for entity in self.asked
        }
        return self._hear({entity: done.result() for entity, done in acting.items()})

    def _hear(self, feedback: Mapping[str, List[str]]) -> Dict[str, Moment]:
        alive = self.alive
        told = self._told(alive)
        after = {
            entity: self._after(self.moments[entity], told.get(entity), feedback.get(entity, [])) for entity in alive
        }
        self.moments.update(after)
        return after

    def _told(self, alive: Sequence[str]) -> Dict[str, pb.Observation]:
        """The observations of the entities that decide next, or for which the run is over."""
        if len(self.entities) == 1:
            return {entity: self._seats[entity].next() for entity in alive}
        over: List[str] = []
        while True:
            news = self._ticks.next()
            if news.phase == pb.PHASE_RUN_ENDED:
                return {entity: self._seats[entity].next() for entity in alive}
            if news.phase != pb.PHASE_OPEN:
                continue
            if news.tick > self._tick:
                # The streams of those that are out end with the tick in which that came.
                self._tick = news.tick
                over = [entity for entity in alive if entity in news.decided]
            due = [entity for entity in alive if entity in over or entity in news.asked]
            if any(entity in news.asked for entity in due) or len(over) == len(alive):
                return {entity: self._seats[entity].next() for entity in due}

    @staticmethod
    def _after(before: Moment, message: Optional[pb.Observation], feedback: List[str]) -> Moment:
        if message is None:
            return Moment(before.message, feedback=feedback)
        if not message.is_final:
            return Moment(message, message.reward, is_asked=True, feedback=feedback)
        return Moment(before.message, message.reward, message.terminated, message.truncated, feedback=feedback)

    def close(self) -> None:
        """Ends the run if it is still running, and releases the leases."""
        try:
            # Before the release: an entity released in an open tick would be controlled by nobody.
            if self.alive:
                self._world.call(self._world.worlds.StopRun, pb.StopRunRequest(run=self.run))
        finally:
            for seat in self._seats.values():
                seat.lease.close()
            self._pool.shutdown(wait=False)
