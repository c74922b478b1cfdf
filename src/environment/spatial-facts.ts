/**
 * The facts of a world with space: an agent's knowledge as JSON, for programs that play. Any controller that
 * reads this shape can play any world that fills it, including the scripted controller. Coordinates are the
 * world's; distances are Manhattan distances in tiles; lists are sorted as in the text. The types are
 * aliases, because an interface is not assignable to a JSON object.
 */
import type { Direction } from './space.js';

export type LidState = 'open' | 'closed' | 'locked';

export type PlaceFact = {
  x: number;
  y: number;
  distance: number;
  /** Null if it is on the agent's own tile. */
  direction: Direction | null;
};

/** Something with a name. `distinctName` is what texts call it if something else that the agent knows has the same name; absent otherwise. */
export type NamedFact = { id: string; name: string; distinctName?: string };

export type ItemFact = NamedFact & {
  amount: number;
  /** Null if it is not a container. */
  lid: LidState | null;
  /** The visible contents; empty if it is closed or not a container. */
  inside: readonly ItemFact[];
  /**
   * Visible properties of a thing: whether it can be carried or pushed, blocks its tile, and has writing on
   * it.
   */
  portable: boolean;
  pushable: boolean;
  /** Whether it blocks its tile. */
  blocking: boolean;
  readable: boolean;
};

/** A thing that the agent sees. */
export type ThingFact = ItemFact & PlaceFact;

/**
 * `idle` and `asleep` mean that no one controls the body, in a served world; `incapacitated`, that it can only
 * wait.
 */
export type BodyStatus = 'awake' | 'done' | 'caught' | 'idle' | 'asleep' | 'incapacitated';

export type BodyFact = NamedFact &
  PlaceFact & {
    kind: 'person' | 'creature';
    /** The direction of its last step, from 0 (north) clockwise to 7 (north-west). */
    facing: number;
    status: BodyStatus;
  };

export type DoorFact = NamedFact & PlaceFact & { state: LidState };

export type MemoryFact = NamedFact &
  PlaceFact & {
    kind: 'thing' | 'door';
    /** As last seen; null if it has no lid. */
    lid: LidState | null;
    /** The turn in which it was last seen. */
    turn: number;
  };

export type ExitFact = PlaceFact & {
  door: string;
  name: string;
  /** As of the door's own fact. */
  distinctName?: string;
  /** The side of the room that it is on: the direction that GO takes if movement is by rooms. */
  side: Direction;
  /** The state as seen now, or as last seen. */
  state: LidState;
  visible: boolean;
  /** Id of the room beyond; null if the agent has never been in it. */
  leadsTo: string | null;
};

export type HeardFact = {
  speaker: string;
  name: string;
  channel: 'speak' | 'announce';
  text: string;
  turn: number;
  distance: number;
};

/**
 * Something that an agent saw somebody do since its last turn. A body came into view (`entered`), went out of
 * view (`left`), did both (`passed`), moved within view (`moved`), or did something (`acted`).
 */
export type SeenEventFact =
  | {
      kind: 'entered' | 'left' | 'passed' | 'moved';
      turn: number;
      actor: string;
      /** The visible tiles of its path, in order. */
      path: readonly { x: number; y: number }[];
    }
  | {
      kind: 'acted';
      turn: number;
      /** Null if the actor was out of sight, or there was none. */
      actor: string | null;
      /** What was done, for example `took`, `opened` or `pushed`. */
      act: string;
      /** Id of the thing, door or body that it was done to. */
      target: string | null;
      /**
       * Id of the body that received it, or of the thing or door on which it was done; null for none, or none
       * in sight.
       */
      receiver: string | null;
    };

/**
 * The `facts` of an observation in a world of tiles, such as `grid`: everything that the agent knows.
 * Distances are in tiles.
 */
export type SpatialFacts = {
  turn: number;
  self: {
    id: string;
    name: string;
    x: number;
    y: number;
    facing: number;
    status: BodyStatus;
    /** Id of the room that it is in; null if it is in none. */
    room: string | null;
    holds: readonly ItemFact[];
    /** The number of things that it can hold. */
    carryMax: number;
  };
  movement: 'room' | 'tile';
  /** Present if the agent must use LOOK to see: then the lists contain only what LOOK has shown. */
  asks?: true;
  bodies: readonly BodyFact[];
  things: readonly ThingFact[];
  doors: readonly DoorFact[];
  /** Things and doors that are out of sight, as last seen. */
  remembered: readonly MemoryFact[];
  exits: readonly ExitFact[];
  /** Directions of the adjacent tiles that it could step on. */
  steps: readonly Direction[];
  /** Ids of the rooms that it has been in. */
  rooms: readonly string[];
  /** The same with their names. */
  places: readonly NamedFact[];
  heard: readonly HeardFact[];
  noticed: readonly string[];
  /** The visible part of `noticed`, as data, each with its line; '' if the agent is not told of it in words. */
  seen: readonly (SeenEventFact & { line: string })[];
  /** What it heard and read before, newest last. */
  recalled: readonly string[];
  /** The message about its last action, or the reason why it was refused; '' before the first. */
  last: string;
  /** Whether its last action did what it requested; true before the first. */
  lastOk: boolean;
  /** The nearest reachable tiles in each direction that are next to unknown tiles, nearest first. */
  frontier: readonly {
    x: number;
    y: number;
    direction: Direction | null;
    steps: number;
  }[];
  window: WindowFact;
};

/** The frame's tiles, one string per row and one character per tile; visible and remembered ones alike. */
export type WindowFact = {
  x: number;
  y: number;
  /** `?` unknown, `.` walkable, `#` a wall, `o` an obstacle that does not block sight, `+` a door that is not open. */
  rows: readonly string[];
  /** The kind of ground: a key of `terrain`, or `?` if it is unknown. */
  ground: readonly string[];
  /** The kinds of ground in the frame, in the order in which its rows have them. */
  terrain: Readonly<Record<string, TerrainFact>>;
  /** `1` if the tile is in sight now, `0` if it is remembered or unknown. */
  sight: readonly string[];
};

export type TerrainFact = {
  /** For example `water` or `stone floor`. */
  name: string;
  walkable: boolean;
  /** Whether it blocks sight. */
  opaque: boolean;
};
