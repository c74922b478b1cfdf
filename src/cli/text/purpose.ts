/** What a call was made for, in words for people. */
import type { CallPurpose } from '../../trajectory/records.js';

/** Null for the plain case: to act. */
export function purposeWords(purpose: CallPurpose): string | null {
  if (purpose === 'act') return null;
  return purpose === 'speculation' ? 'speculative, discarded' : purpose;
}
