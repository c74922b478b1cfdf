/** Typed intents of the wire as the words that the loop's parser reads. */
import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { protocolOf } from '../../src/parse/protocols.js';
import { SubmitIntentRequestSchema } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { replyOf } from '../../src/serve/intents.js';
import { servedWorld } from '../support/served-world.js';
import { agent, game, thing, tinyDefinition } from '../worlds/grid/tiny-world.js';

describe('a typed use', () => {
  const said = (amount: bigint, rules = {}): string => {
    const pieces = { a: agent('ada'), b: thing('berries') };
    const { environment } = game(tinyDefinition('####\n#ab#\n####', pieces, { rules }));
    const use = { item: 'berries', amount };
    const { intent } = create(SubmitIntentRequestSchema, { intent: { case: 'use', value: use } });
    const reader = {
      protocol: protocolOf('command'),
      actions: environment.actions,
      spoken: (action: string) => action,
      namesOfKind: () => [],
      observation: null,
    };
    return replyOf(intent, reader).content;
  };

  it('has an amount where the rules know one', () => {
    expect(said(3n, { usesAmounts: true })).toBe('ACTION: USE 3 berries');
    expect(said(0n, { usesAmounts: true })).toBe('ACTION: USE berries');
  });

  it('says the name of a thing that is meant by its id, where ids are not understood', () => {
    const thingId = 'blue-1';
    const { environment } = game(
      tinyDefinition(
        '####\n#ab#\n####',
        { a: agent('ada'), b: thing(thingId, { name: 'berries' }) },
        {
          rules: { refusals: 'plain' },
        },
      ),
    );
    const { intent } = create(SubmitIntentRequestSchema, {
      intent: { case: 'pickup', value: { item: thingId, amount: 0n } },
    });
    const observation = environment.observe(environment.create('1'), 'ada');
    const { actions } = environment;
    const spoken = (verb: string): string => verb;
    const reader = { protocol: protocolOf('command'), actions, spoken, namesOfKind: () => [], observation };
    expect(replyOf(intent, reader).content).toBe('ACTION: TAKE berries');
  });

  it('is refused with one where they do not', () => {
    expect(() => said(3n)).toThrow('USE does not take amount and thing; it takes thing, or thing and target');
  });
});

describe('a name that several heaps share', () => {
  const HEAPS = `
title: Two heaps
map: |
  ########
  #b...c.#
  ########
legend: { b: { thing: near }, c: { thing: far } }
agents: [{ id: ann, sprite: knight, at: [1, 1] }]
things:
  near: &heap { name: blue berries, sprite: item/berries-blue, aliases: [blue berry], stack: { kind: blue-berry, amount: 5 } }
  far: *heap
turns: { max: 9, attempts: 2 }
`;
  const pickup = (item: string) => ({ case: 'pickup', value: { item, amount: 1n } }) as const;
  const use = (item: string) => ({ case: 'use', value: { item } }) as const;
  const acks = async (
    source: string,
    intents: readonly ReturnType<typeof pickup | typeof use>[],
  ): Promise<readonly string[]> => {
    const { leases, play } = await servedWorld(source);
    const { lease } = await leases.acquireLease({ entity: 'ann', controller: 'tester' });
    const left = [...intents];
    const told: string[] = [];
    for await (const { tick, attempt, isFinal } of play.streamObservations({ lease })) {
      if (tick === 0n) continue;
      const intent = left.shift();
      if (isFinal || intent === undefined) return told;
      const { accepted, action, problem } = await play.submitIntent({ lease, tick, attempt, intent });
      told.push(`${accepted} ${action} ${problem}`);
    }
    return told;
  };

  it('means the one that can be picked up now', async () => {
    expect(await acks(HEAPS, [pickup('blue berries'), pickup('blue berry')])).toEqual([
      'true TAKE ',
      'true TAKE ',
    ]);
  });

  it('may be the kind of the stack, which means the same', async () => {
    const eaten = HEAPS.replace('name: blue berries', 'name: blue berries, consumable: Sweet.');
    expect(await acks(eaten, [pickup('blue-berry'), use('blue-berry')])).toEqual(['true TAKE ', 'true USE ']);
    const away = HEAPS.replace('at: [1, 1]', 'at: [3, 1]');
    expect(await acks(away, [pickup('blue-berry')])).toEqual(['false  ambiguous']);
    // A thing that is called so comes first.
    const coin = 'coin: { name: blue-berry, at: [2, 1], sprite: item/coins }';
    const called = away.replace('far: *heap', `far: *heap\n  ${coin}`);
    expect(await acks(called, [pickup('blue-berry')])).toEqual(['true TAKE ']);
    const [unknown] = await acks(HEAPS, [pickup('no-berry')]);
    expect(unknown).toContain('false  ');
  });

  it('means the one that is held, to be used', async () => {
    const eaten = HEAPS.replace('name: blue berries', 'name: blue berries, consumable: Sweet.');
    expect(await acks(eaten, [pickup('blue berries'), use('blue berries')])).toEqual([
      'true TAKE ',
      'true USE ',
    ]);
  });

  it('is refused where no heap, or more than one, is at hand', async () => {
    const [none] = await acks(HEAPS.replace('at: [1, 1]', 'at: [3, 1]'), [pickup('blue berries')]);
    expect(none).toBe('false  ambiguous');
    // Things that are no stacks can be taken from the next tile too.
    const things = HEAPS.replace(/, stack: .*? }/, '').replace('#b...c.#', '#bc....#');
    const [both] = await acks(things, [pickup('blue berries')]);
    expect(both).toBe('false  ambiguous');
  });
});
