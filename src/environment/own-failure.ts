/**
 * An exception of a custom action, as a problem: the agent gets a fixed message, and the log has error and
 * trace in the problem's details, which no chain or prompt includes. The run continues with an unchanged
 * world.
 */
import { AssertionError } from '../base/assert.js';
import { OrchestrateError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { cutText } from '../base/text.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import type { ActionOutcome } from './action.js';
import type { ActResult } from './environment.js';
import { NOT_POSSIBLE } from './plain-words.js';

/** An action's name and what it threw, as the problem `action-failed` with the details `{ error, trace }`. */
export function actionFailure(name: string, thrown: unknown): Problem {
  const message = `${name} broke off with an error of its own, and nothing changed. Choose another action.`;
  return problem('action-failed', message, { error: errorText(thrown), trace: traceOf(thrown) });
}

/** The result of an action that was applied. */
export function resultOf<S>({ message, path, failure }: ActionOutcome<S>): ActResult {
  return failure === undefined ? { ok: true, message, path: path ?? null } : { ok: false, problem: failure };
}

/**
 * The text of a problem for people: for a custom action that threw, the error and its position in the user's
 * file; for a plain refusal, also the reason that the agent was not told.
 */
export function describeForPeople({ code, message, details }: Problem): string {
  if (code === NOT_POSSIBLE && typeof details?.['message'] === 'string')
    return `${message} (${details['message']})`;
  if (code !== 'action-failed' || details === undefined) return message;
  const { error, trace } = details;
  const position = typeof trace === 'string' ? /[^\s(/]+:\d+:\d+/.exec(trace)?.[0] : undefined;
  return `${typeof error === 'string' ? error : message}${position === undefined ? '' : ` (${position})`}`;
}

function errorText(thrown: unknown): string {
  if (isOwnError(thrown)) return thrown.message;
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `thrown: ${textOf(thrown)}`;
  return cutText(text, LIMITS.traceCharacters).toWellFormed();
}

/** Whether the program itself threw the error, as opposed to the user's code. */
function isOwnError(thrown: unknown): thrown is Error {
  return thrown instanceof OrchestrateError || thrown instanceof AssertionError;
}

/** The thrown value as text; even a value that can't be converted to a string may be thrown. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return typeof thrown;
  }
}

/**
 * The stack from the throw outwards, up to the program's own calls: files without their folders, which must
 * not be revealed.
 */
function traceOf(thrown: unknown): string {
  if (isOwnError(thrown)) return '';
  const stack = thrown instanceof Error && typeof thrown.stack === 'string' ? thrown.stack : '';
  const lines = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const ownFrame = lines.findIndex((line) => /\b(?:checkOwn|applyOwn)\b/.test(line));
  const userFrames = lines.slice(0, ownFrame === -1 ? lines.length : ownFrame);
  const short = userFrames.map((line) =>
    line.trim().replace(/(?:file:\/\/)?[^\s()]*\/(?=[^/\s()]*:\d+:\d+)/g, ''),
  );
  return cutText(short.join('\n'), LIMITS.traceCharacters).toWellFormed();
}
