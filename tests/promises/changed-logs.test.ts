/**
 * Promise 5, cell by cell: whatever is changed in any column of any table, with the hashes left as they were or forged as well, every command
 * that reads a log refuses it in words or takes it for what it was. No changed run, session or end is verified, and none goes on as another run.
 */
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { at } from '../../src/base/assert.js';
import { MODULES } from '../../src/worlds/registry.js';
import { forkRun } from '../../src/assembly/resume.js';
import { runScenario } from '../../src/assembly/run-scenario.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { orchestrate } from '../support/captured-io.js';
import { asFirstVersion } from '../support/first-version.js';
import { leftInTheMidst } from '../support/left-run.js';
import { LIBRARY_YAML } from '../support/library-scenario.js';
import { libraryModule } from '../support/library-world.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';
import { teller } from '../support/teller.js';
import { changeCell, changesOf } from './changed-cells.js';
import type { CellChange } from './changed-cells.js';
import { temporaryFolder } from '../support/folder.js';
import { draws } from './lives.js';
import { changedContent, contentOf, timed, verify } from './log-faults.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

const folder = temporaryFolder();
const modules = [libraryModule(), ...MODULES];
const SCENARIO = readFileSync(new URL('../fixtures/logs/v1.yaml', import.meta.url), 'utf8');

/** A log that is changed, what it holds, and what comes of it when it goes on. */
interface Original {
  path: string;
  content: ReadonlyMap<string, string>;
  /** A run that was left, and one to fork. */
  left: string;
  whole: string;
  changes: readonly CellChange[];
}

const originals: Original[] = [];

beforeAll(async () => {
  const killed = join(folder, 'killed.sqlite');
  await logKilled(killed);
  const first = join(folder, 'first.sqlite');
  copyFileSync(killed, first);
  asFirstVersion(first);
  for (const path of [killed, first]) {
    const changes = changesOf(path);
    originals.push({ path, content: contentOf(path), left: 'killed', whole: 'whole', changes });
  }
});

/** A whole run, a fork, one with tools, one with probes, and one whose process is gone in the midst of it. */
async function logKilled(path: string): Promise<void> {
  const log = join(folder, 'playing.sqlite');
  await runScenario(SCENARIO, { log, runId: 'whole' });
  await forkRun(log, { at: 4, replies: { ann: 'ACTION: LOOK' } });
  await runScenario(LIBRARY_YAML, { log, runId: 'tools', modules: [libraryModule()] });
  const writer = new LogWriter(log);
  const controllers = { ann: teller({ words: 'no' }), bob: teller({ words: 'unknown' }) };
  const parts = await partsFor(SCENARIO, writer, { controllers, set: ['probes.every=2', 'turns.max=2'] });
  await new TurnOrchestrator(parts).run(NEVER_STOPPED);
  writer.close();
  await leftInTheMidst(SCENARIO, { log, runId: 'killed', path });
}

/** Every command that reads a log, without those that go on with it. */
const READING: readonly (readonly string[])[] = [
  ['show', 'LOG'],
  ['show', 'LOG', '--tree'],
  ['show', 'LOG#WHOLE', '--json'],
  ['show', 'LOG#WHOLE', '--step', '2'],
  ['replay', 'LOG#WHOLE', '--step', '2', '--out', 'step.png', '--force'],
  ['replay', 'LOG#WHOLE', '--out', 'run.gif', '--force'],
  ['reparse', 'LOG'],
  ['report', 'LOG', '--json'],
  ['diff', 'LOG#WHOLE', 'LOG#LEFT'],
  ['export', 'LOG', '--format', 'jsonl', '--out', 'OUT'],
  ['export', 'LOG', '--format', 'trl', '--image', 'webp', '--out', 'OUT'],
  ['export', 'LOG', '--format', 'qa', '--out', 'OUT'],
  ['export', 'LOG', '--format', 'tables', '--out', 'OUT'],
  ['view', 'LOG', '--out', 'page.html', '--force'],
  ['mark', 'LOG#WHOLE', '--step', '1', '--accept'],
  ['ask', 'LOG#WHOLE', 'Why?', '--step', '1', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'm'],
  ['verify', 'LOG', '--json'],
];

function wordsFor(words: readonly string[], { left, whole }: Original, log: string): readonly string[] {
  const out = join(folder, 'out');
  rmSync(out, { recursive: true, force: true });
  return words.map((word) =>
    word
      .replace('LOG', log)
      .replaceAll('LOG', log)
      .replace('WHOLE', whole)
      .replace('LEFT', left)
      .replace('OUT', out),
  );
}

const told = (words: readonly string[]) =>
  timed(words.join(' '), () => orchestrate(words, { cwd: folder, modules }));

/** What a run, or the newest one, came to; null where the log holds none of that name. Its last state may lie in a text that was damaged before. */
function endOf(path: string, run: string | null): string | null {
  const reader = new LogReader(path);
  try {
    const runs = reader.runs();
    const found = run === null ? runs.at(-1) : runs.find(({ runId }) => runId === run);
    const end = found === undefined ? null : reader.ending(found.runId);
    return end === null ? null : JSON.stringify([end.chain, end.status, end.reason, end.steps]);
  } finally {
    reader.close();
  }
}

