"""Plays a few seeds with the model of a server that speaks OpenAI's protocol: `python play.py http://127.0.0.1:8000/v1 MODEL [SEEDS]`."""

import asyncio
import os
import sys

import verifiers.v1 as vf
from orchestrate_one_glance import load_environment


async def main(base_url: str, model: str, seeds: str = "3") -> None:
    os.environ.setdefault("OPENAI_API_KEY", "none")
    client = vf.EvalClientConfig(base_url=base_url, api_key_var="OPENAI_API_KEY")
    env = load_environment(seeds=int(seeds), size=1)
    won = 0
    async with env.serving():
        for task in env.taskset:
            episode = await env.run_episode(task, vf.ModelContext(model=model, client=client))
            if not episode.ok:
                sys.exit(f"{task.data.name}: {episode.errors}")
            returned = episode.traces[0].rewards["return"].score
            won += returned == 1
            print(f"{task.data.name}: {len(episode.traces)} requests, return {returned}")
    print(f"won {won} of {seeds}")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
