/** What an agent holds, from the facts of any world that has `self.holds`: one thing, a list, or nothing. */
import { isRecord } from '../base/json.js';
import type { Json, JsonObject } from '../base/json.js';

/** Null if the facts have no hands. */
export function heldNames({ self }: JsonObject): readonly string[] | null {
  if (!isRecord<Json>(self)) return null;
  const { holds } = self;
  if (holds === undefined) return null;
  const list = Array.isArray(holds) ? (holds as readonly Json[]) : [holds];
  return list.flatMap((one) => {
    if (!isRecord<Json>(one) || typeof one['name'] !== 'string') return [];
    const { name, amount } = one;
    return [typeof amount === 'number' && amount !== 1 ? `${amount} × ${name}` : name];
  });
}
