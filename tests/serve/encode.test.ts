/** Messages that generated code encodes: byte for byte what the library's encoder makes of them. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encode } from '../../src/serve/encode.js';
import { writeIntentAck, writeObservation } from '../../src/serve/gen/orchestrate/world/v1/world_encode.js';
import { IntentAckSchema, ObservationSchema } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.integer({ min: 0, max: 40_000 }).map((length) => 'é'.repeat(length % 200) + 'x'.repeat(length)),
);
const int32 = fc.oneof(fc.integer(), fc.constantFrom(0, 1, -1, 127, 128, -(2 ** 31), 2 ** 31 - 1));
const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, 1n, 127n, 128n, 2n ** 31n, 2n ** 32n, 2n ** 53n, -1n),
);
const point = fc.record({ x: int32, y: int32 });
const texts = fc.array(text, { maxLength: 4 });

const event = fc.oneof(
  fc.record({ case: fc.constant('noticed' as const), value: fc.record({ line: text }) }),
  fc.record({
    case: fc.constant('moved' as const),
    value: fc.record({ actor: text, path: fc.array(point, { maxLength: 3 }) }),
  }),
  fc.record({ case: fc.constant('acted' as const), value: fc.record({ act: text }) }),
);
const part = fc.oneof(
  fc.record({ case: fc.constant('text' as const), value: text }),
  fc.record({
    case: fc.constant('frame' as const),
    value: fc.record({ png: fc.uint8Array({ maxLength: 300 }), hash: text, tilePixels: int32 }),
  }),
);

const observation = fc.record(
  {
    run: text,
    tick: int64,
    attempt: int32,
    timeLeft: fc.record({ seconds: int64, nanos: int32 }),
    facts: fc.record(
      {
        self: fc.record(
          { position: point, facing: int32, holds: fc.array(fc.record({ item: text, quantity: int64 })) },
          { requiredKeys: [] },
        ),
        window: fc.record({ origin: point, rows: texts }),
        bodies: fc.array(fc.record({ entity: text, position: point, distance: int32 }), { maxLength: 30 }),
        lastOk: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    offers: fc.array(
      fc.record({
        action: text,
        choices: fc.array(fc.record({ slot: text, values: texts }), { maxLength: 3 }),
      }),
      { maxLength: 5 },
    ),
    events: fc.array(fc.record({ tick: int64, event }), { maxLength: 5 }),
    frame: fc.record({ png: fc.uint8Array({ maxLength: 70_000 }), hash: text }),
    prompt: fc.record({
      messages: fc.array(fc.record({ role: text, parts: fc.array(fc.record({ part }), { maxLength: 3 }) }), {
        maxLength: 3,
      }),
      samplingSeed: int64,
    }),
    reward: fc.double({ noNaN: true }),
    legal: fc.array(int32, { maxLength: 200 }),
    isFinal: fc.boolean(),
    state: fc.integer({ min: 0, max: 9 }),
  },
  { requiredKeys: [] },
);

it('an observation has the same bytes', () => {
  fc.assert(
    fc.property(observation, (init) => {
      const bytes = encode(writeObservation, init);
      expect(bytes.equals(toBinary(ObservationSchema, create(ObservationSchema, init)))).toBe(true);
    }),
    { numRuns: 300, seed: 7 },
  );
});

it('one that is larger than the buffer has them too, and one after it', () => {
  const long = { text: [{ section: 'here', lines: ['ä'.repeat(1_300_000), 'x'.repeat(3_000_000)] }] };
  for (const init of [long, { run: 'r' }, long])
    expect(
      encode(writeObservation, init).equals(toBinary(ObservationSchema, create(ObservationSchema, init))),
    ).toBe(true);
});

it('the bytes lie behind the lead, and the next message leaves them alone', () => {
  const one = encode(writeIntentAck, { accepted: true, message: 'one', tick: 3n }, 5);
  encode(writeIntentAck, { accepted: false, message: 'another', tick: 4n }, 5);
  expect(fromBinary(IntentAckSchema, one.subarray(5))).toMatchObject({
    accepted: true,
    message: 'one',
    tick: 3n,
  });
});
