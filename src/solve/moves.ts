/**
 * The moves of an agent that a search tries: the offered actions with every offered argument, names bound to
 * ids. They are intents that the rules don't refuse, WAIT first. Only offers from the agent's own observation
 * are tried, so a solution uses only what each agent has seen, read or heard.
 */
import { known } from '../base/assert.js';
import { lookUp } from '../base/look-up.js';
import type { Action, Args, Intent } from '../environment/action.js';
import { WAIT } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import type { Slot } from '../environment/grammar.js';
import type { Observation, OfferedAction } from '../environment/observation.js';
import { offeredNoun } from '../environment/observation.js';
import { formsOf } from '../environment/legal-action.js';

export interface PossibleMoves {
  intents: readonly Intent[];
  /** False if there are possible texts or numbers that were not tried. */
  isComplete: boolean;
}

/** Ranges of up to this many numbers are tried completely; of longer ones, only this many of the smallest. */
const NUMBERS_MAX = 16;

/** `withdrawn` names actions that no agent may use. */
export function movesOf<S>(
  environment: Environment<S>,
  state: S,
  { agent, withdrawn }: { agent: string; withdrawn: readonly string[] },
): PossibleMoves {
  const observation = environment.observe(state, agent);
  const filled = observation.offered
    .filter(({ action }) => !withdrawn.includes(action))
    .map((offer) => fillOffer(environment, state, observation, offer));
  const allIntents = filled.flatMap(({ intents }) => intents);
  const isWait = ({ action }: Intent): boolean => action === WAIT;
  const intents = [...allIntents.filter(isWait), ...allIntents.filter((intent) => !isWait(intent))];
  return { intents, isComplete: filled.every(({ isComplete }) => isComplete) };
}

/** Values of one slot, and whether there are more. */
interface SlotValues {
  values: readonly (string | number)[];
  isComplete: boolean;
}

function fillOffer<S>(
  environment: Environment<S>,
  state: S,
  observation: Observation,
  offer: OfferedAction,
): PossibleMoves {
  const { agent } = observation;
  const action = known(environment.actions.get(offer.action), offer.action);
  const texts = environment.search?.texts?.(state, agent) ?? null;
  const accepts = (args: Args): boolean =>
    environment.check(state, { agent, action: action.name, args }) === undefined;
  let isComplete = action.outside === undefined;
  const accepted: Args[] = [];
  for (const form of formsOf(action.grammar).forms) {
    let argsList: readonly Args[] = [{}];
    for (const slot of form) {
      const candidates = valuesOf(slot, { observation, offer, texts });
      isComplete &&= candidates.isComplete;
      argsList = argsList.flatMap((args) =>
        candidates.values.map((value) => ({ ...args, [slot.slot]: value })),
      );
    }
    accepted.push(...argsList.filter(accepts));
  }
  const expanded = accepted.map((args) => withNumbers(action, args, accepts));
  return {
    intents: expanded.flatMap(({ argsList }) =>
      argsList.map((args) => ({ agent, action: action.name, args })),
    ),
    isComplete: isComplete && expanded.every((one) => one.isComplete),
  };
}

/**
 * The same arguments, also with each optional number: from the smallest on, while accepted. If only one
 * number is accepted, leaving it out means the same.
 */
function withNumbers<S>(
  { grammar }: Action<S>,
  args: Args,
  accepts: (args: Args) => boolean,
): { argsList: readonly Args[]; isComplete: boolean } {
  const { slots, forms } = formsOf(grammar);
  const optionalNumbers = slots.filter(
    (slot) => slot.kind === 'integer' && !forms.some((form) => form.includes(slot)),
  );
  const argsList: Args[] = [args];
  let isComplete = true;
  for (const slot of optionalNumbers) {
    const { values } = integersOf(slot);
    const refused = values.findIndex((value) => !accepts({ ...args, [slot.slot]: value }));
    const accepted = refused === -1 ? values : values.slice(0, refused);
    if (accepted.length > 1) argsList.push(...accepted.map((value) => ({ ...args, [slot.slot]: value })));
    isComplete &&= refused !== -1;
  }
  return { argsList, isComplete };
}

interface OfferChoices {
  observation: Observation;
  offer: OfferedAction;
  /** Null: the environment does not list the texts that matter. */
  texts: readonly string[] | null;
}

function valuesOf(slot: Slot, { observation, offer, texts }: OfferChoices): SlotValues {
  switch (slot.kind) {
    case 'word':
      return { values: [slot.word], isComplete: true };
    case 'text':
      return { values: texts ?? [], isComplete: texts !== null };
    case 'integer':
      return integersOf(slot);
    case 'direction':
      return { values: lookUp(offer.slots, slot.slot) ?? [], isComplete: true };
    case 'name':
      return {
        values: (lookUp(offer.slots, slot.slot) ?? []).map(
          (name) => known(offeredNoun(name, observation.nouns), `noun ${name}`).id,
        ),
        isComplete: true,
      };
  }
}

function integersOf(slot: Slot): SlotValues {
  const { min, max } = slot.kind === 'integer' ? slot : { min: 0, max: -1 };
  const count = max - min + 1;
  const values = Array.from({ length: Math.min(count, NUMBERS_MAX) }, (_, i) => min + i);
  return { values, isComplete: count <= NUMBERS_MAX };
}
