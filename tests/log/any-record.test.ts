/** Whatever the loop may write comes back as it was: records made at random, hostile texts included. */
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256 } from '../../src/base/canonical.js';
import { LogReader } from '../../src/log/reader.js';
import type { ActRecord } from '../../src/trajectory/act.js';
import type { CallEnd, CallRequest, OutsideRecord, StepRecord } from '../../src/trajectory/records.js';
import { LogWriter } from '../../src/log/writer.js';
import type { Message } from '../../src/model/chat.js';
import { pictureOf, samplePng, sampleRun } from './sample.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '\0', 'a\0b', "'; DROP TABLE steps; --", '<|im_end|>', '💎\u202E', '1', 'null'),
);
const int = fc.oneof(fc.integer(), fc.maxSafeInteger());
/** As far as dates go. */
const moment = fc.integer({ min: -8.64e15, max: 8.64e15 });
const count = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
/** The one text that may not be anything: it becomes part of file names. */
const id = fc.stringMatching(/^[a-z][a-z0-9_-]{0,31}$/);
const key = text.filter((name) => name !== '__proto__');
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    int,
    text,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value as fc.Arbitrary<OutsideRecord['output']>;
const args = fc.dictionary(key, fc.oneof(text, int), { maxKeys: 3, noNullPrototype: true });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const point = fc.record({ x: int, y: int });
const problem = fc.record({
  code: fc.constantFrom('empty' as const, 'illegal/wall' as const),
  message: text,
});

const message: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const),
  parts: fc.array(
    fc.oneof(
      text.map((words) => ({ kind: 'text' as const, text: words })),
      fc.nat(9).map((n) => ({ kind: 'image' as const, png: samplePng(n), frameHash: sha256(`frame ${n}`) })),
    ),
    { maxLength: 3 },
  ),
});

const settings = fc.dictionary(
  key,
  fc.oneof(
    json,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
  ),
  { maxKeys: 3, noNullPrototype: true },
);

const observation = fc.record({
  agent: id,
  turn: count,
  scope: fc.constant(['GO']),
  sections: fc.array(fc.record({ id: text, lines: fc.array(text, { maxLength: 2 }) }), { maxLength: 2 }),
  offered: fc.constant([]),
  nouns: fc.constant([]),
  facts: fc.dictionary(key, json, { maxKeys: 2, noNullPrototype: true }),
  scene: fc.constant(null),
});

const end: fc.Arbitrary<CallEnd> = fc.oneof(
  fc.record({ kind: fc.constant('failed' as const), error: text }),
  fc.record({
    kind: fc.constant('replied' as const),
    reply: fc.record({
      content: text,
      reasoning: orNull(text),
      toolCalls: fc.array(fc.record({ name: text, arguments: text }), { maxLength: 2 }),
      finishReason: orNull(text),
      model: orNull(text),
      usage: fc.record({
        promptTokens: orNull(count),
        completionTokens: orNull(count),
        cachedTokens: orNull(count),
        imageTokens: orNull(count),
        reasoningTokens: orNull(count),
      }),
      raw: orNull(text),
      adaptations: fc.array(text, { maxLength: 2 }),
      latencyMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
      tries: fc.array(fc.record({ problem: fc.string(), afterMs: fc.nat() }), { maxLength: 2 }),
    }),
    memory: json,
  }),
);

const act: fc.Arbitrary<ActRecord> = fc.record({
  index: fc.constant(0),
  call: fc.constantFrom(null, 1),
  reading: orNull(
    fc.record({ ok: fc.constant(false as const), problem, rung: fc.constant(null), span: fc.constant(null) }),
  ),
  intent: orNull(fc.record({ agent: text, action: text, args })),
  result: fc.oneof(
    fc.record({
      ok: fc.constant(true as const),
      message: text,
      path: orNull(fc.array(point, { maxLength: 3 })),
    }),
    fc.record({ ok: fc.constant(false as const), problem }),
  ),
  insteadOf: orNull(problem),
});

const event = fc.record({
  kind: text,
  actor: orNull(text),
  at: orNull(point),
  data: fc.dictionary(key, json, { maxKeys: 2, noNullPrototype: true }),
  seenBy: fc.array(text, { maxLength: 2 }),
});

it('gives back any call, outside value and step exactly as it was written', () => {
  const path = join(folder, 'any.sqlite');
  const writer = new LogWriter(path);
  writer.begin(sampleRun('first'), {});
  const reader = new LogReader(path);
  let runs = 0;
  fc.assert(
    fc.property(
      fc.record({ agent: id, turn: count, attempt: count, controller: text, startedAt: moment }),
      fc.array(
        fc.tuple(
          fc.array(message, { maxLength: 4 }),
          observation,
          fc.boolean(),
          orNull(end),
          orNull(settings),
        ),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      fc.record({
        action: text,
        args,
        output: json,
        durationMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
      }),
      fc.record({ acts: fc.array(act, { maxLength: 3 }), events: fc.array(event, { maxLength: 3 }) }),
      fc.option(json, { nil: undefined }),
      (common, contents, outsideContent, stepContent, snapshot) => {
        const runId = `run-${++runs}`;
        const { agent, turn, startedAt } = common;
        const calls = contents.map(([messages, seen, isShown, , sent], index): CallRequest => {
          const call = index + 1;
          const frameHash = isShown ? pictureOf(messages) : null;
          const request = { messages, observation: seen, frameHash, settings: sent };
          return { ...common, ...request, runId, call, step: 1, purpose: 'act' };
        });
        const outside: OutsideRecord = { ...outsideContent, runId, step: 1, agent, startedAt };
        const step: StepRecord = {
          runId,
          step: 1,
          turn,
          agent,
          calls: calls.map((call) => call.call),
          acts: stepContent.acts.map((one, index) => ({ ...one, index })),
          events: stepContent.events,
          stateHash: sha256('state'),
          parts: { [agent]: sha256('part') },
          chain: sha256('chain'),
          ...(snapshot === undefined ? {} : { snapshot }),
          finishedAt: startedAt,
        };
        writer.begin(sampleRun(runId), {});
        for (const call of calls) writer.request(call, false);
        contents.forEach(([, , , ending], index) => {
          if (ending !== null) writer.reply(runId, index + 1, ending, false);
        });
        writer.outside(outside);
        writer.step(step);
        writer.flush();
        expect(reader.calls(runId, 1)).toEqual(
          calls.map((request, index) => ({ request, end: contents[index]?.[3] ?? null })),
        );
        expect(reader.outside(runId, 1)).toEqual([outside]);
        expect(reader.step(runId, 1)).toEqual(step);
      },
    ),
    { numRuns: 100 },
  );
  reader.close();
  writer.close();
});
