/**
 * Halves of surrogate pairs, which no UTF-8 can hold, at every entrance: scenario, settings, batch, server, program, marks, options, log. Each
 * is refused in words or made well-formed; none ends in a failure of our own, and what is played proves.
 */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wellFormedJson } from '../../src/base/text.js';
import * as behaviour from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import type { Ran } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const HALF = 'half \ud83d here';
let server: FakeServer;

beforeAll(async () => {
  server = await startFakeServer({ images: 'any', explicit: false });
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
  await orchestrate(['run', 'corridor.yaml', '--out', 'run.sqlite', '--quiet'], { cwd });
});

afterAll(() => server.close());

const run = (args: readonly string[], stdin = ''): Promise<Ran> =>
  orchestrate(args, { cwd, stdin, env: { PATH: process.env['PATH'] ?? '' } });

function expectWords({ code, out, err }: Ran): void {
  expect([0, 1, 2, 3, 4, 130]).toContain(code);
  expect(out + err).not.toMatch(/internal error|assert/i);
}

/** In a scenario's YAML, as an escape. */
const ESCAPED = '"half \\ud83d here"';

describe('a scenario', () => {
  it.each([
    ['its title', (text: string) => text.replace('title: Corridor', `title: ${ESCAPED}`)],
    ['a name', (text: string) => text.replace('name: coin', `name: ${ESCAPED}`)],
    ['a text', (text: string) => text.replace('text: Mind the step.', `text: ${ESCAPED}`)],
    ['an id', (text: string) => text.replaceAll('coin:', `${ESCAPED}:`)],
    ['a seed', (text: string) => text.replace('seed: 1', `seed: ${ESCAPED}`)],
    ['an unknown key', (text: string) => `${text}${ESCAPED}: 1\n`],
    ['a value behind an alias', (text: string) => text.replace('title: Corridor', `title: &a ${ESCAPED}`)],
    ['a reply', (text: string) => text.replace('figure/knight }', `figure/knight, replies: [${ESCAPED}] }`)],
  ])('with one in %s is refused by every command, with its line', async (_what, change) => {
    writeFileSync(join(cwd, 'half.yaml'), change(corridor('max: 2')));
    for (const command of ['check', 'run', 'preview']) {
      const ran = await run([command, 'half.yaml']);
      expectWords(ran);
      expect(ran.code).toBe(2);
      expect(ran.err).toMatch(/half\.yaml:\d+:\d+ error: .*half of a surrogate pair/);
    }
  });

  it('takes whole pairs, as they are and as two escapes', async () => {
    const whole = corridor('max: 2').replace('title: Corridor', 'title: "🔑 \\U0001F511 \\ud83d\\udd11"');
    writeFileSync(join(cwd, 'whole.yaml'), whole);
    const ran = await run(['check', 'whole.yaml']);
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('🔑 🔑 🔑')]);
  });

  it('is refused where --set gives one', async () => {
    const ran = await run(['run', 'corridor.yaml', '--set', `things={coin: {kind: item, name: ${ESCAPED}}}`]);
    expectWords(ran);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('half of a surrogate pair')]);
  });

  it('is refused where a batch holds one', async () => {
    writeFileSync(join(cwd, 'batch.yaml'), `title: ${ESCAPED}\nscenarios: [corridor.yaml]\n`);
    const ran = await run(['batch', 'batch.yaml']);
    expectWords(ran);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('half of a surrogate pair')]);
  });
});

describe('options and input', () => {
  it.each<{ what: string; args: readonly string[]; stdin?: string }>([
    { what: 'a title', args: ['run', 'corridor.yaml', '--set', `title=${HALF}`, '--quiet'] },
    { what: 'a seed', args: ['run', 'corridor.yaml', '--seed', HALF, '--quiet'] },
    { what: 'a mark', args: ['mark', 'run.sqlite', '--step', '1', '--reject', HALF] },
    { what: 'a correction', args: ['mark', 'run.sqlite', '--step', '1', '--correct', HALF] },
    { what: 'an answer in a fork', args: ['fork', 'run.sqlite', '--at', '1', '--reply', HALF, '--quiet'] },
    { what: 'words in a fork', args: ['fork', 'run.sqlite', '--at', '1', '--say', `ann:${HALF}`, '--quiet'] },
    { what: 'a question', args: ['ask', 'run.sqlite', HALF, '--step', '1'] },
    { what: 'a path', args: ['show', `${HALF}.sqlite`] },
    { what: 'a command', args: [HALF] },
    { what: 'an option', args: [`--${HALF}`] },
    { what: 'an agent', args: ['show', 'run.sqlite', '--agent', HALF] },
    {
      what: 'a model',
      args: ['run', 'corridor.yaml', '--model', HALF, '--base-url', 'http://127.0.0.1:9/v1'],
    },
    { what: 'a program', args: ['run', 'corridor.yaml', '--process', `ann=${HALF}`] },
    { what: 'a redaction', args: ['export', 'run.sqlite', '--out', 'redacted', '--redact', HALF] },
    { what: 'a reply', args: ['parse', 'corridor.yaml'], stdin: `ACTION: SAY "${HALF}"` },
    {
      what: 'a JSON reply',
      args: ['parse', 'corridor.yaml', '--protocol', 'json'],
      stdin: `{"action":"SAY","text":"\\ud83d"}`,
    },
    {
      what: 'typed words',
      args: ['run', 'corridor.yaml', '--human', 'ann', '--quiet'],
      stdin: `say "${'x'.repeat(9999)}🔑🔑"\n`,
    },
  ])('with one in $what', async ({ args, stdin }) => {
    expectWords(await run(args, stdin));
  });
});

