/**
 * What a model reads names things in words, never by a generated id: the prompt with its history, offers, refusals and inbox, native tools and
 * guided forms, the questions of probes. And such a name binds: what is offered under it is understood as that very thing. What the built-in players
 * answer, which data sets are made of, names things in the same words.
 */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Controller, ControllerInput } from '../../src/agent/controller.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import { inProtocol } from '../../src/agent/controllers/in-protocol.js';
import { randomController } from '../../src/agent/controllers/random.js';
import { allProbes } from '../../src/agent/probes/probes.js';
import { at } from '../../src/base/assert.js';
import { bind } from '../../src/binding/bind.js';
import { interpret } from '../../src/binding/interpret.js';
import { slotsOf } from '../../src/environment/grammar.js';
import type { Seat } from '../../src/orchestrator/run-context.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { PROBE_KINDS } from '../../src/scenario/scenario.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';
import { SIZED, grouped, reached, someOf } from '../support/sizes.js';

/** Heaps to be split, furniture, doors, rooms and creatures of one name each, under ids that say nothing. */
const HEAP = '{ kind: food, name: red berries, sprite: item/berries-red, stack: { kind: red, amount: 9 } }';
const CHEST = '{ kind: chest, name: chest, state: open }';
const worldIn = (protocol: string, set = ''): string => `
${set}
title: Namesakes
map: |
  #################
  #A..1.a..#..g...#
  #.2...b..d.....3#
  #...x.k..#..h...#
  #....B...e...c..#
  #################
legend:
  A: { agent: ann }
  B: { agent: bob }
  '1': { thing: thing-1 }
  '2': { thing: thing-2 }
  '3': { thing: thing-3 }
  a: { thing: thing-4 }
  b: { thing: thing-5 }
  c: { thing: thing-6 }
  x: { thing: thing-7 }
  k: { thing: thing-8 }
  g: { npc: npc-1 }
  h: { npc: npc-2 }
  d: { door: door-1 }
  e: { door: door-2 }
rooms:
  room-1: { name: cellar, area: [1, 1, 8, 4] }
  room-2: { name: cellar, area: [10, 1, 6, 4] }
doors:
  door-1: { name: oak door, state: open }
  door-2: { name: oak door }
things:
  thing-1: ${HEAP}
  thing-2: ${HEAP}
  thing-3: ${HEAP}
  thing-4: { kind: furniture, name: barrel, sprite: furniture/barrel }
  thing-5: { kind: furniture, name: barrel, sprite: furniture/barrel }
  thing-6: { kind: furniture, name: barrel, sprite: furniture/barrel }
  thing-7: ${CHEST}
  thing-8: ${CHEST}
  thing-9: { kind: key, name: coin, sprite: item/key-brass, in: thing-7 }
  thing-10: { kind: key, name: coin, sprite: item/key-brass, in: thing-7 }
  thing-11: { kind: key, name: coin, sprite: item/key-brass, in: thing-8 }
npcs:
  npc-1: { name: rat, sprite: figure/rat, behaviour: wander, every: 1 }
  npc-2: { name: rat, sprite: figure/rat, behaviour: wander, every: 2 }
agents:
  - { id: ann, name: Ann, sprite: figure/knight, controller: random, protocol: ${protocol}, goals: [Look about.] }
  - { id: bob, name: Bob, sprite: figure/wizard, controller: random, protocol: ${protocol}, goals: [Look about.] }
success: { agent: ann, holds: thing-9 }
`;

function wordsOf({ messages, form }: ControllerInput): string {
  const parts = messages.flatMap((message) => [
    ...message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
    JSON.stringify({ ...message, parts: [] }),
  ]);
  const tools = form.tools.map((tool) => [tool.parameters, tool.guidedParameters]);
  return [...parts, JSON.stringify([form.guided, tools])].join('\n');
}

