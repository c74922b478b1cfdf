/**
 * Names that every JavaScript object answers to (`constructor`, `toString`, `__proto__`): whoever is called so plays like anybody else, and whatever is
 * called so is a text. First by names like these through every command; then with a trap: objects are made to answer to the ids of a
 * scenario too, by throwing, so that a look-up that asks more than the record itself is found wherever a run, a log or a report makes one.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { wholeLoose } from '../../src/parse/loose-json.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import type { Ran } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { LONG_SIZED, SIZED, reached, sizeOf, someOf } from '../support/sizes.js';

const cwd = temporaryFolder();
const WORDS = [Object.prototype, Function.prototype, Array.prototype].flatMap((one) =>
  Object.getOwnPropertyNames(one),
);
const IDS = [...new Set(WORDS)].filter(
  (word) => /^[a-z][a-z0-9_-]{0,31}$/.test(word) && word !== 'constructor',
);
const SCENARIOS = someOf(
  readdirSync('scenarios').filter((name) => name.endsWith('.yaml')),
  'trapWorlds',
);

/** Everything that reads a log or a scenario; each has to end well. */
async function everyCommand(scenario: string, folder: string, ...more: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const on = async (...args: readonly string[]): Promise<void> => {
    const { code, err, out }: Ran = await orchestrate(args, { cwd: folder });
    printed.push(out, err);
    // Some runs can't be forked, and say why; then there is nothing to compare.
    expect(
      ['fork', 'diff'].includes(args[0] ?? '') ? [0, 1, 2] : [0, 1],
      `${args.join(' ')}: ${err}${out}`,
    ).toContain(code);
    expect(`${out}${err}`, args.join(' ')).not.toMatch(/internal error|\[native code\]|\[object /);
  };
  await on('check', scenario, '--effort', '200');
  await on('run', scenario, '--out', 'a.sqlite', '--max-turns', '3', ...more);
  await on('verify', 'a.sqlite');
  await on('show', 'a.sqlite');
  await on('show', 'a.sqlite', '--step', '1');
  await on('fork', 'a.sqlite', '--at', '2', '--quiet');
  await on('diff', 'a.sqlite');
  await on('report', 'a.sqlite', '--csv');
  await on('view', 'a.sqlite', '--out', 'a.html');
  await on('export', 'a.sqlite', '--format', 'parquet', '--out', 'rows');
  return printed.join('\n');
}

/** A shipped scenario in a folder of its own, whose first agent has another id. */
function renamed(name: string, id: string): { folder: string; ids: readonly string[] } {
  const text = readFileSync(join('scenarios', name), 'utf8');
  const [, before = ''] = /^agents:\n +- id: (\w+)/m.exec(text) ?? [];
  // Whoever has no picture of their own is drawn by their id.
  const hasSprite = new RegExp(`- id: ${before}\\n(?:(?! +- id:).*\\n)*? +sprite:`).test(text);
  const isDrawn = /^map:/m.test(text) && !hasSprite;
  const drawn = isDrawn ? text.replace(/^( +)- id: \w+$/m, `$&\n$1  sprite: figure/knight`) : text;
  const folder = join(cwd, `${name}-${id}`);
  mkdirSync(folder, { recursive: true });
  for (const beside of ['files', 'prompts'])
    cpSync(join('scenarios', beside), join(folder, beside), { recursive: true });
  writeFileSync(join(folder, name), drawn.replaceAll(new RegExp(`(?<![\\w-/])${before}(?![\\w-])`, 'g'), id));
  const ids = [...text.matchAll(/^ +([a-z]+(?:-[a-z]+)+):/gm)].map(([, word = '']) => word);
  return { folder, ids };
}

/** What all others fall back to. */
const EVERY_OBJECT: object = Object.prototype;
const trapped = new Set<string>();
afterEach(() => {
  for (const name of trapped) Reflect.deleteProperty(EVERY_OBJECT, name);
  trapped.clear();
});

/** Every object without a value of its own throws where it is asked for one of these. */
function trap(names: readonly string[]): void {
  for (const name of names) {
    trapped.add(name);
    Object.defineProperty(EVERY_OBJECT, name, {
      configurable: true,
      get: () => {
        throw new Error(`${name} was looked up in an object that holds nothing under it`);
      },
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      },
    });
  }
}

