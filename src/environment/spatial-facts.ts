/**
 * The facts of a world with space: an agent's knowledge as JSON, for programs that play. Any controller that
 * reads this shape can play any world that fills it, including the scripted controller. Coordinates are the
 * world's; distances are Manhattan distances in tiles; lists are sorted as in the text. The types are
 * aliases, because an interface is not assignable to a JSON object.
 */
import type { Direction } from './space.js';

export type LidState = 'open' | 'closed' | 'locked';

export type PlaceFact = {
  readonly x: number;
  readonly y: number;
  readonly distance: number;
  /** Null if it is on the agent's own tile. */
  readonly direction: Direction | null;
};

/** Something with a name. `distinctName` is what texts call it if something else that the agent knows has the same name; absent otherwise. */
export type NamedFact = { readonly id: string; readonly name: string; readonly distinctName?: string };

export type ItemFact = NamedFact & {
  readonly amount: number;
  /** Null if it is not a container. */
  readonly lid: LidState | null;
  /** The visible contents; empty if it is closed or not a container. */
  readonly inside: readonly ItemFact[];
  /**
   * Visible properties of a thing: whether it can be carried or pushed, blocks its tile, and has writing on
   * it.
   */
  readonly portable: boolean;
  readonly pushable: boolean;
  /** Whether it blocks its tile. */
  readonly blocking: boolean;
  readonly readable: boolean;
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
    readonly kind: 'person' | 'creature';
    /** The direction of its last step, from 0 (north) clockwise to 7 (north-west). */
    readonly facing: number;
    readonly status: BodyStatus;
  };

export type DoorFact = NamedFact & PlaceFact & { readonly state: LidState };

export type MemoryFact = NamedFact &
  PlaceFact & {
    readonly kind: 'thing' | 'door';
    /** As last seen; null if it has no lid. */
    readonly lid: LidState | null;
    /** The turn in which it was last seen. */
    readonly turn: number;
  };

export type ExitFact = PlaceFact & {
  readonly door: string;
  readonly name: string;
  /** As of the door's own fact. */
  readonly distinctName?: string;
  /** The side of the room that it is on: the direction that GO takes if movement is by rooms. */
  readonly side: Direction;
  /** The state as seen now, or as last seen. */
  readonly state: LidState;
  readonly visible: boolean;
  /** Id of the room beyond; null if the agent has never been in it. */
  readonly leadsTo: string | null;
};

export type HeardFact = {
  readonly speaker: string;
  readonly name: string;
  readonly channel: 'speak' | 'announce';
  readonly text: string;
  readonly turn: number;
  readonly distance: number;
};

/**
 * Something that an agent saw somebody do since its last turn. A body came into view (`entered`), went out of
 * view (`left`), did both (`passed`), moved within view (`moved`), or did something (`acted`).
 */
export type SeenEventFact =
  | {
      readonly kind: 'entered' | 'left' | 'passed' | 'moved';
      readonly turn: number;
      readonly actor: string;
      /** The visible tiles of its path, in order. */
      readonly path: readonly { readonly x: number; readonly y: number }[];
    }
  | {
      readonly kind: 'acted';
      readonly turn: number;
      /** Null if the actor was out of sight, or there was none. */
      readonly actor: string | null;
      /** What was done, for example `took`, `opened` or `pushed`. */
      readonly act: string;
      /** Id of the thing, door or body that it was done to. */
      readonly target: string | null;
      /**
       * Id of the body that received it, or of the thing or door on which it was done; null for none, or none
       * in sight.
       */
      readonly receiver: string | null;
    };

/**
 * The `facts` of an observation in a world of tiles, such as `grid`: everything that the agent knows.
 * Distances are in tiles.
 */
export type SpatialFacts = {
  readonly turn: number;
  readonly self: {
    readonly id: string;
    readonly name: string;
    readonly x: number;
    readonly y: number;
    readonly facing: number;
    readonly status: BodyStatus;
    /** Id of the room that it is in; null if it is in none. */
    readonly room: string | null;
    readonly holds: readonly ItemFact[];
    /** The number of things that it can hold. */
    readonly carryMax: number;
  };
  readonly movement: 'room' | 'tile';
  /** Present if the agent must use LOOK to see: then the lists contain only what LOOK has shown. */
  readonly asks?: true;
  readonly bodies: readonly BodyFact[];
  readonly things: readonly ThingFact[];
  readonly doors: readonly DoorFact[];
  /** Things and doors that are out of sight, as last seen. */
  readonly remembered: readonly MemoryFact[];
  readonly exits: readonly ExitFact[];
  /** Directions of the adjacent tiles that it could step on. */
  readonly steps: readonly Direction[];
  /** Ids of the rooms that it has been in. */
  readonly rooms: readonly string[];
  /** The same with their names. */
  readonly places: readonly NamedFact[];
  readonly heard: readonly HeardFact[];
  readonly noticed: readonly string[];
  /** The visible part of `noticed`, as data, each with its line; '' if the agent is not told of it in words. */
  readonly seen: readonly (SeenEventFact & { readonly line: string })[];
  /** What it heard and read before, newest last. */
  readonly recalled: readonly string[];
  /** The message about its last action, or the reason why it was refused; '' before the first. */
  readonly last: string;
  /** Whether its last action did what it requested; true before the first. */
  readonly lastOk: boolean;
  /** The nearest reachable tiles in each direction that are next to unknown tiles, nearest first. */
  readonly frontier: readonly {
    readonly x: number;
    readonly y: number;
    readonly direction: Direction | null;
    readonly steps: number;
  }[];
  readonly window: WindowFact;
};

/** The frame's tiles, one string per row and one character per tile; visible and remembered ones alike. */
export type WindowFact = {
  readonly x: number;
  readonly y: number;
  /** `?` unknown, `.` walkable, `#` a wall, `o` an obstacle that does not block sight, `+` a door that is not open. */
  readonly rows: readonly string[];
  /** The kind of ground: a key of `terrain`, or `?` if it is unknown. */
  readonly ground: readonly string[];
  /** The kinds of ground in the frame, in the order in which its rows have them. */
  readonly terrain: Readonly<Record<string, TerrainFact>>;
  /** `1` if the tile is in sight now, `0` if it is remembered or unknown. */
  readonly sight: readonly string[];
};

export type TerrainFact = {
  /** For example `water` or `stone floor`. */
  readonly name: string;
  readonly walkable: boolean;
  /** Whether it blocks sight. */
  readonly opaque: boolean;
};
