/**
 * Replies as models write them, each with what it asks for. Traps may never become another action; nearly all of the
 * well-formed are understood; what each class reached is printed.
 */
import { describe, expect, test } from 'vitest';
import type { LabelledReply, ReplyClass } from './corpus.js';
import { CLASSES, readCorpus } from './corpus.js';
import { outcome } from './reading.js';

const corpus = readCorpus();

/** Whether the reply was read as labelled; a problem may be named by its code or by `!` alone. */
function isAsLabelled(reply: LabelledReply): boolean {
  const got = outcome(reply.content, reply.finishReason);
  return got === reply.expected || (reply.expected === '!' && got.startsWith('!'));
}

function misread(kind: ReplyClass): readonly string[] {
  const failed = corpus.filter((reply) => reply.class === kind && !isAsLabelled(reply));
  return failed.map((reply) => {
    const got = outcome(reply.content, reply.finishReason);
    return `${reply.file}:${reply.line} expected ${reply.expected}, got ${got}`;
  });
}

/** Replies that made the agent do something else than they ask for. */
function wrongActions(): readonly string[] {
  return corpus
    .map((reply) => ({ reply, got: outcome(reply.content, reply.finishReason) }))
    .filter(({ reply, got }) => !got.startsWith('!') && got !== reply.expected)
    .map(({ reply, got }) => `${reply.file}:${reply.line} expected ${reply.expected}, got ${got}`);
}

describe('the corpus of labelled replies', () => {
  test('is large enough to mean something', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(400);
    const rates = CLASSES.map((kind) => {
      const all = corpus.filter((reply) => reply.class === kind).length;
      return `${kind}: ${all - misread(kind).length} of ${all} read as labelled`;
    });
    process.stdout.write(`${rates.join('\n')}\n`);
  });

  test('no reply at all becomes an action that it does not ask for', () => {
    expect(wrongActions()).toEqual([]);
  });

  test('every trap is read as labelled', () => {
    expect(misread('trap')).toEqual([]);
  });

  test('every well-formed reply is understood', () => {
    expect(misread('well-formed')).toEqual([]);
  });

  test('every sloppy reply is understood', () => {
    expect(misread('sloppy')).toEqual([]);
  });
});
