"""Worlds as training environments: PettingZoo's AEC and ParallelEnv, and a Gymnasium env for one entity.

    from orchestrate_agent.rl import gym_env

    env = gym_env("scenarios/brass-key.yaml")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(0)

Observations contain only numbers; `info` has the rest: `text`, `offers`, `feedback`. The scenario's key `rewards` sets the rewards.
"""

from __future__ import annotations

import io
import operator
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from PIL import Image
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from .client import CREATION_S, World
from .episode import Episode, Moment, Snapshot, creation
from .server import Server
from .wire import world_pb2 as pb

#: Maximum length of an action in characters if actions are replies in words.
WORDS_MAX = 8192
_WORDS = "".join(map(chr, [9, 10, *range(32, 127)]))

Action = Union[int, str]


class _Runs:
    """The runs of one environment, one after the other, on its own server or on a running one."""

    def __init__(
        self,
        scenario: Optional[str] = None,
        *,
        address: Optional[str] = None,
        entities: Optional[Sequence[str]] = None,
        token: Optional[str] = None,
        words: bool = False,
        **serve: Any,
    ):
        if (scenario is None) == (address is None):
            raise ValueError("pass either a scenario to serve, or address=, the address of a served world")
        self._server = None if scenario is None else Server(scenario, **serve)
        self._episode: Optional[Episode] = None
        #: The id of the newest run; still set after `close`, so that its log can be found.
        self.run = ""
        try:
            self._world = World(address or self._server.address, token)
            run = self._world.info() if scenario is not None else self._create(creation(None))
            all_entities = [e.entity for e in self._world.entities(run.run) if e.control != pb.CONTROL_SERVER]
            self.entities = list(entities or all_entities)
            others = [entity for entity in all_entities if entity not in self.entities]
            if scenario is not None and others:
                raise ValueError(f"nobody plays {', '.join(others)}: list them in keep=, so that the server plays them")
            #: Whether all entities choose before any of them acts.
            self.is_simultaneous = len(self.entities) == 1 or run.order == pb.ORDER_SIMULTANEOUS
            self.words = words
            self.actions = {} if words else {entity: self._listed(run.run, entity) for entity in self.entities}
            self._begin(run.run)
            self.observation_spaces = {entity: self._space(entity) for entity in self.entities}
            self.action_spaces = {entity: self._action_space(entity) for entity in self.entities}
        except BaseException:
            self.close()
            raise

    @property
    def episode(self) -> Episode:
        if self._episode is None:
            raise RuntimeError("the environment is closed: make another one")
        return self._episode

    def reset(self, seed: Optional[int], rng: np.random.Generator, snapshot: Optional[Snapshot] = None) -> Dict[str, Moment]:
        """Begins a run with the given seed or a random one, or at a snapshot. The server's first run is used if nothing is given and nothing was played in it."""
        if seed is not None or snapshot is not None or not self.episode.is_fresh:
            chosen = int(rng.integers(2**31)) if seed is None and snapshot is None else seed
            request = creation(chosen, snapshot)
            self.episode.close()
            self._begin(self._create(request).run)
        # From now on, the run counts as used.
        self._episode.is_fresh = False
        return self._episode.moments

    def step(self, actions: Mapping[str, Action]) -> Dict[str, Moment]:
        if actions and not self.episode.alive:
            raise RuntimeError("the episode is over: call reset() before the next step")
        unknown = [entity for entity in actions if entity not in self.entities]
        missing = [entity for entity in self._episode.asked if entity not in actions]
        if unknown or missing:
            raise ValueError(f"each of these entities needs an action, and no other: {', '.join(self._episode.asked)}")
        return self._episode.step({entity: self._intent(entity, action) for entity, action in actions.items()})

    def observation(self, entity: str, moment: Moment) -> Dict[str, Any]:
        space = self.observation_spaces[entity]
        made: Dict[str, Any] = {}
        if "observation" in space.spaces:
            made["observation"] = self.picture(entity, moment)
        if not self.words:
            made["action_mask"] = self._mask(entity, moment)
        return made

    def picture(self, entity: str, moment: Moment) -> np.ndarray:
        """The picture of the entity's newest observation; black before the first."""
        shape = self.observation_spaces[entity]["observation"].shape
        seen = np.zeros(shape, np.uint8) if moment.message is None else pixels(moment.message.frame.png)
        if seen.shape != shape:
            raise ValueError(f"the picture of {entity} has the shape {seen.shape}, but the first one had {shape}")
        return seen

    def pictures(self) -> Optional[np.ndarray]:
        """The pictures of all entities, side by side; None if the scenario sends no pictures."""
        moments = self.episode.moments
        if "observation" not in self.observation_spaces[self.entities[0]].spaces:
            return None
        return np.concatenate([self.picture(entity, moment) for entity, moment in moments.items()], axis=1)

    def info(self, moment: Moment) -> Dict[str, Any]:
        message = moment.message or pb.Observation()
        return {
            "text": "\n\n".join("\n".join(section.lines) for section in message.text),
            "offers": {
                offer.action: {choice.slot: list(choice.values) for choice in offer.choices}
                for offer in message.offers
            },
            "feedback": list(moment.feedback),
        }

    def close(self) -> None:
        for close in (
            getattr(self._episode, "close", None),
            getattr(getattr(self, "_world", None), "close", None),
            getattr(self._server, "close", None),
        ):
            try:
                if close is not None:
                    close()
            except Exception:
                # The server may be gone already; everything else is closed anyway.
                pass
        self._episode, self._server = None, None

    def _create(self, request: pb.CreateRunRequest) -> pb.World:
        return self._world.call(self._world.worlds.CreateRun, request, timeout=CREATION_S)

    def _begin(self, run: str) -> None:
        self._episode = Episode(self._world, run, self.entities)
        self.run = run

    def _listed(self, run: str, entity: str) -> List[pb.Call]:
        request = pb.ListActionsRequest(run=run, entity=entity)
        return list(self._world.call(self._world.worlds.ListActions, request).actions)

    def _intent(self, entity: str, action: Action) -> Dict[str, Any]:
        if self.words:
            return {"words": pb.Words(content=str(action))}
        listed = self.actions[entity]
        try:
            # Numbers of numpy too, but no fraction, which int() would round.
            number = operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < len(listed):
            raise ValueError(f"{action!r} is no action of {entity}: its actions are the whole numbers from 0 to {len(listed) - 1}")
        return {"call": listed[number]}

    def _mask(self, entity: str, moment: Moment) -> np.ndarray:
        mask = np.zeros(len(self.actions[entity]), dtype=np.int8)
        # An entity that does not decide now can only wait.
        mask[list(moment.message.legal) if moment.is_asked and moment.message.legal else [0]] = 1
        return mask

    def _space(self, entity: str) -> spaces.Dict:
        made: Dict[str, spaces.Space] = {}
        # All frames of a run have the same size, so the first one gives the shape.
        messages = [moment.message for moment in self._episode.moments.values() if moment.message is not None]
        if messages[0].frame.png:
            made["observation"] = spaces.Box(0, 255, pixels(messages[0].frame.png).shape, np.uint8)
        if not self.words:
            made["action_mask"] = spaces.Box(0, 1, (len(self.actions[entity]),), np.int8)
        if not made:
            raise ValueError("words=True needs pictures, but the scenario sends none: write render: {channel: both}")
        return spaces.Dict(made)

    def _action_space(self, entity: str) -> spaces.Space:
        return spaces.Text(WORDS_MAX, charset=_WORDS) if self.words else spaces.Discrete(len(self.actions[entity]))


