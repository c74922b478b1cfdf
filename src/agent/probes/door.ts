/** Whether a door in sight is open. Any world has doors whose facts list some, each with a name and a state. */
import type { Json } from '../../base/json.js';
import type { ProbeMaker } from './probe.js';
import { plain, uniqueNames, yesOrNo } from './probe.js';

export const doorProbes: ProbeMaker = ({ observation }) => {
  const doors = doorsIn(observation.facts['doors'] ?? null);
  const unique = uniqueNames(doors.map(({ name }) => name));
  return doors
    .filter(({ name }) => unique.includes(name))
    .map(({ name, state }) => yesOrNo('door', `Is "${plain(name)}" open?`, state === 'open'));
};

function doorsIn(facts: Json): readonly { readonly name: string; readonly state: string }[] {
  if (!Array.isArray(facts)) return [];
  return facts.flatMap((fact: Json) => {
    const { name, state } = (fact ?? {}) as { readonly name?: Json; readonly state?: Json };
    return typeof name === 'string' && typeof state === 'string' ? [{ name, state }] : [];
  });
}
