"""Worlds for trainers of language models: the requests are the program's own, groups start alike, and everything is logged.

Needs the extras [rl] and [logs]; LOGS names a folder for logs, ORCHESTRATE is the program. `scripts/python-agent.mjs` runs it.
"""

import hashlib
import json
import os
import re
import subprocess
import unittest
from pathlib import Path

from orchestrate_agent import WorldError
from orchestrate_agent.chat import Played, Snapshot, chat_env, chat_envs
from orchestrate_agent.logs import frames, read_log
from orchestrate_agent.openai import openai_messages

LOGS = os.environ["LOGS"]
PROGRAM = os.environ["ORCHESTRATE"].split()
TWO = str(Path(__file__).parent / "two.yaml")
#: Ann alone is asked, and sees pictures.
ALONE = {"keep": ["bob"], "set": ["turns.order=sequential", "rules.movement=tile"], "logs": LOGS}
EAST, TAKE = "ACTION: GO east", "ACTION: TAKE coin"


class OneWorld(unittest.TestCase):
    def setUp(self):
        self.env = chat_env(TWO, "ann", **ALONE)
        self.addCleanup(self.env.close)

    def test_the_request_is_the_one_that_the_program_sends(self):
        observation = self.env.reset(seed=3)
        words = ["preview", TWO, "--agent", "ann", "--messages", "--json", "--set", "seed=3"]
        words += [word for one in ALONE["set"] for word in ("--set", one)]
        sent = json.loads(subprocess.run([*PROGRAM, *words], check=True, capture_output=True, text=True).stdout)
        self.assertEqual(openai_messages(observation), sent["messages"])
        run = self.env.run
        self.env.step(EAST)
        self.env.close()
        logged = next(iter(frames(f"{LOGS}/{run}.sqlite", run, "ann"))).pixels
        (picture,) = observation.images
        self.assertEqual(picture.tobytes(), logged.tobytes())

    def test_the_form_is_what_guided_decoding_would_use(self):
        form = self.env.reset(seed=1).form
        self.assertEqual(form.protocol, "command")
        # The whole of a reply that is offered now, and nothing else.
        for reply, fits in ((EAST, True), ("ACTION: GO up", False), ("ACTION: FLY east", False), ("Hm.", False)):
            self.assertEqual(re.fullmatch(form.regex, reply) is not None, fits, reply)
        self.assertIn("root ::=", form.grammar)
        self.assertIsNone(form.schema)
        objects = self.env.reset(seed=1, overrides=["agents.ann.protocol=json"]).form
        self.assertEqual(objects.protocol, "json")
        self.assertIsNotNone(objects.schema)
        tools = self.env.reset(seed=1, overrides=["agents.ann.protocol=tools"]).form.tools
        self.assertIn("GO", [tool["function"]["name"] for tool in tools])

    def test_a_past_picture_stands_behind_the_line_that_names_it(self):
        first = self.env.reset(seed=1, overrides=["agents.ann.memory.recalls=1"])
        self.env.step(EAST)
        content = self.env.step("ACTION: RECALL 1").observation.messages[-1]["content"]
        self.assertEqual([part["type"] for part in content], ["text", "image", "text", "image"])
        self.assertTrue(content[0]["text"].endswith("\n\nWhat you saw in turn 1:"))
        self.assertEqual(content[1]["image"].tobytes(), first.images[-1].tobytes())
        self.assertEqual(content[2]["text"], "What you see now:")

    def test_a_step_is_one_request(self):
        self.env.reset(seed=1, overrides=["turns.attempts=2"])
        step = self.env.step("Well.")
        self.assertEqual((step.observation.tick, step.observation.attempt, step.ok, step.reward), (1, 2, False, 0))
        self.assertIn("no answer", step.message)
        self.assertEqual(step.observation.problem, step.message)
        step = self.env.step(EAST)
        self.assertEqual((step.observation.tick, step.observation.attempt, step.ok), (2, 1, True))
        self.assertEqual(step.rewards, {"step": -0.01, "unreadable": -0.2, "progress": 1.0})
        self.assertAlmostEqual(step.reward, 0.79)

    def test_success_terminates_and_turns_truncate(self):
        self.env.reset(seed=1)
        self.env.step(EAST)
        self.env.step(EAST)
        step = self.env.step(TAKE)
        self.assertEqual((step.terminated, step.truncated, step.observation), (True, False, None))
        self.assertEqual(step.rewards, {"success": 10.0, "step": -0.01, "progress": 1.0})
        with self.assertRaisesRegex(RuntimeError, "call reset"):
            self.env.step(EAST)
        self.env.reset(seed=1, overrides=["turns.max=1"])
        step = self.env.step(EAST)
        self.assertEqual((step.terminated, step.truncated), (False, True))

    def test_what_can_not_begin_is_refused(self):
        with self.assertRaises(WorldError) as refused:
            self.env.reset(from_snapshot=Snapshot("two-0000", 1))
        self.assertEqual(refused.exception.reason, "RUN_NOT_FOUND")
        with self.assertRaisesRegex(ValueError, "leave out seed"):
            self.env.reset(seed=1, from_snapshot=Snapshot("two-0000", 1))
        with self.assertRaisesRegex(RuntimeError, "call reset"):
            self.env.snapshot()

    def test_a_closed_environment_says_so(self):
        self.env.reset(seed=1)
        self.env.close()
        with self.assertRaisesRegex(WorldError, "was closed: open another one"):
            self.env.reset(seed=1)


