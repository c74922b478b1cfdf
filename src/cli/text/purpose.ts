/** The purpose of a call, as text for people. */
import type { CallPurpose } from '../../trajectory/record-values.js';

/** Null for the default purpose: to act. */
export function purposeWords(purpose: CallPurpose): string | null {
  if (purpose === 'act') return null;
  return purpose === 'speculation' ? 'speculative, discarded' : purpose;
}
