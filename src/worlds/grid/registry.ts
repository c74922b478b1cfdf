/**
 * The actions of the grid world, each with its own file in `actions/`. The scenario says which of them each
 * agent may use; REST is never offered, because the loop uses it for a body that no one controls.
 */
import { canonicalJson } from '../../base/canonical.js';
import { UsageError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import type { ActionRegistry } from '../../environment/action.js';
import { actionRegistry } from '../../environment/action.js';
import type { ActionSpec } from '../../environment/own-action.js';
import { completeAction } from '../../environment/own-action.js';
import { slotsOf } from '../../environment/grammar.js';
import { doneAction, waitAction } from '../../environment/standard-actions.js';
import { announceAction } from './actions/announce.js';
import { closeAction } from './actions/close.js';
import { dropAction } from './actions/drop.js';
import { giveAction } from './actions/give.js';
import { goAction } from './actions/go.js';
import type { GridAction } from './actions/grid-action.js';
import { lookAction } from './actions/look.js';
import { openAction } from './actions/open.js';
import { pushAction } from './actions/push.js';
import { readAction } from './actions/read.js';
import { restAction } from './actions/rest.js';
import { speakAction } from './actions/speak.js';
import { takeAction } from './actions/take.js';
import { PERCEIVED_KINDS } from './actions/things.js';
import { useAction } from './actions/use.js';
import { setBody } from './change.js';
import type { GridState } from './state.js';
import type { GridWorld } from './world.js';

/** The contract's registry, typed for grid actions. */
export interface GridRegistry extends ActionRegistry<GridState> {
  get(verb: string): GridAction | undefined;
  list(): readonly GridAction[];
}

/** Makes an action for a world that is being opened. */
export type MakeAction = (world: GridWorld) => ActionSpec<GridState>;

/** The built-in actions of the grid, and custom ones. */
export function gridRegistry(world: GridWorld, customActions: readonly MakeAction[] = []): GridRegistry {
  const actions: readonly GridAction[] = [
    announceAction(world),
    closeAction(world),
    doneAction((state, agent) => setBody(state, agent, { status: 'done' })),
    dropAction(world),
    giveAction(world),
    goAction(world),
    lookAction(world),
    openAction(world),
    pushAction(world),
    readAction(world),
    speakAction(world),
    takeAction(world),
    useAction(world),
    waitAction(),
    ...customActions.map((make): GridAction => {
      const action = completeAction(withKnownKinds(make(world)), canonicalJson);
      const apply: GridAction['apply'] = (...given) => {
        const outcome = action.apply(...given);
        return { ...outcome, told: outcome.message };
      };
      return { ...action, apply, reachesFar: true };
    }),
  ];
  return actionRegistry<GridState>(actions, [restAction(world)]);
}

/** The kinds of nouns in the grid (`nouns.ts`). */
const KINDS = [...PERCEIVED_KINDS, 'place'];

/**
 * The action, if each kind of name that it takes exists in the grid. Throws UsageError for any other kind,
 * because nothing could ever fill its slot.
 */
function withKnownKinds<S>(action: ActionSpec<S>): ActionSpec<S> {
  for (const { slot } of action.grammar ? slotsOf(action.grammar) : []) {
    const unknownKind = slot.kind === 'name' ? slot.of.find((kind) => !KINDS.includes(kind)) : undefined;
    if (unknownKind === undefined) continue;
    const similar = nearest(unknownKind, KINDS);
    throw new UsageError(`${action.name}: the grid has no kind "${unknownKind}"`, [
      similar === undefined ? `the kinds are: ${KINDS.join(', ')}` : `did you mean ${similar}?`,
    ]);
  }
  return action;
}
