"""The API in Python: a served world, and leases that are renewed automatically while they are in use."""

from __future__ import annotations

import re
import threading
import time
import uuid
from typing import Iterator, Optional, Sequence, Tuple

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from .wire import world_pb2 as pb
from .wire import world_pb2_grpc as rpc

#: A lost connection is restored quickly, because a tick usually takes one second.
_CHANNEL = [
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.max_receive_message_length", 4 * 1024 * 1024),
    # Otherwise, all worlds of one address would share one connection and its limit of streams.
    ("grpc.use_local_subchannel_pool", 1),
    # A server that is stopped, or whose machine is gone, closes nothing: it is noticed by its silence, within 30 s.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # Of gRPC's own pings, which measure the connection: none of ours is sent while one of them is unanswered.
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
]

_LOOPBACK = re.compile(r"(localhost|127(\.\d{1,3}){3}|\[::1\]):\d+")


def _options(address: str) -> list:
    """How to connect. gRPC takes a proxy from the environment, which leads to other machines than this one."""
    return [*_CHANNEL, *([("grpc.enable_http_proxy", 0)] if _LOOPBACK.fullmatch(address) else [])]


#: Seconds in which a run must begin: a trainer begins many at once, on a machine that may be busy.
CREATION_S = 180.0


class WorldError(Exception):
    """The server refused a request; `reason` says why in one word, such as ENTITY_NOT_FOUND."""

    def __init__(self, message: str, reason: str = "", retry_seconds: Optional[float] = None):
        super().__init__(message)
        self.reason = reason
        self.retry_seconds = retry_seconds


class LeaseHeld(WorldError):
    """Another controller holds the lease on the entity."""


class LeaseLost(WorldError):
    """The lease has expired or was taken over."""


class WorldUnreachable(WorldError):
    """No server answers at the address, or the connection to it was lost."""


_KINDS = {
    "LEASE_HELD": LeaseHeld,
    "LEASE_EXPIRED": LeaseLost,
    "LEASE_SUPERSEDED": LeaseLost,
    "EPOCH_CHANGED": LeaseLost,
}

#: Why the world refuses a call because of its token.
_TOKENS = {"TOKEN_MISSING": "requires a token", "TOKEN_UNKNOWN": "does not accept this token"}


def _refusal(error: grpc.RpcError) -> Optional[WorldError]:
    """The refusal of the server; None if the error did not come from a served world."""
    status = rpc_status.from_call(error)
    reason, retry = "", None
    for detail in status.details if status is not None else []:
        info, wait = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
        if detail.Unpack(info):
            reason = info.reason
        elif detail.Unpack(wait):
            retry = wait.retry_delay.ToTimedelta().total_seconds()
    if not reason:
        return None
    return _KINDS.get(reason, WorldError)(error.details() or str(error.code()), reason, retry)


