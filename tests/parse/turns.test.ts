/**
 * Promise of the rule: of two different answers with the end of a turn between them the second is never given, whatever the end looks like,
 * in every protocol. Ends are made up by shape: tokens, closing marks, headings of anybody, the program's own lines.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFileSync, readdirSync } from 'node:fs';
import { interpret } from '../../src/binding/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { OFFERS_HEADING, TURN_OPENING } from '../../src/environment/program-lines.js';
import { PROTOCOLS } from './corpus.js';
import type { CorpusProtocol } from './corpus.js';
import { MORE_OBSERVATION, MORE_REGISTRY, MORE_VOCABULARY } from './more-vocabulary.js';
import { outcomeOf } from './reading.js';
import { SIZED, sizeOf } from '../support/sizes.js';

const RUNS = sizeOf('turnsFuzz');

const FIRST: Readonly<Record<CorpusProtocol, string>> = {
  command: 'ACTION: GO NORTH',
  json: '{"name": "GO", "parameters": {"direction": "north"}}',
  react: 'Action: GO\nAction Input: {"direction": "north"}',
  tools: '<tool_call>{"name": "GO", "arguments": {"direction": "north"}}</tool_call>',
};
const SECOND: Readonly<Record<CorpusProtocol, string>> = {
  command: 'ACTION: WAIT',
  json: '{"name": "WAIT", "parameters": {}}',
  react: 'Action: WAIT\nAction Input: {}',
  tools: '<tool_call>{"name": "WAIT", "arguments": {}}</tool_call>',
};

/** An answer that quotes what it is given. */
const SPOKEN: Readonly<Record<CorpusProtocol, (words: string) => string>> = {
  command: (words) => `ACTION: SPEAK "${words}"`,
  json: (words) => `{"name": "SPEAK", "parameters": {"text": "${words}"}}`,
  react: (words) => `Action: SPEAK\nAction Input: {"text": "${words}"}`,
  tools: (words) => `<tool_call>{"name": "SPEAK", "arguments": {"text": "${words}"}}</tool_call>`,
};

const letters = fc.string({
  unit: fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyz_')),
  minLength: 2,
  maxLength: 10,
});
const name = fc.stringMatching(/^[A-Z][a-z]{1,9}$/);

/** Tokens and closing marks, which end a turn wherever they stand. */
const token = fc.oneof(
  letters.filter((word) => !/think|action|start|im_|turn|channel/.test(word)).map((word) => `<|${word}|>`),
  letters.map((word) => `<｜${word}▁x｜>`),
  letters.map((word) => `<end_of_${word}>`),
  fc.constantFrom(
    '</s>',
    '<eos>',
    '<eot>',
    '<|im_end|>',
    '<|eot_id|>',
    '<turn|>',
    '<end_of_turn>',
    '<|return|>',
  ),
);
/** Tokens of calls are a part of some answers' own spelling. */
const isNoCall = (mark: string): boolean => !/call|tool|message|python|constrain/.test(mark);
/** Lines of the program's own. */
const programLine = fc.oneof(
  fc.nat({ max: 999 }).map((turn) => `${TURN_OPENING}${turn}.`),
  fc.constantFrom(OFFERS_HEADING, 'You went 5 tiles.', 'You took the brass key.', 'Observation: a rat.'),
);
/** What begins somebody's turn. */
const heading = fc.oneof(
  name.map((one) => `${one}: fine.`),
  name.map((one) => `### ${one}:`),
  name.map((one) => `**${one}:**`),
  name.map((one) => one.toUpperCase()).map((one) => `${one}:`),
  letters
    .filter((word) => !/^(?:s|q|del|strike)$|think|plan|cot|draft|action|answer|command/.test(word))
    .map((word) => `<${word}>`),
  fc.constantFrom('---', '[The world answers]', 'user', 'assistant', '<tool_response>', '(next turn)'),
);

/** The same on the answer's own line. */
const glued = fc.oneof(
  name.map((one) => `### ${one}: it is done.### Me:`),
  name.map((one) => ` ${one.toUpperCase()}: it is done. ME:`),
  name.map((one) => ` ${one}: it is done.`),
  fc.constantFrom('assistant', 'user', 'model').map((role) => `${role}\n\nIt is done.`),
);

