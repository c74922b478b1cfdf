from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Order(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ORDER_UNSPECIFIED: _ClassVar[Order]
    ORDER_SEQUENTIAL: _ClassVar[Order]
    ORDER_SIMULTANEOUS: _ClassVar[Order]

class Pace(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PACE_UNSPECIFIED: _ClassVar[Pace]
    PACE_CLOCK: _ClassVar[Pace]
    PACE_LOCKSTEP: _ClassVar[Pace]

class RunState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RUN_STATE_UNSPECIFIED: _ClassVar[RunState]
    RUN_STATE_WAITING: _ClassVar[RunState]
    RUN_STATE_RUNNING: _ClassVar[RunState]
    RUN_STATE_PAUSED: _ClassVar[RunState]
    RUN_STATE_SUCCEEDED: _ClassVar[RunState]
    RUN_STATE_FAILED: _ClassVar[RunState]
    RUN_STATE_ENDED: _ClassVar[RunState]
    RUN_STATE_INTERRUPTED: _ClassVar[RunState]
    RUN_STATE_ERROR: _ClassVar[RunState]

class Control(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONTROL_UNSPECIFIED: _ClassVar[Control]
    CONTROL_FREE: _ClassVar[Control]
    CONTROL_HELD: _ClassVar[Control]
    CONTROL_SERVER: _ClassVar[Control]
    CONTROL_OUT: _ClassVar[Control]

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_OPEN: _ClassVar[Phase]
    PHASE_SETTLED: _ClassVar[Phase]
    PHASE_RUN_ENDED: _ClassVar[Phase]

class Part(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PART_UNSPECIFIED: _ClassVar[Part]
    PART_FACTS: _ClassVar[Part]
    PART_OFFERS: _ClassVar[Part]
    PART_EVENTS: _ClassVar[Part]
    PART_TEXT: _ClassVar[Part]
    PART_FRAME: _ClassVar[Part]
    PART_PROMPT: _ClassVar[Part]
    PART_FACTS_JSON: _ClassVar[Part]
    PART_FORMS: _ClassVar[Part]
    PART_LEGAL: _ClassVar[Part]

class Direction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DIRECTION_UNSPECIFIED: _ClassVar[Direction]
    DIRECTION_N: _ClassVar[Direction]
    DIRECTION_NE: _ClassVar[Direction]
    DIRECTION_E: _ClassVar[Direction]
    DIRECTION_SE: _ClassVar[Direction]
    DIRECTION_S: _ClassVar[Direction]
    DIRECTION_SW: _ClassVar[Direction]
    DIRECTION_W: _ClassVar[Direction]
    DIRECTION_NW: _ClassVar[Direction]

class Reason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REASON_UNSPECIFIED: _ClassVar[Reason]
    REASON_LATE_TICK: _ClassVar[Reason]
    REASON_EARLY_TICK: _ClassVar[Reason]
    REASON_INVALID_LEASE: _ClassVar[Reason]
    REASON_ILLEGAL_ACTION: _ClassVar[Reason]
    REASON_UNREADABLE: _ClassVar[Reason]
    REASON_ALREADY_DECIDED: _ClassVar[Reason]
    REASON_OTHER_ATTEMPT: _ClassVar[Reason]
    REASON_FREE_ACT: _ClassVar[Reason]
    REASON_OUT_OF_PLAY: _ClassVar[Reason]
    REASON_STALE_OBSERVATION: _ClassVar[Reason]
ORDER_UNSPECIFIED: Order
ORDER_SEQUENTIAL: Order
ORDER_SIMULTANEOUS: Order
PACE_UNSPECIFIED: Pace
PACE_CLOCK: Pace
PACE_LOCKSTEP: Pace
RUN_STATE_UNSPECIFIED: RunState
RUN_STATE_WAITING: RunState
RUN_STATE_RUNNING: RunState
RUN_STATE_PAUSED: RunState
RUN_STATE_SUCCEEDED: RunState
RUN_STATE_FAILED: RunState
RUN_STATE_ENDED: RunState
RUN_STATE_INTERRUPTED: RunState
RUN_STATE_ERROR: RunState
CONTROL_UNSPECIFIED: Control
CONTROL_FREE: Control
CONTROL_HELD: Control
CONTROL_SERVER: Control
CONTROL_OUT: Control
PHASE_UNSPECIFIED: Phase
PHASE_OPEN: Phase
PHASE_SETTLED: Phase
PHASE_RUN_ENDED: Phase
PART_UNSPECIFIED: Part
PART_FACTS: Part
PART_OFFERS: Part
PART_EVENTS: Part
PART_TEXT: Part
PART_FRAME: Part
PART_PROMPT: Part
PART_FACTS_JSON: Part
PART_FORMS: Part
PART_LEGAL: Part
DIRECTION_UNSPECIFIED: Direction
DIRECTION_N: Direction
DIRECTION_NE: Direction
DIRECTION_E: Direction
DIRECTION_SE: Direction
DIRECTION_S: Direction
DIRECTION_SW: Direction
DIRECTION_W: Direction
DIRECTION_NW: Direction
REASON_UNSPECIFIED: Reason
REASON_LATE_TICK: Reason
REASON_EARLY_TICK: Reason
REASON_INVALID_LEASE: Reason
REASON_ILLEGAL_ACTION: Reason
REASON_UNREADABLE: Reason
REASON_ALREADY_DECIDED: Reason
REASON_OTHER_ATTEMPT: Reason
REASON_FREE_ACT: Reason
REASON_OUT_OF_PLAY: Reason
REASON_STALE_OBSERVATION: Reason

class ListRunsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListRunsResponse(_message.Message):
    __slots__ = ("worlds",)
    WORLDS_FIELD_NUMBER: _ClassVar[int]
    worlds: _containers.RepeatedCompositeFieldContainer[World]
    def __init__(self, worlds: _Optional[_Iterable[_Union[World, _Mapping]]] = ...) -> None: ...

class GetWorldRequest(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: str
    def __init__(self, run: _Optional[str] = ...) -> None: ...

class CreateRunRequest(_message.Message):
    __slots__ = ("scenario", "seed", "set", "from_run", "from_tick")
    SCENARIO_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    SET_FIELD_NUMBER: _ClassVar[int]
    FROM_RUN_FIELD_NUMBER: _ClassVar[int]
    FROM_TICK_FIELD_NUMBER: _ClassVar[int]
    scenario: str
    seed: str
    set: _containers.RepeatedScalarFieldContainer[str]
    from_run: str
    from_tick: int
    def __init__(self, scenario: _Optional[str] = ..., seed: _Optional[str] = ..., set: _Optional[_Iterable[str]] = ..., from_run: _Optional[str] = ..., from_tick: _Optional[int] = ...) -> None: ...

class StopRunRequest(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: str
    def __init__(self, run: _Optional[str] = ...) -> None: ...

class World(_message.Message):
    __slots__ = ("run", "title", "kind", "scenario", "seed", "world_version", "api_revision", "log_schema_version", "program_version", "instance", "order", "pace", "tick_period", "intent_window", "lease_ttl", "tick", "state", "reason", "staleness", "from_run")
    RUN_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SCENARIO_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    WORLD_VERSION_FIELD_NUMBER: _ClassVar[int]
    API_REVISION_FIELD_NUMBER: _ClassVar[int]
    LOG_SCHEMA_VERSION_FIELD_NUMBER: _ClassVar[int]
    PROGRAM_VERSION_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    PACE_FIELD_NUMBER: _ClassVar[int]
    TICK_PERIOD_FIELD_NUMBER: _ClassVar[int]
    INTENT_WINDOW_FIELD_NUMBER: _ClassVar[int]
    LEASE_TTL_FIELD_NUMBER: _ClassVar[int]
    TICK_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    STALENESS_FIELD_NUMBER: _ClassVar[int]
    FROM_RUN_FIELD_NUMBER: _ClassVar[int]
    run: str
    title: str
    kind: str
    scenario: str
    seed: str
    world_version: str
    api_revision: int
    log_schema_version: int
    program_version: str
    instance: str
    order: Order
    pace: Pace
    tick_period: _duration_pb2.Duration
    intent_window: _duration_pb2.Duration
    lease_ttl: _duration_pb2.Duration
    tick: int
    state: RunState
    reason: str
    staleness: int
    from_run: str
    def __init__(self, run: _Optional[str] = ..., title: _Optional[str] = ..., kind: _Optional[str] = ..., scenario: _Optional[str] = ..., seed: _Optional[str] = ..., world_version: _Optional[str] = ..., api_revision: _Optional[int] = ..., log_schema_version: _Optional[int] = ..., program_version: _Optional[str] = ..., instance: _Optional[str] = ..., order: _Optional[_Union[Order, str]] = ..., pace: _Optional[_Union[Pace, str]] = ..., tick_period: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., intent_window: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., lease_ttl: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., tick: _Optional[int] = ..., state: _Optional[_Union[RunState, str]] = ..., reason: _Optional[str] = ..., staleness: _Optional[int] = ..., from_run: _Optional[str] = ...) -> None: ...

class ListEntitiesRequest(_message.Message):
    __slots__ = ("run", "page_size", "page_token", "tags", "control")
    RUN_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    CONTROL_FIELD_NUMBER: _ClassVar[int]
    run: str
    page_size: int
    page_token: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    control: Control
    def __init__(self, run: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., control: _Optional[_Union[Control, str]] = ...) -> None: ...

class ListEntitiesResponse(_message.Message):
    __slots__ = ("entities", "next_page_token")
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entities: _containers.RepeatedCompositeFieldContainer[Entity]
    next_page_token: str
    def __init__(self, entities: _Optional[_Iterable[_Union[Entity, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class WatchEntitiesRequest(_message.Message):
    __slots__ = ("run", "tags")
    RUN_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    run: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, run: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ...) -> None: ...

class EntityEvent(_message.Message):
    __slots__ = ("entity",)
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    entity: Entity
    def __init__(self, entity: _Optional[_Union[Entity, _Mapping]] = ...) -> None: ...

class Entity(_message.Message):
    __slots__ = ("entity", "display_name", "type", "tags", "control", "controller", "epoch", "spawn_tick")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    CONTROL_FIELD_NUMBER: _ClassVar[int]
    CONTROLLER_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    SPAWN_TICK_FIELD_NUMBER: _ClassVar[int]
    entity: str
    display_name: str
    type: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    control: Control
    controller: str
    epoch: int
    spawn_tick: int
    def __init__(self, entity: _Optional[str] = ..., display_name: _Optional[str] = ..., type: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., control: _Optional[_Union[Control, str]] = ..., controller: _Optional[str] = ..., epoch: _Optional[int] = ..., spawn_tick: _Optional[int] = ...) -> None: ...

class ListActionsRequest(_message.Message):
    __slots__ = ("run", "entity")
    RUN_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    run: str
    entity: str
    def __init__(self, run: _Optional[str] = ..., entity: _Optional[str] = ...) -> None: ...

class ListActionsResponse(_message.Message):
    __slots__ = ("actions",)
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedCompositeFieldContainer[Call]
    def __init__(self, actions: _Optional[_Iterable[_Union[Call, _Mapping]]] = ...) -> None: ...

class StreamTicksRequest(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: str
    def __init__(self, run: _Optional[str] = ...) -> None: ...

class TickEvent(_message.Message):
    __slots__ = ("run", "tick", "phase", "start_time", "deadline_time", "time_left", "overrun", "world_version", "asked", "decided", "settle")
    RUN_FIELD_NUMBER: _ClassVar[int]
    TICK_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TIME_FIELD_NUMBER: _ClassVar[int]
    TIME_LEFT_FIELD_NUMBER: _ClassVar[int]
    OVERRUN_FIELD_NUMBER: _ClassVar[int]
    WORLD_VERSION_FIELD_NUMBER: _ClassVar[int]
    ASKED_FIELD_NUMBER: _ClassVar[int]
    DECIDED_FIELD_NUMBER: _ClassVar[int]
    SETTLE_FIELD_NUMBER: _ClassVar[int]
    run: str
    tick: int
    phase: Phase
    start_time: _timestamp_pb2.Timestamp
    deadline_time: _timestamp_pb2.Timestamp
    time_left: _duration_pb2.Duration
    overrun: _duration_pb2.Duration
    world_version: str
    asked: _containers.RepeatedScalarFieldContainer[str]
    decided: _containers.RepeatedScalarFieldContainer[str]
    settle: _duration_pb2.Duration
    def __init__(self, run: _Optional[str] = ..., tick: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., start_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., deadline_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., time_left: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., overrun: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., world_version: _Optional[str] = ..., asked: _Optional[_Iterable[str]] = ..., decided: _Optional[_Iterable[str]] = ..., settle: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class AcquireLeaseRequest(_message.Message):
    __slots__ = ("run", "entity", "controller", "ttl", "supersede_epoch", "request_id", "world_version")
    RUN_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    CONTROLLER_FIELD_NUMBER: _ClassVar[int]
    TTL_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDE_EPOCH_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    WORLD_VERSION_FIELD_NUMBER: _ClassVar[int]
    run: str
    entity: str
    controller: str
    ttl: _duration_pb2.Duration
    supersede_epoch: int
    request_id: str
    world_version: str
    def __init__(self, run: _Optional[str] = ..., entity: _Optional[str] = ..., controller: _Optional[str] = ..., ttl: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., supersede_epoch: _Optional[int] = ..., request_id: _Optional[str] = ..., world_version: _Optional[str] = ...) -> None: ...

class Lease(_message.Message):
    __slots__ = ("lease", "run", "entity", "epoch", "first_tick", "ttl", "expire_time", "controller")
    LEASE_FIELD_NUMBER: _ClassVar[int]
    RUN_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    FIRST_TICK_FIELD_NUMBER: _ClassVar[int]
    TTL_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    CONTROLLER_FIELD_NUMBER: _ClassVar[int]
    lease: str
    run: str
    entity: str
    epoch: int
    first_tick: int
    ttl: _duration_pb2.Duration
    expire_time: _timestamp_pb2.Timestamp
    controller: str
    def __init__(self, lease: _Optional[str] = ..., run: _Optional[str] = ..., entity: _Optional[str] = ..., epoch: _Optional[int] = ..., first_tick: _Optional[int] = ..., ttl: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., expire_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., controller: _Optional[str] = ...) -> None: ...

class RenewLeaseRequest(_message.Message):
    __slots__ = ("lease",)
    LEASE_FIELD_NUMBER: _ClassVar[int]
    lease: str
    def __init__(self, lease: _Optional[str] = ...) -> None: ...

class ReleaseLeaseRequest(_message.Message):
    __slots__ = ("lease",)
    LEASE_FIELD_NUMBER: _ClassVar[int]
    lease: str
    def __init__(self, lease: _Optional[str] = ...) -> None: ...

class ReleaseLeaseResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class StreamObservationsRequest(_message.Message):
    __slots__ = ("lease", "parts", "after_tick")
    LEASE_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    AFTER_TICK_FIELD_NUMBER: _ClassVar[int]
    lease: str
    parts: _containers.RepeatedScalarFieldContainer[Part]
    after_tick: int
    def __init__(self, lease: _Optional[str] = ..., parts: _Optional[_Iterable[_Union[Part, str]]] = ..., after_tick: _Optional[int] = ...) -> None: ...

class Observation(_message.Message):
    __slots__ = ("run", "tick", "entity", "epoch", "attempt", "time_left", "skipped_ticks", "facts", "offers", "events", "text", "frame", "prompt", "facts_json", "problem", "is_final", "state", "reason", "forms", "reward", "total_reward", "terminated", "truncated", "legal", "is_past", "rewards")
    RUN_FIELD_NUMBER: _ClassVar[int]
    TICK_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    TIME_LEFT_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_TICKS_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    OFFERS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    FACTS_JSON_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    IS_FINAL_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    FORMS_FIELD_NUMBER: _ClassVar[int]
    REWARD_FIELD_NUMBER: _ClassVar[int]
    TOTAL_REWARD_FIELD_NUMBER: _ClassVar[int]
    TERMINATED_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    IS_PAST_FIELD_NUMBER: _ClassVar[int]
    REWARDS_FIELD_NUMBER: _ClassVar[int]
    run: str
    tick: int
    entity: str
    epoch: int
    attempt: int
    time_left: _duration_pb2.Duration
    skipped_ticks: int
    facts: Facts
    offers: _containers.RepeatedCompositeFieldContainer[Offer]
    events: _containers.RepeatedCompositeFieldContainer[SeenEvent]
    text: _containers.RepeatedCompositeFieldContainer[Section]
    frame: Frame
    prompt: Prompt
    facts_json: str
    problem: str
    is_final: bool
    state: RunState
    reason: str
    forms: _containers.RepeatedCompositeFieldContainer[ActionForm]
    reward: float
    total_reward: float
    terminated: bool
    truncated: bool
    legal: _containers.RepeatedScalarFieldContainer[int]
    is_past: bool
    rewards: _containers.RepeatedCompositeFieldContainer[NamedReward]
    def __init__(self, run: _Optional[str] = ..., tick: _Optional[int] = ..., entity: _Optional[str] = ..., epoch: _Optional[int] = ..., attempt: _Optional[int] = ..., time_left: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., skipped_ticks: _Optional[int] = ..., facts: _Optional[_Union[Facts, _Mapping]] = ..., offers: _Optional[_Iterable[_Union[Offer, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[SeenEvent, _Mapping]]] = ..., text: _Optional[_Iterable[_Union[Section, _Mapping]]] = ..., frame: _Optional[_Union[Frame, _Mapping]] = ..., prompt: _Optional[_Union[Prompt, _Mapping]] = ..., facts_json: _Optional[str] = ..., problem: _Optional[str] = ..., is_final: bool = ..., state: _Optional[_Union[RunState, str]] = ..., reason: _Optional[str] = ..., forms: _Optional[_Iterable[_Union[ActionForm, _Mapping]]] = ..., reward: _Optional[float] = ..., total_reward: _Optional[float] = ..., terminated: bool = ..., truncated: bool = ..., legal: _Optional[_Iterable[int]] = ..., is_past: bool = ..., rewards: _Optional[_Iterable[_Union[NamedReward, _Mapping]]] = ...) -> None: ...

class NamedReward(_message.Message):
    __slots__ = ("name", "amount")
    NAME_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    name: str
    amount: float
    def __init__(self, name: _Optional[str] = ..., amount: _Optional[float] = ...) -> None: ...

class Facts(_message.Message):
    __slots__ = ("self", "window", "bodies", "things", "doors", "exits", "last", "last_ok")
    SELF_FIELD_NUMBER: _ClassVar[int]
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    BODIES_FIELD_NUMBER: _ClassVar[int]
    THINGS_FIELD_NUMBER: _ClassVar[int]
    DOORS_FIELD_NUMBER: _ClassVar[int]
    EXITS_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    LAST_OK_FIELD_NUMBER: _ClassVar[int]
    self: Self
    window: TileWindow
    bodies: _containers.RepeatedCompositeFieldContainer[Body]
    things: _containers.RepeatedCompositeFieldContainer[Thing]
    doors: _containers.RepeatedCompositeFieldContainer[Door]
    exits: _containers.RepeatedCompositeFieldContainer[Exit]
    last: str
    last_ok: bool
    def __init__(self, self_: _Optional[_Union[Self, _Mapping]] = ..., window: _Optional[_Union[TileWindow, _Mapping]] = ..., bodies: _Optional[_Iterable[_Union[Body, _Mapping]]] = ..., things: _Optional[_Iterable[_Union[Thing, _Mapping]]] = ..., doors: _Optional[_Iterable[_Union[Door, _Mapping]]] = ..., exits: _Optional[_Iterable[_Union[Exit, _Mapping]]] = ..., last: _Optional[str] = ..., last_ok: bool = ...) -> None: ...

class Self(_message.Message):
    __slots__ = ("position", "facing", "status", "room", "holds", "carry_max")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    FACING_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    ROOM_FIELD_NUMBER: _ClassVar[int]
    HOLDS_FIELD_NUMBER: _ClassVar[int]
    CARRY_MAX_FIELD_NUMBER: _ClassVar[int]
    position: Point
    facing: int
    status: str
    room: str
    holds: _containers.RepeatedCompositeFieldContainer[Stack]
    carry_max: int
    def __init__(self, position: _Optional[_Union[Point, _Mapping]] = ..., facing: _Optional[int] = ..., status: _Optional[str] = ..., room: _Optional[str] = ..., holds: _Optional[_Iterable[_Union[Stack, _Mapping]]] = ..., carry_max: _Optional[int] = ...) -> None: ...

class Point(_message.Message):
    __slots__ = ("x", "y")
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    x: int
    y: int
    def __init__(self, x: _Optional[int] = ..., y: _Optional[int] = ...) -> None: ...

class Stack(_message.Message):
    __slots__ = ("item", "name", "quantity")
    ITEM_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    QUANTITY_FIELD_NUMBER: _ClassVar[int]
    item: str
    name: str
    quantity: int
    def __init__(self, item: _Optional[str] = ..., name: _Optional[str] = ..., quantity: _Optional[int] = ...) -> None: ...

class TileWindow(_message.Message):
    __slots__ = ("origin", "rows", "ground", "terrain", "sight")
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    GROUND_FIELD_NUMBER: _ClassVar[int]
    TERRAIN_FIELD_NUMBER: _ClassVar[int]
    SIGHT_FIELD_NUMBER: _ClassVar[int]
    origin: Point
    rows: _containers.RepeatedScalarFieldContainer[str]
    ground: _containers.RepeatedScalarFieldContainer[str]
    terrain: _containers.RepeatedCompositeFieldContainer[Terrain]
    sight: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, origin: _Optional[_Union[Point, _Mapping]] = ..., rows: _Optional[_Iterable[str]] = ..., ground: _Optional[_Iterable[str]] = ..., terrain: _Optional[_Iterable[_Union[Terrain, _Mapping]]] = ..., sight: _Optional[_Iterable[str]] = ...) -> None: ...

class Terrain(_message.Message):
    __slots__ = ("key", "name", "walkable", "opaque")
    KEY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    WALKABLE_FIELD_NUMBER: _ClassVar[int]
    OPAQUE_FIELD_NUMBER: _ClassVar[int]
    key: str
    name: str
    walkable: bool
    opaque: bool
    def __init__(self, key: _Optional[str] = ..., name: _Optional[str] = ..., walkable: bool = ..., opaque: bool = ...) -> None: ...

class Body(_message.Message):
    __slots__ = ("entity", "name", "type", "position", "status", "distance", "facing")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    FACING_FIELD_NUMBER: _ClassVar[int]
    entity: str
    name: str
    type: str
    position: Point
    status: str
    distance: int
    facing: int
    def __init__(self, entity: _Optional[str] = ..., name: _Optional[str] = ..., type: _Optional[str] = ..., position: _Optional[_Union[Point, _Mapping]] = ..., status: _Optional[str] = ..., distance: _Optional[int] = ..., facing: _Optional[int] = ...) -> None: ...

class Thing(_message.Message):
    __slots__ = ("object", "name", "position", "quantity", "lid", "distance")
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    QUANTITY_FIELD_NUMBER: _ClassVar[int]
    LID_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    object: str
    name: str
    position: Point
    quantity: int
    lid: str
    distance: int
    def __init__(self, object: _Optional[str] = ..., name: _Optional[str] = ..., position: _Optional[_Union[Point, _Mapping]] = ..., quantity: _Optional[int] = ..., lid: _Optional[str] = ..., distance: _Optional[int] = ...) -> None: ...

class Door(_message.Message):
    __slots__ = ("door", "name", "position", "state", "distance")
    DOOR_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    door: str
    name: str
    position: Point
    state: str
    distance: int
    def __init__(self, door: _Optional[str] = ..., name: _Optional[str] = ..., position: _Optional[_Union[Point, _Mapping]] = ..., state: _Optional[str] = ..., distance: _Optional[int] = ...) -> None: ...

class Exit(_message.Message):
    __slots__ = ("door", "side", "state", "is_visible", "position", "distance")
    DOOR_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    IS_VISIBLE_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    door: str
    side: str
    state: str
    is_visible: bool
    position: Point
    distance: int
    def __init__(self, door: _Optional[str] = ..., side: _Optional[str] = ..., state: _Optional[str] = ..., is_visible: bool = ..., position: _Optional[_Union[Point, _Mapping]] = ..., distance: _Optional[int] = ...) -> None: ...

class Offer(_message.Message):
    __slots__ = ("action", "choices")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    action: str
    choices: _containers.RepeatedCompositeFieldContainer[Choice]
    def __init__(self, action: _Optional[str] = ..., choices: _Optional[_Iterable[_Union[Choice, _Mapping]]] = ...) -> None: ...

class Choice(_message.Message):
    __slots__ = ("slot", "values")
    SLOT_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    slot: str
    values: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, slot: _Optional[str] = ..., values: _Optional[_Iterable[str]] = ...) -> None: ...

class ActionForm(_message.Message):
    __slots__ = ("action", "parts")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    action: str
    parts: _containers.RepeatedCompositeFieldContainer[FormPart]
    def __init__(self, action: _Optional[str] = ..., parts: _Optional[_Iterable[_Union[FormPart, _Mapping]]] = ...) -> None: ...

class FormPart(_message.Message):
    __slots__ = ("word", "slot", "values", "range")
    WORD_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    word: str
    slot: str
    values: _containers.RepeatedScalarFieldContainer[str]
    range: NumberRange
    def __init__(self, word: _Optional[str] = ..., slot: _Optional[str] = ..., values: _Optional[_Iterable[str]] = ..., range: _Optional[_Union[NumberRange, _Mapping]] = ...) -> None: ...

class NumberRange(_message.Message):
    __slots__ = ("least", "most")
    LEAST_FIELD_NUMBER: _ClassVar[int]
    MOST_FIELD_NUMBER: _ClassVar[int]
    least: int
    most: int
    def __init__(self, least: _Optional[int] = ..., most: _Optional[int] = ...) -> None: ...

class Section(_message.Message):
    __slots__ = ("section", "lines")
    SECTION_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    section: str
    lines: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, section: _Optional[str] = ..., lines: _Optional[_Iterable[str]] = ...) -> None: ...

class SeenEvent(_message.Message):
    __slots__ = ("tick", "heard", "noticed", "entered", "left", "passed", "moved", "acted")
    TICK_FIELD_NUMBER: _ClassVar[int]
    HEARD_FIELD_NUMBER: _ClassVar[int]
    NOTICED_FIELD_NUMBER: _ClassVar[int]
    ENTERED_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    MOVED_FIELD_NUMBER: _ClassVar[int]
    ACTED_FIELD_NUMBER: _ClassVar[int]
    tick: int
    heard: Heard
    noticed: Noticed
    entered: Walked
    left: Walked
    passed: Walked
    moved: Walked
    acted: Acted
    def __init__(self, tick: _Optional[int] = ..., heard: _Optional[_Union[Heard, _Mapping]] = ..., noticed: _Optional[_Union[Noticed, _Mapping]] = ..., entered: _Optional[_Union[Walked, _Mapping]] = ..., left: _Optional[_Union[Walked, _Mapping]] = ..., passed: _Optional[_Union[Walked, _Mapping]] = ..., moved: _Optional[_Union[Walked, _Mapping]] = ..., acted: _Optional[_Union[Acted, _Mapping]] = ...) -> None: ...

class Walked(_message.Message):
    __slots__ = ("actor", "path")
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    actor: str
    path: _containers.RepeatedCompositeFieldContainer[Point]
    def __init__(self, actor: _Optional[str] = ..., path: _Optional[_Iterable[_Union[Point, _Mapping]]] = ...) -> None: ...

class Acted(_message.Message):
    __slots__ = ("actor", "act", "target", "receiver")
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    ACT_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    RECEIVER_FIELD_NUMBER: _ClassVar[int]
    actor: str
    act: str
    target: str
    receiver: str
    def __init__(self, actor: _Optional[str] = ..., act: _Optional[str] = ..., target: _Optional[str] = ..., receiver: _Optional[str] = ...) -> None: ...

class Heard(_message.Message):
    __slots__ = ("speaker", "name", "channel", "text", "distance")
    SPEAKER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    speaker: str
    name: str
    channel: str
    text: str
    distance: int
    def __init__(self, speaker: _Optional[str] = ..., name: _Optional[str] = ..., channel: _Optional[str] = ..., text: _Optional[str] = ..., distance: _Optional[int] = ...) -> None: ...

class Noticed(_message.Message):
    __slots__ = ("line",)
    LINE_FIELD_NUMBER: _ClassVar[int]
    line: str
    def __init__(self, line: _Optional[str] = ...) -> None: ...

class Frame(_message.Message):
    __slots__ = ("png", "hash", "tile_pixels", "margin_pixels")
    PNG_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    TILE_PIXELS_FIELD_NUMBER: _ClassVar[int]
    MARGIN_PIXELS_FIELD_NUMBER: _ClassVar[int]
    png: bytes
    hash: str
    tile_pixels: int
    margin_pixels: int
    def __init__(self, png: _Optional[bytes] = ..., hash: _Optional[str] = ..., tile_pixels: _Optional[int] = ..., margin_pixels: _Optional[int] = ...) -> None: ...

class Prompt(_message.Message):
    __slots__ = ("messages", "protocol", "guided_regex", "guided_schema_json", "tools_json", "guided_gbnf", "sampling_seed", "briefing")
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    GUIDED_REGEX_FIELD_NUMBER: _ClassVar[int]
    GUIDED_SCHEMA_JSON_FIELD_NUMBER: _ClassVar[int]
    TOOLS_JSON_FIELD_NUMBER: _ClassVar[int]
    GUIDED_GBNF_FIELD_NUMBER: _ClassVar[int]
    SAMPLING_SEED_FIELD_NUMBER: _ClassVar[int]
    BRIEFING_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[Message]
    protocol: str
    guided_regex: str
    guided_schema_json: str
    tools_json: str
    guided_gbnf: str
    sampling_seed: int
    briefing: str
    def __init__(self, messages: _Optional[_Iterable[_Union[Message, _Mapping]]] = ..., protocol: _Optional[str] = ..., guided_regex: _Optional[str] = ..., guided_schema_json: _Optional[str] = ..., tools_json: _Optional[str] = ..., guided_gbnf: _Optional[str] = ..., sampling_seed: _Optional[int] = ..., briefing: _Optional[str] = ...) -> None: ...

class Message(_message.Message):
    __slots__ = ("role", "parts")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    role: str
    parts: _containers.RepeatedCompositeFieldContainer[MessagePart]
    def __init__(self, role: _Optional[str] = ..., parts: _Optional[_Iterable[_Union[MessagePart, _Mapping]]] = ...) -> None: ...

class MessagePart(_message.Message):
    __slots__ = ("text", "frame")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    text: str
    frame: Frame
    def __init__(self, text: _Optional[str] = ..., frame: _Optional[_Union[Frame, _Mapping]] = ...) -> None: ...

class SubmitIntentRequest(_message.Message):
    __slots__ = ("lease", "entity", "epoch", "tick", "attempt", "request_id", "based_on_tick", "move", "pickup", "use", "say", "wait", "call", "words")
    LEASE_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    TICK_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    BASED_ON_TICK_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    PICKUP_FIELD_NUMBER: _ClassVar[int]
    USE_FIELD_NUMBER: _ClassVar[int]
    SAY_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    CALL_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    lease: str
    entity: str
    epoch: int
    tick: int
    attempt: int
    request_id: str
    based_on_tick: int
    move: Move
    pickup: Pickup
    use: Use
    say: Say
    wait: Wait
    call: Call
    words: Words
    def __init__(self, lease: _Optional[str] = ..., entity: _Optional[str] = ..., epoch: _Optional[int] = ..., tick: _Optional[int] = ..., attempt: _Optional[int] = ..., request_id: _Optional[str] = ..., based_on_tick: _Optional[int] = ..., move: _Optional[_Union[Move, _Mapping]] = ..., pickup: _Optional[_Union[Pickup, _Mapping]] = ..., use: _Optional[_Union[Use, _Mapping]] = ..., say: _Optional[_Union[Say, _Mapping]] = ..., wait: _Optional[_Union[Wait, _Mapping]] = ..., call: _Optional[_Union[Call, _Mapping]] = ..., words: _Optional[_Union[Words, _Mapping]] = ...) -> None: ...

class Move(_message.Message):
    __slots__ = ("direction",)
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    direction: Direction
    def __init__(self, direction: _Optional[_Union[Direction, str]] = ...) -> None: ...

class Pickup(_message.Message):
    __slots__ = ("item", "amount")
    ITEM_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    item: str
    amount: int
    def __init__(self, item: _Optional[str] = ..., amount: _Optional[int] = ...) -> None: ...

class Use(_message.Message):
    __slots__ = ("item", "on", "amount")
    ITEM_FIELD_NUMBER: _ClassVar[int]
    ON_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    item: str
    on: str
    amount: int
    def __init__(self, item: _Optional[str] = ..., on: _Optional[str] = ..., amount: _Optional[int] = ...) -> None: ...

class Say(_message.Message):
    __slots__ = ("text", "channel")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    text: str
    channel: str
    def __init__(self, text: _Optional[str] = ..., channel: _Optional[str] = ...) -> None: ...

class Wait(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Call(_message.Message):
    __slots__ = ("action", "args", "reasoning")
    class ArgsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: Value
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[Value, _Mapping]] = ...) -> None: ...
    ACTION_FIELD_NUMBER: _ClassVar[int]
    ARGS_FIELD_NUMBER: _ClassVar[int]
    REASONING_FIELD_NUMBER: _ClassVar[int]
    action: str
    args: _containers.MessageMap[str, Value]
    reasoning: str
    def __init__(self, action: _Optional[str] = ..., args: _Optional[_Mapping[str, Value]] = ..., reasoning: _Optional[str] = ...) -> None: ...

class Value(_message.Message):
    __slots__ = ("text", "number")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    text: str
    number: int
    def __init__(self, text: _Optional[str] = ..., number: _Optional[int] = ...) -> None: ...

class Words(_message.Message):
    __slots__ = ("content", "reasoning", "finish_reason", "model", "usage", "latency_ms", "tool_calls")
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    REASONING_FIELD_NUMBER: _ClassVar[int]
    FINISH_REASON_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    LATENCY_MS_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALLS_FIELD_NUMBER: _ClassVar[int]
    content: str
    reasoning: str
    finish_reason: str
    model: str
    usage: Usage
    latency_ms: int
    tool_calls: _containers.RepeatedCompositeFieldContainer[NativeCall]
    def __init__(self, content: _Optional[str] = ..., reasoning: _Optional[str] = ..., finish_reason: _Optional[str] = ..., model: _Optional[str] = ..., usage: _Optional[_Union[Usage, _Mapping]] = ..., latency_ms: _Optional[int] = ..., tool_calls: _Optional[_Iterable[_Union[NativeCall, _Mapping]]] = ...) -> None: ...

class NativeCall(_message.Message):
    __slots__ = ("name", "arguments_json")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    name: str
    arguments_json: str
    def __init__(self, name: _Optional[str] = ..., arguments_json: _Optional[str] = ...) -> None: ...

class Usage(_message.Message):
    __slots__ = ("prompt_tokens", "completion_tokens", "image_tokens")
    PROMPT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    COMPLETION_TOKENS_FIELD_NUMBER: _ClassVar[int]
    IMAGE_TOKENS_FIELD_NUMBER: _ClassVar[int]
    prompt_tokens: int
    completion_tokens: int
    image_tokens: int
    def __init__(self, prompt_tokens: _Optional[int] = ..., completion_tokens: _Optional[int] = ..., image_tokens: _Optional[int] = ...) -> None: ...

class ReadCommandRequest(_message.Message):
    __slots__ = ("lease", "line")
    LEASE_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    lease: str
    line: str
    def __init__(self, lease: _Optional[str] = ..., line: _Optional[str] = ...) -> None: ...

class CommandReading(_message.Message):
    __slots__ = ("ok", "call", "words", "message", "problem")
    OK_FIELD_NUMBER: _ClassVar[int]
    CALL_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    ok: bool
    call: Call
    words: str
    message: str
    problem: str
    def __init__(self, ok: bool = ..., call: _Optional[_Union[Call, _Mapping]] = ..., words: _Optional[str] = ..., message: _Optional[str] = ..., problem: _Optional[str] = ...) -> None: ...

class IntentAck(_message.Message):
    __slots__ = ("accepted", "reason", "message", "problem", "attempts_left", "action", "tick")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_LEFT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    TICK_FIELD_NUMBER: _ClassVar[int]
    accepted: bool
    reason: Reason
    message: str
    problem: str
    attempts_left: int
    action: str
    tick: int
    def __init__(self, accepted: bool = ..., reason: _Optional[_Union[Reason, str]] = ..., message: _Optional[str] = ..., problem: _Optional[str] = ..., attempts_left: _Optional[int] = ..., action: _Optional[str] = ..., tick: _Optional[int] = ...) -> None: ...

class ViewFilter(_message.Message):
    __slots__ = ("actors", "region", "kinds")
    ACTORS_FIELD_NUMBER: _ClassVar[int]
    REGION_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    actors: _containers.RepeatedScalarFieldContainer[str]
    region: Region
    kinds: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, actors: _Optional[_Iterable[str]] = ..., region: _Optional[_Union[Region, _Mapping]] = ..., kinds: _Optional[_Iterable[str]] = ...) -> None: ...

class Region(_message.Message):
    __slots__ = ("to",)
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    to: Point
    def __init__(self, to: _Optional[_Union[Point, _Mapping]] = ..., **kwargs) -> None: ...

class GetViewerSnapshotRequest(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: str
    def __init__(self, run: _Optional[str] = ...) -> None: ...

class ViewerSnapshot(_message.Message):
    __slots__ = ("tick", "step", "scene_json")
    TICK_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    SCENE_JSON_FIELD_NUMBER: _ClassVar[int]
    tick: int
    step: int
    scene_json: str
    def __init__(self, tick: _Optional[int] = ..., step: _Optional[int] = ..., scene_json: _Optional[str] = ...) -> None: ...

class StreamViewerEventsRequest(_message.Message):
    __slots__ = ("run", "filter")
    RUN_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    run: str
    filter: ViewFilter
    def __init__(self, run: _Optional[str] = ..., filter: _Optional[_Union[ViewFilter, _Mapping]] = ...) -> None: ...

class ViewerEvents(_message.Message):
    __slots__ = ("tick", "step", "actor", "events", "action", "ok", "words", "skipped_steps")
    TICK_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    OK_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_STEPS_FIELD_NUMBER: _ClassVar[int]
    tick: int
    step: int
    actor: str
    events: _containers.RepeatedCompositeFieldContainer[ViewerEvent]
    action: str
    ok: bool
    words: str
    skipped_steps: int
    def __init__(self, tick: _Optional[int] = ..., step: _Optional[int] = ..., actor: _Optional[str] = ..., events: _Optional[_Iterable[_Union[ViewerEvent, _Mapping]]] = ..., action: _Optional[str] = ..., ok: bool = ..., words: _Optional[str] = ..., skipped_steps: _Optional[int] = ...) -> None: ...

class ViewerEvent(_message.Message):
    __slots__ = ("kind", "actor", "at", "data_json", "seen_by")
    KIND_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    DATA_JSON_FIELD_NUMBER: _ClassVar[int]
    SEEN_BY_FIELD_NUMBER: _ClassVar[int]
    kind: str
    actor: str
    at: Point
    data_json: str
    seen_by: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, kind: _Optional[str] = ..., actor: _Optional[str] = ..., at: _Optional[_Union[Point, _Mapping]] = ..., data_json: _Optional[str] = ..., seen_by: _Optional[_Iterable[str]] = ...) -> None: ...
