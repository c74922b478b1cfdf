/**
 * The grid world as a whole, also with a user's own actions. A world's kind is its rules, its reader reads
 * its scenario keys, and its module is both.
 */
import { UsageError } from '../../base/errors.js';
import type { ActionSpec } from '../../environment/own-action.js';
import type { BuiltInWorld, EnvironmentModule, WorldExtension } from '../environment-module.js';
import { listed } from '../exported-parts.js';
import { grid, gridKind } from './grid.js';
import { explorerPlayer } from './player/explorer.js';
import type { MakeAction } from './registry.js';
import { gridWorld } from './scenario/grid-world.js';
import type { GridState } from './state.js';

const OWN_ACTIONS: WorldExtension<MakeAction> = {
  exportName: 'actions',
  read: (exported, path) => {
    const needs = ['name', 'description', 'examples', 'apply'];
    const isMade = (one: unknown): boolean => typeof one === 'function';
    const actions = listed<MakeAction | ActionSpec<GridState>>(
      exported,
      { path, name: 'actions', needs },
      isMade,
    );
    return actions.map((one) => (typeof one === 'function' ? one : () => one));
  },
  extended: (modules, effectHandlers) => {
    const actions: MakeAction[] = [];
    // Tried with each, so that a clash names the file that brings it.
    for (const { path, parts } of modules) {
      actions.push(...parts);
      tryOut(actions, path);
    }
    return { ...gridWith(...actions), effectHandlers };
  },
};

function tryOut(actions: readonly MakeAction[], path: string): void {
  try {
    // Reading the names makes the registry, which refuses a clash.
    void gridWith(...actions).kind.actionNames;
  } catch (error) {
    const hints = error instanceof UsageError ? error.hints : [];
    const words = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path}: its actions can't be used: ${words}`, hints);
  }
}

/**
 * The grid world with custom actions; each is made for the world that is being opened. It is the environment
 * `grid`, so pass it to `modules` in place of the built-in one.
 */
export function gridWith(...actions: readonly MakeAction[]): EnvironmentModule {
  return { kind: gridKind(actions), reader: gridWorld, effectHandlers: {}, extension: OWN_ACTIONS };
}

export const gridModule: BuiltInWorld = {
  kind: grid,
  reader: gridWorld,
  effectHandlers: {},
  extension: OWN_ACTIONS,
  player: explorerPlayer,
};
