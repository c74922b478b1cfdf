/**
 * Promise 8: whatever a model replies, reading throws nothing and gives no action outside what is offered; and it visits a number of characters
 * in proportion to the reply's length, whatever stands in it. Visits are counted (`counted-visits.ts`), so the machine's mood plays no part.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import type { Intent } from '../../src/environment/action.js';
import type { Grammar } from '../../src/environment/grammar.js';
import { DIRECTIONS } from '../../src/environment/space.js';
import type { ReplyText } from '../../src/parse/page.js';
import type { Interpretation } from '../../src/binding/interpret.js';
import { interpret } from '../../src/binding/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { ATTACKS, NAMED_ATTACKS } from '../parse/attacks.js';
import { MORE_OBSERVATION, MORE_REGISTRY, MORE_VOCABULARY } from '../parse/more-vocabulary.js';
import { chance } from './chance.js';
import { countVisits } from './counted-visits.js';
import { controlTokenIn, unseenIn } from './hostile-text.js';
import type { ProtocolName } from './mutated-replies.js';
import { mutatedReply } from './mutated-replies.js';
import { SIZED, grouped, reached, sizeOf, someOf } from '../support/sizes.js';

const PROTOCOLS = ['command', 'json', 'react', 'tools'] as const;

function read(reply: ReplyText, protocol: ProtocolName): Interpretation {
  return interpret(reply, protocolOf(protocol), MORE_VOCABULARY, MORE_REGISTRY, MORE_OBSERVATION);
}

/** What was done against the rules of reading; null where nothing was. */
function offence(reply: ReplyText, { intent, problem }: Interpretation): string | null {
  if ((intent === null) === (problem === null)) return 'not exactly one of intent and problem';
  if (problem !== null) return problemOffence(problem.message);
  if (intent === null) return null;
  if (reply.finishReason !== 'stop' && reply.finishReason !== 'tool_calls')
    return 'a reply that was cut off acted';
  return intentOffence(intent);
}

/** How the answer will stand in the agent's own past, where it must not act either. */
function pastOffence({ reading }: Interpretation, protocol: ProtocolName): string | null {
  if (!reading.ok) return null;
  const text = protocolOf(protocol)
    .replyText(reading)
    .replaceAll(/^<tool_call>|<\/tool_call>$/g, '');
  const acting = controlTokenIn(text) ?? unseenIn(text, true);
  return acting === null ? null : `its past holds ${acting}`;
}

function problemOffence(message: string): string | null {
  const token = controlTokenIn(message);
  if (token !== null) return `the problem holds ${token}: ${message}`;
  const unseen = unseenIn(message, false);
  return unseen === null ? null : `the problem holds ${unseen}: ${message}`;
}

function intentOffence({ agent, action, args }: Intent): string | null {
  if (agent !== MORE_OBSERVATION.agent) return `acted as ${agent}`;
  if (!MORE_OBSERVATION.offered.some((offer) => offer.action === action)) return `${action} isn't offered`;
  const grammar = MORE_REGISTRY.get(action)?.grammar ?? null;
  const slots = grammar === null ? [] : slotsOf(grammar);
  for (const [slot, value] of Object.entries(args)) {
    const isFit = slots.some((one) => one.slot === slot && fits(one, value));
    if (!isFit) return `${action} can't take ${slot}=${JSON.stringify(value)}`;
  }
  return null;
}

type Slot = Extract<Grammar, { slot?: string }>;

function slotsOf(grammar: Grammar): readonly Slot[] {
  if (grammar.kind === 'sequence' || grammar.kind === 'choice') return grammar.parts.flatMap(slotsOf);
  return grammar.kind === 'optional' ? slotsOf(grammar.part) : [grammar];
}

function fits(slot: Slot, value: string | number): boolean {
  switch (slot.kind) {
    case 'word':
      return value === slot.word;
    case 'direction':
      return DIRECTIONS.some((one) => one === value && (slot.diagonals || !one.includes('-')));
    case 'name':
      return MORE_OBSERVATION.nouns.some(
        ({ id, kinds }) => id === value && kinds.some((kind) => slot.of.includes(kind)),
      );
    case 'text':
      return typeof value === 'string' && Array.from(value).length <= slot.charactersMax;
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) && value >= slot.min && value <= slot.max;
  }
}

