"""The snippets of the documentation run as they are printed: those of `play` against a served crypt, those of training in one folder.

Needs the extras [rl] and [logs]; ORCHESTRATE is the program. `scripts/python-agent.mjs` runs it.
"""

import contextlib
import inspect
import io
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from orchestrate_agent import play
from orchestrate_agent.server import Server

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ["ORCHESTRATE"]
#: As documents name an address.
ADDRESS = "127.0.0.1:50051"


def snippets(page, language):
    found = re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text("utf8"), re.DOTALL)
    assert found, f"{page} has no {language}"
    return found


class Snippets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        os.mkdir("runs")

    def run_snippet(self, code, names=None):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(code, "snippet", "exec"), {"__name__": "__main__"} if names is None else names)
        return said.getvalue()

    def test_play(self):
        for page in ("python/README.md", "docs/how-to/serve-a-world.md"):
            for code in snippets(page, "python"):
                with self.subTest(page=page, code=code):
                    server = Server(
                        str(ROOT / "scenarios/crypt.yaml"),
                        logs="runs",
                        keep=["wizard", "blacksmith"],
                        set=["turns.max=4"],
                    )
                    self.addCleanup(server.close)
                    # A program that names no world gets it from its runner.
                    with mock.patch.dict(os.environ, {"WORLD_ADDR": server.address, "ENTITY_ID": "knight"}):
                        said = self.run_snippet(code.replace(ADDRESS, server.address))
                    if "print" in code:
                        self.assertRegex(said, r"^(FAILED the 4 turns are over|1 True|.*knight.*\nTrue)", said)

    def test_the_reference_names_all_that_decide_gets(self):
        readme = (ROOT / "python/README.md").read_text("utf8")
        seen = []

        def decide(observation):
            seen.append(observation)
            return "WAIT"

        server = Server(str(ROOT / "scenarios/crypt.yaml"), keep=["wizard", "blacksmith"], set=["turns.max=1"])
        self.addCleanup(server.close)
        acks = []
        ended = play(decide, entity="knight", world=server.address, heard=lambda _, ack: acks.append(ack))
        facts = seen[0].facts
        listed = [*facts, *facts["self"], *(key for one in ("bodies", "things") for part in facts[one] for key in part)]
        names = {*listed, *vars(seen[0]), *vars(acks[0]), *vars(ended), *inspect.signature(play).parameters}
        self.assertIn("carryMax", names)
        for name in sorted(names - {"distance", "direction"}):
            self.assertIn(f"`{name}`", readme)

    def test_train(self):
        for name in ("brass-key", "two-keepers"):
            shutil.copy(ROOT / f"scenarios/{name}.yaml", f"{name}.yaml")
        page = "docs/how-to/train.md"
        # As a reader types them, one after the other.
        names = {"__name__": "__main__"}
        for code in snippets(page, "python"):
            with self.subTest(code=code):
                if "load_dataset" in code:
                    self.exported(page)
                else:
                    self.run_snippet(code, names)

    def exported(self, page):
        """The page's commands, and pandas where it names the hub's reader: the rows have what agents were paid."""
        import pandas

        for block in snippets(page, "sh"):
            if block.startswith("orchestrate "):
                subprocess.run(["bash", "-ec", f'orchestrate() {{ {PROGRAM} "$@"; }}\n{block}'], check=True)
        rows = pandas.read_parquet("data/trl/data")
        self.assertTrue((rows.reward < 0).any() and (rows["return"] < 0).any())
        where = {"run", "scenario", "seed", "agent", "player", "step", "ok", "problem"}
        sample = {"id", "prompt", "completion", "images"}
        self.assertEqual(set(rows.columns) - sample - where, {"reward", "return"})


if __name__ == "__main__":
    unittest.main()
