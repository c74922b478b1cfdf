/** Fractions become decimal text when a scenario is read, because the log of a run contains no floats. */
import { z } from 'zod';
import { isRecord, type Json } from '../base/json.js';

/** A number that takes effect as decimal text; its default, if it has one, is set afterwards by `prefault`. */
export function decimal(number: z.ZodNumber): z.ZodCodec<z.ZodNumber, z.ZodString> {
  const form = (number.minValue ?? 0) < 0 ? /^-?\d+(\.\d+)?$/ : /^\d+(\.\d+)?$/;
  return z.codec(number, z.string().regex(form), { decode: decimalText, encode: Number });
}

/** Plain decimal text with at most six places: 0.7, 1, 0.000001. */
function decimalText(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '');
}

export function withoutFloats(value: Json): Json {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : { decimal: decimalText(value) };
  if (Array.isArray(value)) return value.map((each: Json) => withoutFloats(each));
  if (!isRecord<Json>(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutFloats(each)]));
}

/** The reverse of `withoutFloats`. */
export function withFloats(value: Json): Json {
  if (Array.isArray(value)) return value.map(withFloats);
  if (!isRecord<Json>(value)) return value;
  const entries = Object.entries(value);
  const [[key, decimalValue] = []] = entries;
  if (key === 'decimal' && typeof decimalValue === 'string' && entries.length === 1)
    return Number(decimalValue);
  return Object.fromEntries(entries.map(([name, each]) => [name, withFloats(each)]));
}