interface GoneOn {
  faults: readonly (string | null)[];
  /** How the runs ended; null where the command refused. */
  ends: readonly (string | null)[];
  refusals: readonly string[];
}

/** The commands that play on: each on a copy of its own. */
async function goneOn(original: Original, log: string): Promise<GoneOn> {
  const faults: (string | null)[] = [];
  const ends: (string | null)[] = [];
  const refusals: string[] = [];
  const copy = join(folder, 'on.sqlite');
  for (const [words, run] of [
    [['resume', `${copy}#${original.left}`, '--quiet'], original.left],
    [
      [
        'fork',
        `${copy}#${original.whole}`,
        '--at',
        '4',
        '--reply',
        'ACTION: LOOK',
        '--agent',
        'ann',
        '--quiet',
      ],
      null,
    ],
  ] as const) {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(copy + end, { force: true });
    copyFileSync(log, copy);
    const { code, fault, err } = await told(words);
    faults.push(fault);
    ends.push(code === 0 ? endOf(copy, run) : null);
    refusals.push(err);
  }
  return { faults, ends, refusals };
}

/** Tables whose rows say what a run is, who played it and how it ended. */
const SEALED: readonly string[] = ['runs', 'sittings', 'ends', 'tileset_images'];

interface Totals {
  commands: number;
  refused: number;
  same: number;
}

interface Tried {
  original: Original;
  change: CellChange;
  log: string;
}

async function faultsOf(
  { original, change, log }: Tried,
  read: typeof READING,
  totals: Totals,
): Promise<readonly string[]> {
  const faults: (string | null)[] = [];
  for (const words of read) {
    const { fault, code } = await told(wordsFor(words, original, log));
    // There is no server: whoever asks one is told so.
    faults.push(words[0] === 'ask' && code === 4 ? null : fault);
    totals.commands += 1;
  }
  const verified = await timed('verify', () => verify(log));
  faults.push(verified.fault);
  if (verified.code === 0) totals.same += 1;
  else totals.refused += 1;
  const gone = await goneOn(original, log);
  totals.commands += 3;
  faults.push(...gone.faults);
  if (!change.isForged) {
    if (verified.code === 0) faults.push(silent({ original, change, log }));
    const whole = await wholeEnds(original);
    gone.ends.forEach((end, i) => {
      if (end !== null && end !== whole[i])
        faults.push(`went on as another run: ${end}, not ${String(whole[i])}`);
    });
  }
  return faults.filter((fault) => fault !== null);
}

/** What is wrong with a log that verified. */
function silent({ original, change, log }: Tried): string | null {
  // In a log of version 1 nothing holds these rows.
  if (SEALED.includes(change.table) && original === originals[0]) return 'verified with a changed run';
  const isFirst = original === originals[1];
  return isFirst ? null : changedContent(log, original.content);
}

const ends = new Map<Original, readonly (string | null)[]>();

/** How the unchanged log's runs end. */
async function wholeEnds(original: Original): Promise<readonly (string | null)[]> {
  const found = ends.get(original);
  if (found !== undefined) return found;
  const gone = await goneOn(original, original.path);
  expect([gone.refusals, gone.ends.includes(null)]).toEqual([['', ''], false]);
  ends.set(original, gone.ends);
  return gone.ends;
}

describe('a log with a cell or a row changed', () => {
  it('is refused in words by every command, or is what it was', SIZED, async () => {
    const count = sizeOf('changedLogs');
    const isAll = count >= ALL_COMMANDS_FROM;
    const draw = draws('changed cells');
    const totals = { commands: 0, refused: 0, same: 0 };
    const faults: string[] = [];
    for (const original of originals) await wholeEnds(original);
    for (let i = 0, tried = 0; tried < count && faults.length < FAULTS_MAX; i++) {
      const original = at(originals, i % 4 === 3 ? 1 : 0);
      const { changes } = original;
      const change = at(changes, draw(changes.length));
      const log = join(folder, 'changed.sqlite');
      rmSync(`${log}.marks.jsonl`, { force: true });
      const what = changeCell(original.path, log, { change, draw });
      if (what === null) continue;
      tried += 1;
      const read = isAll ? READING : [0, 1, 2].map((n) => at(READING, (tried * 3 + n) % READING.length));
      const found = await faultsOf({ original, change, log }, read, totals);
      faults.push(...found.map((fault) => `${fault} (${i}: ${what})`));
    }
    expect(faults).toEqual([]);
    expect(totals.refused).toBeGreaterThan(count / 4);
    reached(
      '5 changed cells',
      `${grouped(count)} changed logs, ${grouped(totals.commands)} commands: ${grouped(totals.refused)} logs refused by verify, ${grouped(totals.same)} the same in all that counts, 0 crashes, 0 other runs`,
    );
  });
});

const FAULTS_MAX = 5;
/** From so many on each goes through every command. */
const ALL_COMMANDS_FROM = 500;
