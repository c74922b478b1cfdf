/** A batch in which a model's server never answered: it says so and exits with 4, as `run` does, however its runs were played and when. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as act from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });
const nothing = act.changed((completion) => Object.assign(completion, { choices: [] }));
const RUNS = 2;
const TURNS = 2;
let answering: FakeServer;
let mute: FakeServer;

beforeAll(async () => {
  answering = await startFakeServer();
  mute = await startFakeServer();
  // Over before three turns in a row are lost.
  writeFileSync(join(cwd, 'short.yaml'), corridor(`max: ${TURNS}, attempts: 1`));
  const model = (name: string, { baseUrl }: FakeServer) =>
    `  ${name}: { base_url: '${baseUrl}', retries: 0 }`;
  const lines = ['scenarios: [short.yaml]', `seeds: ${RUNS}`, 'models:', model('mute', mute)];
  writeFileSync(join(cwd, 'both.yaml'), [...lines, model('answering', answering)].join('\n'));
  const own = `agents:
  - { id: ann, sprite: figure/knight, controller: model, model: fine }
  - { id: bob, sprite: figure/wizard, controller: model, model: ill }
models:
${model('fine', answering)}
${model('ill', mute)}
`;
  writeFileSync(
    join(cwd, 'own-models.yaml'),
    corridor(`max: ${TURNS}, attempts: 1`).replace(/agents:\n(  - .*\n)+/, own),
  );
  writeFileSync(join(cwd, 'own.yaml'), `scenarios: [own-models.yaml]\nseeds: ${RUNS}\n`);
});

afterAll(() => Promise.all([answering.close(), mute.close()]));

function isMute(requests: number): void {
  mute.next(...Array.from({ length: requests }, () => nothing));
}

const error = (agents: string, cell: string) =>
  `error: models gave no answer, because every request was lost to its server: ${agents} in ${cell} (2 runs)\n  hint: these runs say nothing about the models; read the servers' logs, and play them again into another folder\n`;

it.each([
  ['in this process', []],
  ['in worker processes', ['--workers', '2']],
])('is told of the player that it happened to (%s), and again of the finished batch', async (_, words) => {
  isMute(RUNS * TURNS * 2);
  const out = ['--out', `both-${words.length}`];
  const played = await on('batch', join(cwd, 'both.yaml'), ...out, ...words);
  expect([played.code, played.err]).toEqual([4, error('ann, bob', 'short · mute')]);
  expect(played.out).toContain('4 of 4 runs finished');
  const again = await on('batch', 'both.yaml', ...out, '--resume', '--json', '--quiet');
  expect([again.code, again.err]).toEqual([4, error('ann, bob', 'short · mute')]);
  expect(JSON.parse(again.out)).toMatchObject({
    calls: RUNS * TURNS * 2,
    cells: [
      { players: 'mute', calls: 0, unanswered: ['ann', 'bob'] },
      { players: 'answering', calls: RUNS * TURNS * 2, unanswered: [] },
    ],
  });
});

it('is told of the one agent that it happened to', async () => {
  isMute(RUNS * TURNS);
  const { code, err } = await on('batch', 'own.yaml', '--out', 'own');
  expect([code, err]).toEqual([4, error('bob', 'own-models')]);
});

it('is no failure where one answer came', async () => {
  isMute(RUNS * TURNS * 2 - 1);
  const { code, err } = await on('batch', 'both.yaml', '--out', 'nearly', '--parallel', '1');
  expect([code, err]).toEqual([4, error('ann', 'short · mute')]);
  isMute(RUNS * TURNS * 2 - 3);
  const enough = await on('batch', 'both.yaml', '--out', 'enough', '--parallel', '1');
  expect([enough.code, enough.err]).toEqual([0, '']);
});
