/** Forks in a data set: told once with their parents, never parted from them by a split, and paired by what became of them. */
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assignSplits } from '../../src/export/splits.js';
import { pickRuns } from '../../src/export/picked-runs.js';
import type { ChosenRuns } from '../../src/export/picked-runs.js';
import { LogReader } from '../../src/log/reader.js';
import type { RunSummary } from '../../src/trajectory/run-summary.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { parquetRows } from './hyparquet.js';
import { PYTHON, readByPython } from './readers.js';
import { filesIn, jsonLines, playInto } from './runs.js';

const cwd = temporaryFolder();
let parent = '';

beforeAll(async () => {
  await playInto(cwd, 'forked', { more: 'success: { agent: ann, holds: coin }\n' });
  const reader = new LogReader(join(cwd, 'forked.sqlite'));
  parent = reader.runs()[0]?.runId ?? '';
  reader.close();
  for (const reply of ['ACTION: TAKE coin', 'ACTION: WAIT', 'ACTION: GO EAST']) {
    const ran = await orchestrate(
      ['fork', `forked.sqlite#${parent}`, '--at', '4', '--reply', reply, '--quiet'],
      { cwd },
    );
    expect(ran.err).toBe('');
  }
});

function said(text: string): object {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}

async function exported(format: string, out: string, ...words: readonly string[]) {
  const ran = await orchestrate(['export', 'forked.sqlite', '--format', format, '--out', out, ...words], {
    cwd,
  });
  expect(ran.code).toBe(0);
  if (format === 'preference') return parquetRows(join(cwd, out));
  return jsonLines(filesIn(join(cwd, out))['train.jsonl']);
}

it(
  "steps of a fork come with the calls that were made for them, its parent's first",
  { tags: ['long'] },
  () => {
    const reader = new LogReader(join(cwd, 'forked.sqlite'));
    for (const { runId } of reader.runs()) {
      const played = [...reader.played(runId)];
      const whole = [...reader.steps(runId, { snapshots: false })];
      const outlines = whole.map(
        ({ stateHash: _state, parts: _parts, chain: _chain, ...outline }) => outline,
      );
      const told = played.map(({ step }) => ({ ...step, events: step.events() }));
      expect(told).toEqual(outlines);
      // Backwards as well: what is read ahead is of other steps then.
      for (const { step, calls } of [...played, ...played.toReversed()]) {
        const apart = reader.calls(runId, step.step);
        const told = calls().map(({ request, reply }) => {
          const { picture, observation, messages, ...rest } = request;
          return { ...rest, frame: picture(), observation: observation(), messages: messages(), reply };
        });
        const expected = apart.map(({ request: { frameHash, ...rest }, end }) => {
          const png = frameHash === null ? undefined : reader.frame(frameHash)?.png;
          const frame = png === undefined ? null : { hash: frameHash, png };
          return { ...rest, frame, reply: end?.kind === 'replied' ? end.reply : null };
        });
        expect(told).toEqual(expected);
        // The other way round as well: what is asked for first is what the rest is held against.
        for (const [i, { request }] of calls().entries())
          expect([request.messages(), request.picture()]).toEqual([
            expected[i]?.messages,
            expected[i]?.frame,
          ]);
      }
      expect(played.some(({ calls }) => calls().length > 1)).toBe(true);
    }
    reader.close();
  },
);

describe('forks', () => {
  it('tell the steps that they share with their parent once', async () => {
    const rows = await exported('jsonl', 'all', '--duplicates', 'keep');
    const shared = rows.filter(({ step }) => Number(step) < 4);
    expect(new Set(shared.map(({ run }) => run))).toEqual(new Set([parent]));
    expect(new Set(rows.map(({ run }) => run)).size).toBe(4);
  });

  it('tell all of their steps where their parent is not exported', async () => {
    const reader = new LogReader(join(cwd, 'forked.sqlite'));
    const fork = reader.runs()[1]?.runId ?? '';
    reader.close();
    const ran = await orchestrate(['export', `forked.sqlite#${fork}`, '--format', 'jsonl', '--out', 'fork'], {
      cwd,
    });
    expect(ran.code).toBe(0);
    expect(jsonLines(filesIn(join(cwd, 'fork'))['train.jsonl'])[0]).toMatchObject({ step: 1, run: fork });
  });

  it('give pairs of answers to one request, the better one chosen, with the picture that both saw', async () => {
    const pairs = await exported('preference', 'pairs');
    const told = pairs.map(({ chosen, rejected, because, chosen_outcome: outcome }) => [
      JSON.stringify(chosen).includes('TAKE coin'),
      JSON.stringify(rejected).includes('TAKE coin'),
      because,
      outcome,
    ]);
    expect(told.length).toBeGreaterThanOrEqual(3);
    // By regret each pair prefers what takes the coin; without it both sides may do something else.
    const byRegret = told.filter(([, , because]) => because === 'regret');
    expect(byRegret.length).toBeGreaterThanOrEqual(2);
    for (const [chosen, rejected] of byRegret) expect([chosen, rejected]).toEqual([true, false]);
    expect(new Set(pairs.map(({ id }) => id)).size).toBe(pairs.length);
    for (const { images, prompt } of pairs) {
      expect(images).toHaveLength(1);
      expect(JSON.stringify(prompt).match(/"type":"image"/g)).toHaveLength(1);
    }
  });

  it(
    'are compared by what they played, whatever people said since, each two siblings once',
    { tags: ['long'] },
    async () => {
      const before = await exported('preference', 'unmarked');
      const ids = new LogReader(join(cwd, 'forked.sqlite'));
      const runs = ids.runs().map(({ runId }) => runId);
      ids.close();
      const met = before.map((row) =>
        [row['chosen_run'], row['rejected_run']]
          .map((run) => runs.indexOf(String(run)))
          .toSorted((a, b) => a - b)
          .join(' and '),
      );
      expect(new Set(met).size).toBe(met.length);
      const address = `forked.sqlite#${runs[2]}`;
      const words = ['mark', address, '--step', '4', '--correct', 'Mine!\nACTION: TAKE coin'];
      expect((await orchestrate(words, { cwd })).err).toBe('');
      const after = await exported('preference', 'marked');
      const corrected = after.filter(({ because }) => because === 'correction');
      expect(corrected).toMatchObject([
        { chosen: [said('Mine!\nACTION: TAKE coin')], rejected: [said('ACTION: WAIT')], chosen_ok: null },
      ]);
      // A picture is named after the first row that shows it.
      const unnamed = (rows: typeof before) => rows.map(({ images: _images, ...rest }) => rest);
      const others = after.filter(({ because }) => because !== 'correction');
      expect(unnamed(others)).toEqual(unnamed(before.filter(({ chosen_run: run }) => run !== runs[2])));
      expect((await orchestrate(['mark', address, '--step', '4', '--clear'], { cwd })).err).toBe('');
    },
  );

  it.skipIf(PYTHON === null)('give pairs that TRL takes', { tags: ['long'] }, async () => {
    const pairs = await exported('preference', 'trl-pairs');
    const found = await readByPython('preference', join(cwd, 'trl-pairs'));
    expect(found.map(({ marks, images }) => [marks, images.length])).toEqual(pairs.map(() => [1, 1]));
  });
});

