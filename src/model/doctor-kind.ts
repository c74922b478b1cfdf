/**
 * What `doctor` reports about a server from its table row alone: what it can't enforce, its silent behaviour,
 * and the fields of `extra` that it would not obey. Nothing is sent.
 */
import { counted } from '../base/counted.js';
import type { ModelSpec } from '../scenario/scenario.js';
import { CAPABILITIES, constraintWays, fieldRemarks, SERVER_KINDS, TRAPS } from './capabilities.js';
import type { ServerKind } from './capabilities.js';
import type { ServerFinding } from './finding.js';

/** What a user should know about this kind of server before a run. */
export function kindFindings(kind: ServerKind | null, spec: ModelSpec): readonly ServerFinding[] {
  if (kind === null) return [];
  const traps = CAPABILITIES[kind].traps.flatMap((trap): readonly ServerFinding[] => {
    const { text, hint, field } = TRAPS[trap];
    if (field !== null && !Object.hasOwn(spec.extra, field)) return [];
    const status = field === null ? 'ok' : 'warn';
    return [{ about: 'server', status, text: `${text}: ${hint}`, hints: [] }];
  });
  const fields = fieldRemarks(kind, spec.extra).map(({ field, does }): ServerFinding => ({
    about: 'server',
    status: 'warn',
    text: `${kind} ${does} \`${field}\``,
    hints: [`remove \`${field}\` from extra (docs/reference/models.md, how servers differ)`],
  }));
  return [...traps, ...fields];
}

/** The protocols whose replies can't be guided; none if all can be. */
export function unguidedFindings(kind: ServerKind | null, { guided }: ModelSpec): readonly ServerFinding[] {
  const languages = constraintWays(kind).map(({ language }) => language);
  const hasPattern = languages.includes('regex') || languages.includes('gbnf');
  const unguided = [
    ...(hasPattern ? [] : ['replies of protocols whose answer is not one JSON object']),
    ...(languages.includes('tools') ? [] : ['tool calls']),
  ];
  if (unguided.length === 0) return [];
  const text = `${unguided.join(' and ')} can't be guided: this server has no request field for that`;
  const hints = kind === null ? ['set `server` to the program that serves the model'] : [];
  return [{ about: 'guided', status: guided === 'off' ? 'ok' : 'warn', text, hints }];
}

/** Enough for the rules, a few turns of history and one picture: with less, a run is hardly possible. */
const CONTEXT_TOKENS_MIN = 4096;

/**
 * The maximum length of prompt and answer together, and what happens to a longer prompt if the server does
 * not report it.
 */
export function contextFinding(
  contextTokens: number | null,
  maxTokens: number,
  kind: ServerKind | null,
): ServerFinding {
  const overlong = kind === null ? null : CAPABILITIES[kind].overlong;
  const overlongNote =
    overlong?.hint == null ? null : { text: BECOMES[overlong.becomes], hints: [overlong.hint] };
  const lengthText =
    contextTokens === null
      ? 'length unknown: not reported by the server'
      : `${counted(contextTokens, 'token')}, ${maxTokens} of them for the answer`;
  const text = overlongNote === null ? lengthText : `${lengthText}; ${overlongNote.text}`;
  const isShort = contextTokens !== null && contextTokens - maxTokens < CONTEXT_TOKENS_MIN;
  const shortHints = isShort ? ['start the server with a longer context, or keep less history'] : [];
  const hints = [...shortHints, ...(overlongNote?.hints ?? [])];
  return { about: 'context', status: hints.length === 0 ? 'ok' : 'warn', text, hints };
}

const BECOMES = {
  refused: 'a longer prompt is refused',
  cut: 'a longer prompt is silently truncated',
  empty: 'a longer prompt gets an empty answer',
} as const;

/**
 * The advice for a truncated answer of a reasoning model; '' if there is no known field that switches
 * reasoning off.
 */
export function thinkingHint(kind: ServerKind | null): string {
  const [first] = kind === null ? [] : CAPABILITIES[kind].thinkingOff;
  return first === undefined ? '' : `, or extra: ${JSON.stringify(first)}`;
}

/** The hints if the model does not see the picture. */
export function blindHints(kind: ServerKind | null): readonly string[] {
  const affectedKinds = SERVER_KINDS.filter((one) => kind === null || one === kind).filter((one) =>
    CAPABILITIES[one].traps.includes(BLIND),
  );
  return [
    'check that it is a vision model',
    ...affectedKinds.map((one) => `for ${one}: ${TRAPS[BLIND].hint}`),
    'play with text only: --set render.channel=text',
  ];
}

const BLIND = 'blind-without-projector';

/** How to make the server count the tokens of pictures and of its cache; none if it can't. */
export function countingHints(kind: ServerKind | null): readonly string[] {
  const flag = kind === null ? null : CAPABILITIES[kind].usage.flag;
  return flag === null ? [] : [`${kind} reports cached tokens and picture tokens if started with ${flag}`];
}
