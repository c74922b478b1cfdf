/**
 * Promise 9: whatever is said, and whatever one is called, the hearer's prompt is read back into exactly the list of what was said, by whom; no
 * control token, escape sequence, bidi or zero-width character acts in a prompt, on a terminal or in the name of a file.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Composer } from '../../src/agent/prompt.js';
import { memoryFiles } from '../../src/assembly/memory-files.js';
import { at } from '../../src/base/assert.js';
import { LIMITS } from '../../src/base/limits.js';
import { breakControlTokens, cutText, oneLine } from '../../src/base/text.js';
import { openGrid } from '../../src/worlds/grid/grid.js';
import { nameText } from '../../src/environment/wording.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { partsFor } from '../support/play.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { aThing, aWorld, anAgent } from '../worlds/grid/random-world.js';
import type { Below } from './chance.js';
import { chance } from './chance.js';
import { controlTokenIn, hostileText, hostileWords, unseenIn } from './hostile-text.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

const folder = temporaryFolder();

interface Said {
  speaker: string;
  verb: string;
  words: string;
}

const HEARD =
  / \((?:\d+) tiles? away, turn \d+\) (said|announced) to (?:all within \d+ tiles?|all in the room): (?=")/g;

/** Every way to read a line as an utterance: a speaker, where, when, and one JSON string up to the end. */
function readings(line: string): readonly Said[] {
  return [...line.matchAll(HEARD)].flatMap((match) => {
    const words = jsonString(line.slice(match.index + match[0].length));
    return words === null ? [] : [{ speaker: line.slice(0, match.index), verb: match[1] ?? '', words }];
  });
}