describe('any mutated reply', () => {
  it('is read without an exception, and does only what is offered', SIZED, () => {
    const replies = sizeOf('parserReplies');
    const below = chance('replies');
    let acted = 0;
    for (let n = 0; n < replies; n++) {
      const protocol = PROTOCOLS[n % PROTOCOLS.length] ?? 'command';
      const reply = mutatedReply(below, protocol);
      const interpretation = read(reply, protocol);
      const wrong = offence(reply, interpretation) ?? pastOffence(interpretation, protocol);
      if (wrong !== null) throw new Error(`${protocol}: ${wrong}: ${JSON.stringify(reply)}`);
      if (interpretation.intent !== null) acted += 1;
    }
    // A parser that refused everything would keep every promise but one.
    expect(acted).toBeGreaterThan(replies / 50);
    reached(
      '8 parser, mutated',
      `${grouped(replies)} replies, 0 exceptions, 0 actions outside what is offered (${grouped(acted)} acted)`,
    );
  });

  it('that acts beyond what is offered is found out', () => {
    const done = (action: string, args: Intent['args']) => intentOffence({ agent: 'wizard', action, args });
    expect(done('GO', { direction: 'north' })).toBeNull();
    expect(done('DROP', { thing: 'lantern' })).toBe("DROP isn't offered");
    expect(done('TAKE', { thing: 'knight' })).toContain("can't take");
    expect(done('TAKE', { thing: 'gold' })).toContain("can't take");
    expect(done('MOVE', { steps: 1.5 })).toContain("can't take");
    expect(intentOffence({ agent: 'knight', action: 'WAIT', args: {} })).toBe('acted as knight');
  });
});

/** Lengths of a reply in characters; from `LIMITS.answerCharacters` on, less the little around a family, only its reasoning is read. */
const LENGTHS = [1000, 5000, 20_000, LIMITS.answerCharacters - 300, LIMITS.replyBytes - 300].filter(
  (length) => length <= sizeOf('parserCharacters'),
);

/** What every reply costs, in characters visited, stays out of the growth. */
const AT_LEAST = 20_000;

/** A longer reply may cost so many times as much a character as the shortest: windows that look back fill up. A square would be length for length. */
const GROWTH_MOST = 2;

function plainReply(content: string): ReplyText {
  return { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
}

/** Characters visited for each of the lengths. */
function visitsOf(family: (size: number) => string, work: (content: string) => unknown): readonly number[] {
  return LENGTHS.map((length) => countVisits(() => work(family(length))).visits);
}

/** How much more a character costs in the dearest length than in the shortest. */
function growthOf(counts: readonly number[]): number {
  const perCharacter = counts.map((count, index) => Math.max(AT_LEAST, count) / (LENGTHS[index] ?? 1));
  return Math.max(...perCharacter) / (perCharacter[0] ?? 1);
}

describe('characters visited', () => {
  const worst = { growth: 0, perCharacter: 0, families: 0 };

  afterAll(() => {
    const range = `${grouped(LENGTHS[0] ?? 0)}–${grouped(LENGTHS.at(-1) ?? 0)} characters`;
    const told = `${worst.families} families over ${range}, at most ${Math.ceil(worst.perCharacter)} visits a character`;
    reached('8 parser, counted', `${told}, at most ${worst.growth.toFixed(2)} times those of the shortest`);
  });

  const families = PROTOCOLS.flatMap((protocol) =>
    Object.entries(protocol === 'command' ? ATTACKS : { ...ATTACKS, ...NAMED_ATTACKS }).map(
      ([name, family]) => [protocol, name, family] as const,
    ),
  );

  it.each(someOf(families, 'parserFamilies'))(
    'by %s grow with the length: %s',
    SIZED,
    (protocol, _name, family) => {
      const counts = visitsOf(family, (content) => read(plainReply(content), protocol));
      const growth = growthOf(counts);
      worst.families += 1;
      worst.growth = Math.max(worst.growth, growth);
      for (const [index, count] of counts.entries()) {
        worst.perCharacter = Math.max(worst.perCharacter, (count - AT_LEAST) / (LENGTHS[index] ?? 1));
      }
      expect(growth, String(counts)).toBeLessThanOrEqual(GROWTH_MOST);
    },
  );

  it.each([
    ['a pattern that begins anew at every space', (text: string) => / +$/.test(`${text}x`), ' '],
    [
      'lazy groups between spaces',
      (text: string) => /Thought:\s*(.*?)\s*Action:\s*(.*?)\s*Input:/s.test(text),
      'Thought: ',
    ],
    [
      'a search from every brace',
      (text: string) => Array.from(text, (_letter, at) => text.indexOf('}', at)),
      '{',
    ],
  ])('of %s are found to grow faster', (_what, work, unit) => {
    const small = [300, 3000].map(
      (length) => countVisits(() => work(unit.repeat(length / unit.length))).visits,
    );
    expect((small[1] ?? 0) / (small[0] ?? 1)).toBeGreaterThan(50);
  });
});
