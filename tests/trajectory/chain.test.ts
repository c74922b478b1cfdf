/** What the chain covers, and what it must not: each change below either changes the chain or leaves it. */
import type { AgentSpec, Scenario } from '../../src/scenario/scenario.js';
import { defaultModel } from '../../src/scenario/settings.js';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/canonical.js';
import type { CallWithEnd } from '../../src/trajectory/chain.js';
import {
  endChain,
  forkChain,
  genesis,
  messagesHash,
  stepChain,
  stepContent,
} from '../../src/trajectory/chain.js';
import type { StepRecord } from '../../src/trajectory/records.js';
import type { Message, Reply } from '../../src/model/chat.js';
import {
  sampleCall,
  samplePng,
  sampleReply,
  sampleScenario,
  sampleStep,
  turnMessage,
} from '../log/sample.js';

const step = sampleStep('run-1', 1, [1]);
const request = sampleCall('run-1', 1, [turnMessage(1)]);
const unset = { ...request, settings: null };
const replied = (reply: Reply): CallWithEnd => ({ request, end: { kind: 'replied', reply, memory: null } });
const reply = sampleReply('ACTION: TAKE key');

function chain(record: StepRecord = step, calls: readonly CallWithEnd[] = [replied(reply)]): string {
  return stepChain(sha256('before'), stepContent(record, calls));
}

const [act] = step.acts;
if (act === undefined) throw new Error('the sample has an act');
const withAct = (changes: object): StepRecord => ({ ...step, acts: [{ ...act, ...changes }] });

