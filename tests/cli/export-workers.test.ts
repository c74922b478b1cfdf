/** `export --workers N`: the same bytes and words as one process, bounded, and no process that outlives the command. Needs dist/. */
import { createHash } from 'node:crypto';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/export/export.js';
import { pickRuns } from '../../src/export/picked-runs.js';
import { LogReader } from '../../src/log/reader.js';
import type { FromLogWorker, ToLogWorker } from '../../src/cli/logs/worker-messages.js';
import { filesIn, playInto } from '../export/runs.js';
import { changeObservation, reseal } from '../replay/changes.js';
import { orchestrate } from '../support/captured-io.js';
import { runProgram, startProgram } from '../support/children.js';
import type { Child } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { SIZED, someOf } from '../support/sizes.js';

/** Comparing the bytes themselves takes half a minute. */
const digestsIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(filesIn(folder)).map(([name, bytes]) => [
      name,
      createHash('sha256').update(bytes).digest('hex'),
    ]),
  );

const cwd = temporaryFolder();
const SEEDS = ['1', '2', '3', '4', '5', '6'];
const logs: string[] = [];

beforeAll(async () => {
  // Fixed answers: what differs is little, so later runs have rows that earlier ones had.
  for (const seed of SEEDS) logs.push(await playInto(cwd, `run-${seed}`, { seed }));
  const other = { ann: ['ACTION: WAIT', 'ACTION: GO EAST'], bob: ['ACTION: WAIT'] };
  logs.push(await playInto(cwd, 'other', { answers: other, seed: '7' }));
  logs.push(await playInto(cwd, 'forked', { more: 'success: { agent: ann, holds: coin }\n' }));
  for (const reply of ['ACTION: TAKE coin', 'ACTION: WAIT'])
    await orchestrate(['fork', 'forked.sqlite', '--at', '4', '--reply', reply, '--quiet'], { cwd });
});

type Exported = Readonly<Record<'code' | 'out' | 'err', unknown>>;

/** What was printed, without the folder's name. */
function told({ code, out, err }: Exported, folder: string): Exported {
  return { code, out: String(out).replaceAll(folder, 'OUT'), err: String(err).replaceAll(folder, 'OUT') };
}

/** With one process and with three. */
async function bothWays(name: string, words: readonly string[]) {
  const args = (out: string) => ['export', ...words, '--out', out];
  const one = told(await orchestrate(args(`${name}-one`), { cwd }), `${name}-one`);
  const ran = await runProgram([...args(`${name}-three`), '--workers', '3'], { cwd });
  return { one, three: told(ran, `${name}-three`), folders: [`${name}-one`, `${name}-three`] as const };
}

describe('several processes write what one writes', () => {
  const SPLIT = ['--split', 'train=0.5,test=0.5'];
  const FORMATS: readonly (readonly [string, readonly string[]])[] = [
    ['jsonl', SPLIT],
    ['openai', [...SPLIT, '--history', 'text', '--redact', 'coin']],
    ['parquet', [...SPLIT, '--shard-rows', '7']],
    ['imagefolder', [...SPLIT, '--image', 'webp', '--scale', '2', '--split-by', 'image']],
    ['qa', [...SPLIT, '--words', 'keep']],
    // Of the duplicates in a part, only those before its last row that is taken count.
    ['frames', ['--limit', '3']],
    ['preference', []],
    ['webdataset', ['--limit', '9']],
    ['labels', ['--limit', '7', '--seed', 'a']],
    ['trl', [...SPLIT, '--regret', '--effort', '50']],
  ];

  it.each(someOf(FORMATS, 'workerFormats'))('as %s', SIZED, async (format, words) => {
    const { one, three, folders } = await bothWays(format, [...logs, '--format', format, ...words]);
    expect(three).toEqual(one);
    expect(one.code).toBe(0);
    const [first, second] = folders.map((folder) => filesIn(join(cwd, folder)));
    expect(Object.keys(first ?? {}).length).toBeGreaterThan(2);
    expect(second).toEqual(first);
    // Otherwise nothing would be shown of duplicates.
    const manifest = JSON.parse(String(first?.['export.json'])) as { duplicates: number; rows: number };
    if (format === 'jsonl') expect(Math.min(manifest.duplicates, manifest.rows)).toBeGreaterThan(5);
  });

  it('and tell an error of a log alike, if its rows are wanted', { tags: ['long'] }, async () => {
    await playInto(cwd, 'altered', { seed: '9' });
    const db = new Database(join(cwd, 'altered.sqlite'));
    const reader = new LogReader(join(cwd, 'altered.sqlite'));
    const [played] = [...reader.played(reader.runs()[0]?.runId ?? '', { from: 1 })]
      .filter(({ step }) => step.calls.length > 0)
      .slice(-1);
    const [call] = played?.calls() ?? [];
    if (call === undefined) throw new Error('the run has no call');
    const request = {
      ...call.request,
      messages: call.request.messages(),
      observation: call.request.observation(),
    };
    reader.close();
    changeObservation(db, request as never, () => 'not what was there');
    reseal(db);
    db.close();
    const words = [logs[0] ?? '', 'altered.sqlite', logs[1] ?? '', '--format', 'labels'];
    const broken = await bothWays('broken', words);
    expect(broken.one).toMatchObject({ code: 3, err: expect.stringMatching(/^error: /m) });
    expect(broken.three).toEqual(broken.one);
    const spared = await bothWays('spared', [...words, '--limit', '2']);
    expect(spared.one.code).toBe(0);
    expect(spared.three).toEqual(spared.one);
  });

  it('but not of tables', { tags: ['long'] }, async () => {
    const { code, err } = await orchestrate(
      ['export', ...logs, '--format', 'tables', '--out', 'none', '--workers', '2'],
      { cwd },
    );
    expect([code, err]).toEqual([2, expect.stringContaining('--format tables does not support --workers')]);
  });
});

