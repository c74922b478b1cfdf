/**
 * Warns of phrases that agents must say and can't know, because no text of the scenario contains them: most
 * likely the phrase and the text that gives it away are spelt differently. A phrase that must not be said (in
 * `failure`, or below `not`) needs no source.
 */
import { nearest } from '../../../base/nearest.js';
import type { YamlPath } from '../../../scenario/tree.js';
import { normaliseWords, saysPhrase } from '../conditions.js';
import type { GridDefinition } from '../definition.js';
import type { GridReading } from './places.js';
import type { ConditionInput } from './schema-condition.js';

interface NeededPhrase {
  phrase: string;
  path: YamlPath;
}

/** `texts`: everything that agents are told, or can read, see or hear. */
export function reportUnknowablePhrases(reading: GridReading, texts: readonly string[]): void {
  for (const { phrase, path } of neededPhrases(reading)) {
    if (texts.some((text) => saysPhrase(text, phrase))) continue;
    reading.report.unknowable(
      path,
      phrase,
      `agents can't know '${phrase.slice(0, 40)}': no text, name, goal or reply of the scenario contains it`,
      () =>
        similarWords(phrase, texts) ??
        "write it where an agent can read or hear it: a 'text', a 'goal', a 'tell'",
    );
  }
}

/** The texts of the world, including what it only says or shows later. */
export function textsOf({
  terrain,
  rooms,
  doors,
  things,
  npcs,
  agents,
  triggers = [],
}: GridDefinition): string[] {
  return [
    ...[...terrain, ...doors].map(({ name }) => name),
    ...rooms.flatMap(({ name, description }) => [name, description]),
    ...[...npcs, ...agents].flatMap(({ name, aliases, description }) => [name, ...aliases, description]),
    ...things.flatMap(({ name, aliases, description, text, consumable, work }) => [
      name,
      ...aliases,
      description,
      text ?? '',
      consumable ?? '',
      work?.done ?? '',
      work?.effect.kind === 'become' ? work.effect.name : '',
    ]),
    ...triggers.flatMap(({ effects }) =>
      effects.map((effect) => (effect.kind === 'tell' ? effect.text : '')),
    ),
  ];
}

function neededPhrases({ values, agents }: GridReading): readonly NeededPhrase[] {
  const conditions = [
    { input: values.success, path: ['success'], isWanted: true },
    { input: values.failure, path: ['failure'], isWanted: false },
    ...agents.flatMap(({ success, failure }, i) => [
      { input: success, path: ['agents', i, 'success'], isWanted: true },
      { input: failure, path: ['agents', i, 'failure'], isWanted: false },
    ]),
    ...Object.entries(values.triggers).map(([id, trigger]) => ({
      input: trigger.if,
      path: ['triggers', id, 'if'],
      isWanted: true,
    })),
  ];
  const occasions = Object.entries(values.triggers).flatMap(([id, { when }]) =>
    when?.said === undefined ? [] : [{ phrase: when.said, path: ['triggers', id, 'when', 'said'] }],
  );
  return [
    ...occasions,
    ...conditions.flatMap(({ input, path, isWanted }) =>
      input === undefined ? [] : phrasesIn(input, path, isWanted),
    ),
  ];
}

/** The phrases that must be said for a condition to become true, or false if it is not wanted. */
function phrasesIn(input: ConditionInput, path: YamlPath, isWanted: boolean): readonly NeededPhrase[] {
  const { said, not } = input;
  const parts = (['all', 'any'] as const).flatMap((key) =>
    (input[key] ?? []).flatMap((part, i) => phrasesIn(part, [...path, key, i], isWanted)),
  );
  return [
    ...(said !== undefined && isWanted ? [{ phrase: said, path: [...path, 'said'] }] : []),
    ...(not === undefined ? [] : phrasesIn(not, [...path, 'not'], !isWanted)),
    ...parts,
  ];
}

/** "did you mean …?" with the words of a text that are nearest to the phrase; undefined if none are near. */
function similarWords(phrase: string, texts: readonly string[]): string | undefined {
  const target = normaliseWords(phrase);
  const length = target.split(' ').length;
  const candidates = new Set<string>();
  for (const text of texts) {
    const words = normaliseWords(text).split(' ');
    // One word more or less, because a misspelt phrase may also be split or joined differently.
    for (const count of [length - 1, length, length + 1].filter((each) => each > 0))
      for (let start = 0; start + count <= words.length; start++)
        candidates.add(words.slice(start, start + count).join(' '));
  }
  // More than for names and keys, because words of the same sound are spelt differently: moonlite, moonlight.
  const found = nearest(target, candidates, Math.ceil(target.length / 3) - (target.length < 6 ? 1 : 0));
  return found === undefined ? undefined : `did you mean '${found}'?`;
}
