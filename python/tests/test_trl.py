"""GRPO on a served world: rows are states, rewards are what episodes that begin there are paid. With TRL itself where it is installed.

Needs the extras [rl] and [logs]; LOGS names a folder for logs, ORCHESTRATE is the program. `scripts/python-agent.mjs` runs it.
"""

import importlib.util
import os
import tempfile
import unittest
from pathlib import Path

from orchestrate_agent.chat import chat_envs
from orchestrate_agent.logs import read_log
from orchestrate_agent.trl import EpisodeReturn, ModelPolicy, states, visited

LOGS = os.environ["LOGS"]
TWO = str(Path(__file__).parent / "two.yaml")
ALONE = {"keep": ["bob"], "set": ["turns.order=sequential", "rules.movement=tile"], "logs": LOGS}
EAST, TAKE, WAIT = "ACTION: GO east", "ACTION: TAKE coin", "ACTION: WAIT"


def walks(observations):
    """Wins from everywhere on the coin's row."""
    return [TAKE if "coin, beside you" in one.text else EAST for one in observations]


class Groups(unittest.TestCase):
    def setUp(self):
        self.envs = chat_envs(TWO, "ann", size=2, **ALONE)
        self.addCleanup(self.envs.close)

    def test_rows_are_the_states_of_episodes_each_with_one_picture(self):
        rows = list(visited(self.envs, walks, [1, 2, 3]))
        self.assertEqual([row["tick"] for row in rows], [1, 1, 2, 2, 3, 3, 1, 2, 3])
        self.assertEqual(len({row["run"] for row in rows}), 3)
        stuck = list(visited(self.envs, lambda asked: [WAIT for _ in asked], [1]))
        self.assertEqual([row["tick"] for row in stuck], [1])
        for row in rows:
            kinds = [part["type"] for message in row["prompt"] for part in message["content"]]
            self.assertEqual((kinds.count("image"), len(row["images"])), (1, 1))

    def test_a_reward_is_what_the_episode_pays_from_there(self):
        second = list(visited(self.envs, walks, [1]))[1]
        told = {}
        reward = EpisodeReturn(self.envs, walks)
        replies = [EAST, WAIT, "Hm."]
        paid = reward(
            [[{"role": "assistant", "content": reply}] for reply in replies],
            run=[second["run"]] * 3,
            tick=[second["tick"]] * 3,
            log_metric=told.__setitem__,
            trainer_state=None,
        )
        # Two turns from the coin: 10 and 2 for the way, 0.01 a turn; a lost turn costs its step, an unreadable reply 0.2.
        for one, expected in zip(paid, [11.98, 11.97, 11.78]):
            self.assertAlmostEqual(one, expected, 5)
        self.assertEqual(told["terminated"], 1.0)
        self.assertAlmostEqual(told["paid/unreadable"], -0.2 / 3)
        # The reply's own turn alone.
        one_turn = EpisodeReturn(self.envs, walks, turns=1)
        paid = one_turn([EAST, WAIT], run=[second["run"]] * 2, tick=[second["tick"]] * 2)
        for one, expected in zip(paid, [0.99, -0.01]):
            self.assertAlmostEqual(one, expected, 5)
        self.envs.close()
        runs = read_log(f"{LOGS}/{second['run']}.sqlite").runs
        self.assertEqual(list(runs.status), ["succeeded"] * 4 + ["interrupted"] * 2)


@unittest.skipUnless(importlib.util.find_spec("trl"), "TRL is not installed")
class WithTrl(unittest.TestCase):
    def test_a_tiny_model_takes_a_step_on_pictures(self):
        import torch
        from trl import GRPOConfig, GRPOTrainer

        from tiny_model import tiny_model

        model, processor = tiny_model()
        before = [one.detach().clone() for one in model.parameters()]
        with chat_envs(TWO, "ann", size=4, **ALONE) as envs, tempfile.TemporaryDirectory() as out:
            policy = ModelPolicy(model, processor, max_new_tokens=4)
            trainer = GRPOTrainer(
                model,
                # The model's words are none that a world knows: their length makes the rewards differ.
                reward_funcs=[EpisodeReturn(envs, walks), lambda completion_ids, **_: [float(sum(ids)) for ids in completion_ids]],
                train_dataset=states(envs, walks, iter([1, 2, 3])),
                processing_class=processor,
                args=GRPOConfig(
                    output_dir=out,
                    max_steps=1,
                    num_generations=4,
                    per_device_train_batch_size=8,
                    max_completion_length=4,
                    learning_rate=0.01,
                    shuffle_dataset=False,
                    use_cpu=True,
                    bf16=False,
                    gradient_checkpointing=False,
                    report_to=[],
                    logging_steps=1,
                ),
            )
            trainer.train()
            (replies,) = [policy([envs.reset(seeds=[1])[0]])]
        self.assertEqual(len(replies), 1)
        logged = trainer.state.log_history[0]
        self.assertAlmostEqual(logged["paid/unreadable"], -0.2)
        self.assertTrue(any(not torch.equal(one, other) for one, other in zip(before, model.parameters())))


if __name__ == "__main__":
    unittest.main()
