/**
 * Replies of models, mutated: what stands in the parser's corpora and what attacks it, cut, doubled, crossed and spoiled by chance. A protocol
 * and a stream of chance go in, a reply comes out.
 */
import type { ReplyText } from '../../src/parse/page.js';
import type { protocolOf } from '../../src/parse/protocols.js';
import { ATTACKS, NAMED_ATTACKS } from '../parse/attacks.js';
import { readCorpus } from '../parse/corpus.js';
import type { Below } from './chance.js';
import { oneOf } from './chance.js';
import { CONTROL_TOKENS } from './hostile-text.js';

export type ProtocolName = Parameters<typeof protocolOf>[0];

type Seed = Pick<ReplyText, 'content' | 'toolCalls'>;

const SEEDS: Readonly<Record<ProtocolName, readonly Seed[]>> = {
  command: readCorpus('command'),
  json: readCorpus('json'),
  react: readCorpus('react'),
  tools: readCorpus('tools'),
};

const PIECES = [
  ...CONTROL_TOKENS,
  ...[...Object.values(ATTACKS), ...Object.values(NAMED_ATTACKS)].map((family) => family(6)),
  'ACTION:',
  '**Action:** ',
  'Answer: ',
  'NORTH',
  ' ON ',
  ' TO ',
  'brass key',
  'knight',
  'DROP lantern',
  'not ',
  'Example:\n',
  '\n',
  '\n\n',
  '- ',
  '> ',
  '"',
  '“',
  "'",
  '(',
  ')',
  '.',
  ' because ',
  '{',
  '}',
  '[',
  ',',
  ':',
  '\\',
  '\u200b',
  '\ud800',
  '"action"',
  '"name": ',
  '"arguments": {',
  '"thing": "chest"',
  'true',
  'null',
  '1e9',
  '-1',
  '99999999999999999999',
];

/** Mostly one that ended properly: any other may not act at all. */
const ENDS = ['stop', 'stop', 'stop', 'stop', 'tool_calls', 'length', null];

export function mutatedReply(below: Below, protocol: ProtocolName): ReplyText {
  // Now and then another protocol's: a model may have learnt that one.
  const seed = oneOf(below, SEEDS[below(8) === 0 ? 'command' : protocol]);
  const toolCalls = seed.toolCalls.map((call) => ({ ...call, arguments: mutated(below, call.arguments) }));
  return {
    content: mutated(below, seed.content),
    reasoning: below(10) === 0 ? oneOf(below, SEEDS[protocol]).content : null,
    toolCalls,
    finishReason: oneOf(below, ENDS),
  };
}

function mutated(below: Below, text: string): string {
  let now = text;
  for (let edits = 1 + below(4); edits > 0; edits--) now = edit(below, now);
  return now;
}

function edit(below: Below, text: string): string {
  const from = below(text.length + 1);
  const to = Math.min(text.length, from + below(14));
  const [before, middle, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  switch (below(8)) {
    case 0:
      return before + after;
    case 1:
      return before + middle + middle + after;
    case 2:
      return before + String.fromCharCode(below(4) === 0 ? below(0x1_0000) : below(128)) + after;
    case 3:
      return before + middle.toUpperCase() + after;
    case 4:
      return after + before;
    case 5:
      return before;
    default:
      return before + oneOf(below, PIECES) + after;
  }
}
