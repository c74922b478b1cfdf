/** The worlds that come with the program. A new one is a folder next to this file, an import and an entry here. */
import type { BuiltInWorld, EnvironmentModule } from './environment-module.js';
import { gridModule } from './grid/module.js';
import { toolboxModule } from './toolbox/module.js';
import { workcellModule } from './workcell/module.js';

const WORLDS: readonly BuiltInWorld[] = [gridModule, toolboxModule, workcellModule];

/** The built-in environments: `grid`, `toolbox` and `workcell`, in this order. */
export const MODULES: readonly EnvironmentModule[] = WORLDS;

/** The readers of their scenario keys, in the same order: for the JSON Schema and for tests. */
export const READERS = MODULES.map(({ reader }) => reader);

/** The reference player of a kind of world, and what reads its scenarios; undefined if it has none. */
export function referenceWorld(kind: string) {
  const { reference, reader } = WORLDS.find((one) => one.kind.kind === kind) ?? {};
  return reference && reader && { ...reference, reader };
}

/** The built-in players. The grid's player accepts the most general facts, so it is tried last. */
export const PLAYERS = WORLDS.map(({ player }) => player).toReversed();