describe('a server', () => {
  const call = { function: { name: HALF, arguments: { text: HALF, [HALF]: 1 } } };
  it.each([
    ['its words', behaviour.message({ content: `${HALF}\nACTION: SAY "${HALF}"` })],
    ['its reason', behaviour.message({ content: 'ACTION: WAIT' }, HALF)],
    ['its reasoning', behaviour.message({ content: 'ACTION: WAIT', reasoning: HALF })],
    ['its calls', behaviour.message({ content: HALF, tool_calls: [call] })],
    ['its name of itself', behaviour.changed((completion) => void (completion.model = HALF))],
    ['any field', behaviour.changed((completion) => void (completion[HALF] = [HALF, { [HALF]: HALF }]))],
    ['its refusal', behaviour.error(400, HALF)],
  ])('with one in %s: the run is played or refused, and proves', async (_what, answer) => {
    server.next(answer);
    const out = `server-${Math.random()}.sqlite`;
    const ran = await run(['run', 'corridor.yaml', '--base-url', server.baseUrl, '--out', out, '--quiet']);
    expectWords(ran);
    if (ran.code === 4) return;
    const proof = await run(['verify', out]);
    expect(proof.out).toContain('ok');
    expect(`${proof.out}${(await run(['show', out, '--json'])).out}`).not.toMatch(/\\ud83d/);
  });

  it('with one in its list of models', async () => {
    server.nextModels(({ json }) => json(200, { object: 'list', data: [{ id: HALF, owned_by: HALF }] }));
    server.nextModels(({ json }) => json(200, { object: 'list', data: [{ id: HALF, owned_by: HALF }] }));
    expectWords(await run(['doctor', '--base-url', server.baseUrl]));
    expectWords(await run(['run', 'corridor.yaml', '--base-url', server.baseUrl, '--quiet']));
  });
});

describe('a program', () => {
  it.each([
    ['its words', { content: `${HALF}\nACTION: WAIT` }],
    ['its memory', { content: 'ACTION: WAIT', memory: { [HALF]: [HALF] } }],
  ])('with one in %s is played, and proves', async (what, reply) => {
    const script = join(cwd, 'program.mjs');
    writeFileSync(
      script,
      `import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { type, id } = JSON.parse(line);
  if (type === 'hello') console.log('{"type":"ready","protocol":1}');
  if (type === 'observe') console.log(JSON.stringify({ type: 'reply', id, ...${JSON.stringify(reply)} }));
}`,
    );
    const out = `program ${what}.sqlite`;
    const program = `ann='${process.execPath}' '${script}'`;
    const ran = await run(['run', 'corridor.yaml', '--process', program, '--out', out, '--quiet']);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect((await run(['verify', out])).code).toBe(0);
  });
});

describe('what lies on the disk', () => {
  it('marks are made well-formed', async () => {
    copyFileSync(join(cwd, 'run.sqlite'), join(cwd, 'marked.sqlite'));
    const db = new Database(join(cwd, 'marked.sqlite'));
    const id = String(db.prepare('SELECT run_id FROM runs').pluck().get());
    db.close();
    const mark = { run: id, step: 1, verdict: 'corrected', text: HALF };
    writeFileSync(join(cwd, 'marked.sqlite.marks.jsonl'), `${JSON.stringify(mark)}\n`);
    for (const format of ['jsonl', 'preference', 'parquet', 'trl'])
      expectWords(await run(['export', 'marked.sqlite', '--out', `marked-${format}`, '--format', format]));
    expectWords(await run(['show', 'marked.sqlite']));
  });

  it.each(['steps.acts', 'steps.events', 'sittings.versions', 'sittings.controllers', 'calls.appended'])(
    'a log with one in %s is refused in words',
    async (place) => {
      const [table = '', column = ''] = place.split('.');
      copyFileSync(join(cwd, 'run.sqlite'), join(cwd, 'changed.sqlite'));
      const db = new Database(join(cwd, 'changed.sqlite'));
      db.exec(
        `UPDATE ${table} SET ${column} = json_insert(${column}, '$[#]', json('"\\ud83d"'), '$.x', json('"\\ud83d"'))`,
      );
      db.close();
      for (const command of ['verify', 'show', 'report', 'reparse', 'resume'])
        expectWords(await run([command, 'changed.sqlite']));
      expect((await run(['verify', 'changed.sqlite'])).code).not.toBe(0);
    },
  );
});

describe('JSON from outside', () => {
  it.each([
    ['"\\ud83d\\udd11"', '"🔑"'],
    ['"\\uD83D"', '"\ufffd"'],
    ['"\\udd11\\ud83d"', '"\ufffd\ufffd"'],
    ['"\\ud83d\\ud83d\\udd11"', '"\ufffd🔑"'],
    ['"\\\\ud83d"', '"\\\\ud83d"'],
    ['"\\\\\\ud83d"', '"\\\\\ufffd"'],
    ['"\\ud7ff\\ue000"', '"\ud7ff\ue000"'],
    ['"\ud83d\\udd11"', '"\ufffd\ufffd"'],
    ['{"\\ud83d": 1}', '{"\ufffd": 1}'],
  ])('%s is read as %s', (json, meant) => {
    expect(JSON.parse(wellFormedJson(json))).toEqual(JSON.parse(meant));
  });
});