class World:
    """A served world. `address` is HOST:PORT; with `certificate`, the certificates (PEM) to trust, the connection uses TLS.

    `own` is the client's key and certificate (PEM), for a server that requires one. Creating the object sends nothing to the server.
    """

    def __init__(
        self,
        address: str = "127.0.0.1:50051",
        token: Optional[str] = None,
        certificate: Optional[bytes] = None,
        own: Optional[Tuple[bytes, bytes]] = None,
    ):
        if not re.fullmatch(r"[^/\s]+:\d{1,5}", address):
            raise ValueError(f"the address of a world is HOST:PORT, such as 127.0.0.1:50051, not {address!r}")
        self.address = address
        self._token = token
        #: Whether the server has answered before: a later failure then means that it is gone.
        self._has_answered = False
        self._is_closed = False
        if certificate is None:
            self._channel = grpc.insecure_channel(address, options=_options(address))
        else:
            key, chain = own or (None, None)
            credentials = grpc.ssl_channel_credentials(certificate, key, chain)
            self._channel = grpc.secure_channel(address, credentials, options=_options(address))
        self._metadata = None if token is None else (("authorization", f"Bearer {token}"),)
        self.worlds = rpc.WorldServiceStub(self._channel)
        self.leases = rpc.LeaseServiceStub(self._channel)
        self.players = rpc.PlayServiceStub(self._channel)
        self.viewers = rpc.ViewerServiceStub(self._channel)

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._is_closed = True
        self._channel.close()

    def _require_open(self) -> None:
        if self._is_closed:
            raise WorldError(f"the connection to the world at {self.address} was closed: open another one")

    def call(self, method, request, timeout: Optional[float] = 30.0):
        """One call of the API; raises WorldError."""
        self._require_open()
        try:
            answer = method(request, timeout=timeout, metadata=self._metadata)
        except grpc.RpcError as error:
            # Without the cause: gRPC's own words would stand above ours.
            raise self._error(error) from None
        self._has_answered = True
        return answer

    def stream(self, method, request) -> Iterator:
        """The messages of a stream; raises WorldError."""
        self._require_open()
        call = method(request, metadata=self._metadata)
        try:
            for message in call:
                self._has_answered = True
                yield message
        except grpc.RpcError as error:
            raise self._error(error) from None
        finally:
            call.cancel()

    def _error(self, error: grpc.RpcError) -> WorldError:
        """The error for a failed call, in one sentence."""
        refused = _refusal(error)
        if refused is not None and refused.reason in _TOKENS:
            what = _TOKENS[refused.reason]
            return WorldError(f"the world at {self.address} {what}: pass token=, or set WORLD_TOKEN", refused.reason)
        if refused is not None and refused.reason == "SHUTTING_DOWN":
            return WorldUnreachable(self._gone(), refused.reason, refused.retry_seconds)
        if refused is not None:
            return refused
        code = error.code()
        if code == grpc.StatusCode.UNAVAILABLE:
            return WorldUnreachable(self._gone())
        if code == grpc.StatusCode.DEADLINE_EXCEEDED:
            return WorldUnreachable(f"the world at {self.address} does not answer in time: check the output of its server")
        if code == grpc.StatusCode.UNIMPLEMENTED:
            return WorldError(f"the server at {self.address} does not have this method: it has another version, or is not a served world")
        return WorldError(f"the world at {self.address} failed: {error.details() or code}")

    def _gone(self) -> str:
        if self._has_answered:
            return (
                f"lost the connection to the world at {self.address}: its server may have ended; "
                "`orchestrate serve LOG --resume` continues its run"
            )
        return (
            f"no world answers at {self.address}: start one with `orchestrate serve`, or pass the address that it "
            "prints (world=, or WORLD_ADDR); a server with TLS also needs certificate=, and own= if it asks for a client certificate"
        )

    def info(self, run: str = "") -> pb.World:
        return self.call(self.worlds.GetWorld, pb.GetWorldRequest(run=run))

    def entities(self, run: str = "", tags: Sequence[str] = ()) -> Sequence[pb.Entity]:
        request = pb.ListEntitiesRequest(run=run, tags=tags, page_size=1000)
        return list(self.call(self.worlds.ListEntities, request).entities)

    def acquire(self, entity: str, controller: str, run: str = "", wait: bool = True) -> "Lease":
        """Acquires the lease on an entity. If another controller holds it, waits (`wait`) or raises LeaseHeld."""
        while True:
            request = pb.AcquireLeaseRequest(
                run=run, entity=entity, controller=controller, request_id=uuid.uuid4().hex
            )
            try:
                return Lease(self, self.call(self.leases.AcquireLease, request))
            except LeaseHeld as held:
                if not wait:
                    raise
                time.sleep(held.retry_seconds or 1.0)


class Lease:
    """Exclusive control of an entity, renewed in the background until it is closed."""

    def __init__(self, world: World, message: pb.Lease):
        self.world = world
        self.message = message
        #: Why the lease ended; None while it is valid.
        self.lost: Optional[WorldError] = None
        self._closed = threading.Event()
        self._renewing = threading.Thread(target=self._renew, daemon=True)
        self._renewing.start()

    @property
    def entity(self) -> str:
        return self.message.entity

    @property
    def epoch(self) -> int:
        return self.message.epoch

    def __enter__(self) -> "Lease":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Releases the lease."""
        if self._closed.is_set():
            return
        self._closed.set()
        try:
            self.world.call(self.world.leases.ReleaseLease, pb.ReleaseLeaseRequest(lease=self.message.lease))
        except WorldError:
            # It has ended already, or the server is gone: then there is nothing to give back.
            pass

    def observations(self, parts: Sequence["pb.Part"] = ()) -> Iterator[pb.Observation]:
        request = pb.StreamObservationsRequest(lease=self.message.lease, parts=parts)
        return self.world.stream(self.world.players.StreamObservations, request)

    def submit(self, **intent) -> pb.IntentAck:
        """Submits one intent. The arguments are fields of SubmitIntentRequest: tick, attempt, and one of move, call, words …"""
        request = pb.SubmitIntentRequest(
            lease=self.message.lease,
            entity=self.message.entity,
            epoch=self.message.epoch,
            request_id=uuid.uuid4().hex,
            **intent,
        )
        # It is answered once the tick is settled, which in lockstep can take as long as the slowest player.
        return self.world.call(self.world.players.SubmitIntent, request, timeout=None)

    def _renew(self) -> None:
        period = max(0.1, self.message.ttl.ToTimedelta().total_seconds() / 3)
        while not self._closed.wait(period):
            try:
                self.world.call(self.world.leases.RenewLease, pb.RenewLeaseRequest(lease=self.message.lease))
            except LeaseLost as lost:
                self.lost = lost
                return
            except WorldError:
                # The server may be back before the lease ends.
                continue
