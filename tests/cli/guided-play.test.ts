/**
 * Guided decoding from end to end on shipped scenarios: a server that thinks nothing and holds to the
 * constraint gives replies that are all read, in every protocol and every language of constraints; one that
 * ignores it is told of.
 */
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { openScenario } from '../../src/assembly/open.js';
import type { OpenedScenario } from '../../src/assembly/opened-scenario.js';
import { LogReader } from '../../src/log/reader.js';
import { constraintFor } from '../../src/model/constraint.js';
import { satisfiesConstraint } from '../../src/model/guided-check.js';
import { bodySettings } from '../../src/model/request.js';
import type { ServerKind } from '../../src/model/capabilities.js';
import { interpret } from '../../src/binding/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { openScenarioFile } from '../../src/scenario/folder.js';
import type { ProtocolName } from '../../src/scenario/scenario.js';
import { defaultModel } from '../../src/scenario/settings.js';
import { constraintIn } from '../fake-server/constraints.mjs';
import { allowed } from '../fake-server/made-up.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer, Options } from '../fake-server/server.mjs';
import { LONG_SIZED, SIZED, sizeOf, someOf } from '../support/sizes.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const SCENARIOS = ['crypt', 'files', 'car-repair'] as const;

/** Each language in each protocol that has it, by a server that knows it. */
const WAYS = [
  ['command', 'vllm', 'vLLM', 'regex'],
  ['command', 'llama.cpp', 'llama.cpp', 'gbnf'],
  ['json', 'sglang', 'SGLang', 'regex'],
  ['json', 'llama.cpp', 'llama.cpp', 'gbnf'],
  ['json', 'ollama', 'Ollama', 'schema'],
  ['react', 'vllm', 'vLLM', 'regex'],
  ['react', 'llama.cpp', 'llama.cpp', 'gbnf'],
  ['tools', 'vllm', 'vLLM', 'tools'],
] as const satisfies readonly (readonly [ProtocolName, NonNullable<Options['kind']>, ServerKind, string])[];
const EACH = SCENARIOS.flatMap((scenario) => WAYS.map((way) => [scenario, ...way] as const));

interface Moment {
  opened: OpenedScenario;
  state: unknown;
  agent: string;
}

const RUNS = sizeOf('guidedReplies');
const MOMENTS = Math.min(5, RUNS);

describe.each(someOf(EACH, 'guidedForms'))('%s in %s on %s', (scenario, protocol, kind, server, language) => {
  /** Any replies that the constraint of this moment allows, each read; the last intent. */
  function readAll({ opened, state, agent }: Moment, seed: number): readonly string[] {
    const { actions } = opened.environment;
    const observation = opened.environment.observe(state, agent);
    const form = protocolOf(protocol).form(actions.list(), observation.offered, { reasoning: true });
    const constraint = constraintFor(server, form);
    const told = constraintIn(kind, bodySettings(defaultModel(), 'm', form, constraint));
    if (told === null) throw new Error('no constraint');
    expect(told.language).toBe(language);
    return fc.sample(allowed(told), { seed, numRuns: RUNS / MOMENTS }).map((message) => {
      const reply = { reasoning: null, toolCalls: [], finishReason: 'stop', ...message };
      const calls = reply.toolCalls.map(
        (call) => (call as { function: { name: string; arguments: string } }).function,
      );
      const whole = { ...reply, content: reply.content ?? '', toolCalls: calls };
      expect(satisfiesConstraint(language, form, whole)).toBe(true);
      const { intent, problem } = interpret(
        whole,
        protocolOf(protocol),
        actions.list(),
        actions,
        observation,
      );
      expect({ whole, problem }).toEqual({ whole, problem: null });
      expect(observation.offered.map(({ action }) => action)).toContain(intent?.action);
      return JSON.stringify(intent);
    });
  }

  test(`reads each of ${RUNS} made-up replies`, SIZED, async () => {
    const opened = await openScenario(openScenarioFile(`scenarios/${scenario}.yaml`));
    const { environment } = opened;
    let state = environment.create('1');
    const different = new Set<string>();
    for (let moment = 0; moment < MOMENTS; moment++) {
      const active = environment.active(state);
      const agent = active[moment % active.length] ?? '';
      if (environment.legalActions(state, agent).length === 0) break;
      const intents = readAll({ opened, state, agent }, 100 * moment);
      for (const intent of intents) different.add(intent);
      const done = intents
        .map((text) => JSON.parse(text) as Parameters<typeof environment.check>[1])
        .find(
          (intent) =>
            environment.check(state, intent) === undefined &&
            opened.effectHandlers[intent.action] === undefined &&
            !['DONE', 'FINAL_ANSWER'].includes(intent.action),
        );
      if (done !== undefined) state = environment.endTurn(environment.advance(state, [done]).state).state;
    }
    expect(different.size).toBeGreaterThan(Math.min(10, RUNS / 3));
  });
});

let server: FakeServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

/** One run of a few turns; the words of free requests are no action. */
async function played(
  scenario: string,
  protocol: ProtocolName,
  { guided = 'require', ...options }: Options & { guided?: 'off' | 'require' },
) {
  server = await startFakeServer({ images: 'any', reply: () => 'I like it here.', ...options });
  const log = join(folder, `${scenario}-${protocol}-${options.kind}-${options.constraints ?? ''}.sqlite`);
  const path = `scenarios/${scenario}.yaml`;
  const args = ['--base-url', server.baseUrl, '--guided', guided, '--protocol', protocol];
  const ran = await orchestrate(['run', path, ...args, '--max-turns', '4', '--seed', '3', '--out', log]);
  const reader = new LogReader(log);
  const steps = [...reader.steps(reader.runs()[0]?.runId ?? '')];
  reader.close();
  return { ...ran, acts: steps.flatMap(({ acts }) => acts) };
}

describe.each(someOf(EACH, 'guidedRuns'))('a run of %s in %s on %s', (scenario, protocol, kind) => {
  test('holds no reply that could not be read', LONG_SIZED, async () => {
    const { acts, err } = await played(scenario, protocol, { kind });
    const asked = acts.filter(({ call }) => call !== null);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter(({ reading, intent }) => reading?.ok !== true || intent === null)).toEqual([]);
    expect(err).not.toContain('does not have the form');
  });
});

test('a server that ignores the constraint is told of, and its free words do nothing', async () => {
  const { acts, err } = await played('crypt', 'command', { kind: 'vllm', constraints: 'ignored' });
  expect(err).toContain('does not have the form');
  expect(acts.filter(({ call, reading }) => call !== null && reading?.ok === true)).toEqual([]);
});

// Not every server takes what others know besides tools: a request that holds nothing but them plays everywhere.
test.each(['vllm', 'llama.cpp', 'sglang', 'ollama', 'lm-studio'] as const)(
  'tools play on %s, unguided',
  { tags: ['long'] },
  async (kind) => {
    const { code, acts, err } = await played('crypt', 'tools', { kind, guided: 'off' });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^(?:warning: 6 of the first 6 replies of [a-z]+ could not be read\. .*\n){3}$/),
    ]);
    expect(acts.length).toBeGreaterThan(0);
  },
);
