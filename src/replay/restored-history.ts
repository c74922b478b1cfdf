/**
 * A logged run's steps as the past of a continued run: its own, if it is resumed, or a parent's, if a fork
 * begins or is verified. Also what else of a run is needed to continue it: its last step, whether it is over,
 * the reflections that are missing, the replies that were given to a fork, and whether its versions fit this
 * program. Everything comes from the log alone and is read on demand.
 */
import { PROMPT_VERSION } from '../agent/prompt.js';
import { StorageError, UsageError } from '../base/errors.js';
import { WORLD_ID } from '../base/ids.js';
import { isRecord } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import type { Environment } from '../environment/environment.js';
import type { LogReader } from '../log/reader.js';
import type { LoggedCall, RunRecord, RunStatus, SessionRecord } from '../trajectory/records.js';
import type { CallPurpose } from '../trajectory/record-values.js';
import type { RunSegment } from '../log/lineage.js';
import type { PendingStep, RunHistory, PastStep, PlayedBy } from '../orchestrator/run-history.js';
import { isReflectionDue } from '../orchestrator/reflect.js';
import { PARSER_VERSION } from '../parse/protocols.js';
import { RENDER_VERSION } from '../render/draw.js';

export type OpenEnvironment = (run: RunRecord) => Environment<unknown>;

export interface RestoreOptions {
  reader: LogReader;
  runId: string;
  /** The last step that is kept. */
  last: number;
  open: OpenEnvironment;
}

/** For a resumed run: all its steps, and the stored parts of unfinished ones. */
export function ownPast(options: Omit<RestoreOptions, 'last'>): RunHistory<unknown> {
  const { reader, runId } = options;
  const run = reader.run(runId);
  const last = lastStep(reader, runId);
  const end = reader.end(runId);
  const isEnded = end !== null && isOver(end.status);
  const pending = isEnded ? afterEnd(reader, runId) : begunAfter(reader, run, last);
  return { ...pastOf({ ...options, last }), isOwn: true, end: isEnded ? end : null, pending };
}

/** Whether nothing of a run is left to play. */
export function isOver(status: RunStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'ended';
}

/**
 * For a run that is over: model-played agents that were to be asked for a reflection, and whose answer or
 * failure is not in the log.
 */
export function missingReflections(reader: LogReader, runId: string): readonly string[] {
  const end = reader.end(runId);
  if (end === null || !isOver(end.status)) return [];
  const answered = reflections(reader, runId).filter((call) => call.end !== null);
  const { scenario } = reader.run(runId);
  const players = reader.sessions(runId).at(-1)?.controllers ?? {};
  return scenario.agents.flatMap(({ id, reflection }) => {
    const player = lookUp(players, id);
    const name = isRecord(player) ? player['name'] : undefined;
    const isModel = typeof name === 'string' && name.startsWith('model:');
    const hasStep = reader.steps(runId, { agent: id }).next().done !== true;
    const isAnswered = answered.some(({ request }) => request.agent === id);
    return isReflectionDue(reflection, end) && isModel && hasStep && !isAnswered ? [id] : [];
  });
}

function reflections(reader: LogReader, runId: string): readonly LoggedCall[] {
  return reader.asides(runId).filter(({ request }) => request.purpose === 'reflection');
}

function afterEnd(reader: LogReader, runId: string): PendingStep {
  return { calls: reflections(reader, runId), outside: [], probed: [] };
}

/** For a fork that begins after the step `last` of a run. */
export function parentPast(options: RestoreOptions): RunHistory<unknown> {
  return { ...pastOf(options), isOwn: false, end: null, pending: { calls: [], outside: [], probed: [] } };
}

/** The last finished step of a run; 0 before the first. */
export function lastStep(reader: LogReader, runId: string): number {
  return reader.runs().find((one) => one.runId === runId)?.steps ?? 0;
}

