/**
 * Stored replies parsed again: each stored action reply goes through today's parser (`binding/interpret.ts`),
 * with its agent's observation, and the result is compared with the original one. Only parsing is tested;
 * whether the rules allowed the act is a different question.
 */
import { errorMessage, OrchestrateError, StorageError } from '../base/errors.js';
import { WORLD_ID } from '../base/ids.js';
import { lookUp } from '../base/look-up.js';
import type { Problem } from '../base/problem.js';
import type { Intent } from '../environment/action.js';
import type { LogReader } from '../log/reader.js';
import type { ActRecord } from '../trajectory/act.js';
import type { CallRequest, LoggedCall, RunRecord, StepRecord } from '../trajectory/records.js';
import type { Reply } from '../model/chat.js';
import type { ReplyText } from '../parse/page.js';
import { interpret } from '../binding/interpret.js';
import type { Interpretation } from '../binding/interpret.js';
import type { ParseTier, TextSpan } from '../parse/reading.js';
import type { Scenario } from '../scenario/scenario.js';
import { valueDifference } from './compare.js';
import { requireActions } from './missing-actions.js';
import type { OpenStage, ReplayStage } from './verify.js';

/**
 * `recovered`: it was a problem and is now an intent; `lost`: it was an intent and is now a problem;
 * `changed`: it is now another intent.
 */
export type ReparseOutcome = 'same' | 'recovered' | 'lost' | 'changed';

/** The result of parsing a reply. Exactly one of `intent` and `problem` is null. */
export interface UnderstoodReply {
  intent: Intent | null;
  problem: Problem | null;
  /** Null if no rule could parse it. */
  rung: ParseTier | null;
  /** Null for a native tool call, or if nothing was found. */
  span: TextSpan | null;
}

/** A stored reply, as it was parsed then and as it is parsed now. */
export interface ReadAgain {
  step: number;
  agent: string;
  /** The call's number in the run. */
  call: number;
  attempt: number;
  /**
   * The model's name from the server; otherwise its name in the scenario, otherwise the controller's name.
   */
  model: string;
  protocol: string;
  /** The rule that parses it now, or the one that parsed it then if none does now; null if neither. */
  rung: ParseTier | null;
  comparison: ReparseOutcome;
  /** Whether both are problems, but the agent would now get a different message. */
  isToldOtherwise: boolean;
  reply: Reply;
  was: UnderstoodReply;
  now: UnderstoodReply;
}

/**
 * Every reply of the run in order; for a fork, only those of its own steps, because the shared ones belong to
 * its parent. Throws the errors of opening the run, UsageError if the run was played with actions that its
 * world no longer has, StorageError if the log can't be read.
 */
export function* readAgain(reader: LogReader, runId: string, open: OpenStage): Generator<ReadAgain> {
  const run = reader.run(runId);
  const stage = open(run);
  for (const step of reader.steps(runId, { from: run.parent?.step ?? 1 })) {
    if (step.agent === WORLD_ID || step.calls.length === 0) continue;
    const calls = reader.calls(runId, step.step);
    requireActions(runId, calls, stage.environment);
    for (const call of calls) {
      const reparsed = compareReply({ run, stage, step, call });
      if (reparsed !== null) yield reparsed;
    }
  }
}

interface ReparsedCall {
  run: RunRecord;
  stage: ReplayStage;
  step: StepRecord;
  call: LoggedCall;
}

/** Null for a call that led to no act: an abandoned one, a question, a summary. */
function compareReply({ run, stage, step, call: { request, end } }: ReparsedCall): ReadAgain | null {
  const act = step.acts.find((one) => one.call === request.call);
  const spec = run.scenario.agents.find(({ id }) => id === request.agent);
  if (act === undefined || spec === undefined || end?.kind !== 'replied') return null;
  const protocol = stage.protocol(request.agent);
  const was = parsedBefore(act);
  const now = parsedNow({ stage, step, request }, end.reply);
  const { step: number, agent, call, attempt } = request;
  const comparison = compareReadings(was, now);
  return {
    step: number,
    agent,
    call,
    attempt,
    model: modelOf(run.scenario, { spec, reply: end.reply, controller: request.controller }),
    protocol: protocol.name,
    rung: now.problem === null ? now.rung : was.rung,
    comparison,
    isToldOtherwise: was.problem?.message !== now.problem?.message && comparison === 'same',
    reply: end.reply,
    was,
    now,
  };
}

function parsedNow(call: AskedAgain, reply: ReplyText): UnderstoodReply {
  const { intent, problem, reading } = parseAgain(call, reply);
  return { intent, problem, rung: reading.rung, span: reading.span };
}

/** A call for an act, as stored in the log. */
export interface AskedAgain {
  stage: ReplayStage;
  step: StepRecord;
  request: CallRequest;
}

/**
 * How the reply would be understood now. Throws StorageError if the log contains something that no run could
 * have written.
 */
export function parseAgain({ stage, step, request }: AskedAgain, reply: ReplyText): Interpretation {
  const { actions } = stage.environment;
  return guarded(step, () =>
    interpret(reply, stage.protocol(request.agent), actions.list(), actions, request.observation),
  );
}

function parsedBefore({ reading, intent, result }: ActRecord): UnderstoodReply {
  const place = { rung: reading?.rung ?? null, span: reading?.span ?? null };
  // A refusal by the rules comes after parsing, so the request was understood.
  const problem = intent === null && !result.ok ? result.problem : null;
  return { intent, problem, ...place };
}

function compareReadings(was: UnderstoodReply, now: UnderstoodReply): ReparseOutcome {
  if (was.intent === null) return now.intent === null ? 'same' : 'recovered';
  if (now.intent === null) return 'lost';
  return valueDifference(meaning(was.intent), meaning(now.intent)) === null ? 'same' : 'changed';
}

/** Without outputs from outside. */
function meaning({ action, args }: Intent): object {
  return { action, args };
}

function modelOf(
  { models }: Scenario,
  {
    spec: { controller },
    reply,
    controller: controllerName,
  }: { spec: Scenario['agents'][number]; reply: Reply; controller: string },
): string {
  const modelInScenario = controller.kind === 'model' ? lookUp(models, controller.model)?.model : null;
  return reply.model ?? modelInScenario ?? controllerName;
}

/**
 * A log may contain an observation that no run could have made; an exception of ours would be worse than a
 * problem.
 */
export function guarded<T>({ runId, step }: StepRecord, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof OrchestrateError) throw error;
    const reason = errorMessage(error);
    throw new StorageError(
      `run ${runId}, step ${step}: a stored reply can't be parsed again (${reason})`,
      [],
      {
        cause: error,
      },
    );
  }
}