/** The ids of what an agent knows, except those that are words of a name: `brass-key`. */
function idsIn({ observation: { nouns, facts } }: ControllerInput): readonly string[] {
  const told = JSON.stringify(facts).match(/(?<="name":")[^"]+/g) ?? [];
  const names = [...nouns.map(({ name }) => name), ...told].join('\n').toLowerCase();
  const inFacts = JSON.stringify(facts).match(/(?<=")[a-z]+(?:-[a-z0-9]+)+(?=")/g) ?? [];
  return [...nouns.map(({ id }) => id), ...inFacts].filter(
    (id) => /[0-9-]/.test(id) && !names.includes(id.replaceAll('-', ' ')) && !DIRECTION.test(id),
  );
}

const DIRECTION = /^(?:north|south)-(?:east|west)$/;

interface Faults {
  ids: Set<string>;
  unbound: Set<string>;
  prompts: number;
}

/** Plays and finds ids in prompts, and offered names that are not understood as one thing. */
async function faultsOf(yaml: string, turns: number): Promise<Faults> {
  const faults: Faults = { ids: new Set(), unbound: new Set(), prompts: 0 };
  const sink = new MemorySink();
  const options = { set: [`turns.max=${turns}`] };
  const parts = await partsFor(yaml, sink, options);
  const { scenario, environment } = parts;
  const vocabulary = environment.actions.list();
  const curious = ({ spec, protocol }: Seat): Controller => {
    const random = inProtocol(randomController(scenario.seed, spec.id, vocabulary), protocol, vocabulary);
    let isOwn = false;
    return {
      ...random,
      // What is drawn from the offers is always understood.
      judged: ({ problem }) => {
        if (isOwn && /^(?:ambiguous|bad-argument|unparsable)$/.test(problem?.code ?? ''))
          faults.unbound.add(problem?.message ?? '');
      },
      decide: async (input, signal) => {
        const { observation, turn, attempt } = input;
        const probes = PROBE_KINDS.flatMap((kind) =>
          allProbes({ observation, hasPicture: true }, kind).map((probe) => JSON.stringify(probe)),
        );
        const text = [wordsOf(input), ...probes].join('\n');
        faults.prompts++;
        const words = new Set(text.match(/[a-z][a-z0-9_]*(?:[0-9-][a-z0-9_]*)+/g));
        for (const id of idsIn(input)) if (words.has(id)) faults.ids.add(id);
        for (const { action, slots } of observation.refusals === 'plain' ? [] : observation.offered) {
          const bindable = environment.actions.get(action);
          if (bindable === undefined || bindable.grammar === null) continue;
          for (const [slot, values] of Object.entries(slots)) {
            const meant = values.map((value) =>
              bind({ action, args: { [slot]: value } }, bindable, observation),
            );
            const things = meant.map((bound) => (bound.ok ? JSON.stringify(bound.intent.args) : 'nothing'));
            if (things.includes('nothing') || new Set(things).size < things.length)
              faults.unbound.add(`${action} ${values.join(', ')}: ${things.join(', ')}`);
          }
        }
        // A name that fits several things, or none that can be used: the refusal is read in the next prompt.
        const noun = observation.nouns[turn % Math.max(1, observation.nouns.length)];
        isOwn = attempt > 1 || turn % 3 > 0 || noun === undefined;
        if (isOwn || noun === undefined) return random.decide(input, signal);
        const verb = at(['TAKE', 'PUSH', 'GO TO', 'OPEN', 'LOOK AT'], turn % 5);
        return { reply: embeddedReply(`ACTION: ${verb} ${noun.name}`), memory: input.memory };
      },
    };
  };
  const seats = parts.seats.map((seat) => ({ ...seat, controller: curious(seat) }));
  await new TurnOrchestrator({ ...parts, seats }).run(NEVER_STOPPED);
  return faults;
}

