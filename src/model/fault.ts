/**
 * A fault: the reason why one try got no answer, in one shape for all servers, proxies and sockets. Faults
 * stay inside `model/`, which throws only ModelError (`error-messages.ts`). The server's message is one clean
 * line without the key.
 */
import { LIMITS } from '../base/limits.js';
import { isOutOfFiles, systemWords } from '../base/system-words.js';
import { oneLine, wellFormedJson } from '../base/text.js';
import { BUSY_STATUSES, ERROR_AT } from './capabilities.js';
import type { HttpAnswer } from './transport.js';
import { TransportError } from './transport.js';
import { parsedJson } from '../base/json.js';

export type FaultKind =
  /** no connection: nothing is listening, unknown host, a TLS problem */
  | 'refused'
  | 'unknown-host'
  | 'tls'
  | 'connection'
  /** an answer began but was unusable */
  | 'cut'
  | 'too-large'
  | 'timeout'
  | 'redirect'
  | 'not-json'
  | 'streamed'
  | 'not-chat'
  /** the server said no */
  | 'key'
  | 'bad-key'
  | 'no-model'
  | 'no-path'
  | 'quota'
  | 'busy'
  | 'server'
  | 'context'
  | 'no-vision'
  | 'role-order'
  | 'too-big'
  /** a refused request that names one of its fields; only `error-messages.ts` knows what was sent */
  | 'setting'
  | 'request';

/** The server answered with something that is no answer: a gateway may do so once. */
const BROKEN_ANSWERS: ReadonlySet<FaultKind> = new Set<FaultKind>(['too-large', 'not-json', 'not-chat']);

/** Whether asking for the same answer again may help. */
export function mayBePassing({ kind, isRetryable }: Fault): boolean {
  return isRetryable || BROKEN_ANSWERS.has(kind);
}

/** Nothing can be asked there, whatever the request. */
const UNREACHED: ReadonlySet<FaultKind> = new Set<FaultKind>(['refused', 'unknown-host', 'tls']);

/** Whether the server answered, and would refuse the same request again. */
export function isRefusal(failed: Fault): boolean {
  return !mayBePassing(failed) && !UNREACHED.has(failed.kind);
}

/** Whether the fault may concern one request alone, so that the server would answer another one. */
export function mayBeOfRequest(failed: Fault): boolean {
  return mayBePassing(failed) && !UNREACHED.has(failed.kind);
}

export interface Fault {
  kind: FaultKind;
  /** Null if no HTTP answer came. */
  status: number | null;
  /** The message of the server or the system; '' if there was none. */
  message: string;
  isRetryable: boolean;
  /** The wait that the server requested, as raw header values; `retry.ts` parses them. */
  retryAfter: { ms: string | null; header: string | null };
}

const NO_WAIT = { ms: null, header: null };

/** Carries a fault to the retry loop. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly fault: Fault;

  constructor(thisFault: Fault) {
    super(thisFault.message);
    this.fault = thisFault;
  }
}

/** A fault without an HTTP status. */
export function fault(kind: FaultKind, message: string, isRetryable: boolean): Fault {
  return { kind, status: null, message: cleanMessage(message), isRetryable, retryAfter: NO_WAIT };
}

function cleanMessage(message: string): string {
  return oneLine(message, LIMITS.serverWordsCharacters);
}

