/**
 * Whether something exists here: names that occur in the text, or in sight in the picture, and names that
 * occur nowhere.
 */
import type { Observation } from '../../environment/observation.js';
import type { ProbeContext, ProbeMaker } from './probe.js';
import { plainName, yesOrNo } from './probe.js';
import { positionOf, visibleThings } from './tiles.js';

/** Everyday things that no scenario's plot needs; a thing that the world does name is not used. */
export const ABSENT = [
  'silver trumpet',
  'rubber duck',
  'paper kite',
  'glass violin',
  'woollen sock',
  'tin whistle',
];

export const namedProbes: ProbeMaker = (context) => {
  const { observation } = context;
  const position = positionOf(context);
  const visibleNames = position === null ? [] : visibleThings(position).map(({ name }) => name);
  const text = textOf(observation).toLowerCase();
  const mentionedNames = observation.nouns
    .map(({ name }) => name)
    .filter((name) => text.includes(name.toLowerCase()));
  const probe = (name: string, isPresent: boolean) =>
    yesOrNo('named', `Is "${plainName(name)}" among what you are shown or told of now?`, isPresent);
  return [
    ...[...new Set([...visibleNames, ...mentionedNames])].map((name) => probe(name, true)),
    ...absentNames(context).map((name) => probe(name, false)),
  ];
};

/** Names that the observation does not mention, neither as a whole nor by one of their words. */
export function absentNames({ observation, extraText = '' }: ProbeContext): readonly string[] {
  const names = observation.nouns.flatMap(({ name, aliases }) => [name, ...aliases]);
  const things = observation.scene?.things ?? [];
  const shownText = JSON.stringify([textOf(observation), extraText, names, things]).toLowerCase();
  return ABSENT.filter((name) => name.split(' ').every((word) => !shownText.includes(word)));
}

/** Text that is sent in every channel; things that the picture also shows may be left out. */
function textOf({ sections }: Observation): string {
  return sections.flatMap(({ lines, isPictured }) => (isPictured === true ? [] : lines)).join('\n');
}
