"""Worlds for TRL's GRPOTrainer, one picture per request: a prompt is a request in some state of an episode, a completion is a reply to it, and the
reward is what the episode pays when it continues with that reply.

    from orchestrate_agent.chat import chat_envs
    from orchestrate_agent.trl import EpisodeReturn, ModelPolicy, states

    envs = chat_envs("goblet.yaml", size=8, logs="runs")
    policy = ModelPolicy(model, processor)
    trainer = GRPOTrainer(
        model,
        reward_funcs=EpisodeReturn(envs, policy),
        train_dataset=states(envs, policy, seeds=itertools.count(1)),
        args=GRPOConfig(max_steps=100, shuffle_dataset=False),
    )

TRL's `environment_factory` keeps a whole episode with all its pictures in one conversation, and its `rollout_func` can't return pictures, so
neither trains on the requests that the program sends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Set, Tuple

from .chat import ChatEnvs, ChatObservation, Played, Policy, Snapshot

if TYPE_CHECKING:
    from datasets import IterableDataset


class ModelPolicy:
    """A policy that samples replies from a model with transformers, in batches."""

    def __init__(self, model: Any, processor: Any, max_new_tokens: int = 64, temperature: float = 1.0):
        self._model, self._processor = model, processor
        #: Temperature 0 decodes greedily.
        self._sampling: Dict[str, Any] = (
            {"do_sample": False} if temperature == 0 else {"do_sample": True, "temperature": temperature, "top_k": 0}
        )
        self._max_new_tokens = max_new_tokens

    def __call__(self, observations: Sequence[ChatObservation]) -> List[str]:
        import torch

        texts = [
            self._processor.apply_chat_template(one.messages, tokenize=False, add_generation_prompt=True)
            for one in observations
        ]
        pictures = [one.images for one in observations]
        given = {"images": pictures} if any(pictures) else {}
        inputs = self._processor(
            text=texts, **given, return_tensors="pt", padding=True, padding_side="left", add_special_tokens=False
        ).to(self._model.device)
        was_training = self._model.training
        self._model.eval()
        with torch.no_grad():
            made = self._model.generate(**inputs, **self._sampling, max_new_tokens=self._max_new_tokens)
        self._model.train(was_training)
        replies = made[:, inputs["input_ids"].shape[1] :]
        return self._processor.batch_decode(replies, skip_special_tokens=True)


def states(envs: ChatEnvs, policy: Policy, seeds: Iterable[int]) -> "IterableDataset":
    """The requests of the episodes that a policy plays with these seeds, as rows for GRPOTrainer. An episode is played when its rows are
    needed, with the policy as it is at that time. A row has `prompt` and `images`, and `run` and `tick`, from which the episode can continue."""
    from datasets import IterableDataset

    return IterableDataset.from_generator(_Visits(envs, policy, seeds))


class _Visits:
    """`visited` with its arguments. `datasets` hashes and copies what it gets, which must not happen to a process or a model."""

    def __init__(self, *arguments: Any):
        self._arguments = arguments

    def __call__(self) -> Iterator[Dict[str, Any]]:
        yield from visited(*self._arguments)

    def __deepcopy__(self, _: Any) -> "_Visits":
        return self

    def __getstate__(self) -> Dict[str, Any]:
        return {}


def visited(envs: ChatEnvs, policy: Policy, seeds: Iterable[int]) -> Iterator[Dict[str, Any]]:
    """Yields the rows of `states`: the requests of each episode, without those that look the same as an earlier one."""
    drawn = iter(seeds)
    while batch := [seed for _, seed in zip(range(len(envs)), drawn)]:
        rows: List[Dict[str, Any]] = []

        looks: Set[Tuple[Any, ...]] = set()

        def noting(observations: List[ChatObservation], rows: Any = rows, looks: Any = looks) -> Sequence[Any]:
            # A snapshot is taken at the start of a tick, so only first attempts can be restored.
            for one in observations:
                # An agent that is stuck sees the same again and again; one row of it is enough.
                look = (one.run, *one.pngs) if one.pngs else (one.run, one.text)
                if one.attempt == 1 and look not in looks:
                    looks.add(look)
                    rows.append(row_of(one))
            return policy(observations)

        envs.reset(seeds=batch)
        envs.play(noting)
        yield from rows


def row_of(observation: ChatObservation) -> Dict[str, Any]:
    messages = [
        {"role": one["role"], "content": [{k: v for k, v in part.items() if k != "image"} for part in one["content"]]}
        for one in observation.messages
    ]
    return {
        "prompt": messages,
        "images": observation.images,
        "run": observation.run,
        "tick": observation.tick,
    }


class EpisodeReturn:
    """A reward function for GRPOTrainer: restores the state of each row, uses the completion as the reply, lets the policy play on, and returns the
    sum of the rewards. `turns` limits how many turns are played; with 1, only the turn of the reply counts, for which the scenario's `progress`
    can give a reward."""

    __name__ = "episode_return"

    def __init__(self, envs: ChatEnvs, policy: Policy, turns: Optional[int] = None):
        self._envs, self._policy, self._turns = envs, policy, turns

    def __call__(
        self,
        completions: Sequence[Any],
        run: Sequence[str],
        tick: Sequence[int],
        log_metric: Optional[Callable[[str, float], None]] = None,
        **_: Any,
    ) -> List[float]:
        replies = [one if isinstance(one, str) else one[-1]["content"] for one in completions]
        snapshots = [Snapshot(run_id, number) for run_id, number in zip(run, tick)]
        played: List[Played] = []
        for start in range(0, len(replies), len(self._envs)):
            part = slice(start, start + len(self._envs))
            played += self._play(snapshots[part], replies[part])
        if log_metric is not None:
            self._log(played, log_metric)
        return [one.reward for one in played]

    def _play(self, snapshots: Sequence[Snapshot], replies: Sequence[str]) -> List[Played]:
        self._envs.reset(from_snapshots=snapshots)
        played = self._envs.play(self._policy, turns=self._turns, first=replies)
        return [played[i] for i in range(len(replies))]

    @staticmethod
    def _log(played: Sequence[Played], log_metric: Callable[[str, float], None]) -> None:
        names = sorted({name for one in played for name in one.rewards})
        for name in names:
            log_metric(f"paid/{name}", sum(one.rewards.get(name, 0.0) for one in played) / len(played))
        log_metric("terminated", sum(one.terminated for one in played) / len(played))
