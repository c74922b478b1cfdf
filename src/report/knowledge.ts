/**
 * What agents knew: for each fact of a run, which agent learnt it when, how and from whom, and who acted on
 * it afterwards. Facts are derived only from logged observations and acts, so they contain only what agents
 * perceived; they are words (an utterance, a text that was read) and things (a key's position). Acting
 * afterwards does not imply acting because of it.
 */
import { WORLD_ID } from '../base/ids.js';
import { quoted } from '../base/text.js';
import type { SpatialFacts } from '../environment/spatial-facts.js';
import { actText, intentText } from '../trajectory/act-text.js';
import type { LogReader } from '../log/reader.js';
import type { ActRecord } from '../trajectory/act.js';
import type { NeededFact } from '../scenario/scenario.js';
import { mentions, PerceivedNames } from './known-names.js';
import type { NamedSighting } from './known-names.js';

export interface LearntName {
  agent: string;
  turn: number;
  step: number;
  /** `said`: the agent said the words first; `told`: by the world itself, such as a trigger. */
  how: 'seen' | 'heard' | 'read' | 'said' | 'told';
  /** The speaker, or the thing that it was read on; null if it was seen or said. */
  from: string | null;
  /** The thing's position; null for words, and for things that are held or were only mentioned. */
  place: { x: number; y: number } | null;
}

export interface ActedOn {
  agent: string;
  turn: number;
  step: number;
  /** In the agent's words: "USE green-lever". */
  words: string;
}

export interface Fact {
  kind: 'words' | 'thing';
  /** The words, or the name of the thing. */
  words: string;
  /** Ids of the things and doors that it is about. */
  about: readonly string[];
  learnt: readonly LearntName[];
  /** By agents that had learnt it; each kind of action on each thing once. */
  acted: readonly ActedOn[];
}

/** In the order in which agents first learnt them. Throws StorageError if the log is damaged. */
export function knowledgeIn(reader: LogReader, runId: string): readonly Fact[] {
  const perceivedNames = new PerceivedNames();
  for (const { facts } of knowledgeSteps(reader, runId)) perceivedNames.add(facts);
  const collector = new FactCollector(perceivedNames);
  for (const moment of knowledgeSteps(reader, runId)) {
    collector.observe(moment);
    for (const act of moment.acts) collector.act(moment, act);
  }
  return collector.facts();
}

/**
 * When an agent had learnt all that it needs: the first step whose decision could use it. By agent; those that never
 * had are absent.
 */
export function reachedIn(
  reader: LogReader,
  runId: string,
  needed: ReadonlyMap<string, readonly NeededFact[]>,
): ReadonlyMap<string, { turn: number; step: number }> {
  const missing = new Map([...needed].filter(([, facts]) => facts.length > 0));
  const reached = new Map<string, { turn: number; step: number }>();
  for (const { agent, turn, step, facts } of missing.size === 0 ? [] : knowledgeSteps(reader, runId)) {
    const still = missing.get(agent)?.filter((fact) => !isLearnt(fact, facts));
    if (still === undefined) continue;
    missing.set(agent, still);
    if (still.length > 0) continue;
    reached.set(agent, { turn, step });
    missing.delete(agent);
    if (missing.size === 0) break;
  }
  return reached;
}

function isLearnt({ seen, told = '' }: NeededFact, facts: KnowledgeStep['facts']): boolean {
  if (seen !== undefined)
    return [...new PerceivedNames().sights(facts), ...(facts.bodies ?? [])].some(({ id }) => id === seen);
  const heard = (facts.heard ?? []).map(({ text }) => text);
  return [...heard, ...toldLines(facts), ...(facts.recalled ?? [])].some((line) => mentions(line, told));
}

/** An agent's observation before its answer, and the action of its last answer in the step. */
interface KnowledgeStep {
  agent: string;
  turn: number;
  step: number;
  facts: Partial<SpatialFacts>;
  acts: readonly ActRecord[];
}

function* knowledgeSteps(reader: LogReader, runId: string): Iterable<KnowledgeStep> {
  for (const { step, calls } of reader.played(runId)) {
    if (step.agent === WORLD_ID) continue;
    const counted = calls().filter(({ request }) => step.calls.includes(request.call));
    for (const { request } of counted) {
      const acts = step.acts.filter(({ call }) => call === request.call);
      const facts = request.observation().facts as Partial<SpatialFacts>;
      yield { agent: step.agent, turn: step.turn, step: step.step, facts, acts };
    }
  }
}

interface Entry {
  kind: Fact['kind'];
  words: string;
  about: readonly string[];
  learnt: LearntName[];
  acted: ActedOn[];
  /** Agents with the actions that they requested. */
  done: Set<string>;
}

/** Collects facts; steps are added in order. */
class FactCollector {
  readonly #names: PerceivedNames;
  readonly #words: Entry[] = [];
  readonly #things = new Map<string, Entry>();
  readonly #recalled = new Map<string, ReadonlySet<string>>();

  constructor(names: PerceivedNames) {
    this.#names = names;
  }

