/**
 * A person's correction of an agent's reply, parsed as if the agent had given it: by its protocol, with its
 * observation, in its world at that time. A correction becomes a training row, so it must have the protocol's
 * own form, which is stricter than parsing: a reply that is merely tolerated is refused too.
 */
import { UsageError } from '../base/errors.js';
import { known } from '../base/assert.js';
import { oneLine } from '../base/text.js';
import type { Intent } from '../environment/action.js';
import type { LogReader } from '../log/reader.js';
import type { LoggedCall, RunRecord, StepRecord } from '../trajectory/records.js';
import type { ReplyText } from '../parse/page.js';
import type { ReplyReading } from '../parse/reading.js';
import { requireActions } from './missing-actions.js';
import { guarded, parseAgain } from './reparse.js';
import { LoggedStates } from './state-at.js';
import type { OpenStage, ReplayStage } from './verify.js';

/** An answer that the agent could have given. */
export interface Correction {
  intent: Intent;
  /** Whether the rules were checked: not if the replayed world differs from the logged one. */
  isTried: boolean;
}

export interface CorrectedStep {
  reader: LogReader;
  /** The run that contains the step, not a fork of it. */
  run: RunRecord;
  step: StepRecord;
  /** The call that the correction would have answered. */
  call: number;
}

/**
 * Throws UsageError for words that the protocol can't parse, that are not in its form, or that the rules
 * would refuse, each with the agent's message, and if the run needs modules that are missing; StorageError if
 * the log can't be read.
 */
export function readCorrection(source: CorrectedStep, text: string, open: OpenStage): Correction {
  const stage = open(source.run);
  return guarded(source.step, () => parseCorrection(source, stage, text));
}

function parseCorrection(source: CorrectedStep, stage: ReplayStage, text: string): Correction {
  const { reader, run, step, call } = source;
  const calls = reader.calls(run.runId, step.step).filter(({ request }) => request.call === call);
  requireActions(run.runId, calls, stage.environment);
  const correctedCall = { stage, step, ...known(calls[0], `the call ${call}`) };
  const { intent, problem, reading } = parseAgain(correctedCall, replyTextOf(text));
  if (intent === null) {
    const message = oneLine(problem?.message ?? '', MESSAGE_CHARACTERS);
    throw new UsageError(
      `the correction of ${step.agent}'s reply can't be parsed: ${message}${exampleOf(correctedCall)}`,
      [COMMENT_HINT],
    );
  }
  requireOwnForm(correctedCall, reading);
  return { intent, isTried: checkRules(source, stage, intent) };
}

const MESSAGE_CHARACTERS = 2000;
const COMMENT_HINT = 'use --reject "why" to comment in your own words';

interface CorrectedCall extends LoggedCall {
  stage: ReplayStage;
  step: StepRecord;
}

/** As if a model had written it. */
function replyTextOf(content: string): ReplyText {
  return { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
}

/** The actual reply, in the protocol's own form; '' if it was no answer either. */
function exampleOf(call: CorrectedCall): string {
  const { stage, request, end } = call;
  const { reading } = end?.kind === 'replied' ? parseAgain(call, end.reply) : { reading: null };
  if (reading?.ok !== true) return '';
  return ` The actual reply, in this format: ${oneLine(stage.protocol(request.agent).replyText(reading))}`;
}

/** An answer must be parsed exactly like the protocol's own spelling of it. */
function requireOwnForm({ stage, request }: CorrectedCall, reading: ReplyReading): void {
  if (!reading.ok) return;
  const protocol = stage.protocol(request.agent);
  const ownForm = protocol.replyText(reading);
  const rereading = protocol.read(replyTextOf(ownForm), stage.environment.actions.list());
  if (!rereading.ok || rereading.rung === reading.rung) return;
  throw new UsageError(`the correction must be in ${request.agent}'s reply format: ${oneLine(ownForm)}`, [
    COMMENT_HINT,
  ]);
}

/** Whether it was possible to check. Throws UsageError if the rules would refuse it. */
function checkRules(
  { reader, run, step }: CorrectedStep,
  { environment }: ReplayStage,
  intent: Intent,
): boolean {
  const world = new LoggedStates({ reader, run, environment }).atAnswer(step);
  if (!world.isAsLogged) return false;
  const refusal = environment.check(world.state, intent)?.message;
  const isFree = environment.actions.get(intent.action)?.cost === 'free';
  const isOver = isFree && world.freeActs >= run.scenario.turns.freeActs;
  const refusalText = refusal ?? (isOver ? 'The free actions of this turn are used up.' : null);
  if (refusalText === null) return true;
  throw new UsageError(
    `the rules would refuse the correction of ${step.agent}'s reply: ${oneLine(refusalText, MESSAGE_CHARACTERS)}`,
    [COMMENT_HINT],
  );
}
