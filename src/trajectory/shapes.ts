/**
 * The shapes of JSON in a log, which may be untrusted: a hash only proves that a text is unchanged. They
 * require what code that trusts the record's type needs; fields added by a newer program are accepted, what
 * may be null may be absent, and `verify` proves the rest.
 */
import { z } from 'zod';
import { isId } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import type { UntimelyReason } from './record-values.js';

export const text = z.string();
export const amount = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const positive = z.int().min(1);
const id = text.refine(isId, 'not an id');
const point = z.looseObject({ x: z.int(), y: z.int() });
const problem = z.looseObject({ code: text, message: text });
const scalar = z.union([text, z.number()]);
const args = z.record(text, scalar);

const parsed = { rung: text.nullish(), span: z.looseObject({ start: z.int(), end: z.int() }).nullish() };
const command = z.looseObject({ action: text, args, alternatives: z.array(args).optional() });
const reading = z.discriminatedUnion('ok', [
  z.looseObject({ ok: z.literal(true), command, words: text, ...parsed }),
  z.looseObject({ ok: z.literal(false), problem, ...parsed }),
]);
const result = z.discriminatedUnion('ok', [
  z.looseObject({ ok: z.literal(true), message: text, path: z.array(point).nullish() }),
  z.looseObject({ ok: z.literal(false), problem }),
]);

const ACT_VALUES = { integer: z.int(), boolean: z.boolean() };

export const anything = z.unknown();
export const records = z.record(text, anything);
export const texts = z.array(text);

export const calls = z.array(z.int());
/** `later`: the fields that older logs lack, by name. */
export function acts(later: Readonly<Record<string, { type: keyof typeof ACT_VALUES }>>) {
  return z.array(
    z.looseObject({
      index: z.int(),
      call: z.int().nullish(),
      reading: reading.nullish(),
      intent: z.looseObject({ agent: text, action: text, args }).nullish(),
      result,
      insteadOf: problem.nullish(),
      ...Object.fromEntries(
        Object.entries(later).map(([name, { type }]) => [name, ACT_VALUES[type].nullish()]),
      ),
    }),
  );
}
export const events = z.array(
  z.looseObject({
    kind: text,
    actor: text.nullish(),
    at: point.nullish(),
    data: records,
    seenBy: texts,
  }),
);
export const parts = z.record(text, text);
export const rewards = z.looseObject({
  paid: z.record(text, z.number()),
  byName: z.record(text, z.record(text, z.number())).nullish(),
  outcomes: parts.nullish(),
  distance: z.union([z.literal('never'), amount]).nullish(),
});
const REASONS = [
  'late',
  'early',
  'decided',
  'other-attempt',
  'out-of-play',
  'stale',
] as const satisfies readonly UntimelyReason[];
export const untimely = z.array(
  z.looseObject({ entity: id, reason: z.enum(REASONS), missed: positive.optional(), count: positive }),
);

export const toolCalls = z.array(z.looseObject({ name: text, arguments: text }));
export const usage = z.record(text, amount.nullable());
export const tries = z.array(z.looseObject({ problem: text, afterMs: amount }));

/** Numbers, except those of the program and Node. */
export const versions = z.looseObject({
  program: text,
  node: text,
  log: positive,
  rules: z.int(),
  parser: z.int(),
  prompt: z.int(),
  render: z.int(),
});
export const serving = z.looseObject({
  pace: z.enum(['clock', 'lockstep']),
  periodMs: z.int(),
  windowMs: z.int(),
  ttlMs: z.int(),
  waitFor: z.int(),
  staleness: z.int(),
  own: z.array(id),
});

/** A window, or a map shown as a whole, with a ruler along two of its sides. */
const side = positive.max(LIMITS.coordinateTiles + 2);
/** A number for each tile. */
const tiles = z.custom<readonly number[]>(
  (value) => Array.isArray(value) && value.every(Number.isSafeInteger),
);
const scene = z
  .looseObject({
    width: side,
    height: side,
    origin: point,
    legend: texts,
    ground: tiles,
    visibility: tiles,
    things: z.array(z.looseObject({ ...point.shape, id: text, name: text, sprite: text, layer: z.int() })),
    marks: z.array(z.looseObject({ ...point.shape, text })),
  })
  .refine(
    ({ width, height, legend, ground, visibility }) =>
      ground.length === width * height &&
      ground.every((index) => index >= -1 && index < legend.length) &&
      visibility.length === width * height &&
      visibility.every((seen) => seen >= 0 && seen <= 2),
    'its tiles do not fit its size',
  );

/** An `Observation`; its facts are its environment's own. */
export const observation = z.looseObject({
  agent: text,
  turn: z.int(),
  sections: z.array(z.looseObject({ id: text, lines: texts })),
  scope: texts,
  offered: z.array(
    z.looseObject({
      action: text,
      slots: z.record(text, texts),
      ways: z.array(z.record(text, z.array(scalar))).optional(),
    }),
  ),
  nouns: z.array(
    z.looseObject({ id: text, name: text, distinctName: text.optional(), aliases: texts, kinds: texts }),
  ),
  facts: records,
  scene: scene.nullish(),
  refusals: z.literal('plain').optional(),
});
