/** A short game and `doctor` on each kind of server, as a user plays them: what is told, what is held to a form, and that busy answers are waited out. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { CAPABILITIES, SERVER_KINDS } from '../../src/model/capabilities.js';
import * as act from '../fake-server/behaviours.mjs';
import { DIALECTS } from '../fake-server/dialects.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer, Options } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { verified } from '../replay/support.js';

const folder = temporaryFolder();

let server: FakeServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function serve(options: Options): Promise<string> {
  server = await startFakeServer({ bounds: true, reply: () => '', ...options });
  return server.baseUrl;
}

const EACH = SERVER_KINDS.map((kind) => [kind, CAPABILITIES[kind]] as const);
const NOT_HELD = 'replies are not guided';

describe.each(EACH)('on %s', (kind, { name, host }) => {
  // On loopback a host can't be known by its name.
  const told = host === null ? [] : ['--set', `models.main.server=${name}`];

  async function play(options: Options, ...words: readonly string[]) {
    writeFileSync(join(folder, 'corridor.yaml'), corridor('max: 2'));
    const baseUrl = await serve({ kind: name, ...options });
    const out = `${name}-${words.join('-')}.sqlite`;
    const args = ['run', 'corridor.yaml', '--base-url', baseUrl, ...told, '--out', out, ...words];
    const played = await orchestrate(args, { cwd: folder });
    return { ...played, out, chats: server?.chats.length ?? 0 };
  }

  it('a game is held to its form in JSON, and nothing is to be told', { tags: ['long'] }, async () => {
    const { code, err, out } = await play({}, '--guided', 'auto', '--protocol', 'json');
    expect([code, err]).toEqual([0, '']);
    const reader = new LogReader(join(folder, out));
    expect(JSON.stringify(reader.runs().map(({ runId }) => reader.run(runId)))).toContain(
      `"server":"${kind}`,
    );
    reader.close();
  });

  it.each([
    ['command', ['regex', 'gbnf']],
    ['tools', ['tools']],
  ] as const)(
    'a game in %s says once where it is not held to its form, and why',
    async (protocol, languages) => {
      const ways = CAPABILITIES[kind].constraints;
      const isHeld = ways.some(({ language }) => languages.some((one) => one === language));
      const reply = () => (protocol === 'command' ? 'ACTION: WAIT' : WAIT);
      const { code, err } = await play({ reply }, '--guided', 'auto', '--protocol', protocol);
      expect(code).toBe(0);
      expect(err.split(NOT_HELD)).toHaveLength(isHeld ? 1 : 2);
      const names = ways.map((way) => way.name).join(', ');
      if (isHeld) expect(err).toBe('');
      else
        expect(err).toBe(
          `warning: ${NOT_HELD}: ${kind} can't guide replies of this form; it supports only ${names}\n`,
        );
    },
  );

  it('a game goes on where the server is busy now and then', async () => {
    const reply = () => 'ACTION: WAIT';
    const { code, chats } = await play({ reply, busyEvery: 4 });
    expect([code, chats]).toEqual([0, DIALECTS[name].busy.length === 0 ? 4 : 5]);
  });

  it('doctor tells what it is', async () => {
    const baseUrl = await serve({ kind: name, knownFields: false, reply: () => '7' });
    const models = `models:\n  main: { base_url: '${baseUrl}', guided: auto, extra: { guided_choice: [a], stop: ';' }${host === null ? '' : `, server: ${name}`} }\n`;
    writeFileSync(join(folder, 'doctor.yaml'), `${corridor('max: 1')}${models}`);
    const { code, out } = await orchestrate(['doctor', 'doctor.yaml'], { cwd: folder });
    expect(code).toBe(0);
    if (host === null) expect(out).toMatch(new RegExp(`server +${kind}`));
    expect(out.includes('`guided_choice`')).toBe(kind === 'vLLM');
    expect(out.includes('ends the reasoning too')).toBe(kind === 'vLLM' || kind === 'SGLang');
    expect(out.includes('a longer prompt is silently truncated')).toBe(kind === 'Ollama');
    const ways = CAPABILITIES[kind].constraints;
    for (const way of ways) expect(out).toContain(`${way.name} is honoured`);
    const hasPattern = ways.some(({ language }) => language === 'regex' || language === 'gbnf');
    expect(out.includes("can't be guided: this server has no request field")).toBe(!hasPattern);
  });
});

const WAIT = {
  content: null,
  toolCalls: [{ id: 'a', type: 'function', function: { name: 'WAIT', arguments: '{}' } }],
};

describe('a server that answers every request without an answer of the model', () => {
  const nothing = act.changed((completion) => Object.assign(completion, { choices: [] }));

  async function playTurns(max: number, out: string) {
    writeFileSync(join(folder, `${max}.yaml`), corridor(`max: ${max}, attempts: 1`));
    const baseUrl = await serve({ reply: () => 'ACTION: WAIT' });
    server?.next(...Array.from({ length: max === 2 ? 4 : 5 }, () => nothing));
    return orchestrate(['run', `${max}.yaml`, '--base-url', baseUrl, '--out', out], { cwd: folder });
  }

  it('ends a run after three turns of an agent in a row, with its error, and a resumed run asks again', async () => {
    const { code, out, err } = await playTurns(4, 'without.sqlite');
    expect([code, err]).toEqual([
      4,
      expect.stringContaining(
        'the model gave no answer in 3 turns in a row: its server sent answers without',
      ),
    ]);
    expect(out).toContain('2 turns, 4 steps of agents and 2 of the world');
    const resumed = await orchestrate(['resume', 'without.sqlite'], { cwd: folder });
    expect([resumed.code, resumed.err]).toEqual([0, '']);
    expect(await verified(join(folder, 'without.sqlite'))).toMatchObject({ difference: null });
  });

  it('is reported by a run that is over before, whose exit code is not 0', async () => {
    const { code, out, err } = await playTurns(2, 'short.sqlite');
    expect(out).toContain('ended: the 2 turns are over');
    expect([code, err]).toEqual([
      4,
      expect.stringContaining('the model of Ann gave no answer in its 2 turns: each was lost to its server'),
    ]);
    expect(await verified(join(folder, 'short.sqlite'))).toMatchObject({ difference: null });
  });

  it('is no reason to fail where another answer came', async () => {
    writeFileSync(join(folder, 'some.yaml'), corridor('max: 2, attempts: 1'));
    const baseUrl = await serve({ reply: () => 'ACTION: WAIT' });
    server?.next(nothing, nothing);
    const args = ['run', 'some.yaml', '--base-url', baseUrl, '--out', 'some.sqlite'];
    expect(await orchestrate(args, { cwd: folder })).toMatchObject({ code: 0, err: '' });
  });
});
