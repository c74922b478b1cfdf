"""What goes wrong is told in one sentence, without gRPC's words: servers that are not there, tokens, runs, and what `decide` can't return.

ORCHESTRATE is the program. `scripts/python-agent.mjs` runs it.
"""

import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import unittest
from pathlib import Path
from unittest import mock

from orchestrate_agent import IntentError, World, WorldError, WorldUnreachable, play

PROGRAM = os.environ["ORCHESTRATE"].split()
SCENARIOS = Path(__file__).parents[2] / "scenarios"


def wait(_):
    return "WAIT"


class KilledTrainer(unittest.TestCase):
    @unittest.skipUnless(os.name == "posix", "signals")
    def test_its_server_ends_although_it_can_do_nothing_any_more(self):
        with tempfile.TemporaryDirectory() as folder:
            script = (
                "import sys, time\n"
                "from orchestrate_agent.server import Server\n"
                "server = Server(sys.argv[1], logs=sys.argv[2])\n"
                "print(server._process.pid, flush=True)\n"
                "time.sleep(600)\n"
            )
            words = [sys.executable, "-c", script, str(SCENARIOS / "crypt.yaml"), folder]
            with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as trainer:
                server = int(trainer.stdout.readline())
                os.kill(server, 0)
                trainer.kill()
            for _ in range(600):
                try:
                    os.kill(server, 0)
                except ProcessLookupError:
                    return
                time.sleep(0.1)
            os.kill(server, signal.SIGKILL)
            self.fail("the server is still there a minute later")