class ManyWorlds(unittest.TestCase):
    def setUp(self):
        self.envs = chat_envs(TWO, "ann", size=3, controller="tester", **ALONE)
        self.addCleanup(self.envs.close)

    def test_a_group_starts_alike_and_is_verified(self):
        (first,) = self.envs.reset(seeds=[7])
        before = self.envs.step({0: EAST})[0]
        snapshot = self.envs.envs[0].snapshot()
        self.assertEqual(snapshot, Snapshot(first.run, 2))
        for _ in range(2):
            group = self.envs.reset(from_snapshots=[snapshot] * 3)
            self.assertEqual(len({seen(one) for one in [*group, before.observation]}), 1)
            self.assertEqual(len({one.run for one in group}), 3)
            steps = self.envs.step({0: EAST, 1: EAST, 2: "ACTION: WAIT"})
            self.assertEqual(seen(steps[0].observation), seen(steps[1].observation))
            self.assertNotEqual(seen(steps[0].observation), seen(steps[2].observation))
            played = self.envs.play(lambda asked: [TAKE for _ in asked], turns=1)
            self.assertEqual([one.terminated for one in played.values()], [True, True, False])
            self.assertAlmostEqual(played[0].reward, 10.99)
        self.envs.close()
        path = f"{LOGS}/{first.run}.sqlite"
        runs = read_log(path).runs
        self.assertEqual(len(runs), 7)
        self.assertEqual(list(runs.status).count("succeeded"), 4)
        subprocess.run([*PROGRAM, "verify", path], check=True, capture_output=True)

    def test_a_policy_plays_until_each_is_over(self):
        self.envs.reset(seeds=[1, 2, 3])
        asked = []

        def policy(observations):
            asked.append(len(observations))
            return [TAKE if "coin, beside you" in one.text else EAST for one in observations]

        played = self.envs.play(policy)
        self.assertEqual({i: one.terminated for i, one in played.items()}, {0: True, 1: True, 2: True})
        self.assertAlmostEqual(played[0].rewards["progress"], 3.0)
        self.assertEqual(asked, [3, 3, 3])
        self.assertIsInstance(played[0], Played)

    def test_more_episodes_than_worlds_are_refused(self):
        with self.assertRaisesRegex(ValueError, "3 worlds"):
            self.envs.reset(seeds=[1, 2, 3, 4])


class MoreWorldsThanStreams(unittest.TestCase):
    def test_more_worlds_than_a_connection_has_streams_play_at_once(self):
        with chat_envs(TWO, "ann", size=66, controller="tester", **ALONE) as envs:
            envs.reset(seeds=range(66), overrides=["turns.max=1"])
            played = envs.play(lambda asked: [EAST for _ in asked])
        self.assertEqual([len(one.steps) for one in played.values()], [1] * 66)
        with self.assertRaisesRegex(ValueError, "size must be from 1 to 256, not 257"):
            chat_envs(TWO, "ann", size=257, **ALONE)


def seen(observation):
    """All that a model would be sent."""
    pictures = [hashlib.sha256(one.tobytes()).hexdigest() for one in observation.images]
    texts = [part["text"] for one in observation.messages for part in one["content"] if part["type"] == "text"]
    return (*texts, *pictures, observation.form.regex, observation.tick)


if __name__ == "__main__":
    unittest.main()
