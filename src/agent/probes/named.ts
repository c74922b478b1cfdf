/**
 * Whether something exists here: names that occur in the text, or in sight in the picture, and names that
 * occur nowhere.
 */
import type { Observation } from '../../environment/observation.js';
import type { ProbeContext, ProbeMaker } from './probe.js';
import { plain, yesOrNo } from './probe.js';
import { hereOf, visibleThings } from './tiles.js';

/** Everyday things that no scenario's plot needs; a thing that the world does name is not used. */
const ABSENT = ['silver trumpet', 'rubber duck', 'paper kite', 'glass violin', 'woollen sock', 'tin whistle'];

export const namedProbes: ProbeMaker = (moment) => {
  const { observation } = moment;
  const here = hereOf(moment);
  const seen = here === null ? [] : visibleThings(here).map(({ name }) => name);
  const text = textOf(observation).toLowerCase();
  const told = observation.nouns.map(({ name }) => name).filter((name) => text.includes(name.toLowerCase()));
  const probe = (name: string, isThere: boolean) =>
    yesOrNo('named', `Is "${plain(name)}" among what you are shown or told of now?`, isThere);
  return [
    ...[...new Set([...seen, ...told])].map((name) => probe(name, true)),
    ...absentNames(moment).map((name) => probe(name, false)),
  ];
};

/** Names that the observation does not mention, neither as a whole nor by one of their words. */
export function absentNames({ observation, beside = '' }: ProbeContext): readonly string[] {
  const names = observation.nouns.flatMap(({ name, aliases }) => [name, ...aliases]);
  const things = observation.scene?.things ?? [];
  const all = JSON.stringify([textOf(observation), beside, names, things]).toLowerCase();
  return ABSENT.filter((name) => name.split(' ').every((word) => !all.includes(word)));
}

/** Text that is sent in every channel; things that the picture also shows may be left out. */
function textOf({ sections }: Observation): string {
  return sections.flatMap(({ lines, isPictured }) => (isPictured === true ? [] : lines)).join('\n');
}
