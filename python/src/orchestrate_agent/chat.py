"""Worlds for trainers of language models: an observation is the request that a model would get, an action is a reply in words.

    from orchestrate_agent.chat import chat_env

    env = chat_env("scenarios/brass-key.yaml", logs="runs")
    observation = env.reset(seed=1)
    step = env.step("ACTION: GO north")

A step is one request and the reply to it, so a refused reply or a free action is followed by another request in the same tick. You can take a
snapshot of an episode and continue from it any number of times: each continuation is a fork in the log of its run.
"""

from __future__ import annotations

import io
import itertools
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from PIL import Image

from .client import CREATION_S, World
from .episode import Seat, Snapshot, creation
from .server import Server
from .wire import world_pb2 as pb

_PARTS = [pb.PART_PROMPT, pb.PART_TEXT]

#: A connection has at most 64 streams: one for each world, and one for each pending call.
_WORLDS_OF_A_CONNECTION = 32
#: Each world has a thread here.
MOST_WORLDS = 256

#: The text of a reply, or the text with usage, finish_reason and model.
Reply = Union[str, pb.Words]


@dataclass(frozen=True)
class ReplyForm:
    """The form that the reply must have. A field is None if that kind of guided decoding is not available for this request."""

    #: command, json, react or tools
    protocol: str
    regex: Optional[str] = field(repr=False)
    #: A JSON Schema.
    schema: Optional[Dict[str, Any]] = field(repr=False)
    #: In llama.cpp's format, GBNF.
    grammar: Optional[str] = field(repr=False)
    #: As in a request to an OpenAI-compatible server; empty unless the protocol is tools.
    tools: List[Dict[str, Any]] = field(repr=False)
    #: The sampling seed that the program would send to a model server.
    sampling_seed: int


@dataclass(frozen=True)
class ChatObservation:
    """One request to a model, exactly as the program would send it."""

    run: str
    entity: str
    #: The turn, from 1.
    tick: int
    #: From 1; more after a refusal or a free action.
    attempt: int
    #: [{"role": …, "content": [{"type": "text", "text": …}, {"type": "image", "image": a PIL image}]}], as in a request: one system message
    #: first, consecutive messages of one role merged, and the text of a message before its picture if it has only one
    messages: List[Dict[str, Any]]
    #: The pictures of the messages, in order, as the PNG bytes that are sent.
    pngs: List[bytes] = field(repr=False)
    form: ReplyForm
    #: Only the text of this turn.
    text: str
    #: Why the previous reply was refused; empty if it was not.
    problem: str

    @property
    def images(self) -> List[Image.Image]:
        """The pictures of the messages, in order."""
        return [part["image"] for message in self.messages for part in message["content"] if part["type"] == "image"]


@dataclass(frozen=True)
class ChatStep:
    """The result of a reply."""

    #: The next request; None once the episode is over.
    observation: Optional[ChatObservation]
    reward: float
    #: The reward split by the keys of the scenario's `rewards`; keys that paid nothing are omitted.
    rewards: Dict[str, float]
    #: Whether the world's rules ended the episode.
    terminated: bool
    #: Whether a limit such as turns.max ended it.
    truncated: bool
    #: Whether the reply was carried out.
    ok: bool
    #: Why the reply was refused, or the result of a free action; otherwise empty.
    message: str = ""

    @property
    def is_over(self) -> bool:
        return self.terminated or self.truncated


