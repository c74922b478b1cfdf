/**
 * The environments that a run may be of: each with the reader of its part of a scenario and what its actions reach for outside. Which
 * exist is a value, so that a library user or a test adds one without touching any command.
 */
import { UsageError } from '../base/errors.js';
import type { EnvironmentKind } from '../environment/environment.js';
import type { Performer } from '../orchestrator/parts.js';
import { grid, gridKind } from '../worlds/grid/grid.js';
import type { MakeAction } from '../worlds/grid/registry.js';
import { gridWorld } from '../scenario/grid/grid-world.js';
import type { WorldReader } from '../scenario/world.js';

/** An environment with all that assembling a run needs of it. */
export interface EnvironmentModule {
  readonly kind: EnvironmentKind;
  readonly reader: WorldReader;
  readonly performers: Readonly<Record<string, Performer>>;
}

export const MODULES: readonly EnvironmentModule[] = [{ kind: grid, reader: gridWorld, performers: {} }];

export function moduleOf(modules: readonly EnvironmentModule[], kind: string): EnvironmentModule {
  const found = modules.find((one) => one.kind.kind === kind);
  if (found !== undefined) return found;
  throw new UsageError(`there is no environment "${kind}"`, [
    `known: ${modules.map((one) => one.kind.kind).join(', ')}`,
  ]);
}

/**
 * The grid world with actions of one's own: each is made from the world that is being opened. Its `environment:` is `grid`, so it is handed
 * in instead of the built-in one.
 */
export function gridWith(...actions: readonly MakeAction[]): EnvironmentModule {
  return { kind: gridKind(actions), reader: gridWorld, performers: {} };
}
