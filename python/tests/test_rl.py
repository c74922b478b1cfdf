"""Worlds as training environments: the libraries' own tests pass, and what a learner is paid is what the log says.

Needs the extras [rl] and [logs]; ORCHESTRATE is the program, LOGS a folder. `scripts/python-agent.mjs` runs it and verifies the logs.
"""

import os
import unittest
import warnings
from pathlib import Path

import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

from orchestrate_agent.logs import frames, read_log
from orchestrate_agent.rl import WorldAECEnv, aec_env, gym_env, parallel_env

LOGS = os.environ["LOGS"]
TWO = str(Path(__file__).with_name("two.yaml"))
IN_TURN = str(Path(__file__).with_name("in-turn.yaml"))
SCENARIOS = Path(__file__).parents[2] / "scenarios"
ALONE = {"keep": ["bob"]}


def number_of(actions, **action):
    return actions.index(action)


class Conformance(unittest.TestCase):
    def test_gymnasium_check_env(self):
        env = gym_env(TWO, "ann", logs=LOGS, **ALONE)
        self.addCleanup(env.close)
        check_env(env)

    def test_pettingzoo_parallel_api_test(self):
        env = parallel_env(TWO, logs=LOGS)
        self.addCleanup(env.close)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            parallel_api_test(env, num_cycles=20)

    def test_pettingzoo_api_test(self):
        env = aec_env(TWO, logs=LOGS)
        self.addCleanup(env.close)
        api_test(env, num_cycles=20)

    def test_pettingzoo_api_test_of_agents_that_act_in_turn(self):
        for scenario in (IN_TURN, str(SCENARIOS / "two-keepers.yaml")):
            env = aec_env(scenario, logs=LOGS, set=["turns.max=12"])
            self.addCleanup(env.close)
            self.assertIsInstance(env, WorldAECEnv)
            api_test(env, num_cycles=20)


