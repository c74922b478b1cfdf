/**
 * What a condition asks of an agent: the acts that make it true, and in which order. `read` goes through its parts and
 * the triggers that count, once for all players: one makes a plan of it, one takes its words to tell others.
 */
import { lookUp } from '../../../base/look-up.js';
import type { Point } from '../../../environment/space.js';
import { saysPhrase } from '../conditions.js';
import type { GridCondition, GridDefinition, Trigger, TriggerOccasion } from '../definition.js';
import { ANY_AGENT, EVERY_AGENT } from '../definition.js';
import type { Belief, Firings } from './belief.js';
import { firingsWith, NO_FIRINGS, truthOf } from './belief.js';

export interface Act {
  verb: string;
  /** The id of what it is done to, or the words of SPEAK. */
  object: string;
  /** The rest of the command: ` IN box`. */
  rest: string;
  /** Where it is done: in a room, on a tile, or so many tiles from something; null for anywhere. */
  at: { room: string } | Point | { id: string; tiles: number } | null;
}

type Count = Extract<GridCondition, { kind: 'count' }>;
/** What has no parts. */
export type Fact = Exclude<GridCondition, { kind: 'all' | 'any' | 'not' | 'count' }>;

export type What = Fact | TriggerOccasion;

/** What becomes of each part; `T` is what the whole becomes. */
export interface Reading<T> {
  definition: GridDefinition;
  firings: Firings;
  /** Undefined for what is not settled without a look at its acts or parts. */
  settled: (what: GridCondition | TriggerOccasion) => T | undefined;
  all: (parts: readonly T[]) => T;
  /** `about`: what the alternatives have in common. */
  any: (alternatives: readonly T[], about: string) => T;
  not: (fact: Fact | Count) => T;
  /** A trigger, whose occasion counts once its condition is true. */
  trigger: (condition: T, occasion: () => T) => T;
  /** `within`: the triggers that wait for it. */
  acts: (acts: readonly Act[], what: What, within: readonly string[]) => T;
  isHopeless: (one: T) => boolean;
}

export function read<T>(how: Reading<T>, condition: GridCondition, within: readonly string[] = []): T {
  const settled = how.settled(condition);
  if (settled !== undefined) return settled;
  const { definition } = how;
  const each = (of: readonly GridCondition[]): readonly T[] => of.map((one) => read(how, one, within));
  const readActs = (what: What, inside = within): T => how.acts(actsOf(definition, what), what, inside);
  const readTrigger = ({ id, when, condition: first }: Trigger, about: string): T => {
    const inside = [...within, about, id];
    return how.trigger(first === null ? how.all([]) : read(how, first, inside), () =>
      when === null ? how.all([]) : (how.settled(when) ?? readActs(when, inside)),
    );
  };
  const readTriggers = (triggers: readonly Trigger[], about: string): T => {
    const left = triggers.filter(({ id }) => !within.includes(id));
    return how.any(
      left.map((one) => readTrigger(one, about)),
      about,
    );
  };
  switch (condition.kind) {
    case 'all':
      return how.all(each(condition.of));
    case 'any':
      return how.any(each(condition.of), within.join(' '));
    case 'not': {
      const { of } = condition;
      if (of.kind === 'not') return read(how, of.of, within);
      if (of.kind !== 'all' && of.kind !== 'any') return how.not(of);
      const negated = of.of.map((one): GridCondition => ({ kind: 'not', of: one }));
      return read(how, { kind: of.kind === 'all' ? 'any' : 'all', of: negated }, within);
    }
    case 'count': {
      const about = `count ${condition.counter}`;
      return within.includes(about)
        ? how.any([], about)
        : readTriggers(triggersCounting(how, condition), about);
    }
    case 'door-is':
    case 'container-is': {
      const id = condition.kind === 'door-is' ? condition.door : condition.thing;
      const moving = triggersThat(how, ({ effects }) =>
        effects.some(
          (one) =>
            one.kind === 'set-lid' && one.target === id && (one.to === condition.state || one.to === 'open'),
        ),
      );
      const byTrigger = readTriggers(moving, id);
      return how.isHopeless(byTrigger) ? readActs(condition) : byTrigger;
    }
    default:
      return readActs(condition);
  }
}