describe('splits', () => {
  const run = (
    runId: string,
    name: string,
    seed: string,
    steps: number,
    above: RunSummary | null,
  ): RunSummary => ({
    runId,
    parent: above === null ? null : { runId: above.runId, step: 2 },
    name,
    seed,
    status: 'ended',
    steps,
    chain: '',
    startedAt: 0,
  });
  /** Runs of another file are other runs. */
  const ofFile =
    (file: number) =>
    (one: RunSummary): RunSummary => {
      const { runId, parent } = one;
      const above = parent === null ? null : { ...parent, runId: `${file}-${parent.runId}` };
      return { ...one, runId: `${file}-${runId}`, parent: above };
    };
  /** Files of runs, some of which fork others of the file; a fork may have another name and seed than its parent. */
  const file = fc
    .array(
      fc.record({
        name: fc.constantFrom('a', 'b', 'c'),
        seed: fc.nat(4),
        steps: fc.nat(50),
        above: fc.option(fc.nat(9)),
      }),
      {
        minLength: 1,
        maxLength: 10,
      },
    )
    .map((rows) =>
      rows.reduce<readonly RunSummary[]>((runs, { name, seed, steps, above }, i) => {
        const parentRun = above === null ? undefined : runs[above % Math.max(1, runs.length)];
        return [...runs, run(`r${i}`, name, String(seed), steps, parentRun ?? null)];
      }, []),
    );
  const chosen = fc
    .array(file, { minLength: 1, maxLength: 6 })
    .map((files) =>
      files.map((runs, i): ChosenRuns => ({ path: `${i}.sqlite`, runs: runs.map(ofFile(i)), runId: null })),
    );
  const splits = [
    { name: 'train', share: 0.8 },
    { name: 'validation', share: 0.1 },
    { name: 'test', share: 0.1 },
  ];

  it('never part a fork from its parent, nor runs of one scenario and seed', () => {
    fc.assert(
      fc.property(chosen, fc.string(), (logs, seed) => {
        const picked = pickRuns(logs);
        const splitOf = assignSplits(picked, splits, seed);
        const bySeed = new Map<string, string>();
        for (const one of picked) {
          const mine = splitOf.get(one.ordinal);
          const above = picked.find(
            ({ path, runId }) => path === one.path && runId === one.summary.parent?.runId,
          );
          if (above !== undefined) expect(splitOf.get(above.ordinal)).toBe(mine);
          else {
            const key = `${one.summary.name} ${one.summary.seed}`;
            expect(bySeed.get(key) ?? mine).toBe(mine);
            bySeed.set(key, mine ?? '');
          }
        }
        const groups = new Set(picked.map(({ group }) => group)).size;
        expect(new Set(splitOf.values()).size).toBe(Math.min(groups, splits.length));
      }),
    );
  });

  it('share out what may be told: other runs weigh nothing, and fill no split', () => {
    fc.assert(
      fc.property(chosen, fc.string(), (logs, seed) => {
        const picked = pickRuns(logs);
        const told = picked.filter((_, i) => i % 3 === 0);
        const splitOf = assignSplits(picked, splits, seed, (run) => told.includes(run));
        const alone = assignSplits(told, splits, seed);
        expect(told.map(({ ordinal }) => splitOf.get(ordinal))).toEqual([...alone.values()]);
        expect(splitOf.size).toBe(picked.length);
      }),
    );
  });

  it('are the same whatever the order of the logs', () => {
    fc.assert(
      fc.property(chosen, (logs) => {
        const of = (list: readonly ChosenRuns[]) => {
          const picked = pickRuns(list);
          const splitOf = assignSplits(picked, splits, '0');
          return new Map(
            picked.map(({ path, runId, ordinal }) => [`${path}#${runId}`, splitOf.get(ordinal)]),
          );
        };
        expect(of(logs.toReversed())).toEqual(of(logs));
      }),
    );
  });
});
