/** Tools of the user's own: a module's list becomes actions; what they throw, and how long they take, never reaches the loop. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolEffectHandlers } from '../../../src/worlds/toolbox/effects/own-tools.js';
import { known } from '../../../src/base/assert.js';
import { UsageError } from '../../../src/base/errors.js';
import { LIMITS } from '../../../src/base/limits.js';
import type { OwnTool, RunTool } from '../../../src/worlds/toolbox/scenario/own-tools.js';
import { readTools } from '../../../src/worlds/toolbox/scenario/own-tools.js';
import { orchestrate } from '../../support/captured-io.js';
import { temporaryFolder } from '../../support/folder.js';
import { acting, box } from './boxes.js';

const folder = temporaryFolder();
const tool = (changes: object = {}) => ({
  name: 'ECHO',
  description: 'Says it.',
  run: () => 'hi',
  ...changes,
});
const running = (run: RunTool): OwnTool => ({ name: 'ECHO', description: 'Says it.', parameters: [], run });
const never = new AbortController().signal;
const performed = (run: RunTool, timeoutMs?: number) =>
  known(toolEffectHandlers([running(run)], timeoutMs)['tool:ECHO'], 'it')({}, 'ann', never);

describe('what a module exports', () => {
  it('is read with its parameters', () => {
    const [read] = readTools(
      [
        tool({
          name: 'fare',
          parameters: {
            type: 'object',
            properties: {
              to: { type: 'string', description: 'where', maxLength: 20 },
              people: { type: 'integer', minimum: 1, maximum: 9 },
              kind: { enum: ['single', 'return'] },
            },
            required: ['to'],
          },
        }),
      ],
      'x.mjs',
    );
    expect(read).toMatchObject({
      name: 'FARE',
      parameters: [
        { name: 'to', description: 'where', isRequired: true, form: { kind: 'text', charactersMax: 20 } },
        { name: 'people', isRequired: false, form: { kind: 'integer', min: 1, max: 9 } },
        { name: 'kind', isRequired: false, form: { kind: 'choice', words: ['single', 'return'] } },
      ],
    });
  });

  it.each([
    [undefined, 'exports no list of tools'],
    [[], 'exports no list of tools'],
    [[tool({ name: 'two words' })], 'exports no list of tools'],
    [[tool({ run: 'text' })], 'exports no list of tools'],
    [[tool({ extra: 1 })], 'exports no list of tools'],
    [[tool({ parameters: { properties: { a: { type: 'number' } } } })], 'exports no list of tools'],
    [[tool({ name: 'search' })], 'another tool is already called SEARCH'],
    [[tool(), tool({ name: 'echo' })], 'another tool is already called ECHO'],
  ])('%j is refused', (exported, message) => {
    expect(() => readTools(exported, 'x.mjs')).toThrow(UsageError);
    expect(() => readTools(exported, 'x.mjs')).toThrow(message);
  });

  it('has so many tools, each with so many parameters', () => {
    const name = (i: number) => `T${String.fromCharCode(65 + (i % 26), 65 + Math.floor(i / 26))}`;
    const tools = (count: number) => Array.from({ length: count }, (_, i) => tool({ name: name(i) }));
    expect(readTools(tools(LIMITS.ownTools), 'x')).toHaveLength(LIMITS.ownTools);
    expect(() => readTools(tools(LIMITS.ownTools + 1), 'x')).toThrow(UsageError);
    const crowded = (count: number) => {
      const properties = Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'string' }] as const);
      return [tool({ parameters: { properties: Object.fromEntries(properties) } })];
    };
    expect(readTools(crowded(LIMITS.toolParameters), 'x')).toHaveLength(1);
    expect(() => readTools(crowded(LIMITS.toolParameters + 1), 'x')).toThrow('the maximum is 8');
  });
});

describe('a tool that runs', () => {
  it.each<readonly [unknown, string]>([
    ['words', 'words'],
    [{ price: 2.5 }, '{"price":2.5}'],
    [undefined, 'nothing'],
    ['\uD800', '\uFFFD'],
  ])('gives %j as text', async (value, text) => {
    expect(await performed(() => value)).toEqual({ value: text });
    expect(await performed(async () => value)).toEqual({ value: text });
  });

  it('gives so many characters', async () => {
    const max = LIMITS.toolOutputCharacters;
    expect(await performed(() => 'x'.repeat(max))).toEqual({ value: 'x'.repeat(max) });
    expect(await performed(() => 'x'.repeat(max + 1))).toEqual({ value: `${'x'.repeat(max - 1)}…` });
  });

  it('and throws gives its error, with the trace for the log', async () => {
    const fail = () => {
      throw new Error('the line is dead');
    };
    const output = await performed(fail);
    expect(output).toMatchObject({
      error: 'the line is dead',
      trace: expect.stringContaining('own-tools.test'),
    });
    const { act } = acting(box({ tools: [running(fail)] }));
    const told = act('ann', 'ECHO', {}, output);
    expect(told).toBe('ECHO gave an error: "the line is dead".');
    expect(await performed(() => Promise.reject(new Error('')))).toMatchObject({
      error: 'it failed without a word',
    });
    expect(await performed(() => Promise.reject('plain'))).toEqual({ error: 'plain', trace: '' });
  });

  it('is told of as it was called, whatever came of it', () => {
    const properties = { island: { type: 'string' }, people: { type: 'integer' } };
    const parameters = { type: 'object', properties, required: ['island', 'people'] };
    const { act } = acting(box({ tools: readTools([tool({ parameters })], 'x.mjs') }));
    const args = { island: 'Holm', people: 3 };
    expect(act('ann', 'ECHO', args, { error: 'no ferry' })).toBe('ECHO "Holm" 3 gave an error: "no ferry".');
    expect(act('ann', 'ECHO', args, { value: '36' })).toBe('ECHO "Holm" 3 → "36"');
  });

  it('and gives what no JSON holds gives an error', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(await performed(() => circle)).toMatchObject({ error: expect.stringContaining('circular') });
    expect(await performed(() => 1n)).toHaveProperty('error');
  });

  it('and never ends is given up', async () => {
    const forever = () => new Promise<never>(() => undefined);
    expect(await performed(forever, 5)).toEqual({ error: 'it took longer than 5 ms' });
    expect(LIMITS.toolTimeoutMs).toBe(30_000);
    const hard = new AbortController();
    const pending = known(toolEffectHandlers([running(forever)])['tool:ECHO'], 'it')({}, 'ann', hard.signal);
    hard.abort();
    await expect(pending).rejects.toThrow('abort');
  });
});

describe('the example in docs/reference/toolbox.md', () => {
  const DOC = readFileSync('docs/reference/toolbox.md', 'utf8');
  const block = (language: string): string =>
    known(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(DOC)?.[1], `a block of ${language}`);

  it('is played as it stands', async () => {
    writeFileSync(join(folder, 'my-tools.mjs'), block('js'));
    writeFileSync(join(folder, 'ferry.yaml'), block('yaml'));
    const { code, out, err } = await orchestrate(
      ['run', 'ferry.yaml', '--modules', 'my-tools.mjs', '--out', 'ferry.sqlite'],
      { cwd: folder },
    );
    expect(err).toBe('');
    expect(out).toContain('→ "36"');
    expect(out).toContain('succeeded: the answer is right');
    expect(code).toBe(0);
  });

  it('takes its tools to the other commands', async () => {
    const on = (args: readonly string[], stdin = '') => orchestrate(args, { cwd: folder, stdin });
    const modules = ['--modules', 'my-tools.mjs'];
    const first = await on(['preview', 'ferry.yaml', '--messages', ...modules]);
    expect(first.out).toContain('- FARE "<island>" <people>');
    const read = await on(['parse', 'ferry.yaml', '--json', ...modules], 'ACTION: FARE "Holm" 3');
    expect(JSON.parse(read.out)).toMatchObject({ ok: true, args: { island: 'Holm', people: 3 } });
    // Its log tells what the tools take and gave.
    expect((await on(['verify', 'ferry.sqlite'])).code).toBe(0);
  });

  it('can be named by no scenario', async () => {
    writeFileSync(join(folder, 'sly.yaml'), `${block('yaml')}tools: { module: ./my-tools.mjs }\n`);
    const sly = await orchestrate(['check', 'sly.yaml'], { cwd: folder });
    expect(sly.code).toBe(2);
    expect(sly.err).toContain("unknown key 'tools'");
  });
});
