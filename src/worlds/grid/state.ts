/**
 * The grid world's state: what changes during a run, as plain JSON that is never changed in place. Parts that
 * a step does not change stay the same objects, so their hashes stay cached (`base/canonical.ts`). Data that
 * grows with the map is stored in a two-level tree of chunks, and data that grows with the number of things
 * in shards, so that a step copies and hashes only what it changed.
 */
import type { RngState } from '../../base/rng.js';
import type { Point } from '../../environment/space.js';
import type { SeenEventFact } from '../../environment/spatial-facts.js';
import type { Utterance } from '../../speech/utterance.js';
import type { ThingDefinition, ThingLocation } from './definition.js';

/** The shift from a tile's coordinates to its chunk's (`x >> CHUNK_BITS`), and from those to its region's. */
export const CHUNK_BITS = 4;
/** Tiles per side of a chunk, and chunks per side of a region. */
export const CHUNK_SIDE = 1 << CHUNK_BITS;

/**
 * A tree from region keys ("rx_ry") to chunk keys ("cx_cy") to values. `chunks.ts` computes the keys by
 * integer division.
 */
export type ChunkTree<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

/** A tree from shard keys ("00" to "3f", derived from the id) to ids to values. */
export type Shards<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

export interface BodyState extends Point {
  id: string;
  /** The direction of its last step, from 0 (north) clockwise to 7 (north-west); south before the first. */
  facing: number;
  /** Agents that are `done` or `caught` don't act any more. NPCs stay `awake`. */
  status: 'awake' | 'done' | 'caught';
  /** Its appearance while no one controls it; absent otherwise. */
  resting?: 'idle' | 'asleep';
  /** Whether a trigger has made it unable to do anything but wait; absent if it can act. */
  incapacitated?: true;
  /** Ids of held things, in the order taken. */
  holds: readonly string[];
}

export interface ThingState {
  id: string;
  /** Id of its definition; differs from `id` only for a part that was split off a stack. */
  definition: string;
  place: ThingLocation;
  /** For containers; null otherwise. */
  lid: 'open' | 'closed' | 'locked' | null;
  /** Ids of things inside, for containers. */
  contents: readonly string[];
  /** Remaining actions of work; null if there is no work. */
  work: number | null;
  /** The number of things in the stack; 1 for unique things. */
  amount: number;
}

export interface DoorState {
  id: string;
  state: 'open' | 'closed' | 'locked';
  /** Turns since it was opened, for doors that close by themselves. */
  openFor: number;
}

/** An agent's memory of a thing or door that it does not see now, as last seen and possibly outdated. */
export interface RememberedThing extends Point {
  id: string;
  name: string;
  sprite: string;
  /** The turn in which it was last seen. */
  turn: number;
  /** State of the lid or door as last seen; null if it has none. */
  lid: 'open' | 'closed' | 'locked' | null;
}

/** One chunk of an agent's knowledge. */
export interface KnowledgeChunk {
  /** 16 integers: bit x of number y is set if the tile has been seen. */
  seen: readonly number[];
  /** Things (not bodies) and doors last seen on the chunk's tiles, by id. */
  things: Readonly<Record<string, RememberedThing>>;
}

/** An entry for an agent's next observation: an utterance that it heard, or an event that it perceived. */
export type GridInboxItem =
  | {
      kind: 'heard';
      utterance: Utterance;
      speakerName: string;
      distance: number;
    }
  | {
      kind: 'noticed';
      line: string;
      turn: number;
      /** The same as data; null for the text of a trigger. */
      event: SeenEventFact | null;
    };

export interface GridMindState {
  known: ChunkTree<KnowledgeChunk>;
  /** Ids of the rooms that it has been in, sorted: the rooms whose names it knows. */
  visited: readonly string[];
  inbox: readonly GridInboxItem[];
  /**
   * The last utterances that it heard and texts that it read, newest last, limited; it can refer to them
   * later.
   */
  read: readonly string[];
  /** The message about its last action, or the reason why it was refused; '' before the first. */
  last: string;
  /** Whether its last action did what it requested; true before the first. */
  lastOk: boolean;
  /** Whether it has used its free speech this turn. */
  spoke: boolean;
  /** Ids of things that LOOK has shown it or that it has held, sorted; only with `rules.observe: ask`. */
  revealed?: readonly string[];
}

export interface NpcState {
  /** Index of the next waypoint of a patrol, and the direction of counting: +1 or -1. */
  leg: number;
  heading: 1 | -1;
  /** Where the target of `chase` or `flee` was last seen; null if unknown. */
  lastSeen: Point | null;
}

/**
 * The state of the grid world: plain JSON that is never changed in place. Read it with `gridRules`; `things`,
 * `doors` and `ground` are divided into shards, so that the cost of a step depends on what it changes.
 */
export interface GridState {
  /** The current turn, from 1. */
  turn: number;
  /** One stream per purpose: `npc:<id>` for each NPC that draws, so that they are independent. */
  rng: Readonly<Record<string, RngState>>;
  bodies: Readonly<Record<string, BodyState>>;
  npcs: Readonly<Record<string, NpcState>>;
  things: Shards<ThingState>;
  doors: Shards<DoorState>;
  /** Ids of things on the chunk's tiles, sorted: the index from positions to things. */
  ground: ChunkTree<readonly string[]>;
  minds: Readonly<Record<string, GridMindState>>;
  /**
   * Facts for conditions, for example `heard:<phrase index>:<agent>` or `read:<thing>:<agent>`, with the turn
   * in which they came true.
   */
  marks: Readonly<Record<string, number>>;
}

/** A new thing in its initial state. */
export function thingState({ id, place, container, work, stack }: ThingDefinition): ThingState {
  return {
    id,
    definition: id,
    place,
    lid: container?.state ?? null,
    contents: [],
    work: work?.turns ?? null,
    amount: stack?.amount ?? 1,
  };
}
