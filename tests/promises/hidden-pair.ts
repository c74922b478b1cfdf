/**
 * Two worlds that differ only in what one agent has not perceived, played side by side by the same acts of that agent. In: the pair and a
 * stream of chance; out: the first thing that tells them apart without being seen: offers, forms, help, schemas, guided answers, refusals,
 * what programs are told. Once an act shows the difference (what the agent sees or is told of its act differs), the pair is over.
 */
import type { Composer } from '../../src/agent/prompt.js';
import { composer } from '../../src/agent/prompt.js';
import { vocabularyOf } from '../../src/assembly/seats.js';
import { canonicalJson } from '../../src/base/canonical.js';
import type { Intent } from '../../src/environment/action.js';
import type { Environment } from '../../src/environment/environment.js';
import type { Slot } from '../../src/environment/grammar.js';
import type { Observation } from '../../src/environment/observation.js';
import { formsOf } from '../../src/environment/legal-action.js';
import { DIRECTIONS } from '../../src/environment/space.js';
import { interpret } from '../../src/binding/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';
import type { AgentSpec, Scenario } from '../../src/scenario/scenario.js';
import type { Below } from './chance.js';
import { oneOf, shuffled } from './chance.js';

/** One of the two worlds. */
export interface HiddenSide {
  environment: Environment<unknown>;
  seed: string;
  /** Decides what everybody else does. */
  others: Below;
}

export interface HiddenPair {
  sides: readonly [HiddenSide, HiddenSide];
  agent: string;
  /** Names and ids of either world, also of what only one of them has. */
  names: readonly string[];
}

/** How the agent of a pair is talked to, and for how long. */
export interface PairTelling {
  scenario: Scenario;
  spec: AgentSpec;
  turns: number;
}

export interface PairOutcome {
  /** Where the worlds were told apart; null where nothing does. */
  leak: string | null;
  /** Moments at which all was compared. */
  moments: number;
}

const PROTOCOLS = ['command', 'json', 'react', 'tools'] as const;
type ProtocolName = (typeof PROTOCOLS)[number];

/** A world as it stands. */
interface Now extends HiddenSide {
  agent: string;
  state: unknown;
  /** What the agent is told of it. */
  seen: Observation;
  composers: ReadonlyMap<ProtocolName, Composer>;
}

/** Both worlds at the same moment. */
type Both = readonly [Now, Now];

export function followPair(pair: HiddenPair, telling: PairTelling, below: Below): PairOutcome {
  let both = pair.sides.map((side) => opened(side, pair.agent, telling)) as unknown as Both;
  for (let turn = 0; turn <= telling.turns; turn++) {
    const [{ seen }, { seen: other }] = both;
    if (turn > 0 && perceived(seen) !== perceived(other)) return { leak: null, moments: turn };
    const tries = triesOf(both[0], seen, { below, tries: TRIES });
    const protocols = turn === 0 ? PROTOCOLS : [oneOf(below, PROTOCOLS)];
    const leak =
      firstApart(
        both,
        protocols.map((name) => told(name)),
      ) ??
      firstApart(both, tries.map(refusal)) ??
      firstApart(
        both,
        protocols.flatMap((name) => linesFor(pair, seen, below).map((line) => reading(name, line))),
      );
    if (leak !== null) return { leak: `turn ${turn}, ${leak}`, moments: turn + 1 };
    const intent = chosen(both, tries, below);
    if (intent === null) return { leak: null, moments: turn + 1 };
    both = inBoth(both, (now) => played(now, intent));
  }
  return { leak: null, moments: telling.turns + 1 };
}

function inBoth<T>([one, other]: Both, ask: (now: Now) => T): readonly [T, T] {
  return [ask(one), ask(other)];
}

function opened(side: HiddenSide, agent: string, { scenario, spec }: PairTelling): Now {
  const { environment, seed } = side;
  const state = environment.create(seed);
  const vocabulary = vocabularyOf(environment, agent);
  const hasPicture = environment.scene(state, agent) !== null;
  const composers = PROTOCOLS.map((name): [ProtocolName, Composer] => {
    const protocol = protocolOf(name);
    const { pictureGuide } = environment;
    return [name, composer({ scenario, agent: spec, protocol, vocabulary, hasPicture, pictureGuide })];
  });
  return { ...side, agent, state, seen: environment.observe(state, agent), composers: new Map(composers) };
}

/** What is seen, and what came of the last act: where this differs, the act has shown it. */
function perceived({ sections, scene }: Observation): string {
  return canonicalJson([sections, scene]);
}

/** Something that reaches an agent, and what it is called. */
interface Telling {
  what: string;
  ask: (now: Now) => string;
}

function firstApart(both: Both, tellings: readonly Telling[]): string | null {
  for (const { what, ask } of tellings) {
    const [one, other] = inBoth(both, ask);
    if (one !== other) return `${what}: ${firstDifference(one, other)}`;
  }
  return null;
}

function firstDifference(one: string, other: string): string {
  let place = 0;
  while (one[place] === other[place]) place += 1;
  const around = (text: string): string => text.slice(Math.max(0, place - 120), place + 120);
  return `\n${around(one)}\n${around(other)}`;
}

