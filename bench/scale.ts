/**
 * `npm run bench -- scale`: a million runs on 200 machines and 50 servers, simulated with a virtual clock (`scale-plan.ts`), and what Redis, the store,
 * the batch and `report` then see, by figures that were measured with real runs (docs/explanation/scale.md).
 */
import { readToBatch } from '../src/batch/remote/relay.js';
import { table } from './figures.js';
import { simulateScale } from './scale-plan.js';
import type { ScaleOutcome, ScalePlan } from './scale-plan.js';

const PLAN: ScalePlan = {
  seed: '1',
  runs: 1_000_000,
  machines: 200,
  parallel: 16,
  servers: 50,
  serverSlots: 64,
  callSeconds: 1,
  callsARun: 111,
  lockSeconds: 60,
  checkpointSeconds: 60,
  machineHours: 24,
  machineAwaySeconds: 300,
  serverHours: 48,
  serverAwaySeconds: 600,
  batchLostAt: [2],
  redisLostAt: [5],
  coordinatorAwaySeconds: 120,
};

/** The same without any failure. */
const CALM: ScalePlan = {
  ...PLAN,
  machineHours: Infinity,
  serverHours: Infinity,
  batchLostAt: [],
  redisLostAt: [],
};

/** Every machine and server fails ten times as often. */
const ROUGH: ScalePlan = {
  ...PLAN,
  machineHours: PLAN.machineHours / 10,
  serverHours: PLAN.serverHours / 10,
  batchLostAt: [1, 2, 3, 4, 5, 6],
  redisLostAt: [1.5, 3.5, 5.5],
};

/** Measured (docs/explanation/scale.md). */
const BYTES_A_LOG = 1_200_000;
const REPORT_MS_A_LOG = 10.7;

/** Of one call: asked for, admitted, left; spent, counted. */
const MESSAGES_A_CALL = 5;
/** The batch hears three of them. */
const HEARD_A_CALL = 3;
/** A worker says that it is there, and the batch looks for the jobs of its runs, so often. */
const HERE_SECONDS = 2;
const LOOK_SECONDS = 5;
/** Of a job: added, taken, finished. */
const SCRIPTS_A_START = 3;

export function scaleReport(): string {
  const plans = [
    ['no failures', CALM],
    ['usual failures', PLAN],
    ['ten times as many', ROUGH],
  ] as const;
  const outcomes = plans.map(([title, plan]) => ({ title, plan, outcome: simulateScale(plan) }));
  const head = ['', ...plans.map(([title]) => title)];
  const heardUs = heardMicroseconds();
  const row = (what: string, cell: (plan: ScalePlan, outcome: ScaleOutcome) => string): readonly string[] => [
    what,
    ...outcomes.map(({ plan, outcome }) => cell(plan, outcome)),
  ];
  const rows = [
    row('hours', (_, { hours }) => hours.toFixed(1)),
    row('machines, servers that failed', (_, one) => `${one.machineFailures}, ${one.serverFailures}`),
    row('starts a run', ({ runs }, { starts }) => (starts / runs).toFixed(3)),
    row('calls asked again', (_, { repeatedCalls, calls }) => percent(repeatedCalls / calls)),
    row('calls a second', (_, { calls, hours }) => rate(calls, hours)),
    row('runs published a second', ({ runs }, { hours }) => (runs / (3600 * hours)).toFixed(1)),
    row('most of a minute', (_, { publishedAMinuteMax }) => String(publishedAMinuteMax)),
    row('Redis: messages a second', ({ machines }, { calls, hours }) =>
      Math.round((MESSAGES_A_CALL * calls) / (3600 * hours) + machines / HERE_SECONDS).toString(),
    ),
    row('Redis: scripts a second', (plan, { starts, hours }) => scriptsASecond(plan, starts, hours)),
    row('store: MB a second', ({ runs }, { checkpoints, hours }) =>
      ((BYTES_A_LOG * (runs + checkpoints / 2)) / (1e6 * 3600 * hours)).toFixed(0),
    ),
    row('batch: share of a core for messages', (_, { calls, hours }) =>
      percent((HEARD_A_CALL * calls * heardUs) / (1e6 * 3600 * hours)),
    ),
    row('report of all: core hours', ({ runs }) => ((runs * REPORT_MS_A_LOG) / 3_600_000).toFixed(1)),
  ];
  return `${table(head, rows)}\n\nThe batch takes ${heardUs.toFixed(0)} µs of processor time to read a message.\n`;
}

/** Jobs, renewals of locks (one for all jobs of a machine), and the batch's looks for jobs. */
function scriptsASecond(
  { machines, parallel, lockSeconds }: ScalePlan,
  starts: number,
  hours: number,
): string {
  const jobs = (SCRIPTS_A_START * starts) / (3600 * hours);
  const renewals = machines / (lockSeconds / 2);
  const looks = (machines * parallel) / LOOK_SECONDS;
  return Math.round(jobs + renewals + looks).toString();
}

function rate(count: number, hours: number): string {
  return Math.round(count / (3600 * hours)).toString();
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

const HEARD_TIMES = 50_000;

/** Processor time to read a message of a worker, once it is warm. */
function heardMicroseconds(): number {
  const spending = { calls: 111, promptTokens: 166_000, replyTokens: 2200, cost: 0.12 };
  const message = {
    kind: 'spent',
    worker: '0f8fad5b-d9cb-469f-a165-70867728950e',
    runId: 'crypt-0123456789ab',
    attempt: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    before: spending,
    total: spending,
  };
  const text = JSON.stringify(message);
  if (readToBatch(text) === undefined) throw new Error('a worker says no such thing');
  for (let i = 0; i < HEARD_TIMES; i++) readToBatch(text);
  const before = process.cpuUsage();
  for (let i = 0; i < HEARD_TIMES; i++) readToBatch(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / HEARD_TIMES;
}
