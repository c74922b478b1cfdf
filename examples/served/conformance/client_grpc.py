#!/usr/bin/env python3
"""The checks over gRPC with grpcio: python client_grpc.py 127.0.0.1:50051. Needs orchestrate-agent and grpcio-health-checking.

Reads `checks.json`; `checks.mjs` describes its steps. ORCHESTRATE_TOKEN is sent where it is set; it needs the role operator.
"""

import json
import os
import sys
import threading
import uuid
from pathlib import Path
from queue import Empty, Queue

import grpc
from google.protobuf import json_format
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2
from grpc_status import rpc_status
from orchestrate_agent.wire import world_pb2

ADDRESS = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051"
TOKEN = os.environ.get("ORCHESTRATE_TOKEN")
METADATA = None if TOKEN is None else (("authorization", f"Bearer {TOKEN}"),)
SERVICES = world_pb2.DESCRIPTOR.services_by_name


class Refused(Exception):
    """The server refused a call."""

    def __init__(self, error):
        status = rpc_status.from_call(error)
        self.code, self.reason = error.code().name, ""
        info = error_details_pb2.ErrorInfo()
        for detail in status.details if status is not None else []:
            if detail.Unpack(info):
                self.reason = info.reason
        super().__init__(f"{self.code} {self.reason}: {error.details()}")


def client_of(channel, method, request):
    """The call of a method, not begun yet, and its request, which comes as proto3 JSON."""
    service, name = method.split("/")
    if service == "grpc.health.v1.Health":
        read = lambda data: json_format.MessageToDict(health_pb2.HealthCheckResponse.FromString(data))
        return channel.unary_unary(f"/{method}", written, read), health_pb2.HealthCheckRequest()
    described = SERVICES[service].methods_by_name[name]
    message = json_format.ParseDict(request, GetMessageClass(described.input_type)())
    answer = GetMessageClass(described.output_type)
    kind = channel.unary_stream if described.server_streaming else channel.unary_unary
    path = f"/{described.containing_service.full_name}/{name}"
    return kind(path, written, lambda data: json_format.MessageToDict(answer.FromString(data))), message


def written(message):
    return message.SerializeToString()


class Stream:
    """The messages of a stream, read beside the checks; the first has come once this is made."""

    def __init__(self, channel, method, request):
        call, message = client_of(channel, method, request)
        self._call = call(message, metadata=METADATA)
        self._messages = Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self._first = self.next()

    def _read(self):
        try:
            for message in self._call:
                self._messages.put(message)
        except grpc.RpcError as error:
            self._messages.put(Refused(error))
        self._messages.put(None)

    def next(self):
        if getattr(self, "_first", None) is not None:
            first, self._first = self._first, None
            return first
        message = self._messages.get(timeout=20)
        if isinstance(message, Refused):
            raise message
        return message

    def until(self, wanted):
        try:
            while (message := self.next()) is not None:
                if differs(wanted, message) is None:
                    return message
        except Empty:
            raise AssertionError("nothing fits within 20 s") from None
        raise AssertionError("the stream has ended before a message fits")

    def close(self):
        self._call.cancel()


def filled(value, saved):
    if isinstance(value, str) and value.startswith("$"):
        return saved[value[1:]]
    if isinstance(value, list):
        return [filled(one, saved) for one in value]
    if isinstance(value, dict):
        return {key: filled(one, saved) for key, one in value.items()}
    return value


ABSENT = (None, False, 0, "", "0")


def differs(expected, got, path=""):
    """None where the answer is as expected; a field that is absent has its default."""
    problem = f"{path or 'the answer'} is {got!r}, not {expected!r}"
    if expected == "*":
        return None if got not in ABSENT else problem
    if isinstance(expected, list) and path.endswith("reason"):
        return None if got in expected else problem
    if isinstance(expected, list):
        found = got or []
        if len(found) > 0 if not expected else len(found) < len(expected):
            return problem
        return first(differs(one, found[i], f"{path}.{i}") for i, one in enumerate(expected))
    if isinstance(expected, dict):
        if "above" in expected:
            return None if int(got) > int(expected["above"]) else problem
        return first(differs(one, (got or {}).get(key), f"{path}.{key}".strip(".")) for key, one in expected.items())
    if expected in ABSENT:
        return None if got in ABSENT else problem
    return None if str(got) == str(expected) else problem


def first(problems):
    return next((problem for problem in problems if problem is not None), None)


def at(value, path):
    for key in path.split("."):
        value = value[int(key)] if isinstance(value, list) else value.get(key)
    return value


def take(step, channel, saved, streams):
    method = step.get("call", "")
    request = filled(step.get("request", {}), saved)
    if "open" in step:
        streams[step["open"]] = Stream(channel, method, request)
        return
    if "close" in step:
        streams[step["close"]].close()
        return
    if "read" in step:
        answer = streams[step["read"]].until(filled(step["until"], saved))
    else:
        call, message = client_of(channel, method, request)
        try:
            answer = call(message, timeout=20, metadata=METADATA)
        except grpc.RpcError as error:
            return expect_refusal(step, Refused(error))
        if "error" in step:
            raise AssertionError(f"{method} was not refused with {step['error']}")
    problem = differs(filled(step.get("expect", {}), saved), answer)
    if problem is not None:
        raise AssertionError(f"{method or 'stream ' + step['read']}: {problem}")
    for name, path in step.get("save", {}).items():
        saved[name] = at(answer, path)


def expect_refusal(step, refused):
    code, _, reason = step.get("error", "").partition(" ")
    if refused.code != code or reason not in ("", refused.reason):
        raise AssertionError(f"{step['call']} was refused with {refused}")


def main():
    mark = uuid.uuid4().hex
    saved = {"id-1": f"{mark}-1", "id-2": f"{mark}-2", "long": "x" * 70_000, "long-name": "x" * 201}
    checks = json.loads(Path(__file__).with_name("checks.json").read_text())
    streams, failed = {}, 0
    with grpc.insecure_channel(ADDRESS) as channel:
        for entry in checks:
            try:
                for step in entry["steps"]:
                    take(step, channel, saved, streams)
                print(f"ok      {entry['check']}")
            except Exception as error:  # whatever it is, it is told and the next check runs
                failed += 1
                print(f"FAILED  {entry['check']}: {error}")
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 0 if failed == 0 else 1


sys.exit(main())