/** The triggers that may still fire for which this holds. */
function triggersThat(
  { definition, firings }: Pick<Reading<unknown>, 'definition' | 'firings'>,
  holds: (trigger: Trigger) => boolean,
): readonly Trigger[] {
  const { triggers = [] } = definition;
  return triggers.filter((one) => (one.repeats || lookUp(firings.fired, one.id) === undefined) && holds(one));
}

/** The triggers that bring a counter within its bounds; if none does, those that count it on the way there. */
function triggersCounting(
  world: Pick<Reading<unknown>, 'definition' | 'firings'>,
  { counter, min, max }: Count,
): readonly Trigger[] {
  const countIn = ({ counts }: Firings): number => lookUp(counts, counter) ?? 0;
  const now = countIn(world.firings);
  if (min === null || now >= min) return [];
  const after = (trigger: Trigger): number => countIn(firingsWith(world.firings, trigger));
  const counting = triggersThat(world, (one) => after(one) > now && after(one) <= (max ?? Infinity));
  const enough = counting.filter((one) => after(one) >= min);
  return enough.length > 0 ? enough : counting;
}

export function act(
  verb: string,
  object = '',
  rest = '',
  at: Act['at'] = object === '' ? null : { id: object, tiles: 1 },
): Act {
  return { verb, object, rest, at };
}

const take = ({ thing }: { thing: string }): Act => act('TAKE', thing);
const goTo = (at: Act['at']): Act => act('GO', '', '', at);
const say = (phrase: string): Act => act('SPEAK', phrase, '', null);
const on = (id: string): Act['at'] => ({ id, tiles: 1 });

const toggle = (id: string, state: string): readonly Act[] =>
  state === 'locked' ? [] : [act(state === 'closed' ? 'CLOSE' : 'OPEN', id)];

type ActsOf<K> = (what: Extract<What, { kind: K }>, things: GridDefinition['things']) => readonly Act[];

/** The acts that make a fact true, or set off an occasion, in their order; none if no act does. */
const ACTS: { readonly [K in What['kind']]: ActsOf<K> } = {
  'in-room': ({ room }) => [goTo({ room })],
  at: ({ x, y }) => [goTo({ x, y })],
  near: ({ target, within }) => [goTo({ id: target, tiles: within })],
  holds: (what) => [take(what)],
  'thing-inside': (what, things) =>
    isPortable(what, things)
      ? [take(what), act('DROP', what.thing, ` IN ${what.container}`, on(what.container))]
      : [],
  'thing-in-room': (what, things) =>
    isPortable(what, things) ? [take(what), act('DROP', what.thing, '', { room: what.room })] : [],
  'door-is': ({ door, state }) => toggle(door, state),
  'container-is': ({ thing, state }) => toggle(thing, state),
  'work-done': ({ thing }) => [act('USE', thing)],
  read: ({ thing }) => [act('READ', thing)],
  heard: ({ phrase }) => [say(phrase)],
  done: () => [act('DONE')],
  caught: () => [],
  used: (what, things) => {
    if (what.on !== null) return [take(what), act('USE', what.thing, ` ON ${what.on}`, on(what.on))];
    // What is eaten has to be held.
    const isEaten = things.some(({ id, consumable }) => id === what.thing && consumable !== null);
    return isEaten ? [take(what), act('USE', what.thing, '', null)] : [act('USE', what.thing)];
  },
  'entered-room': ({ room }) => [goTo({ room })],
  'entered-tile': ({ x, y }) => [goTo({ x, y })],
  said: ({ room, phrase }) => [...(room === null ? [] : [goTo({ room })]), say(phrase)],
  'turn-over': () => [],
};