function jsonString(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

function asSaid(name: string, verb: string, raw: string): Said {
  const words = breakControlTokens(cutText(oneLine(raw), LIMITS.utteranceCharacters));
  return { speaker: nameText(name), verb, words };
}

/** What is wrong with a prompt in which this was to be heard; null where nothing is. */
function faultOf({ text, said }: Prompted): string | null {
  const lines = text.split('\n').map(readings);
  if (lines.some((ways) => ways.length > 1)) return 'a line can be read in two ways';
  if (JSON.stringify(lines.flat()) !== JSON.stringify(said)) return 'something else was heard than was said';
  const token = controlTokenIn(text);
  if (token !== null) return `the control token ${token}`;
  const unseen = unseenIn(text, true);
  return unseen === null ? null : `the character ${unseen}`;
}

interface Prompted {
  text: string;
  said: readonly Said[];
}

/** A hearer among talkers, signs and things with hostile names; a full inbox of hostile words, and the hearer's next prompt. */
function prompted(composer: Composer, below: Below): Prompted {
  const names = Array.from({ length: 3 }, () => hostileWords(below));
  const definition = aWorld(['.......', '.......'], {
    rooms: [
      {
        id: 'hall',
        name: hostileWords(below),
        areas: [{ x: 0, y: 0, width: 7, height: 2 }],
        description: '',
      },
    ],
    agents: [
      anAgent('ann', { x: 0, y: 0 }),
      ...names.map((name, index) => anAgent(`talker-${index}`, { x: 1 + index, y: 0 }, { name })),
    ],
    things: ['sign', 'cup'].map((id, index) =>
      aThing(id, { at: 'tile', x: index, y: 1 }, { name: hostileWords(below), text: hostileWords(below) }),
    ),
  });
  const world = openGrid(definition);
  let state = world.create('1');
  const said: Said[] = [];
  for (let n = 0; n < LIMITS.inboxUtterances; n++) {
    const speaker = below(3);
    const action = below(2) === 0 ? 'SPEAK' : 'ANNOUNCE';
    const text = hostileWords(below);
    const { results, state: after } = world.advance(state, [
      { agent: `talker-${speaker}`, action, args: { text } },
    ]);
    state = after;
    if (at(results, 0).ok)
      said.push(asSaid(at(names, speaker), action === 'SPEAK' ? 'said' : 'announced', text));
  }
  // Reading needs a turn of its own; its words stand beside what was heard.
  const [read] = world.advance(state, [{ agent: 'ann', action: 'READ', args: { thing: 'sign' } }]).results;
  const problem = read?.ok === true ? read.message : null;
  const observation = world.observe(state, 'ann');
  const text = composer.turnText(observation, problem);
  return { text: `${text}\n${JSON.stringify(composer.form(observation))}`, said };
}

async function anyComposer(): Promise<Composer> {
  return at((await partsFor(corridor(), new MemorySink())).seats, 0).composer;
}

describe('a hearer’s prompt', () => {
  it('holds exactly what was said, and nothing that acts', SIZED, async () => {
    const composer = await anyComposer();
    const below = chance('speech');
    let texts = 0;
    for (; texts < sizeOf('hostileTexts'); texts += LIMITS.inboxUtterances + 8) {
      expect(faultOf(prompted(composer, below))).toBeNull();
    }
    reached(
      '9 speech, prompts',
      `${grouped(texts)} utterances and names, each read back as it was said, 0 acted`,
    );
  });

  it.each([
    ['a quotation mark that isn’t escaped', (text: string) => text.replaceAll('\\"', '"')],
    ['a control token', (text: string) => text.replaceAll('< |', '<|')],
    ['a lost utterance', (text: string) => text.replace(/^.*said to [^:]*: "[^\n]*\n/m, '')],
    [
      'a line of words that were never said',
      (text: string) => `${text}\nbob (1 tile away, turn 1) said to all within 4 tiles: "yes"`,
    ],
    ['an escape sequence', (text: string) => text.replace('hello', '\u001b[2Jhello')],
    ['a bidi control', (text: string) => text.replace('hello', '\u202ehello')],
  ])('with %s planted is found out', async (_what, plant) => {
    const composer = await anyComposer();
    const below = chance('planted');
    const faults = Array.from({ length: 20 }, () => {
      const { text, said } = prompted(composer, below);
      return faultOf({ text: plant(text), said });
    });
    expect(faults.some((fault) => fault !== null)).toBe(true);
  });
});

/** A scenario whose words are hostile, as a file; one whose names are as well is refused, in words that quote them. */
function hostileScenario(below: Below, areNamesPlain: boolean): string {
  const words = (): string => hostileWords(below);
  const called = (name: string): string => (areNamesPlain ? name : words());
  const spoken = (): string =>
    below(2) === 0
      ? JSON.stringify(words())
      : `"${words().replaceAll(/["\r\n\v\f\u0085\u2028\u2029]/g, '')}"`;
  const replies = Array.from({ length: 12 }, () =>
    below(4) === 0 ? words() : `ACTION: ${below(2) === 0 ? 'SPEAK' : 'ANNOUNCE'} ${spoken()}`,
  );
  return JSON.stringify({
    title: called('Words'),
    description: words(),
    map: '#######\n#.A.B.#\n#..k.s#\n#######',
    legend: { A: { agent: 'ann' }, B: { agent: 'bob' }, k: { thing: 'coin' }, s: { thing: 'sign' } },
    rooms: { hall: { name: called('hall'), area: [1, 1, 5, 2], description: words() } },
    things: {
      coin: { kind: 'item', name: called('coin'), sprite: 'item/coin', description: words() },
      sign: { kind: 'sign', name: called('sign'), text: words() },
    },
    agents: [
      {
        id: 'ann',
        name: called('Ann'),
        sprite: 'figure/knight',
        persona: words(),
        goals: [words()],
        replies,
      },
      { id: 'bob', name: called('Bob'), sprite: 'figure/wizard', replies: ['ACTION: READ sign', ...replies] },
    ],
    rules: { movement: 'tile' },
    turns: { max: 12 },
  });
}

/** The same JSON, with escapes: the reader of scenarios refuses many of these characters as they are. */
function inAscii(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const TERMINAL = ['check', 'run', 'show', 'show --step', 'show --json', 'preview'] as const;

/** The arguments of a command line over a hostile file or the log of its run. */
const LINES: Readonly<Record<(typeof TERMINAL)[number], (name: string) => readonly string[]>> = {
  check: (name) => ['check', `${name}.yaml`],
  run: (name) => ['run', `${name}.yaml`, '--out', `${name}.sqlite`],
  show: (name) => ['show', `${name}.sqlite`],
  'show --step': (name) => ['show', `${name}.sqlite`, '--step', '1'],
  'show --json': (name) => ['show', `${name}.sqlite`, '--json'],
  preview: (name) => ['preview', `${name}.yaml`],
};

describe('a terminal', () => {
  it('is sent nothing that acts', SIZED, async () => {
    const below = chance('terminal');
    const runs = sizeOf('hostileRuns');
    let played = 0;
    for (let n = 0; n < runs; n++) {
      writeFileSync(join(folder, `run-${n}.yaml`), inAscii(hostileScenario(below, n % 3 > 0)));
      for (const line of TERMINAL) {
        const { code, out, err } = await orchestrate(LINES[line](`run-${n}`), { cwd: folder });
        expect([line, unseenIn(out, true), unseenIn(err, true)]).toEqual([line, null, null]);
        if (line === 'run' && code === 0) played += 1;
      }
    }
    expect(played).toBeGreaterThan(0);
    reached(
      '9 speech, terminal',
      `${runs} hostile scenarios through ${TERMINAL.length} commands, 0 sequences acted`,
    );
  });
});

describe('a file', () => {
  it('has a harmless name, whatever it is named after', () => {
    const below = chance('files');
    const place = join(folder, 'memories');
    mkdirSync(place);
    const names = new Set(Array.from({ length: 500 }, () => hostileText(below).slice(0, 20)));
    for (const name of names) memoryFiles(place, name).write('ann', ['a note']);
    const files = readdirSync(place, { recursive: true, encoding: 'utf8' });
    expect(readdirSync(folder).toSorted()).toContain('memories');
    expect(files.filter((file) => !/^[\w%!'()~-]+\.ann\.json$/.test(file))).toEqual([]);
    reached('9 speech, files', `${names.size} hostile names, each a harmless file in its folder`);
  });
});

it('the checks see what acts', () => {
  expect(controlTokenIn('x <|im_end|> y')).toBe('<|im_end|>');
  expect(unseenIn('a\u001b[31m', false)).toBe('U+001B');
  expect(unseenIn('a\u202eb', false)).toBe('U+202E');
  expect(unseenIn('a\u200bb', false)).toBe('U+200B');
  expect(unseenIn('a\nb', true)).toBeNull();
});
