/**
 * The discrete action space of a world: everything that an agent may ever request, as a fixed list, so that a
 * learner that chooses by number gets the same numbers in every run. Actions with free text or numbers have
 * no entries; a policy that needs them writes a text action.
 */
import { canonicalJson } from '../base/canonical.js';
import { compareText } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import { lookUp } from '../base/look-up.js';
import type { Args } from './action.js';
import { WAIT } from './action.js';
import type { Environment } from './environment.js';
import type { Slot } from './grammar.js';
import { formsOf } from './legal-action.js';
import type { Observation, OfferedAction } from './observation.js';
import { offeredNoun } from './observation.js';
import { CARDINALS, DIRECTIONS } from './space.js';

/** One entry of the action space; names are bound to ids. */
export interface SpaceAction {
  action: string;
  args: Args;
}

export interface ActionSpace {
  /** WAIT first, the others in the order of their names. */
  actions: readonly SpaceAction[];
  /** The numbers of the actions that are offered now, in order. */
  legalIn(observation: Observation): readonly number[];
}

/** Null if there are more than `LIMITS.actionSpace`, too many to learn. */
export function actionSpaceOf<S>(environment: Environment<S>, agent: string): ActionSpace | null {
  const names = environment.scope(agent).toSorted(compareText);
  const actionByKey = new Map<string, SpaceAction>();
  for (const action of [WAIT, ...names.filter((name) => name !== WAIT)]) {
    for (const form of closedForms(environment, action)) {
      const argsList = fillForm(form, (slot) => allValues(environment, slot, agent));
      for (const args of argsList) actionByKey.set(keyOf(action, args), { action, args });
      if (actionByKey.size > LIMITS.actionSpace) return null;
    }
  }
  const numbers = new Map([...actionByKey.keys()].map((key, i) => [key, i]));
  const legalIn: ActionSpace['legalIn'] = ({ offered, nouns }) => {
    const legal = offered.flatMap((offer) =>
      closedForms(environment, offer.action).flatMap((form) =>
        offeredArgs(form, offer, nouns).flatMap((args) => numbers.get(keyOf(offer.action, args)) ?? []),
      ),
    );
    return [...new Set(legal)].toSorted((a, b) => a - b);
  };
  return { actions: [...actionByKey.values()], legalIn };
}

function keyOf(action: string, args: Args): string {
  return `${action} ${canonicalJson(args)}`;
}

/** The forms of an action without free text and numbers. */
function closedForms<S>({ actions }: Environment<S>, name: string): readonly (readonly Slot[])[] {
  const action = actions.get(name);
  if (action === undefined) return [];
  return formsOf(action.grammar).forms.filter((form) =>
    form.every(({ kind }) => kind !== 'text' && kind !== 'integer'),
  );
}

function fillForm(form: readonly Slot[], valuesOf: (slot: Slot) => readonly string[]): readonly Args[] {
  let argsList: readonly Args[] = [{}];
  for (const slot of form) {
    const values = valuesOf(slot);
    argsList = argsList
      .slice(0, LIMITS.actionSpace + 1)
      .flatMap((args) => values.map((value) => ({ ...args, [slot.slot]: value })));
  }
  return argsList;
}

function allValues<S>(environment: Environment<S>, slot: Slot, agent: string): readonly string[] {
  if (slot.kind === 'word') return [slot.word];
  if (slot.kind === 'direction') return slot.diagonals ? DIRECTIONS : CARDINALS;
  if (slot.kind !== 'name') return [];
  const all = environment.everyNoun?.() ?? [];
  return all
    .filter(({ id, kinds }) => id !== agent && kinds.some((kind) => slot.of.includes(kind)))
    .map(({ id }) => id);
}

/** The combinations that an offer allows for a form; if it lists ways, only those. */
function offeredArgs(
  form: readonly Slot[],
  { slots, ways }: OfferedAction,
  nouns: Observation['nouns'],
): readonly Args[] {
  const values = (slot: Slot, spoken: readonly string[]): readonly string[] => {
    if (slot.kind === 'word') return spoken.includes(slot.word) ? [slot.word] : [];
    return slot.kind === 'name' ? spoken.flatMap((name) => offeredNoun(name, nouns)?.id ?? []) : spoken;
  };
  const fillRow = (row: Readonly<Record<string, readonly (string | number)[]>>): readonly Args[] =>
    fillForm(form, (slot) => values(slot, (lookUp(row, slot.slot) ?? []).map(String)));
  if (ways === undefined) return fillRow(slots);
  const slotNames = form.map(({ slot }) => slot);
  // A row fits if it fills these slots and no other closed ones; optional numbers may be left out.
  return ways
    .filter(
      (way) =>
        slotNames.every((slot) => Object.hasOwn(way, slot)) &&
        Object.entries(way).every(
          ([slot, options]) =>
            slotNames.includes(slot) || options.every((value) => typeof value === 'number'),
        ),
    )
    .flatMap(fillRow);
}