class Episodes(unittest.TestCase):
    def play(self, env, choose):
        """An episode; what each agent got in each step."""
        observations, _ = env.reset(seed=7)
        paid = {agent: [] for agent in env.possible_agents}
        while env.agents:
            actions = {agent: choose(agent, observations[agent]) for agent in env.agents}
            observations, rewards, terminated, truncated, infos = env.step(actions)
            for agent, reward in rewards.items():
                paid[agent].append(reward)
        return paid, terminated, truncated, infos

    def test_rewards_are_those_of_the_log(self):
        env = parallel_env(TWO, logs=LOGS)
        self.addCleanup(env.close)
        rng = np.random.default_rng(3)

        def choose(agent, observation):
            return int(rng.choice(np.flatnonzero(observation["action_mask"])))

        paid, terminated, truncated, _ = self.play(env, choose)
        self.assertTrue(all(terminated[agent] != truncated[agent] for agent in terminated))
        log = read_log(f"{LOGS}/{env.run}.sqlite")
        self.assertEqual(list(log.runs.seed), ["7"])
        for agent, rewards in paid.items():
            np.testing.assert_allclose(log.steps[log.steps.agent == agent].reward, rewards, atol=1e-9)
            total = log.rewards[log.rewards.agent == agent].reward.sum()
            self.assertAlmostEqual(total, sum(rewards), 6)

    def test_success_terminates_and_turns_truncate(self):
        env = parallel_env(TWO, logs=LOGS)
        self.addCleanup(env.close)
        go = number_of(env.actions("ann"), action="GO", target="coin")
        take = number_of(env.actions("ann"), action="TAKE", thing="coin")

        def fetch(agent, observation):
            return 0 if agent == "bob" else take if observation["action_mask"][take] else go

        paid, terminated, truncated, _ = self.play(env, fetch)
        self.assertEqual((terminated, truncated), ({"ann": True, "bob": True}, {"ann": False, "bob": False}))
        # Two turns of two: each 0.01 for its step, 1 for the turn that it came nearer, 10 at the end.
        np.testing.assert_allclose(paid["ann"], [0.99, 10.99])
        _, terminated, truncated, _ = self.play(env, lambda agent, observation: 0)
        self.assertEqual((terminated, truncated), ({"ann": False, "bob": False}, {"ann": True, "bob": True}))

    def test_a_refused_action_waits_and_costs(self):
        env = gym_env(TWO, "ann", logs=LOGS, **ALONE)
        self.addCleanup(env.close)
        observation, _ = env.reset(seed=1)
        drop = number_of(env.actions, action="DROP", thing="coin")
        self.assertEqual(observation["action_mask"][drop], 0)
        _, reward, _, _, info = env.step(drop)
        # The solver is as far away as before, so nothing else is paid.
        self.assertAlmostEqual(reward, -0.11)
        self.assertIn("coin", info["feedback"][0])

    def test_a_number_that_is_no_action_is_refused_by_name(self):
        env = gym_env(TWO, "ann", logs=LOGS, **ALONE)
        self.addCleanup(env.close)
        env.reset(seed=1)
        last = len(env.actions) - 1
        for action in (-1, 2.7, np.float32(1), last + 1, "0", None):
            with self.assertRaisesRegex(ValueError, f"no action of ann: .* from 0 to {last}"):
                env.step(action)
        # Nothing was played meanwhile, and numbers of numpy are numbers.
        env.step(np.int64(0))
        self.assertEqual(len(read_log(f"{LOGS}/{env.run}.sqlite").steps.query("agent == 'ann'")), 1)

    def test_a_step_after_the_end_is_refused_in_words(self):
        env = gym_env(TWO, "ann", logs=LOGS, set=["turns.max=1"], **ALONE)
        self.addCleanup(env.close)
        env.reset(seed=1)
        self.assertTrue(any(env.step(0)[2:4]))
        with self.assertRaisesRegex(RuntimeError, "the episode is over: call reset"):
            env.step(0)
        env.reset(seed=2)
        env.step(0)
        env.close()
        with self.assertRaisesRegex(RuntimeError, "closed"):
            env.step(0)

    def test_episodes_begin_at_a_snapshot(self):
        env = gym_env(TWO, "ann", logs=LOGS, **ALONE)
        self.addCleanup(env.close)
        env.reset(seed=7)
        env.step(0)
        snapshot = env.snapshot()
        numbers = np.flatnonzero(env.action_masks())[-3:]
        self.assertGreater(len(numbers), 1)
        after = []
        for number in [*numbers, *numbers]:
            _, info = env.reset(options={"snapshot": snapshot})
            self.assertEqual(env.snapshot().tick, snapshot.tick)
            self.assertNotEqual(env.run, snapshot.run)
            after.append((info["text"], env.step(number)[4]["text"]))
        self.assertEqual(after[: len(numbers)], after[len(numbers) :])
        self.assertEqual(len({begin for begin, _ in after}), 1)
        with self.assertRaisesRegex(ValueError, "a snapshot uses the seed of its run: leave out seed"):
            env.reset(seed=7, options={"snapshot": snapshot})

    def test_a_closed_environment_says_so(self):
        env = gym_env(TWO, "ann", logs=LOGS, **ALONE)
        env.reset()
        env.close()
        for use in (env.reset, env.snapshot, env.render, env.action_masks, lambda: env.reset(seed=1), lambda: env.step(0)):
            with self.assertRaisesRegex(RuntimeError, "the environment is closed: make another one"):
                use()

    def test_an_entity_without_an_action_is_named(self):
        env = parallel_env(TWO, logs=LOGS)
        self.addCleanup(env.close)
        env.reset(seed=1)
        for actions in ({"ann": 0}, {"ann": 0, "bob": 0, "eve": 0}):
            with self.assertRaisesRegex(ValueError, "an action, and no other: ann, bob"):
                env.step(actions)

    def test_words_are_read_as_a_models_reply(self):
        env = gym_env(TWO, "ann", logs=LOGS, words=True, **ALONE)
        self.addCleanup(env.close)
        env.reset(seed=1)
        _, unread, _, _, _ = env.step("Well, let me see.")
        self.assertAlmostEqual(unread, -0.21)
        env.step("ACTION: GO TO coin")
        _, reward, terminated, _, _ = env.step("ACTION: TAKE coin")
        self.assertTrue(terminated)
        self.assertAlmostEqual(reward, 10.99)

    def test_the_same_seed_is_the_same_run(self):
        env = gym_env(TWO, "ann", logs=LOGS, **ALONE)
        self.addCleanup(env.close)
        chains = []
        for _ in range(2):
            env.reset(seed=5)
            run = env.run
            env.step(0)
            env.reset(seed=6)
            chains.append(list(read_log(f"{LOGS}/{run}.sqlite").steps.chain))
        self.assertEqual(*chains)

    def test_agents_that_act_in_turn_need_aec(self):
        with self.assertRaisesRegex(ValueError, "^the agents of this scenario act one after another: use aec_env"):
            parallel_env(TWO, logs=LOGS, set=["turns.order=sequential"])
        with self.assertRaisesRegex(ValueError, "keep"):
            gym_env(TWO, "ann", logs=LOGS)


