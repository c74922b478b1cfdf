/**
 * The grid world as a module: its rules (`kind`), the reader of its scenario keys, its built-in player, and
 * the extension with a user's own actions.
 */
import { errorMessage, UsageError } from '../../base/errors.js';
import type { ActionSpec } from '../../environment/own-action.js';
import type { BuiltInWorld, EnvironmentModule, WorldExtension } from '../environment-module.js';
import { requireList } from '../exported-parts.js';
import { grid, gridKind } from './grid.js';
import { explorerPlayer } from './player/explorer.js';
import { withDone } from './player/notebook.js';
import { referencePlayer } from './player/reference.js';
import type { MakeAction } from './registry.js';
import { gridWorld } from './scenario/grid-world.js';
import type { GridState } from './state.js';

const OWN_ACTIONS: WorldExtension<MakeAction> = {
  exportName: 'actions',
  read: (exported, path) => {
    const requiredKeys = ['name', 'description', 'examples', 'apply'];
    const isFactory = (one: unknown): boolean => typeof one === 'function';
    const actions = requireList<MakeAction | ActionSpec<GridState>>(
      exported,
      { path, name: 'actions', needs: requiredKeys },
      isFactory,
    );
    return actions.map((action) => (typeof action === 'function' ? action : () => action));
  },
  extended: (modules, effectHandlers) => {
    const actions: MakeAction[] = [];
    // Checked after each file, so that the message about a clash names the file.
    for (const { path, parts } of modules) {
      actions.push(...parts);
      checkNameClashes(actions, path);
    }
    return { ...gridWith(...actions), effectHandlers };
  },
};

function checkNameClashes(actions: readonly MakeAction[], path: string): void {
  try {
    // Reading `actionNames` builds the registry, which throws if two actions share a name.
    void gridWith(...actions).kind.actionNames;
  } catch (error) {
    const hints = error instanceof UsageError ? error.hints : [];
    const message = errorMessage(error);
    throw new UsageError(`${path}: its actions can't be used: ${message}`, hints);
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
  reference: { player: referencePlayer, withDone },
};
