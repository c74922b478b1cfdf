/** The worlds that come with the program. A new one is a folder next to this file, an import and an entry here. */
import type { ReferencePlayer } from '../agent/controllers/reference-player.js';
import type { BuiltInWorld, EnvironmentModule } from './environment-module.js';
import { gridModule } from './grid/module.js';
import { toolboxModule } from './toolbox/module.js';
import { workcellModule } from './workcell/module.js';

const WORLDS: readonly BuiltInWorld[] = [gridModule, toolboxModule, workcellModule];

/** The built-in environments: `grid`, `toolbox` and `workcell`, in this order. */
export const MODULES: readonly EnvironmentModule[] = WORLDS;

/** The readers of their scenario keys, in the same order: for the JSON Schema and for tests. */
export const READERS = MODULES.map(({ reader }) => reader);

/** A world with a reference player, by its kind; undefined if it has none. */
export function referenceWorld(
  kind: string,
): (BuiltInWorld & { referencePlayer: ReferencePlayer }) | undefined {
  const world = WORLDS.find((one) => one.kind.kind === kind);
  return world?.referencePlayer === undefined
    ? undefined
    : { ...world, referencePlayer: world.referencePlayer };
}

/** The built-in players. The grid's player accepts the most general facts, so it is tried last. */
export const PLAYERS = WORLDS.map(({ player }) => player).toReversed();
