/** Mistakes in a toolbox: each told with its place and what to write instead. */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../../src/base/limits.js';
import { toolboxWorld } from '../../../../src/worlds/toolbox/scenario/toolbox-world.js';
import { TOOL_NAMES } from '../../../../src/worlds/toolbox/toolbox.js';
import { diagnose, load } from '../../../scenario/support.js';

const BASE = `title: Box
environment: toolbox
questions:
  tower:
    ask: How high is the tower?
    answer: { number: 42 }
knowledge:
  tower: It is 42 metres high.
agents:
  - id: ann
`;
const setup = { worlds: [toolboxWorld], known: { actions: TOOL_NAMES } };
const found = (text: string) =>
  diagnose(text, setup).map(({ line, column, message, suggestion }) => ({
    at: `${line}:${column}`,
    told: [message, ...(suggestion === undefined ? [] : [suggestion])].join('; '),
  }));
const answer = (text: string): string => BASE.replace('{ number: 42 }', text);

describe('a mistake in a toolbox', () => {
  it.each([
    [
      BASE.replace('questions:', 'question: towr\nquestions:'),
      '3:11',
      "there is no question called 'towr'; did you mean 'tower'?",
    ],
    [
      BASE.replace('knowledge:', '  more: { ask: What?, answer: { admits: true } }\nknowledge:'),
      '3:1',
      'no question is selected; write question: tower',
    ],
    ['title: T\nenvironment: toolbox\nagents: [{ id: ann }]\n', '1:1', 'there is no question'],
    [answer('{}'), '6:13', 'the answer has no requirement'],
    [answer('{ number: twelve }'), '6:23', "'twelve' is not a decimal number"],
    [answer('{ contains: "?!" }'), '6:25', "'?!' contains no words"],
    [answer('{ contains: [a, "-"] }'), '6:29', "'-' contains no words"],
    [answer('{ used: SERCH }'), '6:21', "there is no tool called 'SERCH'; did you mean 'SEARCH'?"],
    [answer('{ any: [{ refused: NO }] }'), '6:32', "there is no tool called 'NO'"],
    [
      answer('{ contain: x }'),
      '6:15',
      "unknown key 'contain' in questions.tower.answer; did you mean 'contains'?",
    ],
    [
      BASE.replace('- id: ann', '- id: ann\n    actions: [SEARCH, LOOK_UP]'),
      '11:23',
      "there is no action called 'LOOK_UP'",
    ],
    [`${BASE}folder: ../up\n`, '11:9', "'../up' is outside the folder"],
    [`${BASE}folder: /etc\n`, '11:9', "'/etc' is not relative"],
    [`${BASE}map: '.'\n`, '11:1', "unknown key 'map'"],
    [`${BASE}tools: { module: ./x.mjs }\n`, '11:1', "unknown key 'tools'"],
  ])('%#', (text, at, told) => {
    const list = found(text);
    expect(list).toHaveLength(1);
    expect(list[0]?.at).toBe(at);
    expect(list[0]?.told).toContain(told);
  });

  it('turns what a scenario accepts as an admission into a check of its own words', () => {
    const checkOf = (text: string): unknown => {
      const { definition } = load(answer(text), setup).scenario;
      return (definition as { answer: unknown }).answer;
    };
    expect(checkOf('{ admits: true }')).toEqual({ kind: 'begins', text: 'UNKNOWN' });
    expect(checkOf('{ admits: [not known, no record] }')).toEqual({
      kind: 'any',
      of: [
        { kind: 'contains', text: 'not known' },
        { kind: 'contains', text: 'no record' },
      ],
    });
    expect(found(answer("{ admits: ['?!'] }"))[0]?.told).toContain("'?!' contains no words");
  });

  it('is none in what is right, in any order of keys', () => {
    expect(found(BASE)).toEqual([]);
    expect(found(answer('{ contains: [a, b], not: { any: [{ equals: c }, { admits: true }] } }'))).toEqual(
      [],
    );
    const one = load(BASE.replace('knowledge:', 'knowledge:\n  a: first'), setup).scenario.definition;
    const two = load(BASE.replace('metres high.', 'metres high.\n  a: first'), setup).scenario.definition;
    expect(two).toEqual(one);
  });
});

describe('a limit of a toolbox', () => {
  const many = (key: string, count: number, entry: string): string =>
    BASE.replace(
      `${key}:\n`,
      `${key}:\n${Array.from({ length: count - 1 }, (_, i) => `  k${i}: ${entry}\n`).join('')}`,
    );

  it('is one on questions', () => {
    const asked = (count: number) =>
      found(`${many('questions', count, '{ ask: a, answer: { admits: true } }')}question: tower\n`);
    expect(asked(LIMITS.questions)).toEqual([]);
    expect(asked(LIMITS.questions + 1)).toMatchObject([{ told: '101 questions; the maximum is 100' }]);
  });

  it('is one on entries of knowledge, and on their length', () => {
    expect(found(many('knowledge', LIMITS.knowledgeEntries, 'x'))).toEqual([]);
    expect(found(many('knowledge', LIMITS.knowledgeEntries + 1, 'x'))).toMatchObject([
      { told: '501 knowledge; the maximum is 500' },
    ]);
    const long = (length: number) => found(BASE.replace('It is 42 metres high.', 'x'.repeat(length)));
    expect(long(LIMITS.knowledgeCharacters)).toEqual([]);
    expect(long(LIMITS.knowledgeCharacters + 1)).toMatchObject([{ at: '8:10' }]);
  });

  it('is one on checks in checks', () => {
    const nested = (depth: number) =>
      found(answer(`${'{ not: '.repeat(depth - 1)}{ admits: true }${' }'.repeat(depth - 1)}`));
    expect(nested(LIMITS.conditionDepth)).toEqual([]);
    expect(nested(LIMITS.conditionDepth + 1)).toMatchObject([{ told: 'checks are nested more than 8 deep' }]);
  });
});
