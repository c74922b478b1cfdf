/**
 * A gateway that lists its models while the model behind it answers nobody: the batch waits until it answers, says so once, and plays
 * every run.
 * @module-tag long
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const OUTAGE_MS = 4000;
const RUNS = 6;
/** Without a count of tokens: the batch estimates them, also of calls from before the outage. */
const completion = {
  model: 'm',
  choices: [{ index: 0, message: { content: 'ACTION: WAIT' }, finish_reason: 'stop' }],
};

let chats = 0;
let failed = 0;
let downSinceMs: number | null = null;
const gateway = createServer((request, response) => {
  if (request.method === 'GET') return void response.end('{"data": [{"id": "m"}]}');
  request.resume().on('end', () => {
    chats += 1;
    if (chats > 10) downSinceMs ??= performance.now();
    const isDown = downSinceMs !== null && performance.now() - downSinceMs < OUTAGE_MS;
    if (!isDown) return response.end(JSON.stringify(completion));
    failed += 1;
    response.writeHead(503).end('{"error": {"message": "no backend is ready"}}');
  });
});
afterAll(() => void gateway.close());

it('is waited for until it answers a chat, and no run is given up', { tags: ['long'] }, async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/v1`;
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 8, attempts: 2'));
  const lines = [
    'scenarios: [corridor.yaml]',
    `models: { m: { base_url: "${baseUrl}", model: m, retries: 0 } }`,
    `seeds: ${RUNS}`,
    'parallel: 2',
    'patience_s: 60',
  ];
  writeFileSync(join(cwd, 'outage.yaml'), lines.join('\n'));
  const { code, out, err } = await orchestrate(['batch', 'outage.yaml', '--out', 'runs', '--json'], { cwd });
  expect(JSON.parse(out)).toMatchObject({ ended: RUNS, not_played: 0, failures: [] });
  expect(code).toBe(0);
  expect(err.match(/waiting up to 60 s for .*, which answers nobody/g)).toHaveLength(1);
  const back = [...err.matchAll(/ is back after ([\d.]+) ?s/g)].map(([, seconds]) => Number(seconds));
  expect(back).toHaveLength(1);
  expect(Math.min(...back) * 1000).toBeGreaterThan(OUTAGE_MS / 2);
  expect(failed).toBeGreaterThan(0);
});
