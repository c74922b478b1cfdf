"""GRPO of a vision-language model in a served world, with TRL: groups of episodes begin at one state, and what they are paid is compared.

    python grpo.py MODEL --scenario families/goblet.yaml --out models/grpo

Before and after, the model plays the same held-out seeds, and the difference is printed with its interval. All episodes are runs in OUT/runs, which
`orchestrate verify`, `view` and `export` read. Runs on two cores with a tiny model; TRL 1.16.
"""

import argparse
import itertools
import json
import math
import os
import shutil
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")

import torch
from transformers import AutoModelForImageTextToText, AutoProcessor
from trl import GRPOConfig, GRPOTrainer

from orchestrate_agent.chat import chat_envs
from orchestrate_agent.trl import EpisodeReturn, ModelPolicy, states

#: Seeds of training and of the comparison begin here. Neither meets those that loop.mjs teaches (from 1).
TRAINING_SEEDS = 1_000_001
HELD_OUT_SEEDS = 900_001
#: For scenarios without rewards of their own, such as the loop's families. `progress` pays each turn for a shorter way to success, so a step in the
#: wrong direction costs 1. A refused action must cost more: otherwise, a model that is not sure learns to be refused, and then stays where it is.
REWARDS = ["rewards.success=10", "rewards.step=-0.1", "rewards.refused=-2", "rewards.unreadable=-3", "rewards.progress=1"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="a folder with a model and its processor")
    parser.add_argument("--scenario", required=True)
    parser.add_argument("--entity", help="who is trained, if the scenario has several entities")
    parser.add_argument("--keep", action="append", default=[], help="an agent that the server plays")
    parser.add_argument("--set", action="append", help="a setting of the scenario, such as rewards.success=10; by default, rewards for success and progress")
    parser.add_argument("--out", required=True)
    parser.add_argument("--steps", type=int, default=150, help="optimizer steps")
    parser.add_argument("--states", type=int, default=8, help="states of a step")
    parser.add_argument("--group", type=int, default=8, help="episodes that begin at a state")
    parser.add_argument("--turns", type=int, default=1, help="turns that an episode is played on; 0: to its end")
    parser.add_argument("--learning-rate", type=float, default=3e-4, help="at the beginning; it falls to 0")
    parser.add_argument("--reply-tokens", type=int, default=16)
    parser.add_argument("--held-out", type=int, default=200, help="seeds of the comparison")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def held_out(options, model, processor, name):
    """Success by seed, of replies that are not sampled."""
    policy = ModelPolicy(model, processor, options.reply_tokens, temperature=0)
    won = {}
    with worlds(options, 16, name) as envs:
        seeds = range(HELD_OUT_SEEDS, HELD_OUT_SEEDS + options.held_out)
        for start in range(0, len(seeds), len(envs)):
            batch = seeds[start : start + len(envs)]
            envs.reset(seeds=batch)
            for i, played in envs.play(policy).items():
                won[batch[i]] = "success" in played.rewards
    return won


def worlds(options, size, name):
    logs = Path(options.out) / "runs" / name
    logs.mkdir(parents=True, exist_ok=True)
    serve = {"keep": options.keep, "set": options.set or REWARDS, "logs": str(logs)}
    return chat_envs(options.scenario, options.entity, size=size, controller=name, **serve)


def trained(options, model, processor):
    # More are played one after the other: a connection has 64 streams.
    with worlds(options, min(options.group * options.states, 32), "training") as envs:
        policy = ModelPolicy(model, processor, options.reply_tokens)
        trainer = GRPOTrainer(
            model,
            reward_funcs=EpisodeReturn(envs, policy, options.turns or None),
            train_dataset=states(envs, policy, itertools.count(TRAINING_SEEDS)),
            processing_class=processor,
            args=GRPOConfig(
                output_dir=str(Path(options.out) / "trainer"),
                max_steps=options.steps,
                num_generations=options.group,
                per_device_train_batch_size=options.group * options.states,
                max_completion_length=options.reply_tokens,
                learning_rate=options.learning_rate,
                lr_scheduler_type="linear",
                temperature=1.0,
                top_k=0,
                # The stream of states is of the policy as it is: a buffer would make it older.
                shuffle_dataset=False,
                use_cpu=not torch.cuda.is_available(),
                bf16=False,
                gradient_checkpointing=False,
                logging_steps=5,
                save_strategy="no",
                report_to=[],
                seed=options.seed,
            ),
        )
        trainer.train()
    return trainer.state.log_history


def difference(before, after):
    """Of the shares of won seeds, paired by seed, with its 95 % interval."""
    gained = sum(after[seed] and not before[seed] for seed in before)
    lost = sum(before[seed] and not after[seed] for seed in before)
    n = len(before)
    mean = (gained - lost) / n
    half = 1.96 * math.sqrt(max(gained + lost - n * mean * mean, 0)) / n
    return {"difference": mean, "low": mean - half, "high": mean + half, "gained": gained, "lost": lost}


def main():
    options = arguments()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    processor = AutoProcessor.from_pretrained(options.model, padding_side="left")
    model = AutoModelForImageTextToText.from_pretrained(options.model, dtype=torch.float32)
    shutil.rmtree(Path(options.out) / "runs", ignore_errors=True)
    before = held_out(options, model, processor, "before")
    print(f"before: {sum(before.values())} of {len(before)} held-out seeds won", flush=True)
    history = trained(options, model, processor)
    model.save_pretrained(options.out)
    processor.save_pretrained(options.out)
    after = held_out(options, model, processor, "after")
    compared = difference(before, after)
    print(f"after: {sum(after.values())} of {len(after)} held-out seeds won")
    print("difference {difference:+.3f}, 95 % {low:+.3f} to {high:+.3f}; {gained} seeds gained, {lost} lost".format(**compared))
    result = {"before": before, "after": after, "compared": compared, "history": history}
    (Path(options.out) / "grpo.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main()
