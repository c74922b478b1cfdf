/**
 * The grid world's definition: everything about a map and its rules that never changes during a run. It is
 * checked JSON, made by `scenario/` from YAML, opened by `grid.ts`, and stored in the log. State (`state.ts`)
 * holds what changes.
 */
import type { Point } from '../../environment/space.js';

export interface MapSize {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Point, MapSize {}

export interface TerrainKind {
  readonly id: string;
  /** The name in texts for agents, such as "stone floor". */
  readonly name: string;
  readonly walkable: boolean;
  readonly opaque: boolean;
  /** Ground class or tile name in the tileset. */
  readonly sprite: string;
}

export interface Room {
  readonly id: string;
  readonly name: string;
  /** Overlapping rectangles are one area; a tile belongs to the first room in the list that contains it. */
  readonly areas: readonly Rect[];
  /** Text that is always true of the room, shown while the agent is in it; '' for none. */
  readonly description: string;
}

export interface Door extends Point {
  readonly id: string;
  readonly name: string;
  /** Two rooms; a doorway tile belongs to the first, unless a room's area contains it. */
  readonly between: readonly [string, string];
  /** The direction from the first room to the second. */
  readonly direction: 'north' | 'east' | 'south' | 'west';
  readonly state: 'open' | 'closed' | 'locked';
  /** Id of the thing that locks and unlocks it; null if it has no lock. */
  readonly key: string | null;
  /** Number of turns after which it closes if nothing is in the doorway; 0: never. */
  readonly closesAfter: number;
  readonly sprites: { readonly open: string; readonly closed: string; readonly locked: string };
}

/** The position of a thing: on a tile, in a container (a thing) or in the hands of a body. */
export type ThingLocation =
  | { readonly at: 'tile'; readonly x: number; readonly y: number }
  | { readonly at: 'inside'; readonly container: string }
  | { readonly at: 'held'; readonly by: string };

export interface ContainerDefinition {
  readonly state: 'open' | 'closed' | 'locked';
  readonly key: string | null;
  readonly sprites: { readonly open: string; readonly closed: string; readonly locked: string };
}

/** Work that takes several actions: each USE decreases `remaining` by one, and at 0 the `effect` happens. */
export interface WorkDefinition {
  readonly turns: number;
  /** Id of the thing that must be held to work on it; null for bare hands. */
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
  /** The text that LOOK AT shows; '' if there is none. */
  readonly description: string;
  readonly place: ThingLocation;
  readonly portable: boolean;
  readonly pushable: boolean;
  /** Whether it blocks its tile. */
  readonly blocking: boolean;
  readonly opaque: boolean;
  /** The text that READ shows; null if there is nothing to read. Untrusted text. */
  readonly text: string | null;
  readonly container: ContainerDefinition | null;
  readonly work: WorkDefinition | null;
  /** Stackable: things of the same kind are combined; `amount` ≥ 1. Null for unique things. */
  readonly stack: { readonly kind: string; readonly amount: number } | null;
  /** USE consumes one of it and shows this text; null if using it alone has no effect. */
  readonly consumable: string | null;
  /** Whether a body that no one controls sleeps on it; if absent, such a body stands idle. */
  readonly restful?: true;
  /** Whether it is absent from the world until a trigger spawns it at its position. */
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
  /** Sight radius in tiles, limited to the frame's window. */
  readonly sightRadius: number;
  /**
   * Names of the actions offered to this agent; null for all actions of the world. WAIT is always offered.
   */
  readonly actions: readonly string[] | null;
  readonly carryMax: number;
  /** Its own conditions; absent for none. */
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
  /**
   * An agent within this distance (Manhattan) at the end of a turn is caught; null if the NPC is harmless.
   */
  readonly catches: { readonly reach: number } | null;
  /**
   * Agents that the NPC sees (line of sight, within this radius) are caught too; 0: only those within
   * `reach`.
   */
  readonly watchRadius: number;
}

/** A condition on the world, such as success and failure. */
export type GridCondition =
  | { readonly kind: 'all'; readonly of: readonly GridCondition[] }
  | { readonly kind: 'any'; readonly of: readonly GridCondition[] }
  | { readonly kind: 'not'; readonly of: GridCondition }
  /** `agent` is always an id, ANY_AGENT or EVERY_AGENT. */
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
  /**
   * Said so that at least one other agent heard it; compared as whole words, ignoring case and punctuation.
   */
  | { readonly kind: 'heard'; readonly agent: string; readonly phrase: string }
  | { readonly kind: 'read'; readonly agent: string; readonly thing: string }
  | { readonly kind: 'caught'; readonly agent: string }
  | { readonly kind: 'done'; readonly agent: string }
  /** The value of a counter, which starts at 0; null means no limit on that side. */
  | {
      readonly kind: 'count';
      readonly counter: string;
      readonly min: number | null;
      readonly max: number | null;
    };

/** `agent` in a condition: an id, `any` agent, or `every` agent that is in the world. */
export const ANY_AGENT = 'any';
export const EVERY_AGENT = 'every';

/** The event that a trigger waits for; `agent` is the actor: an id or ANY_AGENT. */
export type TriggerOccasion =
  /**
   * If `on` is null, the thing is used by itself, like a lever; otherwise, it is used on that thing, door or
   * body.
   */
  | { readonly kind: 'used'; readonly thing: string; readonly on: string | null; readonly agent: string }
  | { readonly kind: 'entered-room'; readonly room: string; readonly agent: string }
  | { readonly kind: 'entered-tile'; readonly x: number; readonly y: number; readonly agent: string }
  /** Said in this room, or anywhere if `room` is null, even if no one hears it. */
  | { readonly kind: 'said'; readonly phrase: string; readonly room: string | null; readonly agent: string }
  /** After the actions of the agents in this turn. */
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
  /** `agent`: an id, or null for the agent that fired the trigger. */
  | { readonly kind: 'incapacitate' | 'restore'; readonly agent: string | null }
  /** `amount`: the number used up at once by the act that fired the trigger; 1 if nothing was used up. */
  | { readonly kind: 'count'; readonly counter: string; readonly by: number | 'amount' };

/**
 * Recipients: the agent that fired the trigger, one agent, every agent, those in a room, or those who see a
 * tile.
 */
export type Audience =
  | { readonly kind: 'actor' }
  | { readonly kind: 'agent'; readonly agent: string }
  | { readonly kind: 'everyone' }
  | { readonly kind: 'room'; readonly room: string }
  | { readonly kind: 'tile'; readonly x: number; readonly y: number };

/**
 * `when` alone: on that event; with `condition`: on that event, if the condition is true then; `condition`
 * alone: as soon as it becomes true.
 */
export interface Trigger {
  readonly id: string;
  readonly when: TriggerOccasion | null;
  readonly condition: GridCondition | null;
  readonly effects: readonly Effect[];
  /** Whether it fires every time; otherwise once. */
  readonly repeats: boolean;
}

export interface GridRules {
  /**
   * With `room`, GO passes the exit in a direction; with `tile`, it moves one tile. GO TO works with both.
   */
  readonly movement: 'room' | 'tile';
  /**
   * False if GO takes only a direction. Omitted if it also takes a target, so that the hashes of other worlds
   * stay the same.
   */
  readonly goTo?: false;
  /** Whether movement by `tile` has eight directions; no effect with `room`. */
  readonly diagonals: boolean;
  readonly sight: 'recursive' | 'symmetric' | 'rays';
  /**
   * `plain` if no text tells what only the picture is to show. Omitted if refusals give their reasons, so that
   * the hashes of other worlds stay the same.
   */
  readonly refusals?: 'plain';
  /** Whether only LOOK shows what is in sight. Omitted if it is shown automatically. */
  readonly observe?: 'ask';
  /** Whether `USE ON <target>` uses the thing that is held. Omitted if the thing must be named. */
  readonly usesHeld?: true;
  /** Whether `USE 3 berries` uses up three of a stack. Omitted if USE uses up only one. */
  readonly usesAmounts?: true;
  /**
   * Whether tiles are shown with their coordinates and can be named by them in GO and TAKE. Omitted if not,
   * so that the hashes of other worlds stay the same.
   */
  readonly coordinates?: true;
  /**
   * Whether walls and distance hide things. Without it, agents see their whole frame; creatures are
   * unaffected.
   */
  readonly fog: boolean;
  readonly speakRadius: number;
  /** Whether SPEAK and ANNOUNCE are free once per turn and agent, instead of costing the turn. */
  readonly speechFree: boolean;
  /** Whether bodies block each other's tiles. */
  readonly bodiesBlock: boolean;
  /**
   * Whether chance decides in each tick who comes first among agents that act at once; if omitted, the lower
   * id comes first.
   */
  readonly ties?: 'drawn';
}

export interface GridDefinition {
  readonly size: MapSize;
  readonly terrain: readonly TerrainKind[];
  /** One character per kind of terrain, in the order of `terrain`; rows are strings of these characters. */
  readonly terrainKeys: string;
  readonly rows: readonly string[];
  readonly rooms: readonly Room[];
  readonly doors: readonly Door[];
  readonly things: readonly ThingDefinition[];
  readonly npcs: readonly NpcDefinition[];
  /** The agents, in turn order. */
  readonly agents: readonly AgentDefinition[];
  readonly rules: GridRules;
  /** The frame's window: sight is limited to it, so that text and frame show the same. Odd numbers. */
  readonly window: { readonly columns: number; readonly rows: number };
  readonly success: GridCondition | null;
  /** A sentence that says why the run ended when this became true; '' for a generated one. */
  readonly successReason: string;
  readonly failure: GridCondition | null;
  readonly failureReason: string;
  /** The triggers by id, which is the order in which they fire; omitted if there are none. */
  readonly triggers?: readonly Trigger[];
}
