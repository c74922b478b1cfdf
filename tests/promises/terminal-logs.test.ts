/**
 * Promise 9, on a terminal, for logs: whatever stands in a cell of a stranger's log, or in a field of the JSON in one, every command sends nothing
 * but printable text and the program's own codes, in a pipe and in a terminal. Everything else that is hostile: `terminal-text.test.ts`.
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at } from '../../src/base/assert.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import type { Below } from './chance.js';
import { chance, oneOf, shuffled } from './chance.js';
import { temporaryFolder } from '../support/folder.js';
import type { LogPlace } from './hostile-log.js';
import { changeLog, placeName, placesIn } from './hostile-log.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';
import { attackText } from './terminal-bytes.js';
import { strays } from './terminal-commands.js';
import type { Attempt } from './terminal-commands.js';

const cwd = temporaryFolder();
let server: FakeServer;

/** Two agents on a model that is asked about what it sees, looks back, notes, and is asked ahead. */
const RICH = (baseUrl: string): string =>
  corridor('max: 2, attempts: 2, speculate: true')
    .replace('id: ann,', 'id: ann, model: main, persona: a knight, memory: { kind: notes },')
    .replace('id: bob,', 'id: bob, model: main, protocol: tools,') +
  `models: { main: { base_url: "${baseUrl}", model: fake-vlm } }\nreflection: { when: always }\nprobes: { every: 1, each: 2 }\n`;

const PAPERS = `title: Papers
environment: toolbox
folder: papers
question: one
questions: { one: { ask: Who signed?, answer: { contains: Orla } } }
agents: [{ id: clerk, protocol: react, replies: ["Action: LIST", "Action: READ\\nAction Input: a.txt", "Final Answer: Orla"] }]
turns: { max: 4 }
`;

beforeAll(async () => {
  server = await startFakeServer({
    images: 'any',
    explicit: false,
    reply: ({ text, index }) =>
      text.includes('Look back')
        ? 'I only waited.'
        : index % 3 === 0
          ? { content: 'ACTION: SPEAK "hello"', reasoning: 'Let me speak.' }
          : 'Thought: hm.\nACTION: GO EAST',
  });
  writeFileSync(join(cwd, 'rich.yaml'), RICH(server.baseUrl));
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
  mkdirSync(join(cwd, 'papers'));
  writeFileSync(join(cwd, 'papers', 'a.txt'), 'Signed by Orla Venn.\n');
  writeFileSync(join(cwd, 'papers.yaml'), PAPERS);
  await played(['run', 'rich.yaml', '--out', 'rich.sqlite', '--quiet']);
  await played(['ask', 'rich.sqlite', 'Why?', '--step', '1']);
  // Most commands ask which run of several is meant.
  copyFileSync(join(cwd, 'rich.sqlite'), join(cwd, 'forked.sqlite'));
  await played(['fork', 'forked.sqlite', '--at', '2', '--reply', 'ACTION: WAIT', '--quiet']);
  await played(['run', 'papers.yaml', '--out', 'papers.sqlite', '--quiet']);
});

afterAll(() => server.close());

async function played(args: readonly string[]): Promise<void> {
  const { code, err } = await orchestrate(args, { cwd });
  if (code > 1) throw new Error(`${args.join(' ')}: ${err}`);
}

const LOGS = ['rich.sqlite', 'papers.sqlite', 'forked.sqlite'] as const;

/** Ways to look at a log, or to go on with it. */
const ON_A_LOG: readonly ((log: string, below: Below) => Attempt)[] = [
  ...[
    [],
    ['--step', '1'],
    ['--step', '2'],
    ['--step', '3'],
    ['--json'],
    ['--step', '1', '--json'],
    ['--tree'],
    ['--tree', '--json'],
    ['--agent', 'ann'],
    ['--regret', '--effort', '20'],
  ].map((more) => (log: string) => ({ args: ['show', log, ...more] })),
  ...[[], ['--json']].map((more) => (log: string) => ({ args: ['verify', log, ...more] })),
  ...[[], ['--json'], ['--csv'], ['--forks'], ['--out', 'page.html', '--force']].map(
    (more) => (log: string) => ({ args: ['report', log, ...more] }),
  ),
  ...[[], ['--json'], ['--examples', '5']].map((more) => (log: string) => ({
    args: ['reparse', log, ...more],
  })),
  (log) => ({ args: ['diff', log, 'rich.sqlite'] }),
  (log) => ({ args: ['diff', 'rich.sqlite', log, '--steps', '3'] }),
  (log) => ({ args: ['diff', log, 'papers.sqlite', '--json'] }),
  (log) => ({ args: ['diff', log] }),
  (log) => ({ args: ['replay', log, '--step', '1', '--out', 'step.png', '--force'] }),
  (log) => ({ args: ['replay', log], keys: ['?', 'x', '\u001b[C', 'v', '/', 'h', '\r', 'a', 'q'] }),
  (log) => ({ args: ['view', log, '--out', 'view.html', '--force'] }),
  (log) => ({ args: ['view', log, '--no-open'], interruptedAfterMs: 30 }),
  (log) => ({ args: ['resume', log] }),
  (log) => ({ args: ['resume', log, '--json'] }),
  (log) => ({ args: ['fork', log, '--at', '2', '--quiet'] }),
  (log) => ({ args: ['fork', log, '--at', '1', '--agent', 'ann', '--reply', 'ACTION: WAIT'] }),
  (log) => ({ args: ['ask', log, 'Why?', '--step', '1'] }),
  (log) => ({ args: ['mark', log, '--step', '1', '--accept'] }),
  (log) => ({ args: ['mark', log, '--step', '1', '--correct', 'ACTION: WAIT'] }),
  (log) => ({ args: ['run', 'corridor.yaml', '--controller', `recorded:${log}`, '--out', 'again.sqlite'] }),
  (log) => ({ args: ['batch', 'batch.yaml', '--out', folderWith(log), '--resume'] }),
  (log) => ({ args: ['parse', 'corridor.yaml'], stdin: log }),
  ...['jsonl', 'openai', 'trl', 'qa', 'preference', 'tables', 'parquet', 'frames'].map(
    (format) => (log: string, below: Below) => ({
      args: [
        'export',
        log,
        '--format',
        format,
        '--out',
        fresh('data'),
        ...(below(2) === 0 ? ['--dry-run'] : []),
      ],
    }),
  ),
];

