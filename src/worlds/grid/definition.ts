/**
 * The grid world's definition: everything about a map and its rules that never changes during a run. It is
 * checked JSON, made by `scenario/` from YAML, opened by `grid.ts`, and stored in the log. State (`state.ts`)
 * holds what changes.
 */
import type { Point } from '../../environment/space.js';

export interface MapSize {
  width: number;
  height: number;
}

export interface Rect extends Point, MapSize {}

export interface TerrainKind {
  id: string;
  /** The name in texts for agents, such as "stone floor". */
  name: string;
  walkable: boolean;
  opaque: boolean;
  /** Ground class or tile name in the tileset. */
  sprite: string;
}

export interface Room {
  id: string;
  name: string;
  /** Overlapping rectangles are one area; a tile belongs to the first room in the list that contains it. */
  areas: readonly Rect[];
  /** Text that is always true of the room, shown while the agent is in it; '' for none. */
  description: string;
}

export interface Door extends Point {
  id: string;
  name: string;
  /** Two rooms; a doorway tile belongs to the first, unless a room's area contains it. */
  between: readonly [string, string];
  /** The direction from the first room to the second. */
  direction: 'north' | 'east' | 'south' | 'west';
  state: 'open' | 'closed' | 'locked';
  /** Id of the thing that locks and unlocks it; null if it has no lock. */
  key: string | null;
  /** Number of turns after which it closes if nothing is in the doorway; 0: never. */
  closesAfter: number;
  sprites: { open: string; closed: string; locked: string };
}

/** The position of a thing: on a tile, in a container (a thing) or in the hands of a body. */
export type ThingLocation =
  { at: 'tile'; x: number; y: number } | { at: 'inside'; container: string } | { at: 'held'; by: string };

export interface ContainerDefinition {
  state: 'open' | 'closed' | 'locked';
  key: string | null;
  sprites: { open: string; closed: string; locked: string };
}

/** Work that takes several actions: each USE decreases `remaining` by one, and at 0 the `effect` happens. */
export interface WorkDefinition {
  turns: number;
  /** Id of the thing that must be held to work on it; null for bare hands. */
  tool: string | null;
  /** Shown when it is finished: "The rubble is cleared." */
  done: string;
  effect:
    | { kind: 'remove' }
    | { kind: 'open-door'; door: string }
    | { kind: 'become'; name: string; sprite: string; blocking: boolean };
}

export interface ThingDefinition {
  id: string;
  name: string;
  aliases: readonly string[];
  sprite: string;
  /** The text that LOOK AT shows; '' if there is none. */
  description: string;
  place: ThingLocation;
  portable: boolean;
  pushable: boolean;
  /** Whether it blocks its tile. */
  blocking: boolean;
  opaque: boolean;
  /** The text that READ shows; null if there is nothing to read. Untrusted text. */
  text: string | null;
  container: ContainerDefinition | null;
  work: WorkDefinition | null;
  /** Stackable: things of the same kind are combined; `amount` ≥ 1. Null for unique things. */
  stack: { kind: string; amount: number } | null;
  /** USE consumes one of it and shows this text; null if using it alone has no effect. */
  consumable: string | null;
  /** Whether a body that no one controls sleeps on it; if absent, such a body stands idle. */
  restful?: true;
  /** Whether it is absent from the world until a trigger spawns it at its position. */
  absent?: true;
}

export interface BodyDefinition extends Point {
  id: string;
  name: string;
  aliases: readonly string[];
  sprite: string;
  description: string;
}

export interface AgentDefinition extends BodyDefinition {
  /** Sight radius in tiles, limited to the frame's window. */
  sightRadius: number;
  /**
   * Names of the actions offered to this agent; null for all actions of the world. WAIT is always offered.
   */
  actions: readonly string[] | null;
  carryMax: number;
  /** Its own conditions; absent for none. */
  success?: GridCondition;
  failure?: GridCondition;
}

export type Behaviour =
  | { kind: 'still' }
  | { kind: 'wander'; /** Moves once in so many turns on average, ≥ 1. */ every: number }
  | { kind: 'patrol'; route: readonly Point[]; loop: boolean }
  | { kind: 'chase'; targets: readonly string[]; sightRadius: number }
  | { kind: 'flee'; from: readonly string[]; sightRadius: number };

export interface NpcDefinition extends BodyDefinition {
  behaviour: Behaviour;
  /**
   * An agent within this distance (Manhattan) at the end of a turn is caught; null if the NPC is harmless.
   */
  catches: { reach: number } | null;
  /**
   * Agents that the NPC sees (line of sight, within this radius) are caught too; 0: only those within
   * `reach`.
   */
  watchRadius: number;
}

