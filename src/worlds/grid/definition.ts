/**
 * The grid world's definition: everything about a map and its rules that never changes while it is played. Checked
 * JSON, made by `scenario/` from YAML, opened by `grid.ts`, stored in the log. State (`state.ts`) holds what changes.
 */
import type { Point } from '../../environment/space.js';

export interface MapSize {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Point, MapSize {}

export interface TerrainKind {
  readonly id: string;
  /** As in texts for agents: "stone floor". */
  readonly name: string;
  readonly walkable: boolean;
  readonly opaque: boolean;
  /** Ground class or tile name in the tileset. */
  readonly sprite: string;
}

export interface Room {
  readonly id: string;
  readonly name: string;
  /** Overlapping rectangles are one area; the first room in the list that holds a tile owns it. */
  readonly areas: readonly Rect[];
  /** Prose that is always true of the room, shown while the agent is in it; '' for none. */
  readonly description: string;
}

export interface Door extends Point {
  readonly id: string;
  readonly name: string;
  /** Two rooms; a doorway tile belongs to the first unless a room's area holds it. */
  readonly between: readonly [string, string];
  /** From the first room to the second. */
  readonly direction: 'north' | 'east' | 'south' | 'west';
  readonly state: 'open' | 'closed' | 'locked';
  /** Id of the thing that locks and unlocks it; null where it has no lock. */
  readonly key: string | null;
  /** Number of turns after which it closes if nothing is in it; 0: never. */
  readonly closesAfter: number;
  readonly sprites: { readonly open: string; readonly closed: string; readonly locked: string };
}

/** Where a thing is: on a tile, in a container (a thing) or in the hands of a body. */
export type ThingLocation =
  | { readonly at: 'tile'; readonly x: number; readonly y: number }
  | { readonly at: 'inside'; readonly container: string }
  | { readonly at: 'held'; readonly by: string };

export interface ContainerDefinition {
  readonly state: 'open' | 'closed' | 'locked';
  readonly key: string | null;
  readonly sprites: { readonly open: string; readonly closed: string; readonly locked: string };
}

/** Work that takes several actions: each USE counts `remaining` down by one; at 0 `effect` happens. */
export interface WorkDefinition {
  readonly turns: number;
  /** Id of the thing that must be held to work on it; null: bare hands. */
  readonly tool: string | null;
  /** Shown when it is finished: "The rubble is cleared." */
  readonly done: string;
  readonly effect:
    | { readonly kind: 'remove' }
    | { readonly kind: 'open-door'; readonly door: string }
    | { readonly kind: 'become'; readonly name: string; readonly sprite: string; readonly blocking: boolean };
}

export interface ThingDefinition {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly sprite: string;
  /** What LOOK AT shows; '' for nothing special. */
  readonly description: string;
  readonly place: ThingLocation;
  readonly portable: boolean;
  readonly pushable: boolean;
  /** Whether it blocks its tile. */
  readonly blocking: boolean;
  readonly opaque: boolean;
  /** What READ shows; null if there is nothing to read. Untrusted text. */
  readonly text: string | null;
  readonly container: ContainerDefinition | null;
  readonly work: WorkDefinition | null;
  /** Stackable: things of one kind join; `amount` ≥ 1. Null for unique things. */
  readonly stack: { readonly kind: string; readonly amount: number } | null;
  /** USE consumes one of it and shows this; null if using it alone has no effect. */
  readonly consumable: string | null;
  /** A body that nobody controls sleeps on it; absent: it stands idle. */
  readonly restful?: true;
  /** Not in the world until a trigger spawns it at its place. */
  readonly absent?: true;
}

export interface BodyDefinition extends Point {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly sprite: string;
  readonly description: string;
}

export interface AgentDefinition extends BodyDefinition {
  /** Sight radius in tiles, cut to the frame's window. */
  readonly sightRadius: number;
  /** Names of the actions offered to this agent; null: all of the world's. WAIT is always offered. */
  readonly actions: readonly string[] | null;
  readonly carryMax: number;
  /** Conditions of its own; absent for none. */
  readonly success?: GridCondition;
  readonly failure?: GridCondition;
}

export type Behaviour =
  | { readonly kind: 'still' }
  | { readonly kind: 'wander'; /** Moves once in so many turns on average, ≥ 1. */ readonly every: number }
  | { readonly kind: 'patrol'; readonly route: readonly Point[]; readonly loop: boolean }
  | { readonly kind: 'chase'; readonly targets: readonly string[]; readonly sightRadius: number }
  | { readonly kind: 'flee'; readonly from: readonly string[]; readonly sightRadius: number };

export interface NpcDefinition extends BodyDefinition {
  readonly behaviour: Behaviour;
  /** An agent on or beside its tile (Manhattan ≤ reach) at the end of a turn is caught; null: harmless. */
  readonly catches: { readonly reach: number } | null;
  /** Only what the NPC sees (its facing-independent line of sight, this radius) can be caught at a distance; 0: reach only. */
  readonly watchRadius: number;
}

/** A condition over the world; success and failure are such. */
export type GridCondition =
  | { readonly kind: 'all'; readonly of: readonly GridCondition[] }
  | { readonly kind: 'any'; readonly of: readonly GridCondition[] }
  | { readonly kind: 'not'; readonly of: GridCondition }
  /** `agent` everywhere: an id, ANY_AGENT or EVERY_AGENT. */
  | { readonly kind: 'in-room'; readonly agent: string; readonly room: string }
  | { readonly kind: 'at'; readonly agent: string; readonly x: number; readonly y: number }
  | { readonly kind: 'holds'; readonly agent: string; readonly thing: string }
  | { readonly kind: 'thing-inside'; readonly thing: string; readonly container: string }
  | { readonly kind: 'thing-in-room'; readonly thing: string; readonly room: string }
  | {
      readonly kind: 'door-is';
      readonly door: string;
      readonly state: 'open' | 'closed' | 'locked' | 'unlocked';
    }
  | {
      readonly kind: 'container-is';
      readonly thing: string;
      readonly state: 'open' | 'closed' | 'locked' | 'unlocked';
    }
  | { readonly kind: 'work-done'; readonly thing: string }
  /** Said so that at least one other agent heard it; compared without case and punctuation, as whole words. */
  | { readonly kind: 'heard'; readonly agent: string; readonly phrase: string }
  | { readonly kind: 'read'; readonly agent: string; readonly thing: string }
  | { readonly kind: 'caught'; readonly agent: string }
  | { readonly kind: 'done'; readonly agent: string }
  /** What triggers have counted, 0 at the start; null: no bound on that side. */
  | {
      readonly kind: 'count';
      readonly counter: string;
      readonly min: number | null;
      readonly max: number | null;
    };

/** `agent` in a condition: an id, `any` agent, or `every` agent that is in the world. */
export const ANY_AGENT = 'any';
export const EVERY_AGENT = 'every';

/** What a trigger waits for; `agent` is whose doing counts: an id or ANY_AGENT. */
export type TriggerOccasion =
  /** `on` null: used by itself, as one pulls a lever; else this thing on that thing, door or body. */
  | { readonly kind: 'used'; readonly thing: string; readonly on: string | null; readonly agent: string }
  | { readonly kind: 'entered-room'; readonly room: string; readonly agent: string }
  | { readonly kind: 'entered-tile'; readonly x: number; readonly y: number; readonly agent: string }
  /** Said there, whether or not anybody heard it; `room` null: anywhere. */
  | { readonly kind: 'said'; readonly phrase: string; readonly room: string | null; readonly agent: string }
  /** The agents have acted in this turn. */
  | { readonly kind: 'turn-over'; readonly turn: number };

/** An effect of a trigger. An impossible effect (a door with an agent in it, a removed thing) is skipped. */
export type Effect =
  | {
      readonly kind: 'set-lid';
      /** A door or a container. */
      readonly target: string;
      readonly to: 'open' | 'closed' | 'locked' | 'unlocked';
    }
  | { readonly kind: 'spawn'; readonly thing: string }
  | { readonly kind: 'remove'; readonly thing: string }
  | { readonly kind: 'move'; readonly thing: string; readonly x: number; readonly y: number }
  | { readonly kind: 'tell'; readonly text: string; readonly to: Audience }
  /** `amount`: as many as were used up at once, by what set the trigger off; 1 where nothing was. */
  | { readonly kind: 'count'; readonly counter: string; readonly by: number | 'amount' };

/**
 * Recipients: the agent that set the trigger off, one agent, every agent, those in a room, or those who see a
 * tile.
 */
export type Audience =
  | { readonly kind: 'actor' }
  | { readonly kind: 'agent'; readonly agent: string }
  | { readonly kind: 'everyone' }
  | { readonly kind: 'room'; readonly room: string }
  | { readonly kind: 'tile'; readonly x: number; readonly y: number };

/** `when` alone: on that occasion; with `condition`: if it holds then; `condition` alone: as soon as it comes true. */
export interface Trigger {
  readonly id: string;
  readonly when: TriggerOccasion | null;
  readonly condition: GridCondition | null;
  readonly effects: readonly Effect[];
  /** Again on every occasion; else once. */
  readonly repeats: boolean;
}

export interface GridRules {
  /** `room`: GO passes the exit in a direction; `tile`: GO moves one tile. GO TO works in both. */
  readonly movement: 'room' | 'tile';
  /** Whether movement by `tile` has eight directions; by `room` it means nothing. */
  readonly diagonals: boolean;
  readonly sight: 'recursive' | 'symmetric' | 'rays';
  /** Only LOOK shows what is in sight. Omitted if it is shown automatically. */
  readonly observe?: 'ask';
  /** `USE ON <target>` uses what is held. Left out where the thing has to be named. */
  readonly usesHeld?: true;
  /** `USE 3 berries` uses up so many of a stack. Left out where one at a time is used up. */
  readonly usesAmounts?: true;
  /**
   * Tiles are shown with their numbers, and GO and TAKE may name one. Omitted if not, so that the hashes of
   * other worlds are unaffected.
   */
  readonly coordinates?: true;
  /** Without it agents see their whole frame, through walls and beyond their radius; creatures see as ever. */
  readonly fog: boolean;
  readonly speakRadius: number;
  /** SPEAK and ANNOUNCE are free, once a turn each agent, instead of costing the turn. */
  readonly speechFree: boolean;
  /** Whether bodies block one another's tiles. */
  readonly bodiesBlock: boolean;
  /** Of agents that act at once chance says in each tick who comes first; left out: the lower id does. */
  readonly ties?: 'drawn';
}

export interface GridDefinition {
  readonly size: MapSize;
  readonly terrain: readonly TerrainKind[];
  /** One character per terrain kind, in the order of `terrain`; rows are strings of these characters. */
  readonly terrainKeys: string;
  readonly rows: readonly string[];
  readonly rooms: readonly Room[];
  readonly doors: readonly Door[];
  readonly things: readonly ThingDefinition[];
  readonly npcs: readonly NpcDefinition[];
  /** In turn order. */
  readonly agents: readonly AgentDefinition[];
  readonly rules: GridRules;
  /** The frame's window: sight is cut to it, so that text and frame know the same. Odd numbers. */
  readonly window: { readonly columns: number; readonly rows: number };
  readonly success: GridCondition | null;
  /** One sentence for the reason when it comes true; '' for a generated one. */
  readonly successReason: string;
  readonly failure: GridCondition | null;
  readonly failureReason: string;
  /** By id, which is the order in which they fire; left out where there are none. */
  readonly triggers?: readonly Trigger[];
}