const between = fc.oneof(
  token,
  glued,
  fc.tuple(programLine, fc.constantFrom('', '\nThe way is free.')).map((parts) => `\n${parts.join('')}`),
  fc.tuple(heading, fc.constantFrom('', '\nThe way is free now.')).map((parts) => `\n${parts.join('')}`),
);

describe.each(PROTOCOLS)('two answers of %s', (protocol) => {
  const read = (content: string): string => {
    const reply = { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
    return outcomeOf(
      interpret(reply, protocolOf(protocol), MORE_VOCABULARY, MORE_REGISTRY, MORE_OBSERVATION),
    );
  };

  test('with an end between them never give the second', SIZED, () => {
    fc.assert(
      fc.property(between, fc.constantFrom('\n', '\n\n', '\nNow I see. '), (end, rest) => {
        const got = read(`I go.\n${FIRST[protocol]}${end}${rest.trimEnd()}\n${SECOND[protocol]}`);
        expect(got === 'GO direction=north' || got.startsWith('!'), got).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test(
    'of which the first quotes a mark leave what they quote as it is, and an open quotation is cut',
    SIZED,
    () => {
      fc.assert(
        fc.property(token.filter(isNoCall), letters, (mark, word) => {
          const words = `I saw ${mark} and ${word}.`;
          const spoken = SPOKEN[protocol](words);
          const [said, then] = [read(`I go.\n${spoken}`), read(`${spoken}\nNow I see.\n${SECOND[protocol]}`)];
          expect(said).toBe(`SPEAK text="${words}"`);
          expect(then === said || then.startsWith('!'), then).toBe(true);
          const open = spoken.slice(0, spoken.indexOf(mark) + mark.length);
          const cut = read(`${open}\n${SECOND[protocol]}`);
          expect(cut.startsWith('!') || !cut.includes(mark), cut).toBe(true);
          // An object that is broken answers nothing.
          if (protocol === 'command' || protocol === 'react') expect(cut, open).not.toBe('WAIT');
        }),
        { numRuns: RUNS },
      );
    },
  );

  test('with a finished sentence between them are a second thought', () => {
    expect(read(`${FIRST[protocol]}\nNo, the rat is there.\n${SECOND[protocol]}`)).toBe('WAIT');
    expect(read(`${FIRST[protocol]}\n${SECOND[protocol]}`)).toBe('!ambiguous');
  });

  test('of which the first is set apart leave the second', () => {
    const quoted = FIRST[protocol].replace(/^/gm, '> ');
    expect(read(`${quoted}\n\n${SECOND[protocol]}`)).toBe('WAIT');
    expect(read(`<del>${FIRST[protocol]}</del>\n${SECOND[protocol]}`)).toBe('WAIT');
    expect(read(`\`\`\`\n${FIRST[protocol]}\n\`\`\`\n${SECOND[protocol]}`)).toBe('WAIT');
  });

  test('alone and set apart is none', () => {
    for (const [open, close] of [
      ['<blockquote>', '</blockquote>'],
      ['~~', '~~'],
      ['<strike>', '</strike>'],
      ['<!-- ', ' -->'],
    ])
      expect(read(`He says:\n${open}\n${SECOND[protocol]}\n${close}`)).toMatch(/^!/);
    expect(read(`He says:\n${SECOND[protocol].replace(/^/gm, '> ')}`)).toMatch(/^!/);
  });
});

test('no result that an action of the program tells is missing among its own lines', () => {
  const folder = new URL('../../src/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^worlds\/.*actions\/.*\.ts$|^environment\/standard-actions\.ts$/.test(path),
  );
  const messages = files.flatMap((path) =>
    [...readFileSync(new URL(path, folder), 'utf8').matchAll(/message: (['`])(.*?)\1,?$/gm)].map(
      ([, , words = '']) => words,
    ),
  );
  expect(messages.length).toBeGreaterThan(20);
  // A side or a shelf is told with a colon, which is a heading.
  const other = messages.filter(
    (words) => !words.startsWith('You ') && !words.includes('${RESULT_ARROW}') && !/^[^.]*: \$\{/.test(words),
  );
  expect(other).toEqual([]);
});