class ChatEnv:
    """One entity of a served world; see `chat_env`. Episodes are runs, each with a log that `orchestrate verify` checks."""

    def __init__(self, world: World, entity: Optional[str] = None, controller: str = "learner"):
        self._world, self._entity, self._controller = world, entity, controller
        self._seat: Optional[Seat] = None
        self._is_over = True
        #: The id of the episode's run.
        self.run = ""
        #: The request that is waiting for a reply; None before `reset` and after the end of the episode.
        self.observation: Optional[ChatObservation] = None

    def reset(
        self,
        seed: Optional[int] = None,
        overrides: Sequence[str] = (),
        from_snapshot: Optional[Snapshot] = None,
    ) -> ChatObservation:
        """Begins an episode: with a seed (by default the scenario's), or from a snapshot.

        `overrides` are settings such as "turns.max=20"; with a snapshot, only settings that would not have changed the earlier steps.
        """
        request = creation(seed, from_snapshot, overrides)
        self._leave()
        self.run = self._world.call(self._world.worlds.CreateRun, request, timeout=CREATION_S).run
        self._seat = Seat(self._world, self.run, self._playable(), _PARTS, self._controller)
        self._is_over = False
        return self._asked(self._seat.next())

    def step(self, reply: Reply) -> ChatStep:
        """Answers the request, and waits for the next one or for the end of the episode."""
        if self.observation is None:
            raise RuntimeError("no request is waiting for a reply: call reset first")
        words = pb.Words(content=reply) if isinstance(reply, str) else reply
        ack = self._seat.answer(self.observation.tick, self.observation.attempt, words=words)
        message = self._seat.next()
        observation = None if message.is_final else self._asked(message)
        if message.is_final:
            self._is_over, self.observation = True, None
        return ChatStep(
            observation=observation,
            reward=message.reward,
            rewards={part.name: part.amount for part in message.rewards},
            terminated=message.terminated,
            truncated=message.truncated,
            ok=ack.accepted,
            message=ack.message,
        )

    def snapshot(self) -> Snapshot:
        """The state at the start of the current tick, from which other episodes can begin."""
        if self.observation is None:
            raise RuntimeError("no episode is running: call reset, and take the snapshot before the episode ends")
        return Snapshot(self.run, self.observation.tick)

    def close(self) -> None:
        """Ends the episode if it is still running."""
        self._leave()

    def _leave(self) -> None:
        seat, self._seat, self.observation = self._seat, None, None
        if seat is None:
            return
        try:
            # Before the release: an entity released in an open tick would be controlled by nobody.
            if not self._is_over:
                self._world.call(self._world.worlds.StopRun, pb.StopRunRequest(run=self.run))
        finally:
            self._is_over = True
            seat.lease.close()

    def _playable(self) -> str:
        """The entity to play: the one that was named, or the only one."""
        if self._entity is None:
            played = [e.entity for e in self._world.entities(self.run) if e.control != pb.CONTROL_SERVER]
            if len(played) != 1:
                raise ValueError(
                    f"choose one of these entities with entity=, and list the others in keep=: {', '.join(played)}"
                )
            (self._entity,) = played
        return self._entity

    def _asked(self, message: pb.Observation) -> ChatObservation:
        self.observation = chat_observation(message)
        return self.observation


