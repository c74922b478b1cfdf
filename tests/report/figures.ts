/** Runs in figures for tests of what is made from them: one that was won, and others like it. */
import { forEachCount } from '../../src/trajectory/run-figures.js';
import type { RunMetrics } from '../../src/report/run-metrics.js';

export const RUN: RunMetrics = {
  ...forEachCount(0),
  log: 'a.sqlite',
  run: 'r',
  scenario: 'crypt',
  seed: '1',
  drawn: null,
  players: 'qwen',
  settings: '',
  status: 'succeeded',
  reason: 'the crown is safe',
  trajectory: null,
  temperature: '0',
  turns: 10,
  return: null,
  regret: null,
  names: { players: ['qwen'], models: ['Qwen/Qwen3-VL'], seats: {} },
  ticks: 0,
  ticksLate: 0,
  overrunMs: 0,
  settleMs: 0,
  steps: 30,
  replies: 33,
  firstTries: 27,
  unread: { unparsable: 2 },
  unanswered: {},
  refused: { 'illegal/locked': 1 },
  standIns: 1,
  waits: { unparsable: 1 },
  untimely: {},
  repeated: 3,
  said: 4,
  unheard: 1,
  promptTokens: 1000,
  replyTokens: 100,
  cachedTokens: 500,
  cacheToldTokens: 800,
  cost: 0.5,
  probes: 0,
  probesRight: 0,
  agents: [],
  startedAt: 0,
  origin: {
    models: [{ model: 'Qwen/Qwen3-VL', server: 'vllm 0.11', answeredAs: [], settings: 'temperature=0' }],
    versions: { program: '1.2.3', log: 4, rules: 5, parser: 6, prompt: 7, render: 8, node: '20.19.0' },
    lastAt: 90_000,
  },
  seconds: 60,
};

export const run = (change: Partial<RunMetrics>): RunMetrics => ({ ...RUN, ...change });
export const seeds = (from: number, to: number, change: Partial<RunMetrics>): readonly RunMetrics[] =>
  Array.from({ length: to - from + 1 }, (_, i) => run({ ...change, seed: String(from + i) }));
