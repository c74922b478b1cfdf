/** The random controller says only what is offered, in words that the parser reads, and goes on from its memory. */
import { FREE_FORM } from '../../src/model/chat.js';
import { describe, expect, it } from 'vitest';
import { randomController } from '../../src/agent/controllers/random.js';
import { stream } from '../../src/base/rng.js';
import type { Json } from '../../src/base/json.js';
import {
  choice,
  direction,
  integer,
  name,
  optional,
  sequence,
  text,
  word,
} from '../../src/environment/grammar.js';
import type { Grammar } from '../../src/environment/grammar.js';
import type { OfferedAction } from '../../src/environment/observation.js';
import type { Vocabulary } from '../../src/forms/vocabulary.js';

const plain = { aliases: [], description: '', cost: 'turn', examples: [] } as const;
const action = (verb: string, grammar: Grammar | null): Vocabulary[number] => ({
  ...plain,
  name: verb,
  grammar,
});

const VOCABULARY: Vocabulary = [
  action('WAIT', null),
  action('DONE', null),
  action('GO', choice(direction('way', ''), sequence(word('TO'), name('target', [], '')))),
  action('DROP', sequence(optional(integer('amount', { min: 1, max: 10_000 }, '')), name('thing', [], ''))),
  action('PAY', integer('amount', { min: 5, max: 900 }, '')),
  action('PICK', integer('amount', { min: 0, max: 1 }, '')),
  action('SPEAK', text('text', '', 100)),
  action('TAKE', name('thing', [], '')),
];

const OFFERED: readonly OfferedAction[] = [
  { action: 'WAIT', slots: {} },
  { action: 'DONE', slots: {} },
  { action: 'GO', slots: { way: ['north', 'east'], target: [] } },
  { action: 'DROP', slots: { amount: [], thing: ['scroll'] } },
  { action: 'PAY', slots: { amount: [] } },
  { action: 'PICK', slots: { amount: [] } },
  { action: 'TAKE', slots: { thing: [] } },
];

/** So many replies in a row, each from the memory that the last one left. */
async function said(
  turns: number,
  options: {
    seed?: string;
    offered?: readonly OfferedAction[];
    memory?: Json;
    words?: readonly string[];
  } = {},
) {
  const { seed = 'seed', offered = OFFERED, words } = options;
  const controller = randomController(seed, 'ann', VOCABULARY, { words: words ?? [], mayLeave: true });
  const observation = {
    agent: 'ann',
    turn: 1,
    sections: [],
    scope: [],
    offered,
    nouns: [],
    facts: {},
    scene: null,
  };
  const replies: string[] = [];
  let memory: Json = options.memory ?? null;
  for (let turn = 1; turn <= turns; turn++) {
    const input = { agent: 'ann', turn, attempt: 1, observation, messages: [], form: FREE_FORM, memory };
    const decision = await controller.decide(input, new AbortController().signal);
    replies.push(decision.reply.content);
    ({ memory } = decision);
  }
  return { replies, memory };
}

describe('the random controller', () => {
  it('says every form that is offered and no other', async () => {
    const { replies } = await said(400);
    expect([...new Set(replies)].sort()).toEqual(
      [
        'DONE',
        'DROP scroll',
        'GO east',
        'GO north',
        'PAY 5',
        'PAY 6',
        'PAY 7',
        'PICK 0',
        'PICK 1',
        'WAIT',
      ].map((command) => `ACTION: ${command}`),
    );
  });

  it('waits where nothing else can be said', async () => {
    expect((await said(3, { offered: [{ action: 'TAKE', slots: { thing: [] } }] })).replies).toEqual(
      Array.from({ length: 3 }, () => 'ACTION: WAIT'),
    );
  });

  it('speaks in quotes', async () => {
    const { replies } = await said(20, { offered: [{ action: 'SPEAK', slots: { text: [] } }] });
    for (const reply of replies) expect(reply).toMatch(/^ACTION: SPEAK "[^"]+"$/);
  });

  it('says the words that count, if there are any', async () => {
    const options = { offered: [{ action: 'SPEAK', slots: { text: [] } }], words: ['two', 'three'] };
    const { replies } = await said(40, options);
    expect(new Set(replies)).toEqual(new Set(['ACTION: SPEAK "two"', 'ACTION: SPEAK "three"']));
  });

  it('goes on from its memory as if it had never stopped', async () => {
    const whole = await said(30);
    const half = await said(12);
    const rest = await said(18, { memory: JSON.parse(JSON.stringify(half.memory)) as Json });
    expect([...half.replies, ...rest.replies]).toEqual(whole.replies);
    expect(rest.memory).toEqual(whole.memory);
  });

  it('begins with its own stream: another seed says other things', async () => {
    const first = await said(30);
    expect((await said(30)).replies).toEqual(first.replies);
    expect((await said(30, { seed: 'other' })).replies).not.toEqual(first.replies);
    expect((await said(30, { memory: stream('seed', 'controller:ann') as Json })).replies).toEqual(
      first.replies,
    );
  });
});