function pastOf({
  reader,
  runId,
  last,
  open,
}: RestoreOptions): Omit<RunHistory<unknown>, 'isOwn' | 'end' | 'pending'> {
  // The numbers of calls that were begun after the last step are used up too.
  const isAll = last === lastStep(reader, runId);
  const stretches = reader.stretches(runId);
  const keptSegments = stretches.filter(({ from }) => from <= last);
  const playedSegments = keptSegments.map((stretch) => ({
    stretch,
    by: openPlayer(reader.run(stretch.runId), open),
  }));
  return {
    genesisHash: playedSegments[0]?.by.genesisHash ?? reader.run(runId).genesisHash,
    stored: reader.snapshotBefore(runId, beginOfTurn(reader, runId, last) - 1),
    calls: reader.lastCall(runId, isAll ? Number.MAX_SAFE_INTEGER : last),
    // A run that stopped before its first own step took time as well.
    ...elapsed(reader, isAll ? stretches : keptSegments, last),
    *steps() {
      for (const { stretch, by } of playedSegments) {
        const range = { from: stretch.from, to: Math.min(stretch.to, last) };
        for (const record of reader.steps(runId, range)) yield pastStep(reader, record, by);
      }
    },
  };
}

function pastStep(reader: LogReader, record: PastStep<unknown>['record'], playedBy: PlayedBy<unknown>) {
  // A speculative call may have been made for what became the world's step.
  if (record.calls.length === 0 && playedBy.scenario.turns.speculate == null)
    return { record, calls: [], sideCalls: [], playedBy };
  const all = reader.outlines(record.runId, record.step);
  const calls = record.calls.map((number) => {
    const call = all.find((one) => one.call === number);
    if (call !== undefined) return call;
    throw new StorageError(`call ${number} of step ${record.step} is missing from the log`);
  });
  return { record, calls, sideCalls: all.filter(({ purpose }) => isPaidSideQuestion(purpose)), playedBy };
}

/** Whether a call that is not part of a step also costs tokens. */
function isPaidSideQuestion(purpose: CallPurpose): boolean {
  return purpose === 'probe' || purpose === 'speculation';
}

function openPlayer(run: RunRecord, open: OpenEnvironment): PlayedBy<unknown> {
  const environment = open(run);
  requireVersion('the rules', run.versions.rules, environment.rulesVersion, run);
  return { scenario: run.scenario, environment, genesisHash: run.genesisHash };
}

/** The first step of the turn that a step belongs to; if the step ends a turn, the one after it. */
function beginOfTurn(reader: LogReader, runId: string, last: number): number {
  for (let step = last; step > 0; step--) if (reader.step(runId, step)?.agent === WORLD_ID) return step + 1;
  return 1;
}

interface ElapsedTime {
  elapsedMs: number;
  pendingMs: number;
}

/**
 * For each session, the time up to its end, or up to its last known moment; the time between two sessions
 * does not count.
 */
function elapsed(reader: LogReader, stretches: readonly RunSegment[], last: number): ElapsedTime {
  let [elapsedMs, pendingMs] = [0, 0];
  for (const { runId, to } of stretches) {
    const sessions = reader.sessions(runId);
    sessions.forEach((session, i) => {
      const next = sessions[i + 1];
      const end = Math.min((next?.firstStep ?? Infinity) - 1, to, last);
      if (session.firstStep > Math.min(to, last) + 1) return;
      const isWhole = end < Math.min(to, last) || last === lastStep(reader, runId);
      const finished = end < session.firstStep ? undefined : reader.step(runId, end)?.finishedAt;
      const stepsMs = Math.max(0, (finished ?? session.startedAt) - session.startedAt);
      const untilMs = isWhole ? (session.endedAt ?? lastKnownTime(reader, runId, { session, next, end })) : 0;
      const allMs = Math.max(stepsMs, untilMs - session.startedAt);
      elapsedMs += end < last ? allMs : stepsMs;
      pendingMs += end < last ? 0 : allMs - stepsMs;
    });
  }
  return { elapsedMs, pendingMs };
}

