/** `ask`: an interview about a step, outside the run and beside it in the log; and the asides that `show` prints. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, known } from '../../src/base/assert.js';
import { LIMITS } from '../../src/base/limits.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { contentOfMessage } from '../../src/trajectory/content.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { verified } from '../replay/support.js';
import { corridor } from '../orchestrator/two-agents.js';

const cwd = temporaryFolder();
let server: FakeServer;

beforeAll(async () => {
  server = await startFakeServer({
    images: 'any',
    reply: ({ text }) => {
      if (text.includes('Look back')) return 'I only waited.';
      return /beside the game|\?$/.test(text) ? 'I liked it there.' : 'Staying is best.\nACTION: WAIT';
    },
  });
  const models = `models: { main: { base_url: "${server.baseUrl}" } }\nreflection: { when: always }\n`;
  const text = corridor('max: 2').replace('id: ann,', 'id: ann, model: main,');
  writeFileSync(join(cwd, 'corridor.yaml'), text + models);
  const { code, out, err } = await orchestrate(['run', 'corridor.yaml', '--out', 'a.sqlite'], { cwd });
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/Ann reflects on the run\nI only waited\.\n\nended:/);
});

afterAll(() => server.close());

function logged() {
  const reader = new LogReader(join(cwd, 'a.sqlite'));
  const { runId, status } = at(reader.runs(), 0);
  const all = {
    runId,
    status,
    end: known(reader.end(runId), 'an end'),
    first: reader.calls(runId, 1),
    asides: reader.asides(runId),
  };
  reader.close();
  return all;
}

describe('ask', () => {
  it('sends the request of that step, the reply and the question, and keeps the answer behind the end', async () => {
    const before = logged();
    const { code, out } = await orchestrate(['ask', 'a.sqlite', '--step', '1', 'Why did you wait?'], { cwd });
    expect([code, out]).toEqual([0, 'Ann, asked about step 1\nWhy did you wait?\nI liked it there.\n']);
    const after = logged();
    expect(after.end).toEqual(before.end);
    expect(after.status).toBe('ended');
    const asked = at(after.asides, after.asides.length - 1);
    expect(asked.request).toMatchObject({
      purpose: 'interview',
      step: 1,
      agent: 'ann',
      controller: 'model:main',
    });
    const original = at(before.first, 0).request;
    const hashes = asked.request.messages.map((message) => contentOfMessage(message).hash);
    expect(hashes.slice(0, -2)).toEqual(original.messages.map((message) => contentOfMessage(message).hash));
    expect(asked.request.messages.at(-2)).toEqual({
      role: 'assistant',
      parts: [{ kind: 'text', text: 'Staying is best.\nACTION: WAIT' }],
    });
    expect(asked.request.messages.at(-1)?.parts.at(-1)).toEqual({ kind: 'text', text: 'Why did you wait?' });
    expect(await verified(join(cwd, 'a.sqlite'))).toMatchObject({ difference: null });
  });

  it('prints one document with --json, and show lists every answer', async () => {
    const args = ['ask', 'a.sqlite', '--step', '1', '--agent', 'ann', 'And now?', '--json'];
    const { out } = await orchestrate(args, { cwd });
    expect(JSON.parse(out)).toMatchObject({
      purpose: 'interview',
      question: 'And now?',
      answer: 'I liked it there.',
    });
    const shown = await orchestrate(['show', 'a.sqlite'], { cwd });
    expect(shown.out).toContain('Ann reflects on the run\nI only waited.');
    expect(shown.out).toContain('Ann, asked about step 1\nAnd now?\nI liked it there.');
    const document = JSON.parse((await orchestrate(['show', 'a.sqlite', '--json'], { cwd })).out) as {
      asides: readonly { purpose: string }[];
    };
    expect(document.asides.map(({ purpose }) => purpose)).toContain('reflection');
  });

  it.each([
    [
      'an agent that no model played',
      ['--step', '2'],
      /bob was played by the controller scripted, not by a model[\s\S]*--base-url/,
    ],
    ["the world's step", ['--step', '3'], /no agent acts in step 3: it is a step of the world/],
    ['a step that is not there', ['--step', '99'], /no step 99/],
    ["another agent's step", ['--step', '1', '--agent', 'bob'], /step 1 is ann's/],
    ['no step', [], /--step N/],
  ])('refuses %s', async (_, args, message) => {
    const { code, err } = await orchestrate(['ask', 'a.sqlite', 'Why?', ...args], { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  it('lets a named server answer for an agent that no model played', async () => {
    const args = ['ask', 'a.sqlite', '--step', '2', 'Why?', '--base-url', server.baseUrl];
    const { code, out } = await orchestrate(args, { cwd });
    expect([code, out]).toEqual([0, 'Bob, asked about step 2\nWhy?\nI liked it there.\n']);
  });

  it('takes questions up to LIMITS.questionCharacters', async () => {
    const args = (length: number) => ['ask', 'a.sqlite', '--step', '1', 'q'.repeat(length)];
    expect((await orchestrate(args(LIMITS.questionCharacters), { cwd })).code).toBe(0);
    expect((await orchestrate(args(LIMITS.questionCharacters + 1), { cwd })).code).toBe(2);
  });

  it('waits for no other writer: a log that is being written is refused', async () => {
    const writer = new LogWriter(join(cwd, 'a.sqlite'));
    const { code, err } = await orchestrate(['ask', 'a.sqlite', '--step', '1', 'Why?'], { cwd });
    writer.close();
    expect(code).toBe(3);
    expect(err).toContain('being written by');
  });

  it('tells of a server that can not be used, and leaves the log as it was', async () => {
    const before = logged().asides.length;
    const args = ['ask', 'a.sqlite', '--step', '1', 'Why?', '--base-url', 'http://127.0.0.1:9/v1'];
    const { code } = await orchestrate(args, { cwd });
    expect(code).toBe(4);
    expect(logged().asides).toHaveLength(before);
  });
});
