"""Plays a served world whose address is in WORLD_ADDR; `scripts/python-agent.mjs` serves it."""

import os
import unittest

from orchestrate_agent import LeaseHeld, LeaseLost, World, WorldError, play

ADDRESS = os.environ["WORLD_ADDR"]


class Play(unittest.TestCase):
    def test_1_refusals_have_a_reason(self):
        with World(ADDRESS) as world:
            with self.assertRaises(WorldError) as refused:
                world.acquire("nobody", "tester")
            self.assertEqual(refused.exception.reason, "ENTITY_NOT_FOUND")

    def test_2_a_lease_is_exclusive_and_ends(self):
        with World(ADDRESS) as world:
            names = [entity.entity for entity in world.entities()]
            self.assertEqual(names, ["wizard", "blacksmith", "knight"])
            lease = world.acquire("wizard", "tester")
            with self.assertRaises(LeaseHeld) as held:
                world.acquire("wizard", "other", wait=False)
            self.assertGreater(held.exception.retry_seconds, 0)
            lease.close()
            with self.assertRaises(LeaseLost):
                lease.submit(tick=1, attempt=1)

    def test_3_an_agent_plays_to_the_end(self):
        seen, acks = [], []

        def decide(observation):
            seen.append(observation)
            if len(seen) == 1:
                return "I can't decide."
            if len(seen) == 2:
                return {"action": "GO", "direction": "up"}
            exits = observation.offers.get("GO", {}).get("direction", [])
            return f"GO {exits[0]}" if exits else "WAIT"

        ended = play(
            decide,
            entity="knight",
            world=ADDRESS,
            controller="python-test",
            heard=lambda observation, ack: acks.append((observation.tick, ack)),
        )
        self.assertEqual((ended.state, ended.tick), ("FAILED", 4))
        first = seen[0]
        # The lease of the test before began the run, and its tick may be over.
        self.assertEqual((first.entity, first.attempt), ("knight", 1))
        self.assertTrue(first.png.startswith(b"\x89PNG"))
        self.assertIn("rat", first.text)
        self.assertEqual(first.facts["self"]["id"], "knight")
        self.assertEqual([ack.reason for _, ack in acks[:2]], ["UNREADABLE", "UNREADABLE"])
        self.assertIn("GO", seen[1].problem + acks[1][1].message)
        self.assertTrue(all(ack.accepted for _, ack in acks[2:]))


if __name__ == "__main__":
    unittest.main()
