/**
 * A person's correction of an agent's reply, parsed as if the agent had given it: by its protocol, with its
 * observation, in its world at that time. In: a log's step and the words; out: their meaning. A correction
 * becomes a training row, so it must have the protocol's own form, which is stricter than parsing: a reply
 * that is merely tolerated is refused too.
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
import { guarded, readNow } from './reparse.js';
import { LoggedStates } from './state-at.js';
import type { OpenStage, ReplayStage } from './verify.js';

/** An answer that the agent could have given. */
export interface Correction {
  readonly intent: Intent;
  /** Whether the rules were checked: not if the replayed world differs from the logged one. */
  readonly isTried: boolean;
}

export interface CorrectedStep {
  readonly reader: LogReader;
  /** The run that contains the step, not a fork of it. */
  readonly run: RunRecord;
  readonly step: StepRecord;
  /** The call that the correction would have answered. */
  readonly call: number;
}

/**
 * Throws UsageError for words that the protocol can't parse, that are not in its form, or that the rules
 * would refuse, each with the agent's message, and if the run needs modules that are missing; StorageError if
 * the log can't be read.
 */
export function readCorrection(source: CorrectedStep, text: string, open: OpenStage): Correction {
  const stage = open(source.run);
  return guarded(source.step, () => understood(source, stage, text));
}

function understood(source: CorrectedStep, stage: ReplayStage, text: string): Correction {
  const { reader, run, step, call } = source;
  const calls = reader.calls(run.runId, step.step).filter(({ request }) => request.call === call);
  requireActions(run.runId, calls, stage.environment);
  const asked = { stage, step, ...known(calls[0], `the call ${call}`) };
  const { intent, problem, reading } = readNow(asked, answered(text));
  if (intent === null) {
    const told = oneLine(problem?.message ?? '', TOLD_CHARACTERS);
    throw new UsageError(
      `the correction of ${step.agent}'s reply can't be parsed: ${told}${exampleOf(asked)}`,
      [ANY_WORDS],
    );
  }
  refuseForm(asked, reading);
  return { intent, isTried: tried(source, stage, intent) };
}

const TOLD_CHARACTERS = 2000;
const ANY_WORDS = 'use --reject "why" to comment in your own words';

interface CorrectedCall extends LoggedCall {
  readonly stage: ReplayStage;
  readonly step: StepRecord;
}

/** As if a model had written it. */
function answered(content: string): ReplyText {
  return { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
}

/** The actual reply, in the protocol's own form; '' if it was no answer either. */
function exampleOf(asked: CorrectedCall): string {
  const { stage, request, end } = asked;
  const { reading } = end?.kind === 'replied' ? readNow(asked, end.reply) : { reading: null };
  if (reading?.ok !== true) return '';
  return ` The actual reply, in this format: ${oneLine(stage.protocol(request.agent).replyText(reading))}`;
}

/** An answer must be parsed exactly like the protocol's own spelling of it. */
function refuseForm({ stage, request }: CorrectedCall, reading: ReplyReading): void {
  if (!reading.ok) return;
  const protocol = stage.protocol(request.agent);
  const right = protocol.replyText(reading);
  const again = protocol.read(answered(right), stage.environment.actions.list());
  if (!again.ok || again.rung === reading.rung) return;
  throw new UsageError(`the correction must be in ${request.agent}'s reply format: ${oneLine(right)}`, [
    ANY_WORDS,
  ]);
}

/** Whether it was possible to check. Throws UsageError if the rules would refuse it. */
function tried({ reader, run, step }: CorrectedStep, { environment }: ReplayStage, intent: Intent): boolean {
  const world = new LoggedStates({ reader, run, environment }).asked(step);
  if (!world.isAsLogged) return false;
  const refusal = environment.check(world.state, intent)?.message;
  const isFree = environment.actions.get(intent.action)?.cost === 'free';
  const isOver = isFree && world.freeActs >= run.scenario.turns.freeActs;
  const told = refusal ?? (isOver ? 'The free actions of this turn are used up.' : null);
  if (told === null) return true;
  throw new UsageError(
    `the rules would refuse the correction of ${step.agent}'s reply: ${oneLine(told, TOLD_CHARACTERS)}`,
    [ANY_WORDS],
  );
}