/** The last known moment of a session that was killed after its last step: a call was made or answered. */
function lastKnownTime(
  reader: LogReader,
  runId: string,
  { session, next, end }: { session: SessionRecord; next: SessionRecord | undefined; end: number },
): number {
  const untilMs = next?.startedAt ?? Infinity;
  const times = pendingStepNumbers(end, reader.run(runId))
    .flatMap((step) => reader.calls(runId, step))
    .filter(({ request: { startedAt } }) => startedAt >= session.startedAt && startedAt < untilMs)
    .map(({ request, end: answer }) =>
      answer?.kind === 'replied' ? request.startedAt + answer.reply.latencyMs : request.startedAt,
    );
  return Math.max(session.startedAt, ...times);
}

/** Agents of a tick are called at once, each for its own step. */
function pendingStepNumbers(last: number, { scenario }: RunRecord): readonly number[] {
  return scenario.agents.map((_, i) => last + 1 + i);
}

function begunAfter(reader: LogReader, run: RunRecord, last: number): PendingStep {
  const { runId } = run;
  const steps = pendingStepNumbers(last, run);
  const isBeside = new Set(['reflection', 'interview']);
  const calls = steps.flatMap((step) => reader.calls(runId, step));
  return {
    calls: calls.filter(({ request }) => !isBeside.has(request.purpose)),
    outside: steps.flatMap((step) => reader.outside(runId, step)),
    probed: reader.probes(runId).flatMap(({ step, call }) => (step > last ? [call] : [])),
  };
}

/** The record of a fork that begins with given replies. */
export function withGivenReplies(run: RunRecord, replies: Readonly<Record<string, string>>): RunRecord {
  const controllers = Object.entries(run.controllers).map(([agent, controller]) => {
    const reply = lookUp(replies, agent);
    return [
      agent,
      reply === undefined || !isRecord(controller) ? controller : { ...controller, given: reply },
    ];
  });
  return { ...run, controllers: Object.fromEntries(controllers) as RunRecord['controllers'] };
}

/** By agent, the replies with which a fork began. */
export function givenReplies({ controllers }: RunRecord): Readonly<Record<string, string>> {
  const replies = Object.entries(controllers).flatMap(([agent, controller]) => {
    const reply = isRecord(controller) ? controller['given'] : undefined;
    return typeof reply === 'string' ? [[agent, reply] as const] : [];
  });
  return Object.fromEntries(replies);
}

/**
 * Those that were not used before the fork stopped: their agents have no step of their own yet, and no stored
 * reply.
 */
export function pendingGivenReplies(reader: LogReader, run: RunRecord): Readonly<Record<string, string>> {
  const from = run.parent?.step;
  if (from === undefined) return {};
  const begun = begunAfter(reader, run, lastStep(reader, run.runId));
  const pending = Object.entries(givenReplies(run)).filter(([agent]) => {
    const hasStep = reader.steps(run.runId, { from, agent }).next().done !== true;
    return (
      !hasStep && !begun.calls.some(({ request, end }) => request.agent === agent && end?.kind === 'replied')
    );
  });
  return Object.fromEntries(pending);
}

/** Throws UsageError if this program would not continue the run as it was begun. */
export function requireVersions(run: RunRecord): void {
  const { versions } = run;
  requireVersion('the parser', versions.parser, PARSER_VERSION, run);
  requireVersion('the prompts', versions.prompt, PROMPT_VERSION, run);
  requireVersion('the renderer', versions.render, RENDER_VERSION, run);
}

function requireVersion(component: string, logged: number, current: number, { versions }: RunRecord): void {
  if (logged === current) return;
  throw new UsageError(
    `the run was played with version ${logged} of ${component}, but this program has ${current}`,
    [`resume it with orchestrate ${versions.program}`],
  );
}