function fresh(name: string): string {
  rmSync(join(cwd, name), { recursive: true, force: true });
  return name;
}

/** A batch's folder in which the log lies as one of its own. */
function folderWith(log: string): string {
  const folder = fresh('played');
  mkdirSync(join(cwd, folder));
  copyFileSync(join(cwd, log), join(cwd, folder, 'corridor.sqlite'));
  writeFileSync(join(cwd, 'batch.yaml'), 'scenarios: [corridor.yaml]\nseeds: 1\n');
  return folder;
}

describe('a log from a stranger', () => {
  it('sends nothing to a terminal, whichever cell or field of it is hostile', SIZED, async () => {
    const below = chance('terminal, logs');
    const places = LOGS.flatMap((log) => placesIn(join(cwd, log)).map((place) => ({ log, place })));
    // Most places lie in blobs; half of the tries go to the others.
    const rows = shuffled(
      below,
      places.filter(({ place }) => place.table !== 'blobs'),
    );
    const blobs = shuffled(
      below,
      places.filter(({ place }) => place.table === 'blobs'),
    );
    const seen = new Set<string>();
    const next = (i: number): Attempt => {
      const list = i % 2 === 0 ? rows : blobs;
      const { log, place } = at(list, (i >> 1) % list.length);
      seen.add(placeName(place));
      copyFileSync(join(cwd, log), join(cwd, 'strange.sqlite'));
      rmSync(join(cwd, 'strange.sqlite.marks.jsonl'), { force: true });
      rmSync(join(cwd, 'again.sqlite'), { force: true });
      changeLog(
        join(cwd, 'strange.sqlite'),
        place,
        (before) => `${below(2) === 0 ? before : ''}${attackText(below)}`,
      );
      return oneOf(below, ON_A_LOG)('strange.sqlite', below);
    };
    const found = await strays({ size: sizeOf('terminalLogs'), next, below, cwd });
    expect(found).toEqual([]);
    reached(
      '9 speech, terminal, logs',
      `${grouped(sizeOf('terminalLogs'))} commands on logs with one of ${seen.size} places hostile, 0 codes got through`,
    );
  });

  it.each<readonly [string, Partial<LogPlace>]>([
    ['a call’s purpose', { table: 'calls', column: 'purpose' }],
    ['a call’s controller', { table: 'calls', column: 'controller' }],
    ['why a reply ended', { table: 'replies', column: 'finish_reason' }],
    ['a run’s seed', { table: 'runs', column: 'seed' }],
    ['a run’s id', { table: 'runs', column: 'run_id' }],
    ['an end’s status', { table: 'ends', column: 'status' }],
    ['an end’s chain', { table: 'ends', column: 'chain' }],
    ['a state’s hash', { table: 'steps', column: 'state' }],
    ['a reading’s rung', { table: 'steps', column: 'acts', way: [0, 'reading', 'rung'] }],
  ])('nor where it is %s, through every command', SIZED, async (what, wanted) => {
    const below = chance(`terminal, ${what}`);
    // The listing, its first steps and the tree print most of it; a larger size takes all commands.
    const ways = [...ON_A_LOG.slice(0, 3), ...shuffled(below, ON_A_LOG.slice(3))];
    const name = placeName({ table: '', column: '', key: {}, way: null, isKey: false, ...wanted });
    const place = placesIn(join(cwd, 'rich.sqlite')).find((one) => placeName(one) === name);
    const next = (i: number): Attempt => {
      copyFileSync(join(cwd, 'rich.sqlite'), join(cwd, 'strange.sqlite'));
      const text = `${attackText(below)}\u001b]0;owned\u0007`;
      if (place === undefined) throw new Error(`no ${name}`);
      changeLog(join(cwd, 'strange.sqlite'), place, () => text.padEnd(64, 'x').slice(0, 64));
      return at(ways, i)('strange.sqlite', below);
    };
    const size = Math.min(ON_A_LOG.length, Math.ceil(sizeOf('terminalLogs') / 20));
    expect(await strays({ size, next, below, cwd })).toEqual([]);
  });
});
