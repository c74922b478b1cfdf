"""A served world over OpenEnv: its own client plays our adapter. Skipped where OpenEnv is not installed.

LOGS names a folder for logs, ORCHESTRATE is the program.
"""

import base64
import importlib.util
import os
import socket
import threading
import time
import unittest
from pathlib import Path

LOGS = os.environ["LOGS"]
TWO = str(Path(__file__).parent / "two.yaml")
EAST, TAKE = "ACTION: GO east", "ACTION: TAKE coin"


@unittest.skipUnless(importlib.util.find_spec("openenv"), "OpenEnv is not installed")
class WithOpenEnv(unittest.TestCase):
    def setUp(self):
        import uvicorn

        from orchestrate_agent.openenv import openenv_app

        app = openenv_app(
            TWO, "ann", size=2, keep=["bob"], set=["turns.order=sequential", "rules.movement=tile"], logs=LOGS
        )
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.server = uvicorn.Server(uvicorn.Config(app, port=self.port, log_level="warning"))
        serving = threading.Thread(target=self.server.run)
        serving.start()

        def stop():
            self.server.should_exit = True
            serving.join()

        self.addCleanup(stop)
        while not self.server.started:
            time.sleep(0.05)

    def client(self):
        from openenv.core.generic_client import GenericEnvClient

        env = GenericEnvClient(base_url=f"http://127.0.0.1:{self.port}").sync()
        env.connect()
        self.addCleanup(env.close)
        return env

    def test_its_client_plays_an_episode_and_begins_again_in_its_midst(self):
        env = self.client()
        first = env.reset(seed=3).observation
        kinds = [part["type"] for message in first["messages"] for part in message["content"]]
        self.assertEqual(kinds.count("image_url"), 1)
        (url,) = [
            part["image_url"]["url"] for one in first["messages"] for part in one["content"] if part["type"] == "image_url"
        ]
        self.assertTrue(base64.b64decode(url.partition(",")[2]).startswith(b"\x89PNG"))
        self.assertEqual(first["form"]["protocol"], "command")
        second = env.step({"reply": EAST})
        self.assertAlmostEqual(second.reward, 0.99)
        self.assertEqual(second.observation["rewards"], {"step": -0.01, "progress": 1.0})
        env.step({"reply": EAST})
        end = env.step({"reply": TAKE})
        self.assertTrue(end.done and end.observation["terminated"])
        seen = second.observation
        again = env.reset(run=seen["run"], tick=seen["tick"]).observation
        self.assertEqual(again["messages"], seen["messages"])
        self.assertNotEqual(again["run"], seen["run"])

    def test_sessions_have_worlds_of_their_own(self):
        one, other = self.client(), self.client()
        self.assertNotEqual(one.reset(seed=1).observation["run"], other.reset(seed=1).observation["run"])
        one.step({"reply": EAST})
        self.assertEqual(other.step({"reply": "ACTION: WAIT"}).observation["tick"], 2)


if __name__ == "__main__":
    unittest.main()
