/**
 * The chain: one hash per step over everything that shaped it and resulted from it, and over the previous
 * hash (docs/reference/log.md has the exact definition). The orchestrator computes it, and
 * `verify` computes it again from the log alone. It never covers run id, times, usage, tries, call numbers,
 * the parser's reading or the program's version, so an interrupted run and an uninterrupted one end with the
 * same chain. Its last link is the run's end.
 */
import { hashJson, sha256 } from '../base/canonical.js';
import type { Problem } from '../base/problem.js';
import type { Message, Reply } from '../model/chat.js';
import type { Scenario } from '../scenario/scenario.js';
import { AGENT_KEYS, SCENARIO_KEYS } from '../scenario/schema.js';
import { inChain } from '../scenario/section.js';
import { hashOfJson, messageHashes } from './content.js';
import type { CallEnd, CallRequest, RunEnd, StepRecord } from './records.js';

const hashOfList = new WeakMap<readonly Message[], string>();

export interface CallWithEnd {
  request: Pick<CallRequest, 'observation' | 'messages'>;
  end: CallEnd | null;
}

/**
 * The hash before the first step. The tileset is covered by the frames in the messages, and the players
 * (models, addresses, controllers) by the replies: the same replies give the same chain, whatever their
 * source. `log` is the log version that the run was started with: that of version 1 also covers the name of
 * the scenario file.
 */
export function genesis(run: { scenario: Scenario; seed: string; rules: number; log: number }): string {
  const { name, agents, ...shared } = run.scenario;
  const scenario = {
    ...inChain(SCENARIO_KEYS, shared),
    agents: agents.map((agent) => inChain(AGENT_KEYS, agent)),
  };
  const { seed, rules } = run;
  return run.log < 2
    ? hashJson('orchestrate-genesis-v1', { scenario: { ...scenario, name }, seed, rules })
    : hashJson('orchestrate-genesis-v2', { scenario, seed, rules });
}

/**
 * The chain before a fork's first step: its parent's, which it continues, combined with its own genesis if
 * that differs.
 */
export function forkChain(parent: { chain: string; genesis: string }, ownGenesis: string): string {
  return parent.genesis === ownGenesis
    ? parent.chain
    : hashJson(`orchestrate-fork-v1\n${parent.chain}`, ownGenesis);
}

/** The chain after a step. */
export function stepChain(previous: string, content: ReturnType<typeof stepContent>): string {
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

/** What the chain covers of a step; `calls` are those that it lists, in its order. */
export function stepContent(
  step: Pick<StepRecord, 'step' | 'turn' | 'agent' | 'acts' | 'events' | 'parts'>,
  calls: readonly CallWithEnd[],
) {
  return {
    step: step.step,
    turn: step.turn,
    agent: step.agent,
    calls: calls.map(({ request, end }) => ({
      observation: hashOfJson(request.observation),
      messages: messagesHash(request.messages),
      // The parts of the reply that the parser may read.
      reply: end?.kind === 'replied' ? hashedReply(end.reply) : null,
    })),
    acts: step.acts.map(({ intent, result, insteadOf }) => ({
      intent,
      result: result.ok
        ? { ok: true, message: result.message, path: result.path }
        : { ok: false, problem: hashedProblem(result.problem) },
      insteadOf: insteadOf === null ? null : hashedProblem(insteadOf),
    })),
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

function hashedReply({ content, toolCalls, finishReason }: Reply) {
  const calls = toolCalls.map((tool) => ({ name: tool.name, arguments: tool.arguments }));
  return { content, toolCalls: calls, finishReason };
}

/** As it is shown to an agent; its details are for reports. */
function hashedProblem({ code, message }: Problem) {
  return { code, message };
}
