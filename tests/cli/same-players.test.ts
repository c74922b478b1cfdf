/** Who decides is who decided before: a run does not go on by somebody else, or by a model with other settings, unless somebody says so. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { reseal } from '../replay/changes.js';

const cwd = temporaryFolder();
const servers: FakeServer[] = [];
let logs = 0;
let log = '';
let run = '';

/** A server of one model. */
async function serving(model: string, port = 0): Promise<FakeServer> {
  const server = await startFakeServer({ models: [model], port, images: 'any', reply: () => 'ACTION: WAIT' });
  servers.push(server);
  return server;
}

/** As if it had been killed at its end. */
function left(path: string): string {
  const db = new Database(join(cwd, path));
  db.exec('DELETE FROM ends');
  db.exec('DELETE FROM steps WHERE step > 3');
  reseal(db);
  db.close();
  return path;
}

async function goesOn(...words: string[]) {
  const { code, err } = await orchestrate([...words, '--quiet'], { cwd });
  return { code, err };
}

let server: FakeServer;

beforeEach(async () => {
  server = await serving('small-vlm');
  const models = `models: { main: { base_url: "${server.baseUrl}" } }\n`;
  writeFileSync(
    join(cwd, 'm.yaml'),
    corridor('max: 2').replace('id: ann,', 'id: ann, model: main,') + models,
  );
  logs += 1;
  log = `${logs}.sqlite`;
  const { code, out } = await orchestrate(['run', 'm.yaml', '--json', '--out', log], { cwd });
  expect(code).toBe(0);
  run = `${log}#${(JSON.parse(out) as { run_id: string }).run_id}`;
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((one) => one.close()));
});

/** Another model takes the server's place. */
async function moved(model: string): Promise<void> {
  const { port } = new URL(server.baseUrl);
  await server.close();
  servers.length = 0;
  await serving(model, Number(port));
}

describe.each([
  ['resume', () => ['resume', left(log)]],
  ['fork', () => ['fork', run, '--at', '7', '--set', 'turns.max=3']],
])('%s', (_name, words) => {
  it('goes on with the same model, also at another address', async () => {
    expect(await goesOn(...words())).toEqual({ code: 0, err: '' });
    const other = await serving('small-vlm');
    expect(await goesOn(...words(), '--base-url', other.baseUrl)).toMatchObject({ code: 0 });
  });

  it('does not go on with another model behind the same address, unless it is named', async () => {
    await moved('large-vlm');
    const { code, err } = await goesOn(...words());
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        'ann was played with model "small-vlm", and would now be played with "large-vlm"',
      ),
    ]);
    expect(await goesOn(...words(), '--model', 'large-vlm')).toMatchObject({ code: 0 });
  });

  it('does not hand an agent to another because who decides for a third was said', async () => {
    await moved('large-vlm');
    const { code, err } = await goesOn(...words(), '--human', 'bob');
    expect([code, err]).toEqual([2, expect.stringContaining('ann was played with model')]);
  });
});

it('a fork may change a setting by its own words', async () => {
  const words = ['fork', run, '--at', '4', '--set', 'models.main.temperature=0.5'];
  expect(await goesOn(...words)).toMatchObject({ code: 0 });
  expect(await goesOn('fork', run, '--at', '4', '--guided', 'off')).toMatchObject({ code: 0 });
});

it('what a session was told is asked for again by the next one', async () => {
  expect(await goesOn('resume', left(log), '--controller', 'scripted')).toMatchObject({ code: 0 });
  const { code, err } = await goesOn('resume', left(log));
  expect([code, err]).toEqual([2, expect.stringContaining('ann was played by scripted')]);
  expect(await goesOn('resume', log, '--controller', 'model')).toMatchObject({ code: 0 });
});