/** A condition on the world, such as success and failure. */
export type GridCondition =
  | { kind: 'all'; of: readonly GridCondition[] }
  | { kind: 'any'; of: readonly GridCondition[] }
  | { kind: 'not'; of: GridCondition }
  /** `agent` is always an id, ANY_AGENT or EVERY_AGENT. */
  | { kind: 'in-room'; agent: string; room: string }
  | { kind: 'at'; agent: string; x: number; y: number }
  /** Within so many tiles, also through walls, of where a thing, door or other body is. */
  | { kind: 'near'; agent: string; target: string; within: number }
  | { kind: 'holds'; agent: string; thing: string }
  | { kind: 'thing-inside'; thing: string; container: string }
  | { kind: 'thing-in-room'; thing: string; room: string }
  | {
      kind: 'door-is';
      door: string;
      state: 'open' | 'closed' | 'locked' | 'unlocked';
    }
  | {
      kind: 'container-is';
      thing: string;
      state: 'open' | 'closed' | 'locked' | 'unlocked';
    }
  | { kind: 'work-done'; thing: string }
  /**
   * Said so that at least one other agent heard it; compared as whole words, ignoring case and punctuation.
   */
  | { kind: 'heard'; agent: string; phrase: string }
  | { kind: 'read'; agent: string; thing: string }
  | { kind: 'caught'; agent: string }
  | { kind: 'done'; agent: string }
  /** The value of a counter, which starts at 0; null means no limit on that side. */
  | {
      kind: 'count';
      counter: string;
      min: number | null;
      max: number | null;
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
  | { kind: 'used'; thing: string; on: string | null; agent: string }
  | { kind: 'entered-room'; room: string; agent: string }
  | { kind: 'entered-tile'; x: number; y: number; agent: string }
  /** Said in this room, or anywhere if `room` is null, even if no one hears it. */
  | { kind: 'said'; phrase: string; room: string | null; agent: string }
  /** After the actions of the agents in this turn. */
  | { kind: 'turn-over'; turn: number };

/** An effect of a trigger. An impossible effect (a door with an agent in it, a removed thing) is skipped. */
export type Effect =
  | {
      kind: 'set-lid';
      /** A door or a container. */
      target: string;
      to: 'open' | 'closed' | 'locked' | 'unlocked';
    }
  | { kind: 'spawn'; thing: string }
  | { kind: 'remove'; thing: string }
  | { kind: 'move'; thing: string; x: number; y: number }
  | { kind: 'tell'; text: string; to: Audience }
  /** `agent`: an id, or null for the agent that fired the trigger. */
  | { kind: 'incapacitate' | 'restore'; agent: string | null }
  /** `amount`: the number used up at once by the act that fired the trigger; 1 if nothing was used up. */
  | { kind: 'count'; counter: string; by: number | 'amount' };

/**
 * Recipients: the agent that fired the trigger, one agent, every agent, those in a room, or those who see a
 * tile.
 */
export type Audience =
  | { kind: 'actor' }
  | { kind: 'agent'; agent: string }
  | { kind: 'everyone' }
  | { kind: 'room'; room: string }
  | { kind: 'tile'; x: number; y: number };

/**
 * `when` alone: on that event; with `condition`: on that event, if the condition is true then; `condition`
 * alone: as soon as it becomes true.
 */
export interface Trigger {
  id: string;
  when: TriggerOccasion | null;
  condition: GridCondition | null;
  effects: readonly Effect[];
  /** Whether it fires every time; otherwise once. */
  repeats: boolean;
}

export interface GridRules {
  /**
   * With `room`, GO passes the exit in a direction; with `tile`, it moves one tile. GO TO works with both.
   */
  movement: 'room' | 'tile';
  /**
   * False if GO takes only a direction. Omitted if it also takes a target, so that the hashes of other worlds
   * stay the same.
   */
  goTo?: false;
  /** Whether movement by `tile` has eight directions; no effect with `room`. */
  diagonals: boolean;
  sight: 'recursive' | 'symmetric' | 'rays';
  /**
   * `plain` if no text tells what only the picture is to show. Omitted if refusals give their reasons, so that
   * the hashes of other worlds stay the same.
   */
  refusals?: 'plain';
  /** Whether only LOOK shows what is in sight. Omitted if it is shown automatically. */
  observe?: 'ask';
  /** Whether `USE ON <target>` uses the thing that is held. Omitted if the thing must be named. */
  usesHeld?: true;
  /** Whether `USE 3 berries` uses up three of a stack. Omitted if USE uses up only one. */
  usesAmounts?: true;
  /**
   * Whether tiles are shown with their coordinates and can be named by them in GO and TAKE. Omitted if not,
   * so that the hashes of other worlds stay the same.
   */
  coordinates?: true;
  /**
   * Whether walls and distance hide things. Without it, agents see their whole frame; creatures are
   * unaffected.
   */
  fog: boolean;
  speakRadius: number;
  /** Whether SPEAK and ANNOUNCE are free once per turn and agent, instead of costing the turn. */
  speechFree: boolean;
  /** Whether bodies block each other's tiles. */
  bodiesBlock: boolean;
  /**
   * Whether chance decides in each tick who comes first among agents that act at once; if omitted, the lower
   * id comes first.
   */
  ties?: 'drawn';
}

export interface GridDefinition {
  size: MapSize;
  terrain: readonly TerrainKind[];
  /** One character per kind of terrain, in the order of `terrain`; rows are strings of these characters. */
  terrainKeys: string;
  rows: readonly string[];
  rooms: readonly Room[];
  doors: readonly Door[];
  things: readonly ThingDefinition[];
  npcs: readonly NpcDefinition[];
  /** The agents, in turn order. */
  agents: readonly AgentDefinition[];
  rules: GridRules;
  /** The frame's window: sight is limited to it, so that text and frame show the same. Odd numbers. */
  window: { columns: number; rows: number };
  success: GridCondition | null;
  /** A sentence that says why the run ended when this became true; '' for a generated one. */
  successReason: string;
  failure: GridCondition | null;
  failureReason: string;
  /** The triggers by id, which is the order in which they fire; omitted if there are none. */
  triggers?: readonly Trigger[];
}
