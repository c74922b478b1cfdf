/**
 * Whether a door in sight is open. Works for any world whose facts list doors with a name and a state; a door
 * that is only remembered may have changed, so its state is unknowable (`unknowable.ts` asks for those).
 */
import { recordsIn } from '../../base/json.js';
import type { Json } from '../../base/json.js';
import type { Observation } from '../../environment/observation.js';
import type { ProbeKind } from '../../scenario/scenario.js';
import type { KnowledgeProbe, ProbeMaker } from './probe.js';
import { UNKNOWN_WORD, plainName, uniqueNames } from './probe.js';

export const doorProbes: ProbeMaker = ({ observation }) => {
  const unique = uniqueDoors(observation);
  return seenDoors(observation)
    .filter(({ name }) => unique.includes(name))
    .map(({ name, state }) => doorProbe('door', name, state === 'open' ? 'yes' : 'no'));
};

/** The same words for every door, so that they don't reveal the answer. */
export function doorProbe(kind: ProbeKind, name: string, expected: string): KnowledgeProbe {
  const question = `Is "${plainName(name)}" open now, as far as you can see?`;
  return { kind, question, options: ['yes', 'no', UNKNOWN_WORD], expected };
}

/** Names of doors that are known and out of sight. */
export function hiddenDoors(observation: Observation): readonly string[] {
  const unique = uniqueDoors(observation);
  return rememberedDoors(observation).filter((name) => unique.includes(name));
}

/** Names that identify exactly one door, seen or remembered. */
function uniqueDoors(observation: Observation): readonly string[] {
  const seenNames = seenDoors(observation).map(({ name }) => name);
  return uniqueNames([...seenNames, ...rememberedDoors(observation)]);
}

/** Doors in sight, with their state. */
export function seenDoors({ facts }: Observation): readonly { id?: Json; name: string; state: string }[] {
  return recordsIn(facts['doors']).flatMap(({ id, name, state }) =>
    typeof name === 'string' && typeof state === 'string'
      ? [{ ...(id === undefined ? {} : { id }), name, state }]
      : [],
  );
}

function rememberedDoors({ facts }: Observation): readonly string[] {
  return recordsIn(facts['remembered']).flatMap(({ kind, name }) =>
    kind === 'door' && typeof name === 'string' ? [name] : [],
  );
}
