/**
 * What a condition asks of an agent: the acts that make it true, and in which order. `read` goes through its parts and
 * the triggers that count, once for all players: one makes a plan of it, one takes its words to tell others.
 */
import { lookUp } from '../../../base/look-up.js';
import type { Point } from '../../../environment/space.js';
import type { GridCondition, GridDefinition, Trigger, TriggerOccasion } from '../definition.js';
import { ANY_AGENT, EVERY_AGENT } from '../definition.js';
import type { Firings } from './belief.js';
import { firingsWith, NO_FIRINGS } from './belief.js';

export interface Act {
  verb: string;
  /** The id of what it is done to, or the words of SPEAK. */
  object: string;
  /** The rest of the command: ` IN box`. */
  rest: string;
  /** Where it is done: in a room, on a tile, or so many tiles from something; null for anywhere. */
  at: { room: string } | { id: string; tiles: number } | (Point & { tiles: 0 }) | null;
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
  not: (fact: GridCondition) => T;
  /** A trigger, whose occasion counts once its condition is true. */
  trigger: (condition: T, occasion: () => T) => T;
  acts: (acts: readonly Act[], what: What) => T;
}

/** `within`: the triggers that wait for it. */
export function read<T>(how: Reading<T>, condition: GridCondition, within: readonly string[] = []): T {
  const settled = how.settled(condition);
  if (settled !== undefined) return settled;
  const each = (of: readonly GridCondition[]): readonly T[] => of.map((one) => read(how, one, within));
  const readActs = (what: What): T => how.acts(actsOf(what), what);
  const readTriggers = (triggers: readonly Trigger[], about: string): T => {
    const left = triggers.filter(({ id }) => !within.includes(id));
    const plans = left.map(({ id, when, condition: first }) =>
      how.trigger(first === null ? how.all([]) : read(how, first, [...within, about, id]), () =>
        when === null ? how.all([]) : (how.settled(when) ?? readActs(when)),
      ),
    );
    return how.any(plans, about);
  };
  switch (condition.kind) {
    case 'all':
      return how.all(each(condition.of));
    case 'any':
      return how.any(each(condition.of), within.join(' '));
    case 'not':
      return how.not(condition.of);
    case 'count': {
      const about = `count ${condition.counter}`;
      return readTriggers(within.includes(about) ? [] : triggersCounting(how, condition), about);
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
      return moving.length > 0 ? readTriggers(moving, id) : readActs(condition);
    }
    default:
      return readActs(condition);
  }
}

type World = Pick<Reading<unknown>, 'definition' | 'firings'>;

/** The triggers that may still fire for which this holds. */
function triggersThat(
  { definition, firings }: World,
  holds: (trigger: Trigger) => boolean,
): readonly Trigger[] {
  const { triggers = [] } = definition;
  return triggers.filter((one) => (one.repeats || !firings.fired.includes(one.id)) && holds(one));
}

/** The triggers that bring a counter nearer to its bounds, but not beyond them. */
function triggersCounting(world: World, { counter, min, max }: Count): readonly Trigger[] {
  const countIn = ({ counts }: Firings): number => lookUp(counts, counter) ?? 0;
  const now = countIn(world.firings);
  if (min === null || now >= min) return [];
  const after = (trigger: Trigger): number => countIn(firingsWith(world.firings, trigger));
  return triggersThat(world, (one) => after(one) > now && after(one) <= (max ?? Infinity));
}

/** As a player writes it; `nameOf`: what it calls a thing or door. */
export function commandOf({ verb, object, rest }: Act, nameOf = (id: string): string => id): string {
  const what = verb === 'SPEAK' ? JSON.stringify(object) : nameOf(object);
  return `${verb} ${what}${rest}`.trim();
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

type ActsOf<K> = (what: Extract<What, { kind: K }>) => readonly Act[];

/** The acts that make a fact true, or set off an occasion, in their order; none if no act does. */
const ACTS: { readonly [K in What['kind']]: ActsOf<K> } = {
  'in-room': ({ room }) => [goTo({ room })],
  at: ({ x, y }) => [goTo({ x, y, tiles: 0 })],
  near: ({ target, within }) => [goTo({ id: target, tiles: within })],
  holds: (what) => [take(what)],
  'thing-inside': (what) => [
    take(what),
    act('DROP', what.thing, ` IN ${what.container}`, on(what.container)),
  ],
  'thing-in-room': (what) => [take(what), act('DROP', what.thing, '', { room: what.room })],
  'door-is': ({ door, state }) => toggle(door, state),
  'container-is': ({ thing, state }) => toggle(thing, state),
  'work-done': ({ thing }) => [act('USE', thing)],
  read: ({ thing }) => [act('READ', thing)],
  heard: ({ phrase }) => [say(phrase)],
  done: () => [act('DONE')],
  caught: () => [],
  used: (what) =>
    what.on === null
      ? [act('USE', what.thing)]
      : [take(what), act('USE', what.thing, ` ON ${what.on}`, on(what.on))],
  'entered-room': ({ room }) => [goTo({ room })],
  'entered-tile': ({ x, y }) => [goTo({ x, y, tiles: 0 })],
  said: ({ room, phrase }) => [...(room === null ? [] : [goTo({ room })]), say(phrase)],
  'turn-over': () => [],
};

export function actsOf(what: What): readonly Act[] {
  return (ACTS[what.kind] as ActsOf<string>)(what);
}

/** Whether only another agent can bring it about. */
export function isOthers(what: GridCondition | TriggerOccasion, agent: string): boolean {
  return 'agent' in what && ![agent, ANY_AGENT, EVERY_AGENT].includes(what.agent);
}

/** Which of several alternatives counts, if any does; `about`: what they have in common. */
export type Choose = (alternatives: readonly (readonly Act[])[], about: string) => readonly Act[];

/** What an agent has to do, each once, wherever it is done; DONE last. */
export function actsFor(
  definition: GridDefinition,
  agent: string,
  condition: GridCondition | null,
  choose: Choose = (alternatives) => alternatives.flat(),
): readonly Act[] {
  if (condition === null) return [];
  const how: Reading<readonly Act[]> = {
    definition,
    firings: NO_FIRINGS,
    settled: (what) => (isOthers(what, agent) ? [] : undefined),
    all: (parts) => parts.flat(),
    any: (alternatives, about) => {
      const some = alternatives.filter((one) => one.length > 0);
      return some.length === 0 ? [] : choose(some, about);
    },
    not: () => [],
    trigger: (first, occasion) => [...first, ...occasion()],
    acts: (some) => some.filter(({ verb }) => verb !== 'GO'),
  };
  const acts = new Map(read(how, condition).map((one) => [`${one.verb} ${one.object}`, one]));
  return [...acts.values()].toSorted((a, b) => Number(a.verb === 'DONE') - Number(b.verb === 'DONE'));
}