/** JSON with sorted keys, as the page defines it. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

function lines(...texts: readonly string[]): string {
  return sha256(texts.join('\n'));
}

function reference({ role, parts }: Message): string {
  const covered = parts.map((part) =>
    part.kind === 'text' ? { text: sha256(part.text) } : { frame: part.frameHash },
  );
  return sha256(canonical({ role, parts: covered }));
}

describe('the chain of a step', () => {
  it('is fixed by its definition in docs/reference/log.md', () => {
    const empty = { step: 1, turn: 1, agent: 'world', calls: [], acts: [], events: [], parts: {} };
    const text = '{"acts":[],"agent":"world","calls":[],"events":[],"parts":{},"step":1,"turn":1}';
    const before = sha256('before');
    expect(stepChain(before, empty)).toBe(sha256(`orchestrate-step-v1\n${before}\n${text}`));

    const sent = [turnMessage(1), turnMessage(2)];
    const { content, toolCalls, finishReason } = reply;
    const call = {
      observation: sha256(canonical(request.observation)),
      messages: lines('orchestrate-messages-v1', ...sent.map(reference)),
    };
    const whole = {
      step: 1,
      turn: 1,
      agent: 'nyla',
      calls: [
        { ...call, reply: { content, toolCalls, finishReason } },
        { ...call, reply: null },
      ],
      acts: step.acts.map(({ intent, result, insteadOf }) => ({
        intent,
        result,
        insteadOf: insteadOf && { code: insteadOf.code, message: insteadOf.message },
      })),
      events: step.events,
      parts: step.parts,
    };
    const asked = { ...request, messages: sent };
    const calls: readonly CallWithEnd[] = [
      { request: asked, end: { kind: 'replied', reply, memory: null } },
      { request: asked, end: { kind: 'failed', error: 'refused' } },
    ];
    expect(chain(step, calls)).toBe(lines('orchestrate-step-v1', before, canonical(whole)));
  });

  it.each<[string, string]>([
    ['the step before', stepChain(sha256('other'), stepContent(step, [replied(reply)]))],
    ['the step number', chain({ ...step, step: 2 })],
    ['the turn', chain({ ...step, turn: 2 })],
    ['the agent', chain({ ...step, agent: 'odo' })],
    ['the reply', chain(step, [replied({ ...reply, content: 'ACTION: WAIT' })])],
    ['the tool calls', chain(step, [replied({ ...reply, toolCalls: [] })])],
    ['how the reply ended', chain(step, [replied({ ...reply, finishReason: 'length' })])],
    ['that no reply came', chain(step, [{ request, end: { kind: 'failed', error: 'refused' } }])],
    ['the number of calls', chain(step, [replied(reply), replied(reply)])],
    [
      'the observation',
      chain(step, [
        { ...replied(reply), request: { ...request, observation: { ...request.observation, turn: 9 } } },
      ]),
    ],
    [
      'the text sent',
      chain(step, [{ ...replied(reply), request: { ...request, messages: [turnMessage(1, 'no')] } }]),
    ],
    [
      'the picture sent',
      chain(step, [{ ...replied(reply), request: { ...request, messages: [turnMessage(2)] } }]),
    ],
    ['the intent', chain(withAct({ intent: { agent: 'nyla', action: 'WAIT', args: {} } }))],
    ['the result', chain(withAct({ result: { ok: true, message: 'You took nothing.', path: null } }))],
    ['what it stood in for', chain(withAct({ insteadOf: { code: 'empty', message: 'Nothing came.' } }))],
    ['the events', chain({ ...step, events: [] })],
    ['the parts of the state', chain({ ...step, parts: { entities: sha256('x') } })],
  ])('covers %s', (_what, other) => {
    expect(other).not.toBe(chain());
  });

  it.each<[string, string]>([
    ['the run’s id', chain({ ...step, runId: 'run-2' })],
    ['the number of a call', chain({ ...step, calls: [7] })],
    ['the call an act names', chain({ ...step, acts: step.acts.map((one) => ({ ...one, call: 7 })) })],
    ['times', chain({ ...step, finishedAt: 1 })],
    ['latency and tries', chain(step, [replied({ ...reply, latencyMs: 99.5, tries: [] })])],
    ['the model’s name', chain(step, [replied({ ...reply, model: 'other' })])],
    ['settings', chain(step, [{ ...replied(reply), request: unset }])],
    ['the answer as it came', chain(step, [replied({ ...reply, raw: null })])],
    ['how the request was adapted', chain(step, [replied({ ...reply, adaptations: [] })])],
    ['usage', chain(step, [replied({ ...reply, usage: { ...reply.usage, promptTokens: 1 } })])],
    ['reasoning told apart', chain(step, [replied({ ...reply, reasoning: null })])],
    ['the reading', chain({ ...step, acts: step.acts.map((one) => ({ ...one, reading: null })) })],
    [
      'a problem’s details',
      chain({
        ...step,
        acts: step.acts.map((one) => ({
          ...one,
          insteadOf: one.insteadOf && { code: one.insteadOf.code, message: one.insteadOf.message },
        })),
      }),
    ],
  ])('does not cover %s', (_what, other) => {
    expect(other).toBe(chain());
  });

  it('covers a picture by its pixels, not by its file', () => {
    const sent = turnMessage(1);
    const other = {
      ...sent,
      parts: sent.parts.map((part) => (part.kind === 'image' ? { ...part, png: samplePng(5) } : part)),
    };
    expect(messagesHash([other])).toBe(messagesHash([sent]));
  });
});

describe('the chain of a run', () => {
  const end = { status: 'ended', reason: 'Over.', turns: 2, steps: 5, stateHash: 'a'.repeat(64) } as const;
  const last = 'b'.repeat(64);

  it('is fixed by its definition in docs/reference/log.md', () => {
    const { stateHash: state, ...told } = end;
    expect(endChain(2, last, end)).toBe(lines('orchestrate-end-v1', last, canonical({ ...told, state })));
  });

  it('covers how it ended; in a log of version 1 it is that of the last step', () => {
    const whole = endChain(2, last, end);
    for (const other of [
      { ...end, status: 'failed' as const },
      { ...end, reason: 'So.' },
      { ...end, turns: 3 },
      { ...end, steps: 4 },
      { ...end, stateHash: last },
    ])
      expect(endChain(2, last, other)).not.toBe(whole);
    expect(endChain(2, end.stateHash, end)).not.toBe(whole);
    expect(endChain(1, last, end)).toBe(last);
  });
});

describe('the genesis hash', () => {
  const scenario = sampleScenario();
  const first = genesis({ scenario, seed: '7', rules: 1, log: 2 });

  it('is fixed by its definition in docs/reference/log.md, and so is the link of a fork', () => {
    const { name: _name, models: _models, probes: _probes, turns, ...others } = scenario;
    const { repair: _repair, ...order } = turns;
    const covered = { scenario: { ...others, turns: order }, seed: '7', rules: 1 };
    expect(first).toBe(lines('orchestrate-genesis-v2', canonical(covered)));
    const before = { chain: sha256('before'), genesis: sha256('genesis') };
    expect(forkChain(before, before.genesis)).toBe(before.chain);
    const link = lines('orchestrate-fork-v1', before.chain, JSON.stringify(first));
    expect(forkChain(before, first)).toBe(link);
  });

  it('covers scenario, seed and rules, in whatever order their keys stand', () => {
    const turned = Object.fromEntries(Object.entries(scenario).toReversed()) as typeof scenario;
    expect(genesis({ rules: 1, log: 2, seed: '7', scenario: turned })).toBe(first);
    const other = { ...scenario, title: 'other' };
    expect(genesis({ scenario: other, seed: '7', rules: 1, log: 2 })).not.toBe(first);
    expect(genesis({ scenario, seed: '8', rules: 1, log: 2 })).not.toBe(first);
    expect(genesis({ scenario, seed: '7', rules: 2, log: 2 })).not.toBe(first);
  });

  it("leaves out the name of the scenario's file, which that of a log of version 1 covers", () => {
    const of = (log: number, name: string) =>
      genesis({ scenario: { ...scenario, name }, seed: '7', rules: 1, log });
    expect(of(2, 'renamed')).toBe(of(2, 'as-it-was'));
    expect(of(1, 'renamed')).not.toBe(of(1, 'as-it-was'));
    expect(of(1, 'as-it-was')).not.toBe(of(2, 'as-it-was'));
  });

  it('leaves out who decides: the replies tell', () => {
    const agent = {
      id: 'nyla',
      name: 'Nyla',
      persona: '',
      goals: [],
      protocol: 'command',
      memory: { kind: 'none', turnsMax: 1, turnsKept: 0, charactersMax: 100, notesMax: 1 },
      reflection: { when: 'never', question: null },
    } as const;
    const by = (controller: AgentSpec['controller'], persona = '') =>
      genesis({
        scenario: { ...scenario, agents: [{ ...agent, persona, controller }] },
        seed: '7',
        rules: 1,
        log: 2,
      });
    expect(by({ kind: 'model', model: 'main' })).toBe(by({ kind: 'scripted' }));
    expect(by({ kind: 'scripted' }, 'You are kind.')).not.toBe(by({ kind: 'scripted' }));
  });

  it.each<[string, Partial<Scenario>, 'covered' | 'left out']>([
    ['turns.repair', { turns: { ...scenario.turns, repair: !scenario.turns.repair } }, 'left out'],
    ['turns.speculate', { turns: { ...scenario.turns, speculate: { ahead: 3, wastedMax: 1 } } }, 'left out'],
    ['turns.attempts', { turns: { ...scenario.turns, attempts: 9 } }, 'covered'],
    ['budget.steps', { budget: { ...scenario.budget, steps: 9 } }, 'covered'],
    ['models', { models: { ...scenario.models, other: defaultModel() } }, 'left out'],
    ['a key of a newer program', { newer: true } as object, 'covered'],
  ])('covers %s or not, as its schema says', (_key, change, expected) => {
    const made = genesis({ scenario: { ...scenario, ...change }, seed: '7', rules: 1, log: 2 });
    expect(made === first ? 'left out' : 'covered').toBe(expected);
  });

  it('leaves out what is asked beside the game', () => {
    const probes = { every: 2, steps: [], kinds: ['count'], each: 1 } as const;
    const probed = { ...scenario, probes };
    expect(genesis({ scenario: probed, seed: '7', rules: 1, log: 2 })).toBe(
      genesis({ scenario, seed: '7', rules: 1, log: 2 }),
    );
  });
});