class InTurn(unittest.TestCase):
    """Agents that act one after another: each is asked once those before it have acted."""

    def play(self, env, choose):
        """An episode; who was asked, and what each agent got in all, by last()."""
        env.reset(seed=7)
        order, paid, ends = [], {agent: [] for agent in env.possible_agents}, {}
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            paid[agent].append(reward)
            order.append(agent)
            if terminated or truncated:
                ends[agent] = (terminated, truncated)
            env.step(None if terminated or truncated else choose(agent, observation))
        return order, paid, ends

    def test_the_second_sees_what_the_first_did(self):
        env = aec_env(IN_TURN, logs=LOGS)
        self.addCleanup(env.close)
        env.reset(seed=1)
        self.assertEqual(env.agent_selection, "ann")
        env.step(number_of(env.actions("ann"), action="GO", target="coin"))
        self.assertEqual(env.agent_selection, "bob")
        self.assertIn("Ann moved 3 east.", env.infos["bob"]["text"])
        env.step(number_of(env.actions("bob"), action="GO", target="coin"))
        self.assertEqual(env.agent_selection, "ann")
        self.assertEqual(env.last()[0]["action_mask"][number_of(env.actions("ann"), action="TAKE", thing="coin")], 1)

    def test_rewards_are_those_of_the_log(self):
        env = aec_env(IN_TURN, logs=LOGS)
        self.addCleanup(env.close)
        rng = np.random.default_rng(3)
        order, paid, ends = self.play(
            env, lambda _, observation: int(rng.choice(np.flatnonzero(observation["action_mask"])))
        )
        self.assertEqual(order[:4], ["ann", "bob", "ann", "bob"])
        self.assertEqual(set(ends), {"ann", "bob"})
        log = read_log(f"{LOGS}/{env.run}.sqlite")
        for agent, rewards in paid.items():
            total = log.rewards[log.rewards.agent == agent].reward.sum()
            self.assertAlmostEqual(total, sum(rewards), 6)
            # Nothing was paid before the first step; each reward is of the step before it.
            np.testing.assert_allclose(log.steps[log.steps.agent == agent].reward, rewards[1:], atol=1e-9)

    def test_who_is_out_by_an_outcome_of_its_own_ends_first(self):
        env = aec_env(IN_TURN, logs=LOGS)
        self.addCleanup(env.close)

        def fetch(agent, observation):
            take, go = (
                number_of(env.actions("ann"), action="TAKE", thing="coin"),
                number_of(env.actions("ann"), action="GO", target="coin"),
            )
            return 0 if agent == "bob" else take if observation["action_mask"][take] else go

        order, paid, ends = self.play(env, fetch)
        self.assertEqual(ends, {"ann": (True, False), "bob": (False, True)})
        # Ann's last entry is her end; Bob plays on alone to the turns' limit.
        self.assertEqual(order[:5], ["ann", "bob", "ann", "bob", "ann"])
        self.assertEqual(set(order[5:]), {"bob"})
        self.assertEqual(order.count("bob"), 7)
        np.testing.assert_allclose(paid["ann"], [0, -0.01, 9.99])


class Logs(unittest.TestCase):
    def test_tables_and_frames(self):
        env = gym_env(TWO, "ann", logs=LOGS, **ALONE)
        self.addCleanup(env.close)
        env.reset(seed=1)
        run = env.run
        seen = [env.step(0)[0]["observation"] for _ in range(2)]
        env.close()
        path = f"{LOGS}/{run}.sqlite"
        log = read_log(path)
        self.assertEqual(list(log.runs.run_id), [run])
        self.assertEqual(log.steps[log.steps.agent == "ann"].action.tolist()[:2], ["WAIT", "WAIT"])
        self.assertEqual(set(log.calls.agent), {"ann", "bob"})
        tables = log.to_arrow()
        self.assertEqual(tables["steps"].num_rows, len(log.steps))
        sent = [frame.pixels for frame in frames(path, run, "ann")]
        np.testing.assert_array_equal(sent[1], seen[0])
        with self.assertRaises(ValueError):
            read_log(__file__)


if __name__ == "__main__":
    unittest.main()
