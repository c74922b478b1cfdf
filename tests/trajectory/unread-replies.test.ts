/** An agent whose replies can't be read is told of while the run is played, once, with the first of them and what to try. */
import { expect, it } from 'vitest';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { passThroughSink } from '../../src/trajectory/passing-sink.js';
import { withUnreadNotice } from '../../src/trajectory/unread-replies.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { VOCABULARY } from '../parse/vocabulary.js';
import type { ActRecord } from '../../src/trajectory/act.js';
import type { StepRecord } from '../../src/trajectory/records.js';

const problem = { code: 'unparsable', message: 'I found no answer in your reply.' } as const;

function notices(contents: readonly string[]): readonly string[] {
  const told: string[] = [];
  const nowhere = { ...passThroughSink(new MemorySink()), reply: () => undefined, step: () => undefined };
  const sink = withUnreadNotice(nowhere, (words) => told.push(words));
  for (const [call, content] of contents.entries()) {
    const reply = embeddedReply(content);
    sink.reply('r', call, { kind: 'replied', reply, memory: null }, false);
    const reading = protocolOf('command').read(reply, VOCABULARY);
    const act: ActRecord = {
      index: 0,
      call,
      reading,
      intent: null,
      result: { ok: false, problem },
      insteadOf: null,
    };
    sink.step({ agent: 'ann', acts: [act] } as unknown as StepRecord);
  }
  return told;
}

it('is told once most replies are unreadable, with the first and what to try', () => {
  const told = notices(['I look around.', 'ACTION: WAIT', 'Hm.', 'Well.', 'So.', 'No.', 'No.']);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(
    /^4 of the first 5 replies of ann could not be read\. The first was "I look around\." \(unparsable: /,
  );
  expect(told[0]).toContain('--protocol');
  expect(told[0]).toContain('--guided');
});

it('is not told of a few, nor before there are some', () => {
  expect(notices(['Hm.', 'Hm.', 'Hm.', 'Hm.'])).toEqual([]);
  expect(notices(['Hm.', 'Hm.', ...Array.from({ length: 20 }, () => 'ACTION: WAIT')])).toEqual([]);
});
