/** Typed intents of the wire as the words that the loop's parser reads. */
import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { protocolOf } from '../../src/parse/protocols.js';
import { SubmitIntentRequestSchema } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { replyOf } from '../../src/serve/intents.js';
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
    };
    return replyOf(intent, reader).content;
  };

  it('has an amount where the rules know one', () => {
    expect(said(3n, { usesAmounts: true })).toBe('ACTION: USE 3 berries');
    expect(said(0n, { usesAmounts: true })).toBe('ACTION: USE berries');
  });

  it('is refused with one where they do not', () => {
    expect(() => said(3n)).toThrow('USE does not take amount and thing; it takes thing, or thing and target');
  });
});
