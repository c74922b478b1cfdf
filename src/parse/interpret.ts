/**
 * From a reply to an intent: reads it by its protocol and binds it to what the agent perceives. The one function that the
 * orchestrator, `parse` on the command line and every re-reading of old replies use, so that they can't differ.
 */
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import type { Intent } from '../environment/action.js';
import type { Noun, Observation } from '../environment/observation.js';
import { bind } from './bind.js';
import type { BindableAction } from './bind.js';
import type { Protocol, Vocabulary } from './protocol.js';
import type { Reading, Span } from './reading.js';

export interface Interpretation {
  readonly reading: Reading;
  /** Exactly one of `intent` and `problem` is null. */
  readonly intent: Intent | null;
  readonly problem: Problem | null;
}

/** As much of an action registry as binding needs. */
export interface Registry {
  get(verb: string): BindableAction | undefined;
}

export function interpret(
  reply: Parameters<Protocol['read']>[0],
  protocol: Protocol,
  vocabulary: Vocabulary,
  registry: Registry,
  observation: Observation,
): Interpretation {
  const reading = protocol.read(reply, vocabulary);
  if (!reading.ok) return { reading, intent: null, problem: reading.problem };
  const other = speaksAs(reply.content, reading.span, observation.nouns);
  if (other !== null) {
    const notYou = problem('ambiguous', `You answered as ${other}. Answer for yourself alone.`);
    return { reading, intent: null, problem: notYou };
  }
  const action = registry.get(reading.command.action);
  if (action === undefined) {
    const unknown = problem('unknown-action', `${reading.command.action} is no action here.`);
    return { reading, intent: null, problem: unknown };
  }
  const binding = bind(reading.command, action, observation);
  if (!binding.ok) return { reading, intent: null, problem: binding.problem };
  return { reading, intent: binding.intent, problem: null };
}

/** The noun under whose name as a heading (`Knight:`) the answer stands, or null. An agent is no noun of its own. */
function speaksAs(content: string, span: Span, nouns: readonly Noun[]): string | null {
  const lines = content
    .slice(Math.max(0, span.start - 200), span.start)
    .trimEnd()
    .split('\n');
  const heading = /^[^\p{L}]{0,6}([\p{L}\p{N}' -]{1,60}?)[^\p{L}:]{0,4}:[^\p{L}]{0,4}$/u.exec(
    lines.at(-2) ?? '',
  );
  if (heading === null) return null;
  const name = (heading[1] ?? '').trim().toLowerCase();
  return (
    nouns.find((noun) => [noun.name, ...noun.aliases].some((one) => one.toLowerCase() === name))?.name ?? null
  );
}