describe('a process that makes rows', () => {
  it('waits while eight parts are not taken', async () => {
    const child = fork(fileURLToPath(new URL('../../dist/cli/log-worker.js', import.meta.url)), [], {
      serialization: 'advanced',
    });
    const post = (message: ToLogWorker) => child.send(message);
    const runs = pickRuns(
      logs.map((name) => {
        const reader = new LogReader(join(cwd, name));
        const chosen = { path: join(cwd, name), runs: reader.runs(), runId: null };
        reader.close();
        return chosen;
      }),
    );
    const items = [...runs, ...runs, ...runs];
    let [parts, next] = [0, 0];
    const read = () => {
      const item = items[next++];
      if (item !== undefined) post({ kind: 'read', item });
    };
    child.on('message', (message: FromLogWorker) => {
      if (message.kind === 'rows') parts += 1;
      if (message.kind === 'done') read();
    });
    const fields = { prompt: true, events: true, observation: 'never' } as const;
    post({
      kind: 'job',
      job: { kind: 'rows', spec: { settings: DEFAULT_SETTINGS, fields, modules: undefined } },
    });
    read();
    await expect.poll(() => parts).toBe(8);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(parts).toBe(8);
    post({ kind: 'taken' });
    await expect.poll(() => parts).toBe(9);
    child.disconnect();
    expect((await once(child, 'exit'))[0]).toBe(0);
  });
});

/** What /proc says, so on Linux only; none of a process that is gone. */
function childrenOf(pid = 0): readonly number[] {
  try {
    const words = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return words === '' ? [] : words.split(' ').map(Number);
  } catch {
    return [];
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('processes end with the export', { tags: ['long'] }, () => {
  beforeAll(async () => {
    for (const seed of ['1', '2'])
      await runProgram([
        'run',
        'scenarios/crypt.yaml',
        '--seed',
        seed,
        '--controller',
        'scripted',
        '--quiet',
        '--out',
        join(cwd, `crypt-${seed}.sqlite`),
      ]);
  });

  // Large pictures, so that it lasts.
  const words = [
    'export',
    'crypt-1.sqlite',
    'crypt-2.sqlite',
    '--format',
    'openai',
    '--limit',
    '60',
    '--image',
    'webp',
    '--scale',
    '3',
    '--workers',
    '2',
  ];

  async function started(out: string): Promise<{ child: Child; pids: readonly number[] }> {
    const child = startProgram([...words, '--out', out], { cwd });
    await expect.poll(() => childrenOf(child.process.pid).length).toBe(2);
    return { child, pids: childrenOf(child.process.pid) };
  }

  it('that is killed', async () => {
    const { child, pids } = await started('killed');
    child.process.kill('SIGKILL');
    expect((await child.ended).signal).toBe('SIGKILL');
    await expect.poll(() => pids.filter(isThere)).toEqual([]);
  });

  it('and another one reads on if Ctrl-C reaches one before it is ready', async () => {
    const small = ['export', 'crypt-1.sqlite', 'crypt-2.sqlite', '--format', 'jsonl'];
    const child = startProgram([...small, '--workers', '2', '--out', 'early'], { cwd });
    const pidsNow = () => childrenOf(child.process.pid);
    await expect.poll(() => pidsNow().length, { interval: 1 }).toBe(2);
    for (const pid of pidsNow()) process.kill(pid, 'SIGINT');
    const { code, err } = await child.ended;
    expect([code, err]).toEqual([0, expect.not.stringContaining('SIGINT')]);
    expect((await runProgram([...small, '--out', 'plain'], { cwd })).code).toBe(0);
    expect(digestsIn(join(cwd, 'early'))).toEqual(digestsIn(join(cwd, 'plain')));
  });

  it('that Ctrl-C ends, which --continue resumes', async () => {
    const { child, pids } = await started('stopped');
    // As a terminal does: all of its processes get the signal.
    for (const pid of [...pids, child.process.pid ?? 0]) process.kill(pid, 'SIGINT');
    const { code, err } = await child.ended;
    expect([code, err]).toEqual([130, expect.stringContaining('--continue resumes')]);
    await expect.poll(() => pids.filter(isThere)).toEqual([]);
    expect((await runProgram([...words, '--out', 'stopped', '--continue'], { cwd })).code).toBe(0);
    expect((await runProgram([...words.slice(0, -2), '--out', 'whole'], { cwd })).code).toBe(0);
    expect(digestsIn(join(cwd, 'stopped'))).toEqual(digestsIn(join(cwd, 'whole')));
  });
});
