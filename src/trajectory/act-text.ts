/** A logged act as a short text for people, the same wherever acts are shown. */
import { escapeInvisible } from '../base/text.js';
import type { Intent } from '../environment/action.js';
import type { ParseTier } from '../parse/reading.js';
import type { ActRecord } from './act.js';

/**
 * Rules that parse objects and calls, which are written for programs; the last three are names from older
 * logs.
 */
const OBJECT_RUNGS: ReadonlySet<string> = new Set<ParseTier | 'json' | 'react' | 'tool-call'>([
  'object',
  'block',
  'tool call',
  'json',
  'react',
  'tool-call',
]);

/**
 * The command in the agent's own words; if the answer was an object, its action and arguments; if there was
 * none, the intent. Of speech, whose words stand by themselves, only the action.
 */
export function actText({ intent, reading }: ActRecord, isSpeech: boolean): string {
  if (isSpeech && intent !== null) return intent.action;
  if (reading?.ok === true && !OBJECT_RUNGS.has(reading.rung)) return reading.words;
  if (reading?.ok === true) return intentText(reading.command);
  return intent === null ? '(no action)' : intentText(intent);
}

/**
 * An intent as in protocols with objects, which name each argument: `TAKE {"thing": "brass-key"}`, `WAIT`.
 */
export function intentText({ action, args }: Pick<Intent, 'action' | 'args'>): string {
  const entries = Object.entries(args).map(
    ([slot, value]) => `${JSON.stringify(slot)}: ${JSON.stringify(value)}`,
  );
  return escapeInvisible(entries.length === 0 ? action : `${action} {${entries.join(', ')}}`);
}
