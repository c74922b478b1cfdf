"""Python's official client plays: python client.py URL TOOL=JSON ...; prints each result's texts and kinds of content as a line of JSON."""

import asyncio
import json
import sys

from mcp import Client


async def main(url, calls):
    async with Client(url) as client:
        for call in calls:
            tool, _, arguments = call.partition("=")
            result = await client.call_tool(tool, json.loads(arguments or "{}"))
            print(json.dumps([getattr(block, "text", block.type) for block in result.content]))


asyncio.run(main(sys.argv[1], sys.argv[2:]))
