/**
 * Labelled replies against what is read. Realistic ones: nearly every clear answer is read and no reply becomes an action that it does not ask
 * for. Invented ones that mislead by words: without a label none acts, and none gives the second of two answers; how many act on
 * their labelled line is printed and stands in docs/explanation/reading-replies.md.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { LabelledReply } from './corpus.js';
import { PROTOCOLS, isAsLabelled, readCorpus } from './corpus.js';
import { outcomeOfReply, rungOfReply } from './reading.js';

const realistic = PROTOCOLS.flatMap((protocol) => readCorpus(protocol, ['realistic']));
const adversarial = PROTOCOLS.flatMap((protocol) => readCorpus(protocol, ['adversarial']));

/** Figures stand there. */
const PAGE = readFileSync(
  new URL('../../docs/explanation/reading-replies.md', import.meta.url),
  'utf8',
).replaceAll('\n', ' ');

/** The share of clear answers that has to be read. */
const LEAST_READ = 0.995;

function told(reply: LabelledReply): string {
  const { protocol, file, line, expected } = reply;
  return `${protocol}/${file}:${line} expected ${expected.join(' or ')}, got ${outcomeOfReply(reply)}`;
}

function isWrongAction(reply: LabelledReply): boolean {
  const got = outcomeOfReply(reply);
  return !got.startsWith('!') && !isAsLabelled(reply, got);
}

describe('realistic replies', () => {
  const clear = realistic.filter((reply) => reply.class === 'clear');

  test('are many, in every protocol', () => {
    expect(clear.length).toBeGreaterThanOrEqual(1000);
    for (const protocol of PROTOCOLS) {
      expect(realistic.filter((reply) => reply.protocol === protocol).length).toBeGreaterThanOrEqual(100);
    }
  });

  test('never become an action that they do not ask for', () => {
    expect(realistic.filter(isWrongAction).map(told)).toEqual([]);
  });

  test('are read where they are clear', () => {
    const misread = clear.filter((reply) => !isAsLabelled(reply, outcomeOfReply(reply)));
    const figure = `${clear.length - misread.length} of ${clear.length} clear answers are parsed`;
    process.stdout.write(`${figure}, of ${realistic.length} realistic replies\n`);
    expect(PAGE.includes(figure), figure).toBe(true);
    expect(misread.length / clear.length, misread.map(told).join('\n')).toBeLessThanOrEqual(1 - LEAST_READ);
  });

  test('are refused for the reason that they are labelled with', () => {
    const unclear = realistic.filter((reply) => reply.class === 'unclear');
    expect(unclear.filter((reply) => !isAsLabelled(reply, outcomeOfReply(reply))).map(told)).toEqual([]);
  });
});

describe('invented replies', () => {
  const acted = adversarial.filter(isWrongAction);

  test('do not act without an explicit answer', () => {
    const unlabelled = acted.filter((reply) => rungOfReply(reply) === 'whole line');
    expect(unlabelled.map(told)).toEqual([]);
  });

  test('do not give the second of two answers', () => {
    const second = acted.filter(({ expected }) => expected.some((one) => !one.startsWith('!')));
    expect(second.map(told)).toEqual([]);
  });

  test('act where their labelled line does, as the page says', () => {
    const figure = `Of ${adversarial.length} invented replies, ${acted.length} are parsed as the action on their labelled line.`;
    process.stdout.write(`${figure}\n`);
    expect(PAGE.includes(figure), figure).toBe(true);
  });
});
