/**
 * From a fault to the ModelError that a user reads: one sentence that ends with the server's own message, and
 * hints. This is the only place that turns faults into text; the key itself is never available here.
 */
import { counted } from '../base/counted.js';
import { ModelError } from '../base/errors.js';
import { assertNever } from '../base/assert.js';
import { CAPABILITIES, SERVER_KINDS } from './capabilities.js';
import type { ServerKind } from './capabilities.js';
import type { Fault } from './fault.js';
import { keyOption } from './keys.js';
import { OWN_FIELDS } from './request.js';

export interface ServerSituation {
  /** Without userinfo or query: safe to show. */
  baseUrl: string;
  model: string | null;
  /** Null if unknown. */
  kind: ServerKind | null;
  apiKeyEnv: string | null;
  hasKey: boolean;
  /** There is a key, but it is not for this server. */
  isWithheld: boolean;
  timeoutMs: number;
  /** The failed tries. */
  tries: ModelError['tries'];
  /** Whether the server answered another request after them. */
  answersOthers: boolean;
  outOfTime: boolean;
  /** The names of the request's fields. */
  sentFields: readonly string[];
}

/** The error for the last fault of a call. `moreHints` come first: additional findings of the caller. */
export function modelError(
  failed: Fault,
  situation: ServerSituation,
  moreHints: readonly string[] = [],
): ModelError {
  const isOfSetting = failed.kind === 'request' && namedFields(failed, situation).length > 0;
  const fault: Fault = isOfSetting ? { ...failed, kind: 'setting' } : failed;
  const detail = fault.message === '' ? '' : `: ${fault.message}`;
  const status = fault.status === null ? '' : ` (HTTP ${fault.status})`;
  const triesNote = situation.tries.length > 1 ? `, tried ${counted(situation.tries.length, 'time')}` : '';
  const failure = `the model server at ${situation.baseUrl} ${sentence(fault)}${status}`;
  const waitHints = situation.outOfTime
    ? ['the server asked for a longer wait than timeout and retries allow']
    : [];
  return new ModelError(`${failure}${triesNote}${detail}`, {
    isRetryable: fault.isRetryable,
    isOfRequest: situation.answersOthers,
    tries: situation.tries,
    gist: `${failure}${detail}`,
    status: fault.status,
    baseUrl: situation.baseUrl,
    hints: [...moreHints, ...waitHints, ...hints(fault, situation, moreHints.length > 0)],
  });
}

/** The settings that were sent and that the server's message names. */
function namedFields({ message }: Fault, { sentFields }: ServerSituation): readonly string[] {
  const words = new Set(message.match(/\w+/g));
  return sentFields.filter((field) => !OWN_FIELDS.includes(field) && words.has(field));
}

function sentence(fault: Fault): string {
  switch (fault.kind) {
    case 'refused':
      return 'does not answer';
    case 'unknown-host':
      return 'was not found';
    case 'tls':
      return "can't be reached securely";
    case 'connection':
      return 'dropped the connection';
    case 'cut':
      return 'sent an answer that was cut off';
    case 'too-large':
      return 'sent an answer that is too long';
    case 'timeout':
      return 'took too long';
    case 'redirect':
      return 'redirects elsewhere, and redirects are not followed';
    case 'not-json':
      return 'sent something that is not JSON';
    case 'streamed':
      return 'streams its answer, although `stream: false` was sent';
    case 'not-chat':
      return 'sent JSON that is not a chat completion';
    case 'key':
      return 'refused access';
    case 'bad-key':
      return 'was not called';
    case 'no-model':
      return 'does not have the model';
    case 'no-path':
      return 'does not know this path';
    case 'quota':
      return 'requires payment';
    case 'busy':
      return 'is busy or loading';
    case 'server':
      return 'failed';
    case 'context':
      return 'refused the request as too long';
    case 'no-vision':
      return 'accepts no pictures for this model';
    case 'role-order':
      return 'refused the order of the message roles';
    case 'too-big':
      return 'refused the request as too big';
    case 'setting':
      return 'refused a setting';
    case 'request':
      return 'refused the request';
    default:
      return assertNever(fault.kind, 'fault');
  }
}

const CHECK_URL = 'check the base URL; for most servers it ends in /v1';