def pixels(png: bytes) -> np.ndarray:
    """A picture as an array of height × width × RGB."""
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


class _Entities:
    """The common part of the environments with several entities."""

    render_mode = "rgb_array"

    def __init__(self, runs: _Runs):
        super().__init__()
        self._runs = runs
        self.possible_agents = list(runs.entities)
        self.agents: List[str] = []
        self._rng, _ = seeding.np_random(None)

    @property
    def run(self) -> str:
        """The run's id, which names its log."""
        return self._runs.run

    def actions(self, agent: str) -> List[Dict[str, str]]:
        """The agent's actions, in the order of the numbers of its action space."""
        return named(self._runs.actions[agent])

    def observation_space(self, agent: str) -> spaces.Space:
        return self._runs.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self._runs.action_spaces[agent]

    def render(self):
        return self._runs.pictures()

    def close(self) -> None:
        self._runs.close()

    def _begin(self, seed: Optional[int]) -> Dict[str, Moment]:
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        moments = self._runs.reset(seed, self._rng)
        self.agents = self.possible_agents[:]
        return moments


class WorldParallelEnv(_Entities, ParallelEnv):
    """All entities of a world at once; see `parallel_env`."""

    metadata = {"name": "orchestrate_v0", "render_modes": ["rgb_array"], "render_fps": 4}

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None):
        moments = self._begin(seed)
        observations = {agent: self._runs.observation(agent, moment) for agent, moment in moments.items()}
        return observations, {agent: self._runs.info(moment) for agent, moment in moments.items()}

    def step(self, actions: Mapping[str, Action]):
        moments = self._runs.step(actions)
        self.agents = self._runs.episode.alive
        return (
            {agent: self._runs.observation(agent, moment) for agent, moment in moments.items()},
            {agent: moment.reward for agent, moment in moments.items()},
            {agent: moment.terminated for agent, moment in moments.items()},
            {agent: moment.truncated for agent, moment in moments.items()},
            {agent: self._runs.info(moment) for agent, moment in moments.items()},
        )


