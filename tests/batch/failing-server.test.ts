/**
 * A server that fails at some requests and answers the others: every run is played, and each loss is counted as the server's.
 * @module-tag long
 */
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256 } from '../../src/base/canonical.js';
import { LogReader } from '../../src/log/reader.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });

/** How a request fails: one after the other. */
const FAILURES: readonly ((response: ServerResponse) => void)[] = [
  (response) => void response.writeHead(500).end('{"error": {"message": "out of memory"}}'),
  (response) => void response.socket?.destroy(),
  (response) => void response.writeHead(503).end('{"error": {"message": "overloaded"}}'),
  (response) => void response.writeHead(200).end('{"id": "x", "choices": [{"mess'),
  (response) => void response.writeHead(200).end('<html>502 Bad Gateway</html>'),
  (response) => void response.writeHead(200).end('{"status": "ok"}'),
];

const RUNS = 12;
const TURNS = 8;
let failed = 0;
let server: Server;
let baseUrl = '';

/** The same request fails however often it is sent: to send it again is no help. */
function isIll(body: string): boolean {
  return Number.parseInt(sha256(body).slice(0, 8), 16) % 100 < 10;
}

const completion = (content: string) =>
  JSON.stringify({ model: 'm', choices: [{ index: 0, message: { content }, finish_reason: 'stop' }] });

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end('{"data": [{"id": "m"}]}');
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      if (!isIll(body)) return response.end(completion('ACTION: WAIT'));
      failed += 1;
      FAILURES[failed % FAILURES.length]?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  writeFileSync(
    join(cwd, 'corridor.yaml'),
    `${corridor(`max: ${TURNS}, attempts: 1`)}\nsuccess: { agent: ann, holds: coin }\n`,
  );
  const lines = [
    'scenarios: [corridor.yaml]',
    `models: { ill: { base_url: "${baseUrl}", model: m, retries: 0 } }`,
    `seeds: ${RUNS}`,
    'parallel: 4',
  ];
  writeFileSync(join(cwd, 'ill.yaml'), lines.join('\n'));
});

afterAll(() => void server.close());

it('costs its runs turns, and none of them is given up', { tags: ['long'] }, async () => {
  const { code, out, err } = await on('batch', 'ill.yaml', '--out', 'ill', '--json');
  const played = { code: 0, failed: RUNS, not_played: 0, failures: [] };
  expect({ code, ...(JSON.parse(out) as object) }).toMatchObject(played);
  expect(err).not.toMatch(/waiting|is back|see above/);

  const lost = lostIn(join(cwd, 'ill'));
  expect(lost.turns).toBeGreaterThan(2);
  // One attempt a turn: each request that failed is one lost turn, except for the questions in between.
  expect(lost.attempts).toBe(lost.turns);
  expect(lost.attempts).toBeLessThanOrEqual(failed);
  expect(lost.words.length).toBeGreaterThan(1);

  const steps = RUNS * TURNS * 2 - lost.turns;
  const document = JSON.parse((await on('report', 'ill', '--json')).out) as {
    cells: readonly object[];
  };
  expect(document.cells).toMatchObject([
    {
      unanswered: { 'server-error': lost.attempts },
      unread: {},
      waits: { 'server-error': lost.turns },
      steps,
      firstTries: steps,
      harmed: lost.runs,
    },
  ]);
  const text = await on('report', 'ill');
  expect(text.out).toContain(`no answer: server-error ${lost.attempts}`);
  expect(text.out).not.toMatch(/not understood: \w+ \d/);
  expect((await on('report', 'ill', '--csv')).out).toMatch(/,unanswered:server-error,/);
  for (const table of ['markdown', 'latex'])
    expect((await on('report', 'ill', '--table', table)).out).toMatch(new RegExp(`${RUNS}p ${lost.runs}s`));
  await on('report', 'ill', '--out', 'ill.html');
  expect(readFileSync(join(cwd, 'ill.html'), 'utf8')).toContain(`no answer: server-error ${lost.attempts}`);

  const [log, step] = lost.example;
  const shown = await on('show', log, '--step', String(step));
  expect(shown.out).toMatch(/Reply.*server-error.*\n *no answer\n/);
});

function lostIn(folder: string) {
  let [turns, attempts] = [0, 0];
  let example: readonly [log: string, step: number] = ['', 0];
  const runs = new Set<string>();
  const words = new Set<string>();
  for (let log = 1; log <= 4; log++) {
    const path = join(folder, `runs-00${log}.sqlite`);
    const reader = new LogReader(path);
    for (const { runId } of reader.runs())
      for (const { step, acts } of reader.steps(runId)) {
        const waits = acts.filter(({ insteadOf }) => insteadOf?.code === 'server-error').length;
        turns += waits;
        if (waits > 0) runs.add(runId);
        if (waits > 0) example = [`${path}#${runId}`, step];
        attempts += acts.filter(({ result }) => !result.ok && result.problem.code === 'server-error').length;
        for (const { end } of reader.calls(runId, step))
          if (end?.kind === 'replied') for (const { problem } of end.reply.tries) words.add(problem);
      }
    reader.close();
  }
  return { turns, attempts, runs: runs.size, words: [...words], example };
}