function isPortable({ thing }: { thing: string }, things: GridDefinition['things']): boolean {
  return things.some(({ id, portable }) => id === thing && portable);
}

function actsOf({ things }: GridDefinition, what: What): readonly Act[] {
  return (ACTS[what.kind] as ActsOf<string>)(what, things);
}

/** Whether only another agent can bring it about. */
export function isOthers(what: GridCondition | TriggerOccasion, agent: string): boolean {
  return 'agent' in what && ![agent, ANY_AGENT, EVERY_AGENT].includes(what.agent);
}

/** Which of several alternatives count; `about`: what they have in common. */
export type Choose = <T>(alternatives: readonly T[], about: string) => readonly T[];

/** What an agent has to do, each once, wherever it is done; DONE last. */
export function actsFor(
  definition: GridDefinition,
  agent: string,
  condition: GridCondition | null,
  choose: Choose = (alternatives) => alternatives,
): readonly Act[] {
  if (condition === null) return [];
  const acts = read<readonly Act[]>(
    {
      definition,
      firings: NO_FIRINGS,
      settled: (what) => (isOthers(what, agent) ? [] : undefined),
      all: (parts) => parts.flat(),
      any: (alternatives, about) =>
        choose(
          alternatives.filter((one) => one.length > 0),
          about,
        ).flat(),
      not: () => [],
      trigger: (first, occasion) => [...first, ...occasion()],
      acts: (some) => some.filter(({ verb }) => verb !== 'GO'),
      isHopeless: (some) => some.length === 0,
    },
    condition,
  );
  const once = [...new Map(acts.map((one) => [`${one.verb} ${one.object}`, one])).values()];
  return once.toSorted((a, b) => Number(a.verb === 'DONE') - Number(b.verb === 'DONE'));
}

/**
 * The alternatives of the goal of several players: the facts that none of them makes true, and the words for what
 * these agents have to do about it.
 */
function alternativesIn(definition: GridDefinition, players: readonly string[], agents: readonly string[]) {
  const choicesIn = (condition: GridCondition): readonly GridCondition[] =>
    condition.kind === 'any' ? condition.of : condition.kind === 'all' ? condition.of.flatMap(choicesIn) : [];
  const wordOf = ({ object }: Act): string =>
    definition.things.find(({ id }) => id === object)?.name ?? object;
  return (definition.success === null ? [] : choicesIn(definition.success)).map((condition) => {
    const parts = condition.kind === 'all' ? condition.of : [condition];
    const done = (agent: string, part: GridCondition) => actsFor(definition, agent, part);
    return {
      facts: parts.filter((part) => players.every((agent) => done(agent, part).length === 0)),
      words: agents.flatMap((agent) => parts.flatMap((part) => done(agent, part).map(wordOf))),
    };
  });
}

/** What the others need to be told: the words for their part of the only alternative whose facts are true. */
export function hintsFor(belief: Belief, others: readonly string[]): readonly string[] {
  const alternatives = alternativesIn(belief.definition, [belief.me, ...others], others);
  const known = alternatives.filter(({ facts }) => facts.every((fact) => truthOf(belief, fact) === true));
  const [only] = known;
  if (only === undefined || only.facts.length === 0 || known.length > 1 || alternatives.length < 2) return [];
  return [...new Set(only.words)].filter((word) => word !== '');
}

/** The triggers that must have fired if what another player said means one alternative of the goal. */
export function triggersMeant(belief: Belief, others: readonly string[], text: string): readonly Trigger[] {
  const { definition, me } = belief;
  const alternatives = alternativesIn(definition, [me, ...others], [me]);
  const meant = alternatives.filter(({ words }) =>
    words.some((word) => word !== '' && saysPhrase(text, word)),
  );
  if (meant.length !== 1) return [];
  return (meant[0]?.facts ?? []).flatMap((fact) => {
    const counting = fact.kind === 'count' ? triggersCounting(belief, fact) : [];
    return counting.length === 1 ? counting : [];
  });
}
