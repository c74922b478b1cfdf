"""Requests as the program sends them to OpenAI-compatible servers: plain JSON, with pictures as data URLs."""

from __future__ import annotations

import base64
from typing import Any, Dict, Iterator, List, Union

from .chat import ChatObservation


def openai_messages(observation: ChatObservation) -> List[Dict[str, Any]]:
    """The `messages` of a chat request."""
    pngs = iter(observation.pngs)
    return [{"role": one["role"], "content": _content(one["content"], pngs)} for one in observation.messages]


def _content(parts: List[Dict[str, Any]], pngs: Iterator[bytes]) -> Union[str, List[Dict[str, Any]]]:
    if all(part["type"] == "text" for part in parts):
        return "".join(part["text"] for part in parts)
    return [part if part["type"] == "text" else _picture(next(pngs)) for part in parts]


def _picture(png: bytes) -> Dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{base64.b64encode(png).decode()}"}}
