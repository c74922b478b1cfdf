/** Checks fields of requests. */
import { ServeError } from '../serve-error.js';

export function wholeNumber(field: string, value: bigint): number {
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new ServeError('FIELD_INVALID', `${field} must be a whole number from 0 to 2^53`);
}
