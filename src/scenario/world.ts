/**
 * What an environment adds to the scenario format: its own keys at the top and at each agent, and how they become its
 * definition. The loader knows no environment; it is given readers, `grid` among them.
 */
import type { z } from 'zod';
import type { Json } from '../base/json.js';
import type { MistakeReport } from './report.js';
import type { RenderSpec } from './scenario.js';

/** The kind of a scenario that names no environment. */
export const DEFAULT_WORLD = 'grid';

/** What a tileset draws. Ground may be drawn with either; things and bodies have tiles. */
export interface SpriteNames {
  readonly tiles: ReadonlySet<string>;
  /** Ground classes, whose tiles follow from what lies beside them. */
  readonly classes: ReadonlySet<string>;
  /** Path of the manifest that lists them, as the scenario names it; null: the project's own. */
  readonly manifest: string | null;
}

/** Names that are known beforehand; null: not known, so not checked. */
export interface KnownNames {
  readonly sprites: SpriteNames | null;
  /** Upper-case verbs of the environment. */
  readonly actions: readonly string[] | null;
  /** The same by kind of world, where it is known which has which. */
  readonly actionsByKind?: Readonly<Record<string, readonly string[]>>;
}

export interface WorldInput {
  /** The environment's keys at the top, checked by their schemas, defaults filled in. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Each agent with the shared keys and the environment's own, in the order of the file. */
  readonly agents: readonly Readonly<Record<string, unknown>>[];
  readonly render: RenderSpec;
  /** Whether chance decides who comes first of agents that act at once; false where they act one after the other. */
  readonly drawsTies: boolean;
  /** The scenario's seed, or the one that the user gave instead. */
  readonly seed: string;
  readonly known: KnownNames;
}

/**
 * Reads an environment's part of a scenario: which keys it has, and what becomes of them. `settingsReader` makes a short one.
 */
export interface WorldReader {
  readonly kind: string;
  readonly keys: Readonly<Record<string, z.ZodType>>;
  readonly agentKeys: Readonly<Record<string, z.ZodType>>;
  /** Ids of the sections that its observations may have: places that a turn's template may name. */
  readonly sections: readonly string[];
  /** Tables that its page of the documentation lists beside the keys, by name, as Markdown; absent: none. */
  readonly tables?: Readonly<Record<string, () => string>>;
  /** Tells every mistake to `report`; what it returns counts only where none was told. */
  read(input: WorldInput, report: MistakeReport): Json;
}
