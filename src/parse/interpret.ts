/**
 * From a reply to an intent: reads it by its protocol and binds it to what the agent perceives. The one function that the
 * orchestrator, `parse` on the command line and every re-reading of old replies use, so that they can't differ.
 */
import { once } from '../base/once.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { breakControlTokens, oneLine } from '../base/text.js';
import type { Intent } from '../environment/action.js';
import type { Observation } from '../environment/observation.js';
import { bind } from './bind.js';
import type { BindableAction } from './bind.js';
import { isPart, notYours } from './doubts.js';
import { headingOf, lastSentence, leadOf } from './frame.js';
import type { Protocol, Vocabulary } from './protocol.js';
import type { Reading, Rung } from './reading.js';
import { bareNameOf } from './remark.js';
import { withoutOpening } from './surroundings.js';

/** A reply as it was read, and what it means. */
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

/**
 * From a reply to what the agent means to do. Never throws for what a reply says: what can't be read, or names nothing that the agent
 * perceives, is a problem.
 */
export function interpret(
  reply: Parameters<Protocol['read']>[0],
  protocol: Protocol,
  vocabulary: Vocabulary,
  registry: Registry,
  observation: Observation,
): Interpretation {
  const reading = protocol.read(reply, vocabulary);
  if (!reading.ok) return refusal(reading, protocol.read(reply, withinScope(vocabulary, observation)));
  const disowned = anothersDoubt(reply.content, reading, observation);
  if (disowned !== null) return { reading, intent: null, problem: disowned };
  const action = registry.get(reading.command.action);
  if (action === undefined) {
    const unknown = problem('unknown-action', `${reading.command.action} is no action here.`);
    return { reading, intent: null, problem: unknown };
  }
  const binding = bind(reading.command, action, observation);
  if (!binding.ok) return { reading, intent: null, problem: binding.problem };
  return { reading, intent: binding.intent, problem: null };
}

type Refused = Extract<Reading, { ok: false }>;

/** What is told of an unreadable reply names only what the agent may do at all, whatever it tried. */
function refusal(whole: Refused, within: Reading): Interpretation {
  const reading = within.ok ? whole : { ...whole, problem: within.problem };
  return { reading, intent: null, problem: reading.problem };
}

const scoped = new WeakMap<Vocabulary, Map<string, Vocabulary>>();

/** The actions of the agent's scope, the same list each time. */
function withinScope(vocabulary: Vocabulary, { scope }: Observation): Vocabulary {
  const lists = scoped.get(vocabulary) ?? new Map<string, Vocabulary>();
  scoped.set(vocabulary, lists);
  const key = scope.join(' ');
  const list = lists.get(key) ?? vocabulary.filter(({ name }) => scope.includes(name));
  lists.set(key, list);
  return list;
}

/** Why the answer may be another's, by the names that the agent knows. */
function anothersDoubt(
  content: string,
  reading: Extract<Reading, { ok: true }>,
  { agent, nouns }: Observation,
): Problem | null {
  if (reading.span === null) return null;
  const before = content.slice(Math.max(0, reading.span.start - 4000), reading.span.start);
  const isObject = reading.rung === 'json' || reading.rung === 'tool-call';
  const above = isObject ? withoutOpening(before) : withoutLabel(before, reading.rung);
  // Most replies name nobody: the names are not asked for.
  const names = once(
    () => new Set(nouns.flatMap((noun) => [noun.name, ...noun.aliases]).map((one) => one.toLowerCase())),
  );
  const own = agent.replace(/[-_]/g, ' ').toLowerCase();
  const other = speaksAs(above, reading.words, { own, names });
  if (other !== null) {
    const name = breakControlTokens(oneLine(other));
    return problem('ambiguous', `You answered as ${name}. Answer for yourself alone.`);
  }
  const lead = leadOf(above, above.length);
  return isBareName(lead, reading.words, names) ? notYours(lead) : null;
}

/** `The knight.` right before an answer heads it. What the command is about may be named so: `Brass key.` */
function isBareName(lead: string, words: string, names: Known['names']): boolean {
  const name = bareNameOf(lastSentence(lead));
  if (name === null || name === '' || words.toLowerCase().includes(name)) return false;
  return names().has(name) || [...names()].some((one) => one.endsWith(` ${name}`));
}

/** Who is known: the agent's own name, and all others. */
interface Known {
  readonly own: string;
  readonly names: () => ReadonlySet<string>;
}

/**
 * Under whose name the answer stands, where it isn't the agent's own: a heading right before it, or the last one above (`Knight:`)
 * that names somebody in sight.
 */
function speaksAs(above: string, words: string, { own, names }: Known): string | null {
  const direct = headingOf(leadOf(above, above.length));
  // A command said twice has itself above it.
  if (direct !== null && direct !== words) return isOwn(direct, own) ? null : direct;
  // Whatever else gives an answer to somebody ends with a colon.
  if (!above.includes(':')) return null;
  const beside = BESIDE.exec(above.slice(above.lastIndexOf('\n') + 1))?.[1];
  if (beside !== undefined && !isPart(beside) && !isOwn(beside, own)) return beside;
  const talker = TALKER.exec(above.trimEnd())?.[1]?.trim() ?? null;
  const isSomebody = talker !== null && (ROLES.test(talker) || names().has(talker.toLowerCase()));
  if (isSomebody && !isOwn(talker, own)) return talker;
  const speakers = [...above.matchAll(SPEAKER)].map((match) => (match[1] ?? '').trim());
  const last = speakers.findLast((one) => isOwn(one, own) || names().has(one.toLowerCase()));
  return last === undefined || isOwn(last, own) ? null : last;
}

/** What stands above a command and its label, which may have a line of its own. */
function withoutLabel(above: string, rung: Rung): string {
  const isAbove = rung !== 'line' && /\n[^\p{L}\p{N}\n]*$/u.test(above);
  const lines = (isAbove ? above.trimEnd().replace(/[^\p{L}\p{N}\n]+$/u, '') : above).split('\n');
  const beside = (lines.pop() ?? '').replace(/[^.!?。！？]*$/u, '');
  return [...lines, /\p{L}/u.test(beside) ? beside : ''].join('\n');
}

/** `Knight: I go.` on the answer's own line. */
const BESIDE = /^[^\p{L}]{0,6}(\p{Lu}[\p{L}'-]*(?: [\p{L}'-]+){0,2})(?: ?\([^()]{0,40}\))?[^\p{L}:]{0,4}:/u;
/** The last line above, where it is somebody's words: `Human: do it`. */
const TALKER = /(?:^|\n)[^\p{L}\n]{0,6}([\p{L}\p{N}' -]{1,60}?) ?: ?[^\s:][^\n]*$/u;
const ROLES = /^(?:human|user|assistant|system|narrator|game|world|environment|player)$/i;
const SPEAKER = /^[^\p{L}\n]{0,6}([\p{L}\p{N}' -]{1,60}?)[^\p{L}:\n]{0,4}:[^\p{L}\n]{0,4}$/gmu;

function isOwn(heading: string, own: string): boolean {
  return heading.replace(/[-_]/g, ' ').toLowerCase() === own;
}
