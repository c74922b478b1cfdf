/**
 * From a reply to an intent: parses it by its protocol and binds it to what the agent perceives. The
 * orchestrator, `parse` on the command line and every reparsing of old replies use this one function, so they
 * can't differ.
 */
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import type { Intent } from '../environment/action.js';
import type { Observation } from '../environment/observation.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import type { BindableAction } from './bind.js';
import { bind } from './bind.js';
import type { Protocol } from '../parse/protocol.js';
import type { ReplyReading } from '../parse/reading.js';

/** A parsed reply and its meaning. */
export interface Interpretation {
  reading: ReplyReading;
  /** Exactly one of `intent` and `problem` is null. */
  intent: Intent | null;
  problem: Problem | null;
}

/** The part of an action registry that binding needs. */
export interface Registry {
  get(verb: string): BindableAction | undefined;
}

/**
 * Turns a reply into the agent's intent. Never throws because of a reply's content: if it can't be parsed, or
 * refers to nothing that the agent perceives, the result is a problem.
 */
export function interpret(
  reply: Parameters<Protocol['read']>[0],
  protocol: Protocol,
  vocabulary: Vocabulary,
  registry: Registry,
  observation: Observation,
): Interpretation {
  const { agent, sections, refusals } = observation;
  // Where only the picture shows a section, its lines are not what the agent was told.
  const toldSections =
    refusals === 'plain' ? sections.filter(({ isPictured }) => isPictured !== true) : sections;
  const origin = { agent, shownLines: new Set(toldSections.flatMap(({ lines }) => lines)) };
  const reading = protocol.read(reply, vocabulary, origin);
  if (!reading.ok) {
    const scope = vocabulary.filter(({ name }) => observation.scope.includes(name));
    // The message about an unreadable reply names only actions that the agent may ever use.
    const scoped = protocol.read(reply, scope, origin);
    const refused = scoped.ok ? reading : { ...reading, problem: scoped.problem };
    return { reading: refused, intent: null, problem: refused.problem };
  }
  const action = registry.get(reading.command.action);
  if (action === undefined) {
    const unknownAction = problem('unknown-action', `${reading.command.action} is no action here.`);
    return { reading, intent: null, problem: unknownAction };
  }
  const binding = bind(reading.command, action, observation);
  if (!binding.ok) return { reading, intent: null, problem: binding.problem };
  return { reading, intent: binding.intent, problem: null };
}
