/**
 * Replies as models write them in the protocols of named arguments, each with what it asks for. No reply may become another action than
 * its own; what each class reached is printed.
 */
import { describe, expect, test } from 'vitest';
import { interpret } from '../../src/parse/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';
import type { LabelledReply } from './corpus.js';
import { CLASSES, readCorpus } from './corpus.js';
import { MORE_OBSERVATION, MORE_REGISTRY, MORE_VOCABULARY } from './more-vocabulary.js';
import { outcomeOf } from './reading.js';

const NAMES = ['json', 'react', 'tools'] as const;

describe.each(NAMES)('the corpus of %s', (name) => {
  const corpus = readCorpus(`${name}/`);

  function got({ content, toolCalls, finishReason }: LabelledReply): string {
    const reply = { content, toolCalls, reasoning: null, finishReason };
    const protocol = protocolOf(name);
    return outcomeOf(interpret(reply, protocol, MORE_VOCABULARY, MORE_REGISTRY, MORE_OBSERVATION));
  }

  function isAsLabelled(reply: LabelledReply): boolean {
    const outcome = got(reply);
    return outcome === reply.expected || (reply.expected === '!' && outcome.startsWith('!'));
  }

  function told(reply: LabelledReply): string {
    return `${reply.file}:${reply.line} expected ${reply.expected}, got ${got(reply)}`;
  }

  test('is large enough to mean something', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(100);
    const rates = CLASSES.map((kind) => {
      const all = corpus.filter((reply) => reply.class === kind);
      return `${name}, ${kind}: ${all.filter(isAsLabelled).length} of ${all.length} read as labelled`;
    });
    process.stdout.write(`${rates.join('\n')}\n`);
  });

  test('no reply at all becomes an action that it does not ask for', () => {
    const wrong = corpus.filter((reply) => !got(reply).startsWith('!') && !isAsLabelled(reply));
    expect(wrong.map(told)).toEqual([]);
  });

  test.each(CLASSES)('every reply that is %s is read as labelled', (kind) => {
    const misread = corpus.filter((reply) => reply.class === kind && !isAsLabelled(reply));
    expect(misread.map(told)).toEqual([]);
  });
});
