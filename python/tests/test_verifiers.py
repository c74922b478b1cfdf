"""A served world in Prime Intellect's verifiers: an episode with a model that always gives the same replies. Skipped where it is not installed.

LOGS names a folder for logs, ORCHESTRATE is the program; verifiers runs its harness with `uv`.
"""

import asyncio
import base64
import importlib.util
import json
import os
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

LOGS = os.environ["LOGS"]
TWO = str(Path(__file__).parent / "two.yaml")
REPLIES = ["ACTION: GO east", "Hm.", "ACTION: GO east", "ACTION: TAKE coin"]


class Model(BaseHTTPRequestHandler):
    """Gives the replies one after the other, and keeps what it was asked."""

    asked: list = []

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append(request)
        message = {"role": "assistant", "content": REPLIES[len(self.asked) - 1]}
        usage = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
        head = {"id": "1", "created": 1, "model": "tiny", "usage": usage}
        choice = {"index": 0, "finish_reason": "stop"}
        if request.get("stream"):
            chunk = {**head, "object": "chat.completion.chunk", "choices": [{**choice, "delta": message}]}
            self.answer("text/event-stream", f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n")
        else:
            whole = {**head, "object": "chat.completion", "choices": [{**choice, "message": message}]}
            self.answer("application/json", json.dumps(whole))

    def answer(self, kind, text):
        body = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@unittest.skipUnless(importlib.util.find_spec("verifiers"), "verifiers is not installed")
class WithVerifiers(unittest.TestCase):
    def test_each_request_is_a_trace_with_one_picture_and_its_return(self):
        import verifiers.v1 as vf

        server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        taskset = {
            "id": "orchestrate-verifiers",
            "scenario": TWO,
            "entity": "ann",
            "keep": ["bob"],
            "set": ["turns.order=sequential", "rules.movement=tile"],
            "logs": LOGS,
            "seeds": 3,
            "size": 1,
        }
        env = vf.load_environment(vf.resolve_env_config({"taskset": taskset}))
        os.environ["NO_KEY"] = "none"
        client = vf.EvalClientConfig(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key_var="NO_KEY")

        async def episode():
            async with env.serving():
                tasks = list(env.taskset)
                self.assertEqual([task.data.seed for task in tasks], [1, 2, 3])
                return await env.run_episode(tasks[0], vf.ModelContext(model="tiny", client=client))

        made = asyncio.run(episode())
        self.assertTrue(made.ok, made.errors)
        self.assertEqual([trace.last_reply for trace in made.traces], REPLIES)
        # Three turns; the second began with a reply that nobody understood.
        returns = [trace.rewards["return"].score for trace in made.traces]
        for one, expected in zip(returns, [12.77, 11.78, 11.78, 10.99]):
            self.assertAlmostEqual(one, expected, 5)
        self.assertEqual(len(Model.asked), 4)
        for request in Model.asked:
            self.assertEqual([one["role"] for one in request["messages"]][0], "system")
            pictures = [
                part["image_url"]["url"]
                for one in request["messages"]
                if isinstance(one["content"], list)
                for part in one["content"]
                if part["type"] == "image_url"
            ]
            self.assertEqual(len(pictures), 1)
            self.assertTrue(base64.b64decode(pictures[0].partition(",")[2]).startswith(b"\x89PNG"))


if __name__ == "__main__":
    unittest.main()
