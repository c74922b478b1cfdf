/** A reply in its protocol's own form: the same answer, and nothing around it that the reader only tolerated. */
import { describe, expect, test } from 'vitest';
import { inOwnForm } from '../../src/parse/own-form.js';
import type { LabelledReply } from './corpus.js';
import { PROTOCOLS, readCorpus } from './corpus.js';
import { interpretReply, outcomeOfReply } from './reading.js';

function ownForm(reply: LabelledReply): LabelledReply {
  const said = { text: reply.content, toolCalls: reply.toolCalls };
  const { text, toolCalls } = inOwnForm(said, interpretReply(reply).reading, reply.protocol);
  return { ...reply, content: text, toolCalls };
}

function said(protocol: LabelledReply['protocol'], content: string): LabelledReply {
  const place = { file: '', line: 0, class: 'clear', expected: [], finishReason: 'stop' } as const;
  return { ...place, protocol, content, toolCalls: [] };
}

describe('decoration goes, words stay', () => {
  test.each([
    ['**Action**: GO EAST', 'ACTION: GO EAST'],
    ['I should leave.\n\n**Action:** GO EAST', 'I should leave.\nACTION: GO EAST'],
    ['I should leave. ACTION: GO EAST', 'I should leave.\nACTION: GO EAST'],
    ['I should leave.\n**ACTION:**\nGO EAST', 'I should leave.\nACTION: GO EAST'],
    ['I should leave.\n```\nACTION: GO EAST\n```', 'I should leave.\nACTION: GO EAST'],
    ['I should leave.\n<action>GO EAST</action>', 'I should leave.\nACTION: GO EAST'],
    ['1. **Action**: GO EAST', 'ACTION: GO EAST'],
    ['ACTION: `GO EAST`', 'ACTION: GO EAST'],
    ['I should leave.\n\nGO EAST', 'I should leave.\nACTION: GO EAST'],
    ['ACTION: GO EAST<|im_end|>', 'ACTION: GO EAST'],
    ['# Plan\n- go out (now)\n\n---\n\n**ACTION: GO EAST**', '# Plan\n- go out (now)\nACTION: GO EAST'],
  ])('%j', (content, expected) => {
    expect(ownForm(said('command', content)).content).toBe(expected);
  });

  test.each([
    'ACTION: GO EAST',
    'I should leave.\n\nACTION: GO EAST',
    '<think>**Action**: WAIT?</think>\nACTION: GO EAST\n',
    'no idea',
  ])('%j stays as it is', (content) => {
    expect(ownForm(said('command', content)).content).toBe(content);
  });

  test('a JSON object leaves its fence', () => {
    const content = 'I should leave.\n```json\n{"action": "GO", "direction": "east"}\n```';
    expect(ownForm(said('json', content)).content).toBe(
      'I should leave.\n{"name": "GO", "parameters": {"direction": "east"}}',
    );
  });

  test('a block keeps its thought', () => {
    const content = 'Thought: I should leave.\n**Action:** GO\n**Action Input:** {"direction":"east"}';
    expect(ownForm(said('react', content)).content).toBe(
      'Thought: I should leave.\nAction: GO\nAction Input: {"direction": "east"}',
    );
  });

  test('a call that the server left in the text becomes a native one', () => {
    const content = 'I leave.\n<tool_call>\n{"name": "GO", "arguments": {"direction": "east"}}\n</tool_call>';
    expect(ownForm(said('tools', content))).toMatchObject({
      content: 'I leave.',
      toolCalls: [{ name: 'GO', arguments: '{"direction":"east"}' }],
    });
  });
});

const READ = PROTOCOLS.flatMap((protocol) => readCorpus(protocol)).filter(
  (reply) => interpretReply(reply).reading.ok,
);

test.each(PROTOCOLS)(
  'every reply that is read by %s still asks for the same',
  { tags: ['long'] },
  (protocol) => {
    const replies = READ.filter((reply) => reply.protocol === protocol);
    expect(replies.length).toBeGreaterThan(80);
    const changed = replies.filter((reply) => outcomeOfReply(ownForm(reply)) !== outcomeOfReply(reply));
    expect(
      changed.map((reply) => [reply.content, ownForm(reply).content, outcomeOfReply(ownForm(reply))]),
    ).toEqual([]);
  },
);
