/** Rewards as columns: what came of a step up to the agent's next one, and from it on. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { returnsIn, returnsOf } from '../../src/export/rewards.js';
import { LogReader, runScenario } from '../../src/index.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { parquetRows } from './hyparquet.js';
import { filesIn, jsonLines, playInto } from './runs.js';

it('belong to the step of an agent that they came after, whoever acted', () => {
  const steps = [
    { step: 1, agent: 'ann', rewards: { paid: { ann: -0.1, bob: 5 } } },
    { step: 2, agent: 'bob', rewards: { paid: { ann: 1 } } },
    { step: 3, agent: 'world', rewards: { paid: { ann: 0.2, bob: 0.2 } } },
    { step: 4, agent: 'ann', rewards: { paid: { ann: -0.1, bob: 10 } } },
  ];
  // Bob's 5 came before anything that he did.
  expect([...returnsOf(steps)].toSorted(([a], [b]) => a - b)).toEqual([
    [1, { reward: 1.1, return: 1 }],
    [2, { reward: 10.2, return: 10.2 }],
    [4, { reward: -0.1, return: -0.1 }],
  ]);
});

it('of a logged run begin with its whole return', async () => {
  const log = join(temporaryFolder(), 'room.sqlite');
  const { run, steps } = await runScenario(
    {
      title: 'A Room',
      map: '#####\n#A.k#\n#...#\n#####\n',
      legend: { A: { agent: 'ranger' }, k: { thing: 'key' } },
      things: { key: { name: 'brass key', kind: 'key' } },
      rooms: { hall: { name: 'hall', from: [1, 1] } },
      agents: [{ id: 'ranger', replies: ['ACTION: GO TO brass key', 'ACTION: TAKE brass key'] }],
      success: { agent: 'ranger', holds: 'key' },
      rewards: { success: 3, step: -0.1 },
    },
    { log },
  );
  const reader = new LogReader(log);
  const found = returnsIn(reader, { runId: run.runId, lastStep: steps.length });
  reader.close();
  expect(found.get(1)).toEqual({ reward: -0.1, return: 2.8 });
});

it('stand beside prompt and completion, and beside both answers of a pair', { tags: ['long'] }, async () => {
  const cwd = temporaryFolder();
  const rewards =
    'success: { agent: ann, holds: coin }\nrewards: { success: 5, step: -0.5, unreadable: -1 }\n';
  await playInto(cwd, 'paid', { more: rewards });
  await playInto(cwd, 'unpaid');
  const reader = new LogReader(join(cwd, 'paid.sqlite'));
  const [first] = reader.runs();
  reader.close();
  for (const reply of ['ACTION: TAKE coin', 'ACTION: WAIT']) {
    const log = `paid.sqlite#${first?.runId}`;
    const forked = await orchestrate(['fork', log, '--at', '4', '--reply', reply, '--quiet'], { cwd });
    expect(forked.err).toBe('');
  }
  const exported = async (format: string, ...logs: readonly string[]): Promise<string> => {
    const out = `${format}-${logs.join('-')}`;
    const ran = await orchestrate(['export', ...logs, '--format', format, '--out', out], { cwd });
    expect([ran.code, ran.err]).toEqual([0, '']);
    return join(cwd, out);
  };
  const paidIn = ({ id, reward, return: all }: Readonly<Record<string, unknown>>) => [id, reward, all];
  const logs = ['paid.sqlite', 'unpaid.sqlite'];
  const lines = jsonLines(filesIn(await exported('jsonl', ...logs))['train.jsonl']);
  expect((await parquetRows(await exported('trl', ...logs))).map(paidIn)).toEqual(lines.map(paidIn));
  // Of what was rewarded and what was not.
  expect(lines.map(({ reward }) => typeof reward)).toEqual(expect.arrayContaining(['number', 'object']));

  const pairs = await parquetRows(await exported('preference', 'paid.sqlite'));
  // The parent's first answer was unreadable, so another one settled its step.
  const paid = pairs.map((pair) => [pair['chosen_return'], pair['rejected_reward']]);
  // In the order of the forks' ids, which differ each time.
  expect(paid).toHaveLength(3);
  expect(paid).toEqual(
    expect.arrayContaining([
      [4.5, null],
      [2, null],
      [4.5, -0.5],
    ]),
  );

  // A correction was never played, so it was paid nothing.
  const words = ['mark', `paid.sqlite#${first?.runId}`, '--step', '1', '--correct', 'ACTION: WAIT'];
  expect((await orchestrate(words, { cwd })).code).toBe(0);
  const marked = jsonLines(filesIn(await exported('jsonl', 'paid.sqlite'))['train.jsonl']);
  const [corrected] = marked.filter(({ mark }) => mark === 'corrected');
  expect(corrected).toMatchObject({ step: 1, reward: null, return: null });
});

it('stand beside how the run ended for the agent, which may be otherwise than for the run', async () => {
  const cwd = temporaryFolder();
  const log = join(cwd, 'race.sqlite');
  const agents = [
    { id: 'ann', sprite: 'knight', replies: ['ACTION: TAKE coin'], success: { agent: 'ann', holds: 'coin' } },
    {
      id: 'ben',
      sprite: 'knight',
      replies: ['ACTION: WAIT', 'ACTION: TAKE skull'],
      failure: { agent: 'ben', holds: 'skull' },
    },
    { id: 'kit', sprite: 'knight', replies: ['ACTION: WAIT', 'ACTION: WAIT'] },
  ];
  await runScenario(
    {
      title: 'A Race',
      map: '#######\n#AcBsK#\n#######\n',
      legend: {
        A: { agent: 'ann' },
        B: { agent: 'ben' },
        K: { agent: 'kit' },
        c: { thing: 'coin' },
        s: { thing: 'skull' },
      },
      things: { coin: { kind: 'key', name: 'coin' }, skull: { kind: 'key', name: 'skull' } },
      rooms: { hall: { from: [1, 1] } },
      agents,
      turns: { max: 2 },
    },
    { log },
  );
  await orchestrate(['export', log, '--format', 'jsonl', '--out', 'rows'], { cwd });
  const rows = jsonLines(filesIn(join(cwd, 'rows'))['train.jsonl']);
  const ends = new Map(rows.map(({ agent, ...row }) => [agent, [row['outcome'], row['agent_outcome']]]));
  expect(Object.fromEntries(ends)).toEqual({
    ann: ['ended', 'succeeded'],
    ben: ['ended', 'failed'],
    kit: ['ended', null],
  });
  const chosen = ['--where', 'agent_outcome == "succeeded"', '--out', 'won'];
  expect((await orchestrate(['export', log, '--format', 'jsonl', ...chosen], { cwd })).err).toBe('');
  const won = jsonLines(filesIn(join(cwd, 'won'))['train.jsonl']);
  expect(won.map(({ agent }) => agent)).toEqual(['ann']);
});
