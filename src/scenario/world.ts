/**
 * What an environment adds to the scenario format: its own keys at the top level and for each agent, and how
 * they become its definition. The loader knows no environment; it gets readers, such as that of `grid`.
 */
import type { z } from 'zod';
import type { Json } from '../base/json.js';
import type { MistakeReport } from './report.js';
import type { RenderSpec } from './scenario.js';
import type { YamlPath } from './tree.js';

/** What a tileset can draw. Ground may use either; things and bodies use tiles. */
export interface SpriteNames {
  tiles: ReadonlySet<string>;
  /** Ground classes, whose tiles depend on their neighbours. */
  classes: ReadonlySet<string>;
  /** What a tile shows, in one line; not every tile has one. */
  descriptions: ReadonlyMap<string, string>;
  /** Path of the manifest that lists them, as written in the scenario; null for the built-in one. */
  manifest: string | null;
}

/** Names that are known in advance; null: unknown, so not checked. */
export interface KnownNames {
  sprites: SpriteNames | null;
  /** Upper-case verbs of the environment. */
  actions: readonly string[] | null;
  /** The verbs by kind of world, if that is known. */
  actionsByKind?: Readonly<Record<string, readonly string[]>>;
}

export interface WorldInput {
  /** The environment's top-level keys, checked by their schemas, with defaults filled in. */
  values: Readonly<Record<string, unknown>>;
  /**
   * Each agent with the environment's own keys and the shared ones, whose sections are as they take effect, in the
   * order of the file.
   */
  agents: readonly Readonly<Record<string, unknown>>[];
  render: RenderSpec;
  /**
   * Whether chance decides who comes first among agents that act at once; false if they act one after the
   * other.
   */
  drawsTies: boolean;
  /** The scenario's seed, or the one that the user set instead. */
  seed: string;
  known: KnownNames;
  /** What other parts of the scenario name in the world by its id, for worlds that have `names`. */
  references: readonly Reference[];
  /**
   * Texts outside the world that agents get to know: rules, personas, goals, templates, and the replies of
   * agents that have fixed ones.
   */
  told: readonly string[];
}

/** An id that must be that of one of these kinds. */
export interface Reference {
  id: string;
  kinds: readonly ('thing' | 'door' | 'npc' | 'agent')[];
  at: YamlPath;
}

/**
 * Reads an environment's keys from a scenario, and makes the definition from them. `settingsReader`
 * makes a simple one.
 */
export interface WorldReader {
  kind: string;
  keys: Readonly<Record<string, z.ZodType>>;
  agentKeys: Readonly<Record<string, z.ZodType>>;
  /** Ids of the sections that its observations may have: placeholders that a turn's template may use. */
  sections: readonly string[];
  /** Additional tables for its page of the documentation, by name, as Markdown; absent if there are none. */
  tables?: Readonly<Record<string, () => string>>;
  /** Reports every mistake to `report`; the result is only valid if there was none. */
  read(input: WorldInput, report: MistakeReport): Json;
  /** The names of its things, doors and bodies by id; absent if other parts of a scenario can't refer to them. */
  names?(definition: Json): ReadonlyMap<string, string>;
}