/** All that a request says and asks of a server, guided or not, and what a program is told. */
function told(protocol: ProtocolName): Telling {
  const ask = ({ environment, state, agent, seen, composers }: Now): string => {
    const own = composers.get(protocol);
    const form = own?.form(seen);
    const tools = form?.tools.map((tool) => ({ ...tool, guidedParameters: tool.guidedParameters ?? null }));
    return JSON.stringify([
      own?.turnText(seen, null),
      own?.system,
      tools,
      form?.guided,
      seen,
      environment.legalActions(state, agent),
    ]);
  };
  return { what: `request in ${protocol}`, ask };
}

function refusal(intent: Intent): Telling {
  const ask = ({ environment, state }: Now): string =>
    JSON.stringify(environment.check(state, intent) ?? null);
  return { what: `answer to ${JSON.stringify(intent)}`, ask };
}

/** What is made of a written answer: an intent, or why there is none. */
function reading(name: ProtocolName, content: string): Telling {
  const ask = ({ environment, seen }: Now): string => {
    const reply = { content, toolCalls: [], finishReason: 'stop', reasoning: null };
    const vocabulary = environment.actions.list();
    const { intent, problem } = interpret(reply, protocolOf(name), vocabulary, environment.actions, seen);
    return JSON.stringify([intent, problem]);
  };
  return { what: `reading of ${JSON.stringify(content)} in ${name}`, ask };
}

/** So many ways to fill one form of an action are tried. */
const TRIES = 24;
/** The same by others, who just do something. */
const TRIES_OF_OTHERS = 3;

/** Acts that the agent might ask for, sensible or not, the same for both worlds. */
function triesOf(
  { environment, agent }: Pick<Now, 'environment' | 'agent'>,
  observation: Observation,
  { below, tries }: { below: Below; tries: number },
): readonly Intent[] {
  return environment.actions.list().flatMap(({ name, grammar }) =>
    formsOf(grammar).wholeForms.flatMap((form) =>
      Array.from({ length: form.length === 0 ? 1 : tries }, (): Intent => {
        const args = Object.fromEntries(form.map((slot) => [slot.slot, valueFor(slot, observation, below)]));
        return { agent, action: name, args };
      }),
    ),
  );
}

function valueFor(slot: Slot, { nouns, facts }: Observation, below: Below): string | number {
  switch (slot.kind) {
    case 'word':
      return slot.word;
    case 'text':
      return 'hello';
    case 'direction':
      return oneOf(below, DIRECTIONS);
    case 'integer':
      return oneOf(below, [0, 1, 2, 3, 5, 8, 13, 40, 999, Number(Object(facts['self']).x ?? 0)]);
    case 'name':
      return nouns.length === 0 ? 'nothing' : oneOf(below, nouns).id;
  }
}

/** Answers in words, some with names and numbers that the agent can't know. */
function linesFor({ names }: HiddenPair, { nouns }: Observation, below: Below): readonly string[] {
  const all = [...names, ...nouns.flatMap(({ id, name }) => [id, name])];
  const some = (): string => oneOf(below, all);
  const number = (): number => below(30);
  return [
    `ACTION: TAKE ${some()}`,
    `ACTION: USE ${some()} ON ${some()}`,
    `ACTION: USE ${some()}`,
    `ACTION: GO TO ${some()}`,
    `ACTION: GO TO ${number()} ${number()}`,
    `ACTION: GIVE ${some()} TO ${some()}`,
    `ACTION: HAND_OVER ${some()}`,
    `{"name": "GO", "parameters": {"x": ${number()}, "y": ${number()}}}`,
    `{"name": "OPEN", "parameters": {"target": ${JSON.stringify(some())}}}`,
  ];
}

/** After these somebody or everybody acts no more, and is told nothing. */
const ENDING = ['DONE', 'FINAL_ANSWER'];

/** Something that nothing speaks against, in either world: what changes the world before what only takes time. */
function chosen(
  [{ environment, state, agent }]: Both,
  tries: readonly Intent[],
  below: Below,
): Intent | null {
  if (!environment.active(state).includes(agent)) return null;
  const open = tries.filter((intent) => environment.check(state, intent) === undefined);
  const verbs = shuffled(below, [...new Set(open.map(({ action }) => action))]);
  const verb = verbs.find((one) => !ENDING.includes(one));
  const ways = open.filter(({ action }) => action === verb);
  return ways.length === 0 ? null : oneOf(below, ways);
}

/** A turn: the agent acts on what it was told, then the others, then the world. */
function played(now: Now, intent: Intent): Now {
  const { environment, agent, others } = now;
  let { state } = environment.advance(now.state, [withOutside(environment, intent)]);
  for (const other of environment.active(state).filter((id) => id !== agent)) {
    const seen = environment.observe(state, other);
    const tries = triesOf({ environment, agent: other }, seen, { below: others, tries: TRIES_OF_OTHERS });
    const open = tries.filter(
      (one) => environment.check(state, one) === undefined && !ENDING.includes(one.action),
    );
    if (open.length > 0)
      ({ state } = environment.advance(state, [withOutside(environment, oneOf(others, open))]));
  }
  const { state: next } = environment.endTurn(state);
  return { ...now, state: next, seen: environment.observe(next, agent) };
}

/** What a tool outside would have given. */
function withOutside({ actions }: Environment<unknown>, intent: Intent): Intent {
  return actions.get(intent.action)?.outside === undefined ? intent : { ...intent, outside: NO_FILES };
}

const NO_FILES: NonNullable<Intent['outside']> = { entries: [], lines: [], value: '' };