class ChatEnvs:
    """Many worlds of one server; see `chat_envs`. Each of `envs` may also be used by itself, even in its own thread."""

    def __init__(self, server: Server, size: int, entity: Optional[str] = None, controller: str = "learner"):
        self._server = server
        self._connections = [World(server.address) for _ in range(0, size, _WORLDS_OF_A_CONNECTION)]
        self.envs = [
            ChatEnv(self._connections[i // _WORLDS_OF_A_CONNECTION], entity, controller) for i in range(size)
        ]
        self._pool = ThreadPoolExecutor(max_workers=size)

    def __len__(self) -> int:
        return len(self.envs)

    def __enter__(self) -> "ChatEnvs":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def reset(
        self,
        seeds: Optional[Sequence[int]] = None,
        overrides: Sequence[str] = (),
        from_snapshots: Optional[Sequence[Snapshot]] = None,
    ) -> List[ChatObservation]:
        """Begins one episode for each seed or snapshot, all at once, in the first worlds; the other worlds are not touched."""
        if (seeds is None) == (from_snapshots is None):
            raise ValueError("pass either seeds or from_snapshots")
        begins: List[Dict[str, Any]] = (
            [{"seed": seed} for seed in seeds or ()]
            if from_snapshots is None
            else [{"from_snapshot": one} for one in from_snapshots]
        )
        if len(begins) > len(self.envs):
            raise ValueError(f"{len(begins)} episodes were requested, but there are only {len(self.envs)} worlds")
        for env in self.envs[len(begins) :]:
            env.close()
        return self._each(
            [lambda env=env, begin=begin: env.reset(overrides=overrides, **begin) for env, begin in zip(self.envs, begins)]
        )

    def step(self, replies: Mapping[int, Reply]) -> Dict[int, ChatStep]:
        """Answers the requests of several worlds at once; the keys are their indices in `envs`."""
        steps = self._each([lambda i=i, reply=reply: self.envs[i].step(reply) for i, reply in replies.items()])
        return dict(zip(replies, steps))

    def play(
        self, policy: "Policy", turns: Optional[int] = None, first: Optional[Sequence[Reply]] = None
    ) -> Dict[int, "Played"]:
        """Lets a policy answer all requests until the episodes end, or for a number of turns. Returns what each world was paid, by index.

        `first` are replies to the current requests, in the order of the worlds; they are used before the policy is asked.
        """
        going = [i for i, env in enumerate(self.envs) if env.observation is not None]
        played = {i: Played() for i in going}
        ends = {i: None if turns is None else self.envs[i].observation.tick + turns for i in going}
        replies = first
        while going:
            if replies is None:
                replies = policy([self.envs[i].observation for i in going])
            for i, step in self.step(dict(zip(going, replies))).items():
                played[i].steps.append(step)
            going = [i for i in going if self._goes_on(i, ends[i])]
            replies = None
        return played

    def close(self) -> None:
        for close in (*(one.close for one in (*self.envs, *self._connections)), self._server.close):
            try:
                close()
            except Exception:
                # The server may be gone already; what is left is closed all the same.
                pass
        self._pool.shutdown(wait=False)

    def _goes_on(self, i: int, end: Optional[int]) -> bool:
        asked = self.envs[i].observation
        return asked is not None and (end is None or asked.tick < end)

    def _each(self, calls: Sequence[Callable[[], Any]]) -> List[Any]:
        return [done.result() for done in [self._pool.submit(call) for call in calls]]


@dataclass
class Played:
    """The steps of an episode, from where `play` took over."""

    steps: List[ChatStep] = field(default_factory=list)

    @property
    def reward(self) -> float:
        return sum(step.reward for step in self.steps)

    @property
    def rewards(self) -> Dict[str, float]:
        """The rewards of all steps, summed by the keys of the scenario's `rewards`."""
        sums: Dict[str, float] = {}
        for step in self.steps:
            for name, amount in step.rewards.items():
                sums[name] = sums.get(name, 0.0) + amount
        return sums

    @property
    def terminated(self) -> bool:
        return bool(self.steps) and self.steps[-1].terminated


#: Returns one reply for each request, in the same order.
Policy = Callable[[List[ChatObservation]], Sequence[Reply]]


def chat_envs(
    scenario: str, entity: Optional[str] = None, *, size: int = 8, controller: str = "learner", **serve: Any
) -> ChatEnvs:
    """`size` worlds of a scenario, at most 256, served by one process.

    Options of the server: `logs`, a folder for the logs of the runs; `set`, settings such as ["turns.max=20"]; `keep`, agents that the server
    plays; `modules`, files with custom actions; `command`, how to start orchestrate. `controller` is the player's name in logs.
    """
    if not 1 <= size <= MOST_WORLDS:
        raise ValueError(f"size must be from 1 to {MOST_WORLDS}, not {size}")
    # One more for the run that a server begins with, and one for a run that is about to end.
    server = Server(scenario, runs=size + 2, **serve)
    try:
        return ChatEnvs(server, size, entity, controller)
    except BaseException:
        server.close()
        raise


class _OwnedEnv(ChatEnv):
    """A world that owns its server, and ends it when it is closed."""

    def __init__(self, server: Server, entity: Optional[str], controller: str):
        self._server = server
        super().__init__(World(server.address), entity, controller)

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._world.close()
            self._server.close()


def chat_env(scenario: str, entity: Optional[str] = None, *, controller: str = "learner", **serve: Any) -> ChatEnv:
    """One entity of a scenario, served by its own process, with the options of `chat_envs`."""
    return _OwnedEnv(Server(scenario, runs=3, **serve), entity, controller)


def chat_observation(message: pb.Observation) -> ChatObservation:
    prompt = message.prompt
    arranged = _arranged(prompt.messages)
    return ChatObservation(
        run=message.run,
        entity=message.entity,
        tick=message.tick,
        attempt=message.attempt,
        messages=[{"role": role, "content": _content(parts)} for role, parts in arranged],
        pngs=[part.frame.png for _, parts in arranged for part in parts if _is_picture(part)],
        form=ReplyForm(
            protocol=prompt.protocol,
            regex=prompt.guided_regex or None,
            schema=json.loads(prompt.guided_schema_json) if prompt.guided_schema_json else None,
            grammar=prompt.guided_gbnf or None,
            tools=[_tool(one) for one in json.loads(prompt.tools_json or "[]")],
            sampling_seed=prompt.sampling_seed,
        ),
        text="\n\n".join("\n".join(section.lines) for section in message.text),
        problem=message.problem,
    )


def _tool(tool: Mapping[str, Any]) -> Dict[str, Any]:
    return {"type": "function", "function": {key: tool[key] for key in ("name", "description", "parameters")}}


def _arranged(messages: Sequence[pb.Message]) -> List[Tuple[str, List[pb.MessagePart]]]:
    """The roles and parts of the messages, ordered and merged as a model server gets them."""
    arranged: List[Tuple[str, List[pb.MessagePart]]] = []
    for one in sorted(messages, key=lambda one: one.role != "system"):
        if arranged and arranged[-1][0] == one.role:
            arranged[-1][1].extend(one.parts)
        else:
            arranged.append((one.role, list(one.parts)))
    return arranged


def _content(parts: Sequence[pb.MessagePart]) -> List[Dict[str, Any]]:
    """The content as a model server gets it: a single picture comes last; several stay in place, and the texts between them are joined."""
    if sum(_is_picture(part) for part in parts) <= 1:
        parts = sorted(parts, key=_is_picture)
    content: List[Dict[str, Any]] = []
    for is_picture, group in itertools.groupby(parts, key=_is_picture):
        if is_picture:
            content.extend({"type": "image", "image": _image(part.frame.png)} for part in group)
        elif words := "\n\n".join(part.text for part in group):
            content.append({"type": "text", "text": words})
    return content


def _image(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def _is_picture(part: pb.MessagePart) -> bool:
    return part.WhichOneof("part") == "frame"