/** What a built-in player in the seats of a scenario names that stands in none of the texts that a model would have read, and how often it names anything. */
async function unreadNames(yaml: string, controller: 'scripted' | 'oracle', turns: number) {
  const { scenario } = await partsFor(yaml, new MemorySink());
  const set = scenario.agents
    .filter(({ controller: { kind } }) => kind !== 'replies' && kind !== 'process')
    .flatMap(({ id, controller: { kind } }) => [
      `agents.${id}.controller=${controller}`,
      ...(kind === 'model' ? [`agents.${id}.model=null`] : []),
    ]);
  const parts = await partsFor(yaml, new MemorySink(), { set: [`turns.max=${turns}`, ...set] });
  const { actions } = parts.environment;
  const unread = new Set<string>();
  let named = 0;
  const seats = parts.seats.map((seat): Seat => {
    const { controller: player } = seat;
    return {
      ...seat,
      controller: {
        ...player,
        decide: async (input, signal) => {
          const decision = await player.decide(input, signal);
          const { observation } = input;
          const { reading, intent } = interpret(
            decision.reply,
            seat.protocol,
            actions.list(),
            actions,
            observation,
          );
          if (!reading.ok || intent === null) throw new Error(decision.reply.content);
          // Where only a picture shows things, a model reads their names nowhere, but ids are no answer.
          const isPlain = observation.refusals === 'plain';
          const text = (
            isPlain ? observation.nouns.map(({ name }) => name).join('\n') : wordsOf(input)
          ).toLowerCase();
          const grammar = actions.get(intent.action)?.grammar ?? null;
          for (const { slot } of grammar === null ? [] : slotsOf(grammar)) {
            const name = slot.kind === 'name' ? reading.command.args[slot.slot] : undefined;
            if (name === undefined) continue;
            named++;
            if (!text.includes(String(name).toLowerCase())) unread.add(`${intent.action} ${name}`);
          }
          return decision;
        },
      },
    };
  });
  await new TurnOrchestrator({ ...parts, seats }).run(NEVER_STOPPED);
  return { unread: [...unread], named };
}

const SHIPPED = readdirSync('scenarios')
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => `scenarios/${name}`);

it.each(someOf(SHIPPED, 'scenarios'))(
  'the prompts of %s name things in words',
  { ...SIZED, tags: ['long'] },
  async (file) => {
    const { ids, unbound, prompts } = await faultsOf(file, 20);
    expect({ ids: [...ids], unbound: [...unbound] }).toEqual({ ids: [], unbound: [] });
    reached('names in words', `${file}: ${grouped(prompts)} prompts, 0 ids`);
  },
);

const namesakes = async (protocol: string) => {
  const { ids, unbound } = await faultsOf(worldIn(protocol), 4);
  expect({ ids: [...ids], unbound: [...unbound] }).toEqual({ ids: [], unbound: [] });
};

it('things of one name are told apart in words', () => namesakes('command'));

it.each(['json', 'react', 'tools'])('and so they are in %s', { tags: ['long'] }, namesakes);

it.each(['scripted', 'oracle'] as const)(
  'what the %s player names stands in its prompt',
  async (controller) => {
    const yaml = worldIn('command').replace('holds: thing-9', 'holds: thing-3');
    const { unread, named } = await unreadNames(yaml, controller, 12);
    expect(unread).toEqual([]);
    expect(named).toBeGreaterThan(1);
  },
);

it.each(someOf(SHIPPED, 'scenarios'))(
  'what the scripted player names in %s stands in its prompt',
  { ...SIZED, tags: ['long'] },
  async (file) => {
    const { unread, named } = await unreadNames(file, 'scripted', 20);
    expect(unread).toEqual([]);
    reached('names that were read', `${file}: ${grouped(named)}`);
  },
);

it('a snapshot names things in words', async () => {
  const { ids } = await faultsOf(worldIn('command', 'prompt: { snapshot: true }'), 1);
  expect([...ids]).toEqual([]);
});

/** Of the grid; `seen` has events with things that nobody sees any more. */
const EVERY_FACT =
  '[self, bodies, things, doors, remembered, exits, rooms, heard, noticed, seen, recalled, last, frontier, window]';

it('a snapshot of chosen facts names things in words', async () => {
  const { ids } = await faultsOf(worldIn('command', `prompt: { snapshot: ${EVERY_FACT} }`), 14);
  expect([...ids]).toEqual([]);
});