class Served(unittest.TestCase):
    def serve(self, scenario="crypt", *words):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        server = subprocess.Popen(
            [*PROGRAM, "serve", str(SCENARIOS / f"{scenario}.yaml"), "--listen", "127.0.0.1:0", "--pace", "lockstep"]
            + ["--out", os.path.join(folder.name, ""), *words],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        for line in server.stdout:
            found = re.match(r"serving (\S+),", line)
            if found:
                return server, found.group(1)
        self.fail("the server did not start")

    def refused(self, kind, act):
        with self.assertRaises(kind) as raised:
            act()
        told = "".join(traceback.format_exception(type(raised.exception), raised.exception, None))
        for word in ("grpc", "RpcError", "Traceback", "failed to connect"):
            self.assertNotIn(word, told)
        self.assertNotIn("\n", str(raised.exception))
        # Python prints a cause above what was raised.
        self.assertTrue(raised.exception.__suppress_context__ or raised.exception.__context__ is None)
        return str(raised.exception)


class Servers(Served):
    def test_none_is_there(self):
        for address in ("127.0.0.1:1", "no-such-host.invalid:50051"):
            told = self.refused(WorldUnreachable, lambda: play(wait, entity="knight", world=address))
            self.assertIn(f"no world answers at {address}: start one with `orchestrate serve`", told)

    def test_an_address_is_a_host_and_a_port(self):
        for address in ("50051", "http://127.0.0.1:50051", "127.0.0.1"):
            told = self.refused(ValueError, lambda: play(wait, entity="knight", world=address))
            self.assertEqual(told, f"the address of a world is HOST:PORT, such as 127.0.0.1:50051, not '{address}'")

    def test_one_that_dies_is_gone(self):
        for end in ("kill", "terminate"):
            server, address = self.serve()

            def decide(_):
                getattr(server, end)()
                server.wait()
                return "WAIT"

            told = self.refused(WorldUnreachable, lambda: play(decide, entity="knight", world=address))
            self.assertIn(f"lost the connection to the world at {address}", told)
            self.assertIn("orchestrate serve LOG --resume", told)

    @unittest.skipUnless(os.name == "posix", "signals")
    def test_one_that_stops_is_noticed_within_a_minute(self):
        server, address = self.serve()
        stopped = []

        def decide(_):
            os.kill(server.pid, signal.SIGSTOP)
            stopped.append(time.monotonic())
            return "WAIT"

        told = self.refused(WorldUnreachable, lambda: play(decide, entity="knight", world=address))
        self.assertLess(time.monotonic() - stopped[0], 60)
        self.assertIn(f"lost the connection to the world at {address}", told)

    def test_one_on_this_machine_is_asked_through_no_proxy(self):
        _, address = self.serve()
        nobody = dict.fromkeys(("http_proxy", "https_proxy", "grpc_proxy"), "http://127.0.0.1:9")
        with mock.patch.dict(os.environ, nobody), World(address) as world:
            self.assertEqual(world.info().scenario, "crypt")

    def test_tokens(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as tokens:
            tokens.write(f"{hashlib.sha256(b'known').hexdigest()} ann agent\n")
            tokens.flush()
            _, address = self.serve("crypt", "--tokens", tokens.name)
            told = self.refused(WorldError, lambda: play(wait, entity="knight", world=address))
            self.assertEqual(told, f"the world at {address} requires a token: pass token=, or set WORLD_TOKEN")
            told = self.refused(WorldError, lambda: play(wait, entity="knight", world=address, token="other"))
            self.assertEqual(told, f"the world at {address} does not accept this token: pass token=, or set WORLD_TOKEN")
            with World(address, "known") as world:
                self.assertEqual(world.info().scenario, "crypt")

    def test_a_run_that_is_not_there(self):
        _, address = self.serve()
        with World(address) as world:
            run = world.info().run
        told = self.refused(WorldError, lambda: play(wait, entity="knight", world=address, run="crypt-0"))
        self.assertEqual(told, f'there is no run "crypt-0"; the only run is {run}')


class Tls(Served):
    """Certificates as in docs: an authority, and what it signed for the server and for a player."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        new = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        self.openssl(*new, "-x509", "-days", "2", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=authority")
        (self.folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
        for name in ("world", "player"):
            self.openssl(*new, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
            signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"]
            self.openssl("x509", "-req", "-in", f"{name}.csr", "-out", f"{name}.pem", *signed)

    def openssl(self, *words):
        subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True)

    def pem(self, name):
        return (self.folder / name).read_bytes()

    def test_play_shows_and_checks_certificates(self):
        words = ["--tls-ca", "ca.pem", "--tls-cert", "world.pem", "--tls-key", "world.key"]
        files = [str(self.folder / word) if word.endswith(("pem", "key")) and "--" not in word else word for word in words]
        _, address = self.serve("crypt", "--max-turns", "2", *files)
        own = (self.pem("player.key"), self.pem("player.pem"))
        for certificates in ({}, {"certificate": self.pem("ca.pem")}, {"certificate": self.pem("player.pem"), "own": own}):
            self.refused(WorldUnreachable, lambda given=certificates: play(wait, entity="knight", world=address, **given))
        ended = play(wait, entity="knight", world=address, certificate=self.pem("ca.pem"), own=own)
        self.assertEqual((ended.state, ended.tick), ("FAILED", 2))


class Intents(Served):
    def test_what_is_no_intent_is_named_with_a_legal_one(self):
        _, address = self.serve("crypt", "--max-turns", "100")
        wrong = {
            "an intent must be a str": [5, ["GO"], True, 1.5],
            'the name of an action as "action"': [{"direction": "north"}, {"action": None}, {}],
            "an argument must be a str or an int": [
                {"action": "GO", "direction": 3.5},
                {"action": "GO", "direction": None},
                {"action": "GO", "direction": True},
            ],
            'there is no action "FLY". The actions are': [{"action": "FLY"}],
            "it takes direction, or target": [
                {"action": "GO"},
                {"action": "GO", "way": "north"},
                {"action": "GO", "direction": "north", "thing": "rat"},
            ],
        }
        for why, returned in wrong.items():
            for intent in returned:
                with self.subTest(intent=intent):
                    legal = []

                    def decide(observation):
                        legal.extend(map(repr, observation.actions))
                        return intent

                    told = self.refused(IntentError, lambda: play(decide, entity="knight", world=address))
                    self.assertTrue(told.startswith(f"decide returned {intent!r}: "), told)
                    self.assertIn(why, told)
                    _, example = told.split("; legal now: ")
                    self.assertIn(example, legal)
                    if isinstance(intent, dict) and intent.get("action") == "GO":
                        self.assertIn("'GO'", example)

    def test_all_that_is_listed_as_legal_is_accepted(self):
        for scenario, entity in (("crypt", "knight"), ("car-repair", "rivet"), ("files", "clerk")):
            _, address = self.serve(scenario, "--max-turns", "12")
            tried, acks = set(), []

            def decide(observation):
                fresh = [one for one in observation.actions if one["action"] not in ("DONE", "WAIT")]
                fresh = [one for one in fresh if tuple(one.items()) not in tried] or [{"action": "WAIT"}]
                # From the end: the ways with most arguments, too.
                chosen = fresh[-1] if observation.tick % 2 else fresh[0]
                tried.add(tuple(chosen.items()))
                return chosen

            play(decide, entity=entity, world=address, heard=lambda _, ack: acks.append(ack))
            self.assertGreater(len(acks), 5)
            # A turn has room for a few free actions, whatever is legal.
            refused = [ack for ack in acks if not ack.accepted and "free actions of this turn" not in ack.message]
            self.assertEqual(refused, [])


if __name__ == "__main__":
    unittest.main()
