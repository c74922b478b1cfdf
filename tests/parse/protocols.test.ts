/** Every action is usable through every protocol: what a protocol writes of an answer, it reads back to the same command. */
import { describe, expect, test } from 'vitest';
import { protocolOf } from '../../src/parse/protocols.js';
import type { Command } from '../../src/parse/reading.js';
import { PROTOCOL_NAMES } from '../../src/scenario/scenario.js';
import { VOCABULARY } from './vocabulary.js';

const COMMANDS: readonly Command[] = [
  { action: 'WAIT', args: {} },
  { action: 'GO', args: { direction: 'north-east' } },
  { action: 'GO', args: { target: 'brass key' } },
  { action: 'USE', args: { thing: 'lantern', target: 'iron door' } },
  { action: 'USE', args: { thing: 'lantern' } },
  { action: 'GIVE', args: { thing: 'sealed letter', person: 'knight' } },
  { action: 'SPEAK', args: { text: 'He said "no {x}" \\ and left.' } },
];

describe.each(PROTOCOL_NAMES.filter((name) => name !== 'command'))('the protocol %s', (name) => {
  const protocol = protocolOf(name);

  test.each(COMMANDS)('reads back what it writes: %j', (command) => {
    const content = protocol.replyText({ ok: true, command, rung: 'object', span: null, words: '' });
    const reply = { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
    expect(protocol.read(reply, VOCABULARY)).toMatchObject({ ok: true, command });
  });

  test('a reply that was cut off does not act', () => {
    const content = protocol.replyText({
      ok: true,
      command: { action: 'WAIT', args: {} },
      rung: 'object',
      span: null,
      words: '',
    });
    const reply = { content, reasoning: null, toolCalls: [], finishReason: 'length' };
    expect(protocol.read(reply, VOCABULARY)).toMatchObject({ ok: false, problem: { code: 'truncated' } });
  });
});