/** The fault behind an error of the transport. Anything unexpected counts as a broken connection. */
export function transportFault(error: unknown): Fault {
  const code = error instanceof TransportError ? error.code : 'ERROR';
  const message = error instanceof Error ? error.message : '';
  if (code === 'ECONNREFUSED') return fault('refused', 'connection refused', true);
  if (code === 'ENOTFOUND') return fault('unknown-host', message, false);
  if (code === 'EAI_AGAIN') return fault('unknown-host', message, true);
  if (code === 'CUT') return fault('cut', message, true);
  if (code === 'UNANSWERED') return fault('connection', message, true);
  if (code === 'TOO_LARGE') return fault('too-large', message, false);
  if (/^(EPROTO|CERT_|ERR_SSL|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) {
    return fault('tls', `${code}: ${message}`, false);
  }
  return fault('connection', isOutOfFiles(error) ? systemWords(error) : `${code}: ${message}`, true);
}

/**
 * The JSON of an answer, which is judged by its content, not by its headers. `text` is its body, already without
 * the key. Throws FaultError if it is no answer.
 */
export function jsonIn({ status, headers }: Pick<HttpAnswer, 'status' | 'headers'>, text: string): unknown {
  const refused = (kind: FaultKind, message: string, isRetryable: boolean): FaultError =>
    new FaultError({
      kind,
      status,
      message: cleanMessage(message),
      isRetryable,
      retryAfter: { ms: headers['retry-after-ms'] ?? null, header: headers['retry-after'] ?? null },
    });
  if (status >= 300 && status < 400) throw refused('redirect', safeLocation(headers['location']), false);
  const value = parsedJson(wellFormedJson(text));
  if (status >= 400) throw refused(...errorOf(status, value, text));
  // A truncated answer begins like JSON; anything else is a web page or another service.
  if (value === undefined) {
    const encoding = headers['content-encoding']?.trim() ?? '';
    if (encoding !== '' && !/^identity$/i.test(encoding))
      throw refused('not-json', `the answer is compressed (${encoding})`, false);
    if (/^\s*(?:data|event|id|retry|):/.test(text)) throw refused('streamed', readableBody(text), false);
    const isBroken = /^\s*([{[]|$)/.test(text);
    throw refused(isBroken ? 'cut' : 'not-json', readableBody(text), isBroken);
  }
  const embeddedError = errorIn(value);
  if (embeddedError === null) return value;
  const code = Number(embeddedError.code);
  throw refused(...errorOf(code >= 400 && code < 600 ? code : 502, value, text));
}

/**
 * The error object in an HTTP 200, null if there is none: some gateways report failures in this way, others
 * in a choice or at the top level.
 */
function errorIn(value: unknown): { code: unknown } | null {
  const isChat = Array.isArray(member(value, 'choices'));
  const errors = [member(value, 'error'), memberAt(value, 'choices.0.error')];
  const error = errors.find((one) => one !== undefined && one !== null && one !== false);
  if (error !== undefined) return { code: member(error, 'code') };
  const isFlat =
    !isChat && (typeof member(value, 'detail') === 'string' || member(value, 'object') === 'error');
  return isFlat ? { code: member(value, 'code') } : null;
}

function errorOf(status: number, value: unknown, text: string): [FaultKind, string, boolean] {
  const message = errorMessageIn(value) ?? readableBody(text);
  const kind = kindOf(status, message);
  return [kind, message, RETRYABLE.has(kind)];
}

const RETRYABLE: ReadonlySet<FaultKind> = new Set<FaultKind>(['busy', 'server', 'timeout']);

/**
 * Patterns that identify errors, whatever their status: servers send the same ones as 400, 404, 422 and 500.
 */
const RECOGNISED: readonly (readonly [FaultKind, RegExp])[] = [
  [
    'no-vision',
    /at most 0 image|image input is not|support image input|required for image input|not a multimodal model|does not support images?\b/i,
  ],
  [
    'role-order',
    /roles must alternate|system role not supported|only user(,| and) assistant|system message must be/i,
  ],
  [
    'context',
    /context length|context size|context window|maximum (?:input|model) length|n_ctx|prompt is too long/i,
  ],
  ['quota', /insufficient[_ ](quota|credits|balance)|exceeded your current quota/i],
];

function kindOf(status: number, message: string): FaultKind {
  const known = RECOGNISED.find(([, pattern]) => pattern.test(message));
  if (known !== undefined) return known[0];
  if (status === 401 || status === 403) return 'key';
  if (status === 402) return 'quota';
  if (status === 404) return /model/i.test(message) ? 'no-model' : 'no-path';
  if (status === 405) return 'no-path';
  if (status === 408) return 'timeout';
  if (BUSY_STATUSES.includes(status) || [409, 425, 529].includes(status)) return 'busy';
  if (status === 413) return 'too-big';
  return status >= 500 && status !== 501 ? 'server' : 'request';
}

/** Where errors may be: in a body, or in the choice of a gateway's answer. */
const ERRORS_AT = ['error', 'choices.0.error'];

/** Where an error may have a list of what is wrong with each field. */
const LISTS = ['errors', 'details', 'detail', 'issues', 'fieldViolations'];

/**
 * The message in an error body, wherever one of the servers has it, always with the fields that it is about
 * and with what a gateway adds about the host behind it (`metadata`).
 */
function errorMessageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const errors = [value, ...ERRORS_AT.map((at) => memberAt(value, at))];
  const places = [...ERROR_AT.map((at) => memberAt(value, at)), member(value, 'detail'), ...errors];
  const message = places.map((place) => messageOf(place)).find((words) => words !== undefined);
  const field = errors.map((error) => fieldOf(error)).find((name) => name !== undefined);
  const words = withField(message, field) ?? field;
  const listed = errors.flatMap((error) => listedTexts(error)).filter((text) => !words?.includes(text));
  const metadata = errors.flatMap((error) => metadataTexts(member(error, 'metadata')));
  const added = [[...new Set(listed)].join('; '), ...metadata].filter((text) => text !== message);
  const texts = [words, ...new Set(added)].filter((text) => text !== undefined && text !== '');
  return texts.length === 0 ? undefined : texts.join(': ');
}

/** The field that an error names, or the steps to it; some servers write their own language's word for none. */
function fieldOf(error: unknown): string | undefined {
  const names = ['param', 'field'].map((name) => member(error, name));
  const paths = ['loc', 'path'].map((name) => {
    const steps = member(error, name);
    return Array.isArray(steps) ? steps.filter((step, i) => i > 0 || step !== 'body').join('.') : undefined;
  });
  return [...names, ...paths].find(isFieldName);
}

function isFieldName(name: unknown): name is string {
  return typeof name === 'string' && !['', 'None', 'null'].includes(name);
}

/** A message with the field that it is about, unless it names it. */
function withField(message: string | undefined, field: string | undefined): string | undefined {
  if (message === undefined || field === undefined) return message;
  const isNamed = /^\w+$/.test(field)
    ? message.match(/\w+/g)?.includes(field) === true
    : message.includes(field);
  return isNamed ? message : `${field}: ${message}`;
}

/** An error is nested in messages, details and lists only a few levels deep. */
const NESTED_MAX = 4;

/** A text, or the texts of a list or an object, each with its field. */
function messageOf(candidate: unknown, depth = 0): string | undefined {
  if (typeof candidate === 'string') return candidate === '' ? undefined : candidate;
  if (depth > NESTED_MAX) return undefined;
  if (Array.isArray(candidate)) {
    const texts = candidate.map((item) => messageOf(item, depth + 1)).filter((text) => text !== undefined);
    return texts.length > 0 ? texts.join('; ') : undefined;
  }
  const words = ['message', 'msg', 'detail', 'description', 'error']
    .map((name) => messageOf(member(candidate, name), depth + 1))
    .find((text) => text !== undefined);
  return withField(words, fieldOf(candidate));
}

/** What the lists of an error say about single fields: `errors: [{field, message}]`, `details[].fieldViolations[]`. */
function listedTexts(error: unknown, depth = 0): readonly string[] {
  if (depth > NESTED_MAX) return [];
  return LISTS.map((name) => member(error, name))
    .filter((list) => Array.isArray(list))
    .flat()
    .flatMap((item: unknown) => {
      const text = fieldOf(item) === undefined ? undefined : (messageOf(item) ?? fieldOf(item));
      return [...(text === undefined ? [] : [text]), ...listedTexts(item, depth + 1)];
    });
}

/** What the host said, which may be an error's JSON as text; other texts with their names. */
function metadataTexts(metadata: unknown): readonly string[] {
  if (typeof metadata !== 'object' || metadata === null) return [];
  return Object.entries(metadata).flatMap(([name, value]: [string, unknown]) => {
    const inner =
      typeof value === 'string' ? (messageOf(parsedJson(wellFormedJson(value))) ?? value) : messageOf(value);
    if (inner === undefined || inner === '') return [];
    return [name === 'raw' ? inner : `${name} ${inner}`];
  });
}

/** A body that is not JSON, in readable form: without tags. */
function readableBody(text: string): string {
  const start = text.slice(0, 20 * LIMITS.serverWordsCharacters);
  const page = /^\s*</.test(start)
    ? start.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ')
    : start;
  return cleanMessage(page);
}

/** Only the origin and path of a redirect, never its query, which may contain a token. */
function safeLocation(location: string | undefined): string {
  if (location === undefined || !URL.canParse(location, 'http://same-host')) return '';
  const url = new URL(location, 'http://same-host');
  return `${url.origin === 'http://same-host' ? '' : url.origin}${url.pathname}`;
}

/** An own property of a JSON object; undefined for anything else. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name) as unknown;
}

/** The value at a path of names separated by dots; undefined if any of them is missing. */
export function memberAt(value: unknown, path: string): unknown {
  return path.split('.').reduce(member, value);
}