class WorldAECEnv(_Entities, AECEnv):
    """Entities that act one after another; see `aec_env`. An agent gets its reward when it has to decide again, or at its end."""

    metadata = {"name": "orchestrate_v0", "render_modes": ["rgb_array"], "render_fps": 4, "is_parallelizable": False}

    def observe(self, agent: str) -> Dict[str, Any]:
        return self._runs.observation(agent, self._runs.episode.moments[agent])

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> None:
        moments = self._begin(seed)
        # Left over if the previous episode was abandoned during the steps of agents that were out.
        self._skip_agent_selection = None
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self._take(moments)
        (self.agent_selection,) = self._runs.episode.asked

    def step(self, action: Optional[Action]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._take(self._runs.step({agent: action}))
        self._accumulate_rewards()
        self.agent_selection = next(iter(self._runs.episode.asked), agent)
        self._deads_step_first()

    def _take(self, moments: Mapping[str, Moment]) -> None:
        self.rewards = {agent: moments[agent].reward for agent in self.agents}
        self.terminations = {agent: moments[agent].terminated for agent in self.agents}
        self.truncations = {agent: moments[agent].truncated for agent in self.agents}
        self.infos = {agent: self._runs.info(moments[agent]) for agent in self.agents}


class WorldEnv(gymnasium.Env):
    """One entity of a world; see `gym_env`."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4}

    def __init__(self, runs: _Runs):
        self._runs = runs
        self.render_mode = "rgb_array"
        (self._entity,) = runs.entities
        self.observation_space = runs.observation_spaces[self._entity]
        self.action_space = runs.action_spaces[self._entity]

    @property
    def run(self) -> str:
        """The run's id, which names its log."""
        return self._runs.run

    @property
    def actions(self) -> List[Dict[str, str]]:
        """The actions, in the order of the numbers of the action space."""
        return named(self._runs.actions[self._entity])

    def action_masks(self) -> np.ndarray:
        """Which actions the rules would accept now, in the form that sb3-contrib's MaskablePPO needs."""
        return self._runs._mask(self._entity, self._runs.episode.moments[self._entity]).astype(bool)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None):
        """Begins an episode. With options={"snapshot": …}, it begins at the snapshot: a fork in the log of its run."""
        super().reset(seed=seed)
        moment = self._runs.reset(seed, self.np_random, (options or {}).get("snapshot"))[self._entity]
        return self._runs.observation(self._entity, moment), self._runs.info(moment)

    def step(self, action: Action):
        moment = self._runs.step({self._entity: action})[self._entity]
        observation = self._runs.observation(self._entity, moment)
        return observation, moment.reward, moment.terminated, moment.truncated, self._runs.info(moment)

    def snapshot(self) -> Snapshot:
        """The state at the start of the current tick, from which other episodes can begin."""
        moment = self._runs.episode.moments[self._entity]
        if moment.is_over:
            raise RuntimeError("no episode is running: call reset, and take the snapshot before the episode ends")
        return Snapshot(self.run, moment.message.tick)

    def render(self):
        return self._runs.pictures()

    def close(self) -> None:
        self._runs.close()


def named(actions: Sequence[pb.Call]) -> List[Dict[str, str]]:
    """Actions in the form that `play` accepts: {"action": "TAKE", "thing": "brass-key"}."""
    return [
        {"action": call.action, **{slot: value.text for slot, value in sorted(call.args.items())}} for call in actions
    ]


def parallel_env(scenario: Optional[str] = None, **options: Any) -> WorldParallelEnv:
    """A PettingZoo ParallelEnv of a scenario's entities, which act at once.

    Starts a server for `scenario` (options: `logs`, a folder for the logs of the runs; `set`, settings such as ["turns.max=20"]; `keep`,
    agents that the server plays; `command`, how to start orchestrate), or plays a world at `address` (with `token`) that is served in
    lockstep with `--runs 2` or more. With `words=True`, an action is a reply in words, as a model would write it. `entities` are the
    entities to play; by default all.
    """
    runs = _Runs(scenario, **options)
    if not runs.is_simultaneous:
        runs.close()
        raise ValueError("the agents of this scenario act one after another: use aec_env (PettingZoo's AEC API)")
    return WorldParallelEnv(runs)


def aec_env(scenario: Optional[str] = None, **options: Any) -> AECEnv:
    """A PettingZoo AEC env, with the options of `parallel_env`. `agent_selection` is the agent that has to decide.

    If the entities act at once, they choose one after another, and act when all have chosen.
    """
    runs = _Runs(scenario, **options)
    return parallel_to_aec(WorldParallelEnv(runs)) if runs.is_simultaneous else WorldAECEnv(runs)


def gym_env(scenario: Optional[str] = None, entity: Optional[str] = None, **options: Any) -> WorldEnv:
    """A Gymnasium env for one entity. The server plays the others as the scenario says; list them in `keep`.

    `snapshot()` and `reset(options={"snapshot": …})` begin any number of episodes at one state.
    """
    runs = _Runs(scenario, entities=None if entity is None else [entity], **options)
    if len(runs.entities) != 1:
        runs.close()
        raise ValueError(f"choose one of these entities with entity=, and list the others in keep=: {', '.join(runs.entities)}")
    return WorldEnv(runs)
