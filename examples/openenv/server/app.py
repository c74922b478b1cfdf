"""The Space's server: it starts `orchestrate serve` and plays each OpenEnv session in a world of its own.

SCENARIO is the name of a shipped scenario or the path of a YAML file. ENTITY is who is played, where the scenario has several agents; KEEP names those that the
server plays, with commas between them. WORLDS is the number of sessions at once, and LOGS the folder of the logs. ORCHESTRATE starts the program, where
`orchestrate` is not on the path.
"""

import os

from orchestrate_agent.openenv import openenv_app

app = openenv_app(
    os.environ.get("SCENARIO", "brass-key"),
    os.environ.get("ENTITY"),
    keep=[name for name in os.environ.get("KEEP", "").split(",") if name],
    size=int(os.environ.get("WORLDS", "8")),
    logs=os.environ.get("LOGS", "outputs"),
    # 1 for a success and nothing else, as openenv.yaml declares.
    set=["rewards={success: 1}"],
)


def main() -> None:
    import argparse

    import uvicorn

    options = argparse.ArgumentParser()
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, default=8000)
    chosen = options.parse_args()
    uvicorn.run(app, host=chosen.host, port=chosen.port)


if __name__ == "__main__":
    main()
