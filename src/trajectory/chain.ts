/**
 * The chain: one hash per step over everything that shaped it and resulted from it, and over the previous
 * hash (DESIGN section 8; docs/reference/log.md has the exact definition). The orchestrator computes it, and
 * `verify` computes it again from the log alone. It never covers run id, times, usage, tries, call numbers,
 * the parser's reading or the program's version, so an interrupted run and an uninterrupted one end with the
 * same chain. Its last link is the run's end.
 */
import { hashJson, sha256 } from '../base/canonical.js';
import type { Problem } from '../base/problem.js';
import type { Event, Intent } from '../environment/action.js';
import type { ActResult } from '../environment/environment.js';
import type { Message, Reply } from '../model/chat.js';
import type { Scenario } from '../scenario/scenario.js';
import { hashOfJson, messageHashes } from './content.js';
import type { ActRecord, CallEnd, CallRequest, RunEnd, StepRecord } from './records.js';

const hashOfList = new WeakMap<readonly Message[], string>();

/** A problem as shown to an agent; its details are for reports. */
type HashedProblem = Pick<Problem, 'code' | 'message'>;

/** What the chain covers of a call: the request, and the parts of the reply that the parser may read. */
export interface ChainCall {
  readonly observation: string;
  readonly messages: string;
  readonly reply: Pick<Reply, 'content' | 'toolCalls' | 'finishReason'> | null;
}

export interface ChainAct {
  readonly intent: Intent | null;
  readonly result: Extract<ActResult, { ok: true }> | { readonly ok: false; readonly problem: HashedProblem };
  readonly insteadOf: HashedProblem | null;
}

/** What the chain covers of a step. */
export interface StepContent {
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
  readonly calls: readonly ChainCall[];
  readonly acts: readonly ChainAct[];
  readonly events: readonly Event[];
  readonly parts: Readonly<Record<string, string>>;
}

export interface CallWithEnd {
  readonly request: Pick<CallRequest, 'observation' | 'messages'>;
  readonly end: CallEnd | null;
}

/**
 * The hash before the first step. The tileset is covered by the frames in the messages, and the players
 * (models, addresses, controllers) by the replies: the same replies give the same chain, whatever their
 * source. `log` is the log version that the run was started with: that of version 1 also covers the name of
 * the scenario file.
 */
export function genesis(run: {
  readonly scenario: Scenario;
  readonly seed: string;
  readonly rules: number;
  readonly log: number;
}): string {
  // Questions outside the game change nothing in it.
  const { models: _models, probes: _probes, name, agents, turns, ...shared } = run.scenario;
  // Repairs are visible in their calls, and speculation does not change the replies.
  const { repair: _repair, speculate: _speculate, ...order } = turns;
  const agentsWithoutControllers = agents.map(
    ({ controller: _controller, reflection: _reflection, ...agent }) => agent,
  );
  const scenario = { ...shared, turns: order, agents: agentsWithoutControllers };
  const { seed, rules } = run;
  return run.log < 2
    ? hashJson('orchestrate-genesis-v1', { scenario: { ...scenario, name }, seed, rules })
    : hashJson('orchestrate-genesis-v2', { scenario, seed, rules });
}

/**
 * The chain before a fork's first step: its parent's, which it continues, combined with its own genesis if
 * that differs.
 */
export function forkChain(
  parent: { readonly chain: string; readonly genesis: string },
  ownGenesis: string,
): string {
  return parent.genesis === ownGenesis
    ? parent.chain
    : hashJson(`orchestrate-fork-v1\n${parent.chain}`, ownGenesis);
}

/** The chain after a step. */
export function stepChain(previous: string, content: StepContent): string {
  return hashJson(`orchestrate-step-v1\n${previous}`, content);
}

/** What the chain covers of a run's end. */
export type EndContent = Pick<RunEnd, 'status' | 'reason' | 'turns' | 'steps' | 'stateHash'>;

/**
 * The chain after the end, given the chain after the last step; in a session played with version 1 of the
 * log, it is the same.
 */
export function endChain(log: number, last: string, end: EndContent): string {
  if (log < 2) return last;
  const { status, reason, turns, steps, stateHash: state } = end;
  return hashJson(`orchestrate-end-v1\n${last}`, { status, reason, turns, steps, state });
}

/** `calls` are those that the step lists, in its order. */
export function stepContent(
  step: Pick<StepRecord, 'step' | 'turn' | 'agent' | 'acts' | 'events' | 'parts'>,
  calls: readonly CallWithEnd[],
): StepContent {
  return {
    step: step.step,
    turn: step.turn,
    agent: step.agent,
    calls: calls.map(chainCall),
    acts: step.acts.map(chainAct),
    events: step.events,
    parts: step.parts,
  };
}

/** One hash for a list of messages that never changes: roles, texts and frame hashes, in order. */
export function messagesHash(list: readonly Message[]): string {
  const known = hashOfList.get(list);
  if (known !== undefined) return known;
  const hash = messageListHash(messageHashes(list));
  hashOfList.set(list, hash);
  return hash;
}

/** The same from the messages' own hashes. */
export function messageListHash(hashes: readonly string[]): string {
  return sha256(['orchestrate-messages-v1', ...hashes].join('\n'));
}

function chainCall(call: CallWithEnd): ChainCall {
  return {
    observation: hashOfJson(call.request.observation),
    messages: messagesHash(call.request.messages),
    reply: call.end?.kind === 'replied' ? hashedReply(call.end.reply) : null,
  };
}

function hashedReply(reply: Reply): ChainCall['reply'] {
  const toolCalls = reply.toolCalls.map((tool) => ({ name: tool.name, arguments: tool.arguments }));
  return { content: reply.content, toolCalls, finishReason: reply.finishReason };
}

function chainAct(act: ActRecord): ChainAct {
  const { result, insteadOf } = act;
  return {
    intent: act.intent,
    result: result.ok
      ? { ok: true, message: result.message, path: result.path }
      : { ok: false, problem: hashedProblem(result.problem) },
    insteadOf: insteadOf === null ? null : hashedProblem(insteadOf),
  };
}

function hashedProblem(problem: Problem): HashedProblem {
  return { code: problem.code, message: problem.message };
}