function hints(fault: Fault, situation: ServerSituation, isExplained: boolean): readonly string[] {
  switch (fault.kind) {
    case 'refused':
      return [...startHints(situation), 'use another address with --base-url http://host:port/v1'];
    case 'unknown-host':
    case 'redirect':
    case 'not-json':
    case 'not-chat':
    case 'no-path':
      return [CHECK_URL];
    case 'tls':
      return [
        'if the server does not support https, use http://',
        'for a private certificate, set NODE_EXTRA_CA_CERTS',
      ];
    case 'timeout':
      return [`raise timeout_ms above ${situation.timeoutMs}, or lower max_tokens`];
    case 'key':
    case 'bad-key':
      return keyHints(fault, situation);
    case 'no-vision':
      return ['play with text only (--set render.channel=text), or choose a vision model'];
    case 'context':
      return [
        'keep less history, shorten the goals, use a smaller frame, lower max_tokens, or start the server with a longer context',
      ];
    case 'streamed':
      return ['switch streaming off in the server, or in the gateway in front of it'];
    case 'too-big':
      return [
        'use a smaller frame (render) or fewer past pictures (memory.pictures, memory.recalls), or raise the limit of the server or of the proxy in front of it (nginx: client_max_body_size)',
      ];
    case 'request':
    case 'setting':
      return refusalHints(fault, situation, isExplained);
    default:
      return [];
  }
}

/** Servers extract tool calls from replies only if configured to. */
const TOOLS_FLAGS = `for native tools, start ${SERVER_KINDS.flatMap((kind) => {
  const { toolsFlag } = CAPABILITIES[kind];
  return toolsFlag === null ? [] : [`${kind} with ${toolsFlag}`];
}).join(', ')}; or play with --protocol command, json or react`;

/** The subject of a refusal, recognised by the server's message, and what to try. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/\btools?\b|tool.?(choice|call|parser)|requires? --jinja/i, TOOLS_FLAGS],
  [
    /at most \d+ image/i,
    'each request has one picture, and one more for each past picture (memory.pictures, memory.recalls): start the server so that it accepts as many (vLLM: --limit-mm-per-prompt), and check whether a gateway adds more',
  ],
  [
    /(load|identify|decode|process) image|invalid image/i,
    'the picture was sent as a PNG: check whether a gateway changes requests, or play with text only (--set render.channel=text)',
  ],
];

/** Recognises a refused constraint; if the client set it, the caller has already explained the refusal. */
const CONSTRAINT = /structured.?outputs?|grammar|regex/i;
const OWN_CONSTRAINT =
  'change or leave out your own constraint under extra (docs/reference/models.md, guided decoding)';

function refusalHints(fault: Fault, situation: ServerSituation, isExplained: boolean): readonly string[] {
  const { message } = fault;
  const refusal = REFUSALS.find(([about]) => about.test(message));
  if (refusal !== undefined) return [refusal[1]];
  if (isExplained) return [];
  if (CONSTRAINT.test(message)) return [OWN_CONSTRAINT];
  const fields = namedFields(fault, situation);
  if (fields.length === 0) return [];
  return [
    `leave ${fields.join(' or ')} out of the request by setting it to null under extra (docs/reference/models.md, settings)`,
  ];
}

/** For the program that serves the model, or for vLLM if it is unknown; users can't start a hosted server. */
function startHints(situation: ServerSituation): readonly string[] {
  const { start } = CAPABILITIES[situation.kind ?? 'vLLM'];
  if (start === null) return [];
  const url = new URL(situation.baseUrl);
  const line = start
    .replace('<model>', situation.model ?? '<model>')
    .replace('<port>', url.port || (url.protocol === 'https:' ? '443' : '80'));
  return [`start the server if it is not running, for example: ${line}`];
}

function keyHints(
  fault: Fault,
  { apiKeyEnv, hasKey, isWithheld, baseUrl }: ServerSituation,
): readonly string[] {
  if (apiKeyEnv === null) return ['put the name of the variable with the key into api_key_env'];
  if (fault.kind === 'bad-key') return [`set ${apiKeyEnv} again, as one line of plain characters`];
  if (isWithheld)
    return [
      `no key was sent: ${apiKeyEnv} is not allowed for this server; allow it with ${keyOption(apiKeyEnv, baseUrl)}`,
    ];
  if (!hasKey)
    return [
      `no key was sent: the environment variable ${apiKeyEnv} is not set; set it, or add it to a .env file`,
    ];
  return [`check the environment variable ${apiKeyEnv}: its key may not be for this server`];
}
