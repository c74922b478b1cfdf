/** One object, found in any prose by its braces: an invalid or unclosed one before it hides nothing, and nothing of an invalid one acts. */
import { describe, expect, test } from 'vitest';
import { outcomeOfReply } from './reading.js';

const GO = '{"name": "GO", "parameters": {"direction": "north"}}';
const WAIT = '{"name": "WAIT", "parameters": {}}';
const GONE = 'GO direction=north';

function outcome(protocol: 'json' | 'tools', content: string): string {
  return outcomeOfReply({
    protocol,
    content,
    toolCalls: [],
    finishReason: 'stop',
    file: '',
    line: 0,
    class: 'clear',
    expected: [],
  });
}

describe.each(['json', 'tools'] as const)('in %s', (protocol) => {
  test.each([
    `The sign says "{". ${GO}`,
    `The sign says "{" and "}". ${GO}`,
    `${GO} The sign says "{".`,
    `A sad face {-: and then ${GO}`,
    `The set {"a", "b" is not closed. ${GO}`,
    `I am at {x: 1 and now ${GO}`,
    `I am at {"x": 1 and now ${GO}`,
    `{"name": "GO", "parameters": {"direction": "south"  ${GO}`,
    `The format is {"name": …, "parameters": {…}. ${GO}`,
    `{"name": "GO", "parameters": {"direction": north}} That was wrong. ${GO}`,
    `{'name': 'SPEAK', 'parameters': {'text': 'don't'}}\n${GO}`,
    `Use {braces}, {more {nested} braces}, $\\frac{a}{b}$. ${GO}`,
    `I will now go ${GO}`,
    `I will go\n\`\`\`json\n${GO}\n\`\`\``,
  ])('%s', (content) => {
    expect(outcome(protocol, content)).toBe(GONE);
  });

  test.each([
    `{"thought": "Not {"name": "WAIT", "parameters": {}} now", "name": "GO"`,
    `{"thought": "It says "go" and not ${WAIT}, "name": "GO", "parameters": {}`,
    `{"name": "SPEAK", "parameters": {"text": "hi"}, "then": ${WAIT}`,
    `{"plan": [${WAIT}, {"name": "GO"`,
    `{"name": "GO", "parameters": {"direction": "sou ${WAIT}`,
    `${WAIT} {"name": "GO"`,
    `${WAIT} {"na`,
  ])('nothing of an unclosed object acts: %s', (content) => {
    expect(outcome(protocol, content)).toBe('!unparsable');
  });

  test.each([
    ['1.10', '1.10'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['12345678901234567890', '12345678901234567890'],
    ['-3', '-3'],
    ['"[1, 2]"', '[1, 2]'],
    ['"[]"', '[]'],
  ])('the text %s keeps every digit and mark', (written, text) => {
    expect(outcome(protocol, `{"name": "SPEAK", "parameters": {"text": ${written}}}`)).toBe(
      `SPEAK text="${text}"`,
    );
  });
});
