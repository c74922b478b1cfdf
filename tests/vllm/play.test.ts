/** The program against a real vLLM whose model knows nothing: what `doctor` finds, and games in which every guided reply is a valid command all the same. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { metric, serverUrl, serverVersion } from './real.js';

const folder = temporaryFolder();

/** The shipped scenario, on this server, with a model that is lively: random weights at a low temperature say the same again and again. */
function livelyScenario(): string {
  const shipped = readFileSync('scenarios/crypt.yaml', 'utf8');
  const settings = `{ base_url: '${serverUrl()}', temperature: 1, max_tokens: 2000, timeout_ms: 120000, extra: { repetition_penalty: 1.3 } }`;
  const text = shipped.replace(/^models:\n(?: {2}.*\n)+/m, `models:\n  main: ${settings}\n`);
  if (text === shipped) throw new Error('crypt.yaml names no model');
  const path = join(folder, 'crypt.yaml');
  writeFileSync(path, text);
  return path;
}

describe('doctor', () => {
  it('names the server, its version, model and context, and what it holds replies to', async () => {
    const { code, out } = await orchestrate(['doctor', livelyScenario()]);
    expect(code).toBe(0);
    expect(out).toContain(`ok    server    vLLM ${await serverVersion()}\n`);
    expect(out).toContain('ok    models    1: tiny-vlm\n');
    expect(out).toContain('ok    context   16384 tokens, 2000 of them for the answer\n');
    expect(out).toMatch(/ok {4}usage {5}tokens: prompt \d+, answer \d+, picture \d+, cached \d+\n/);
    const ways = ['structured_outputs.regex', 'structured_outputs.grammar', 'structured_outputs.json'];
    for (const way of [...ways, 'tool_choice']) expect(out).toContain(`ok    guided    ${way} is honoured\n`);
    // Its model knows nothing: neither the number in the picture, nor how to call a tool unasked.
    expect(out).not.toMatch(/sees the picture|is ignored|is refused|fail/);
  });
});

async function played(protocol: string, turns: number) {
  const log = join(folder, `${protocol}.sqlite`);
  const where = ['--controller', 'model', '--guided', 'require', '--protocol', protocol, '--out', log];
  const ran = await orchestrate(['run', livelyScenario(), ...where, '--max-turns', String(turns)]);
  const reader = new LogReader(log);
  const steps = [...reader.steps(reader.runs()[0]?.runId ?? '')];
  reader.close();
  return { ...ran, log, acts: steps.flatMap(({ acts }) => acts).filter(({ call }) => call !== null) };
}

describe.each([
  ['command', 6],
  ['json', 2],
  ['react', 2],
  ['tools', 3],
] as const)('a game in %s', (protocol, turns) => {
  it('holds no reply that is no valid command, and can be verified', { timeout: 600_000 }, async () => {
    const before = await metric('prefix_cache_hits');
    const { code, err, acts, log } = await played(protocol, turns);
    // Nobody wins by chance.
    expect([code, err]).toEqual([1, '']);
    expect(acts.length).toBeGreaterThanOrEqual(3);
    expect(acts.filter(({ reading, intent }) => reading?.ok !== true || intent === null)).toEqual([]);
    expect(await metric('prefix_cache_hits')).toBeGreaterThan(before);
    expect((await orchestrate(['verify', log])).code).toBe(0);
  });
});