describe('an agent called as every object answers', () => {
  // Whatever these go through the trap goes through as well, so that two are enough.
  it.each(['crypt.yaml', 'car-repair.yaml'])('%s is played, and read back', LONG_SIZED, async (name) => {
    const { folder } = renamed(name, 'constructor');
    const printed = await everyCommand(name, folder);
    expect(printed).toMatch(/constructor/i);
  });

  it.each(IDS.slice(0, sizeOf('objectWords')))('%s', LONG_SIZED, async (id) => {
    const folder = join(cwd, `id-${id}`);
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'c.yaml'),
      corridor('max: 2')
        .replaceAll('ann', id)
        .replaceAll('coin', `${id}-2`)
        .replace(`item/${id}-2`, 'item/coin'),
    );
    await everyCommand('c.yaml', folder);
  });
});

describe('a look-up that asks more than the record itself', () => {
  it.each(SCENARIOS)('is nowhere in what %s goes through', SIZED, async (name) => {
    const { folder, ids } = renamed(name, 'trapped');
    trap(['trapped', ...ids]);
    await everyCommand(name, folder);
    trapped.forEach((id) => expect(() => Reflect.get({}, id)).toThrow('was looked up'));
  });
});

describe('a text that every object answers to', () => {
  const FREE = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf', '__defineGetter__'];

  it.each(someOf(FREE, 'objectTexts'))(
    '%s stays a text, as a name, a sign, a seed, a key of a model, a reply',
    SIZED,
    async (word) => {
      // Names have letters and digits alone.
      const named = word.replaceAll('_', '');
      const folder = join(cwd, `text-${word}`);
      mkdirSync(folder);
      const replies = [
        `{"thought": "${word}", "action": "SPEAK", "text": "${word}"}`,
        `{"action": ${word}}`,
        `{"${word}": {"${word}": 1}, "action": "${word}"}`,
        `ACTION: ${word}`,
        `ACTION: TAKE ${word}`,
        `{"action": "TAKE", "${word}": "${word}", "item": "${word}"}`,
      ].map((reply) => JSON.stringify(reply));
      const text = corridor('max: 3')
        .replace('name: coin', `name: ${named}`)
        .replace('Mind the step.', word)
        .replace('seed: 1', `seed: ${word}`)
        .replace('title: Corridor', `title: ${word}`)
        .replace(
          'id: bob,',
          `id: bob, name: ${named}, persona: ${word}, protocol: json, replies: [${replies.join(', ')}],`,
        );
      writeFileSync(join(folder, 'c.yaml'), text);
      const printed = await everyCommand('c.yaml', folder);
      expect(printed).toContain(word);
      const answer = await orchestrate(['parse', 'c.yaml', '--agent', 'bob'], {
        cwd: folder,
        stdin: `{"action": ${word}}`,
      });
      expect(answer.err).not.toMatch(/internal error/);
      for (const args of [
        ['--where', `${word} == 1`],
        ['--where', `scenario.${word} == 1`],
        ['--agent', word],
      ]) {
        const { err } = await orchestrate(
          ['export', 'a.sqlite', '--format', 'jsonl', '--out', 'w', ...args],
          {
            cwd: folder,
          },
        );
        expect(err).not.toMatch(/internal error|native code/);
      }
    },
  );

  it('is no value in a reply that is read loosely', () => {
    for (const word of WORDS) expect(wholeLoose(`{"action": ${word}}`), word).toBeUndefined();
  });

  it('has a figure', LONG_SIZED, () => {
    reached(
      'names of objects',
      `${SCENARIOS.length} scenarios with a trap, ${FREE.length} texts, ${sizeOf('objectWords')} ids, 0 looked up wrongly`,
    );
  });
});