  observe(moment: KnowledgeStep): void {
    this.#addHeard(moment);
    this.#addTold(moment);
    this.#addRead(moment);
    for (const sight of this.#names.sights(moment.facts)) this.#addSighting(moment, sight);
  }

  act({ agent, turn, step }: KnowledgeStep, act: ActRecord): void {
    const { intent, result } = act;
    if (intent === null || !result.ok) return;
    const argumentTexts = Object.values(intent.args).filter((one): one is string => typeof one === 'string');
    const key = `${agent} ${intentText(intent)}`;
    for (const { about, learnt, acted, done } of this.#all()) {
      const isAbout = argumentTexts.some((one) => about.includes(one));
      const isKnown = learnt.some((one) => one.agent === agent);
      if (!isAbout || !isKnown || done.has(key)) continue;
      done.add(key);
      acted.push({ agent, turn, step, words: actText(act, false) });
    }
  }

  facts(): readonly Fact[] {
    const mentionedIds = this.#words.flatMap(({ about }) => about);
    const isRelevant = (id: string): boolean => this.#names.isUseful(id) || mentionedIds.includes(id);
    const things = [...this.#things].flatMap(([id, entry]) => (isRelevant(id) ? [entry] : []));
    return [...this.#words, ...things]
      .toSorted((a, b) => firstStep(a) - firstStep(b))
      .map(({ done: _done, ...fact }) => fact);
  }

  #all(): readonly Entry[] {
    return [...this.#words, ...this.#things.values()];
  }

  #addHeard({ agent, turn, step, facts }: KnowledgeStep): void {
    for (const { speaker, text, turn: saidInTurn } of facts.heard ?? []) {
      const said = { agent: speaker, turn: saidInTurn, step, how: 'said', from: null, place: null } as const;
      learn(this.#entryForWords(text), said);
      this.#addWords(text, { agent, turn, step, how: 'heard', from: speaker, place: null });
    }
  }

  #addTold({ agent, turn, step, facts }: KnowledgeStep): void {
    for (const words of toldLines(facts))
      this.#addWords(words, { agent, turn, step, how: 'told', from: null, place: null });
  }

  /** Newly remembered words that no other agent said come from reading. */
  #addRead({ agent, turn, step, facts }: KnowledgeStep): void {
    const recalled = facts.recalled ?? [];
    const recalledBefore = this.#recalled.get(agent) ?? new Set();
    this.#recalled.set(agent, new Set(recalled));
    for (const line of recalled) {
      const isHeard = (facts.heard ?? []).some(({ text }) => line.endsWith(quoted(text)));
      if (recalledBefore.has(line) || isHeard) continue;
      const from = this.#names.readableIn(line, facts);
      this.#addWords(quotedText(line), { agent, turn, step, how: 'read', from, place: null });
    }
  }

  /** An agent that is told about a thing knows of it, though not its position. */
  #addWords(words: string, how: LearntName): void {
    learn(this.#entryForWords(words), how);
    for (const id of this.#names.mentionedIn(words)) learn(this.#entryForThing(id), how);
  }

  /** Words that were passed on are the same fact. */
  #entryForWords(words: string): Entry {
    const known = this.#words.find((one) => areSame(one.words, words));
    if (known !== undefined) return known;
    const entry: Entry = {
      kind: 'words',
      words,
      about: this.#names.mentionedIn(words),
      learnt: [],
      acted: [],
      done: new Set(),
    };
    this.#words.push(entry);
    return entry;
  }

  #addSighting({ agent, turn, step }: KnowledgeStep, { id, place }: NamedSighting): void {
    const { learnt } = this.#entryForThing(id);
    const last = learnt.findLast((one) => one.agent === agent && one.how === 'seen');
    const isKnown = last !== undefined && (place === null || isSame(last.place, place));
    if (!isKnown) learnt.push({ agent, turn, step, how: 'seen', from: null, place });
  }

  #entryForThing(id: string): Entry {
    const known = this.#things.get(id);
    if (known !== undefined) return known;
    const words = this.#names.nameOf(id);
    const entry: Entry = { kind: 'thing', words, about: [id], learnt: [], acted: [], done: new Set() };
    this.#things.set(id, entry);
    return entry;
  }
}

/** What the world told an agent since its last turn, besides what the agent saw happen. */
function toldLines({ noticed = [], seen }: KnowledgeStep['facts']): readonly string[] {
  if (seen === undefined) return [];
  return noticed.filter((line) => seen.every((event) => event.line !== line));
}

/**
 * The quoted text at the end of a line such as `The sign reads: "Mind the step."`; without quotes the line
 * itself.
 */
function quotedText(line: string): string {
  const [written] = /"(?:[^"\\]|\\.)*"$/.exec(line) ?? [];
  try {
    return written === undefined ? line : String(JSON.parse(written));
  } catch {
    return line;
  }
}

/** Whether one is most of the other: a short word within a long text is not news about it. */
function areSame(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.includes(short) && short.length * 2 >= long.length;
}

/** Once for each agent: it does not learn again what it knows. */
function learn({ learnt }: Entry, how: LearntName): void {
  if (learnt.every(({ agent }) => agent !== how.agent)) learnt.push(how);
}

function isSame(one: LearntName['place'], other: LearntName['place']): boolean {
  return one?.x === other?.x && one?.y === other?.y;
}

function firstStep({ learnt }: Fact): number {
  return learnt[0]?.step ?? 0;
}
