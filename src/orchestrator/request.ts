/**
 * What an agent is asked: the prompt is composed and the frame drawn, and out comes the request as the log will hold it, but for its number.
 * A pure reading of parts and progress: whoever asks ahead of a turn makes the same request in the same way, and nothing is sent here.
 */
import { aided } from '../agent/aids.js';
import type { Json } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import type { Problem } from '../base/problem.js';
import { nextBelow, stream } from '../base/rng.js';
import type { Observation } from '../environment/observation.js';
import type { CallEnd, CallRequest } from '../trajectory/records.js';
import { seededForm } from '../model/chat.js';
import type { Reply, RequestForm } from '../model/chat.js';
import { answered, lostTurnText } from './lost-turn.js';
import type { RunContext, Seat } from './run-context.js';
import type { RunState } from './run-state.js';
import { repairMessages } from './repair.js';
import { nudge } from './repeats.js';

export interface CallContextParts {
  readonly seat: Seat;
  readonly step: number;
  /** From 1 within the step. */
  readonly attempt: number;
  readonly observation: Observation;
  /** Why the reply before this one did not do; null at first and after a free act. */
  readonly problem: Problem | null;
  /** The call before this one; null for the first. */
  readonly last: CompletedCall | null;
  /** Asks for the last reply in a form that can be read, instead of anew. */
  readonly isRepair: boolean;
  readonly signal: AbortSignal;
  /** Replies that were asked for ahead of their turn; absent where nobody is. */
  readonly ahead?: SpeculativeCalls | null;
}

/** Agents that are asked while another one thinks (`speculation.ts`), as whoever asks in turn sees them. */
export interface SpeculativeCalls {
  /** The call that was made ahead for this very request; null for none. What was asked ahead otherwise is in vain from here on. */
  take(wanted: PlannedCall): EarlyCall | null;
  /** Somebody is being waited for: others may be asked meanwhile. Never throws. */
  think(): void;
}

/** A call that was sent before it was known whether its reply would count. */
export interface EarlyCall {
  readonly request: CallRequest;
  /** How it ended; null as long as it has not. */
  readonly end: CallEnd | null;
  /** Its end once it has one. Rejects only where that could not be logged. */
  readonly ended: Promise<CallEnd>;
  /** Its turn has come: somebody waits for it from now on. */
  beAwaited(): void;
}

export interface CompletedCall {
  readonly request: CallRequest;
  readonly end: { readonly kind: 'replied'; readonly reply: Reply; readonly memory: Json };
  /** The turn's text as sent, which becomes the past. */
  readonly text: string;
}

/** A request that has no number yet. */
export type PlannedCall = Omit<CallRequest, 'call'>;

/** Assigned, not spread: that would take many times as long (docs/explanation/performance.md). */
export function numbered(wanted: PlannedCall, call: number, purpose = wanted.purpose): CallRequest {
  return Object.assign({ call }, wanted, { purpose });
}

export interface ComposedRequest {
  readonly wanted: PlannedCall;
  /** What the request asks of a server besides its messages. */
  readonly form: RequestForm;
  /** The turn's text as sent. */
  readonly text: string;
}

export function compose<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  question: CallContextParts,
): ComposedRequest {
  const { seat, step, attempt, observation, isRepair } = question;
  const { text, messages, frameHash } = content(parts, progress, question);
  const form = seededForm(
    seat.composer.form(observation),
    samplingSeed(parts.run.seed, { agent: seat.spec.id, step, attempt }),
  );
  const wanted: PlannedCall = {
    runId: parts.run.runId,
    step,
    turn: observation.turn,
    agent: seat.spec.id,
    attempt,
    purpose: isRepair ? 'repair' : 'act',
    controller: seat.controller.name,
    observation,
    messages,
    settings: seat.controller.settings?.(form) ?? null,
    frameHash,
    startedAt: parts.clock.now(),
  };
  return { wanted, form, text };
}

/**
 * The seed that a server samples a reply with, from the run's seed: other seeds give other replies, and the same run asks in the same way
 * again. Each attempt has its own: an answer that did not do should not come again for the seed's sake.
 */
export function samplingSeed(
  runSeed: string,
  { agent, step, attempt }: Pick<CallRequest, 'agent' | 'step' | 'attempt'>,
): number {
  return nextBelow(stream(runSeed, `sampling/${agent}/${step}/${attempt}`), LIMITS.samplingSeed + 1).value;
}

/** The first question of a step as it stands now, where nothing else is asked before it. */
export function firstQuestion<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  { seat, step, signal }: Pick<CallContextParts, 'seat' | 'step' | 'signal'>,
): CallContextParts {
  const observation = observationOf(parts, progress.state, seat);
  const problem = openingProblem(parts, progress, seat.spec.id);
  return { seat, step, attempt: 1, observation, problem, last: null, isRepair: false, signal };
}

/** What the agent perceives, with the aids that the scenario switches on. */
export function observationOf<S>(parts: RunContext<S>, state: S, { spec }: Seat): Observation {
  return aided(parts.environment.observe(state, spec.id), parts.scenario, parts.painter);
}

/** What an agent is told at the beginning of its step, before any reply: that its last turn was lost, that it goes round in circles. */
export function openingProblem<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  agent: string,
): Problem | null {
  const lost = progress.lostTurn(agent);
  const circling = nudgeFor(parts, progress, agent);
  if (lost === null) return circling;
  const told = circling === null ? [] : [circling.message];
  return { ...lost.problem, message: [lostTurnText(lost), ...told].join('\n') };
}

function nudgeFor<S>(parts: RunContext<S>, progress: RunState<S>, agent: string): Problem | null {
  const { repeats } = parts.scenario.turns;
  const now = progress.repeats(agent);
  return repeats !== null && now !== undefined && now.times >= repeats.times ? nudge(now) : null;
}

type RequestContent = Pick<CallRequest, 'messages' | 'frameHash'> & Pick<ComposedRequest, 'text'>;

/** A repair shows the same picture in the same place, and leaves the same turn behind. */
function content<S>(parts: RunContext<S>, progress: RunState<S>, question: CallContextParts): RequestContent {
  const { seat, observation, problem, last, isRepair } = question;
  if (isRepair && last !== null && problem !== null) {
    const { request, end, text } = last;
    const broken = { messages: request.messages, reply: end.reply, problem };
    return { text, messages: repairMessages(broken, seat.protocol), frameHash: request.frameHash };
  }
  const text = seat.composer.turnText(observation, trouble(question));
  const picture =
    parts.painter !== null && observation.scene !== null ? parts.painter.paint(observation.scene) : null;
  const past = progress.past(seat.spec.id).messages();
  const messages = seat.composer.messages(past, text, picture);
  return { text, messages, frameHash: picture?.hash ?? null };
}

/** What the agent is told of its last try, its own words quoted as data. */
function trouble(question: CallContextParts): string | null {
  const { problem, last } = question;
  if (problem === null) return null;
  const said = answered(last?.end.reply.content ?? '');
  return said === '' ? problem.message : `${said} ${problem.message}`;
}
