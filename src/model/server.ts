/**
 * What can be found out about a server without chat requests: its address, its models, its kind. Probes of
 * the kind go to the server's root, outside the chat API, and never carry the key.
 */
import { ModelError, UsageError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { nearest } from '../base/nearest.js';
import { oneLine, wellFormedJson } from '../base/text.js';
import { CAPABILITIES, CONTEXT_AT, SERVER_KINDS } from './capabilities.js';
import type { ServerKind } from './capabilities.js';
import { member, memberAt } from './fault.js';
import { beforeDeadline } from './deadline.js';
import type { Dependencies } from './dependencies.js';
import type { HttpAnswer } from './transport.js';

export interface ServerModel {
  id: string;
  /** The maximum length of prompt and answer together, if the server reports it. */
  contextTokens: number | null;
  /** The owner that the server reports; most servers report their own name. */
  owner: string | null;
}

/**
 * The address without a trailing slash. Throws UsageError, which never repeats anything that may be secret.
 */
export function checkedBaseUrl(address: string): string {
  if (!URL.canParse(address))
    throw new UsageError(`the base URL is not a URL: ${oneLine(address, 100)}`, [EXAMPLE]);
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const hostAndPort = /^[\w.-]+:\d{1,5}(?=\/|$)/.exec(address)?.[0];
    const hint = hostAndPort === undefined ? EXAMPLE : `did you mean http://${hostAndPort}/v1?`;
    throw new UsageError(`the base URL must begin with http:// or https://, not ${url.protocol}`, [hint]);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('the base URL contains a user name or password', [
      'put the key in an environment variable',
    ]);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError('the base URL contains a query or fragment', [
      'put a key into an environment variable',
      EXAMPLE,
    ]);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

const EXAMPLE = 'for example --base-url http://localhost:8000/v1';

/** The models in an answer to `GET /models`, at most LIMITS.serverModels; null if it is not such a list. */
export function modelsIn(body: unknown): readonly ServerModel[] | null {
  const data = member(body, 'data');
  if (!Array.isArray(data)) return null;
  return data.slice(0, LIMITS.serverModels).flatMap((item: unknown) => {
    const id = member(item, 'id');
    if (typeof id !== 'string') return [];
    const context = CONTEXT_AT.map((at) => memberAt(item, at)).find((value) => value !== undefined);
    const owner = member(item, 'owned_by');
    const isCount = typeof context === 'number' && Number.isSafeInteger(context);
    return [{ id, contextTokens: isCount ? context : null, owner: typeof owner === 'string' ? owner : null }];
  });
}

/**
 * The model to ask: the named one if the server has it or has no list, or the only one if none is named. Throws
 * ModelError with the list.
 */
export function chooseModel(
  models: readonly ServerModel[] | null,
  named: string | null,
  baseUrl: string,
): string {
  const fail = (message: string, hints: readonly string[]): ModelError =>
    new ModelError(`the model server at ${baseUrl} ${message}`, { isRetryable: false, hints });
  if (models === null && named !== null) return named;
  if (models === null)
    throw fail('returns no list of models', [
      'specify the model with --model',
      'check the base URL; for most servers it ends in /v1',
    ]);
  const ids = models.map((model) => model.id);
  if (named === null) {
    const [only, ...others] = ids;
    if (only === undefined) throw fail('lists no models', ['load a model, or choose one with --model']);
    if (others.length === 0) return only;
    throw fail(`has ${ids.length} models, and none was chosen`, [
      'choose one with --model',
      ...modelHints(ids, null),
    ]);
  }
  if (ids.includes(named)) return named;
  // Ollama lists every model with a tag, and accepts the name without it.
  if (ids.includes(`${named}:latest`)) return named;
  // OpenRouter does not list variants of a model (`:nitro`, `@preset/x`) or separate presets: only the server
  // can tell whether one exists.
  const [listedPart = ''] = named.split(/[:@](?=[^:@]*$)/);
  if (named.startsWith('@preset/') || ids.includes(listedPart)) return named;
  throw fail(`does not have the model "${oneLine(named, 100)}"`, modelHints(ids, named));
}

const LISTED_MAX = 12;

/** Hints that list the available models, the nearest first. */
export function modelHints(ids: readonly string[], named: string | null): readonly string[] {
  const suggestion = named === null ? undefined : nearest(named, ids);
  const shownIds = ids.slice(0, LISTED_MAX).map((id) => oneLine(id, 100));
  const suffix = ids.length > LISTED_MAX ? `, and ${ids.length - LISTED_MAX} more` : '';
  const list = ids.length === 0 ? [] : [`it has: ${shownIds.join(', ')}${suffix}`];
  return suggestion === undefined ? list : [`did you mean ${oneLine(suggestion, 100)}?`, ...list];
}

export interface ServerIdentity {
  kind: ServerKind | null;
  version: string | null;
  contextTokens: number | null;
}

/**
 * Kinds that answer their own path, the most certain first; if other kinds answer it too, the owner of the
 * models takes precedence.
 */
const PROBED = SERVER_KINDS.flatMap((kind) => {
  const kindProbe = CAPABILITIES[kind].probe;
  return kindProbe === null ? [] : [{ kind, ...kindProbe }];
}).toSorted((a, b) => Number(a.isShared) - Number(b.isShared));

/**
 * Which program serves the models, recognised by a path that only it has, otherwise by the owner of its
 * models. Never throws, and takes at most LIMITS.probeTimeoutMs.
 */
export async function identify(
  baseUrl: string,
  models: readonly ServerModel[],
  dependencies: Dependencies,
  signal: AbortSignal,
): Promise<ServerIdentity> {
  const contextTokens = models[0]?.contextTokens ?? null;
  const { hostname } = new URL(baseUrl);
  const host = SERVER_KINDS.find((kind) => CAPABILITIES[kind].host === hostname);
  if (host !== undefined) return { kind: host, version: null, contextTokens };
  const root = baseUrl.replace(/\/v1$/, '');
  const answers = await Promise.all(PROBED.map(({ path }) => probe(`${root}${path}`, dependencies, signal)));
  const recognised = PROBED.flatMap(({ kind, signs, versionAt, isContext, isShared }, i) => {
    const values = signs.map((at) => memberAt(answers[i], at));
    const sign = values.find((value) => typeof value === (isContext ? 'number' : 'string'));
    if (sign === undefined) return [];
    const said = memberAt(answers[i], versionAt);
    const version = typeof said === 'string' ? oneLine(said, 100) : null;
    return [{ kind, version, contextTokens: typeof sign === 'number' ? sign : contextTokens, isShared }];
  });
  const owner = models[0]?.owner ?? null;
  const kindByOwner = SERVER_KINDS.find((kind) => owner !== null && CAPABILITIES[kind].owner === owner);
  const [mostCertain] = recognised;
  const version = mostCertain?.version ?? null;
  const kind =
    mostCertain?.isShared === false ? mostCertain.kind : (kindByOwner ?? mostCertain?.kind ?? null);
  return { kind, version, contextTokens: mostCertain?.contextTokens ?? contextTokens };
}

/** The JSON of a quick answer with the status 200; undefined for anything else. */
async function probe(url: string, { clock, transport }: Dependencies, signal: AbortSignal): Promise<unknown> {
  const request = {
    method: 'GET',
    url,
    headers: HEADERS,
    body: null,
    bytesMax: LIMITS.responseBytes,
  } as const;
  const deadline = { limitMs: LIMITS.probeTimeoutMs, clock, signal };
  const outcome = await beforeDeadline(deadline, async (probeSignal) =>
    jsonOf(await transport.send(request, probeSignal)),
  );
  return outcome.kind === 'answered' ? outcome.value : undefined;
}

function jsonOf({ status, body }: HttpAnswer): unknown {
  return status === 200 ? (JSON.parse(wellFormedJson(new TextDecoder().decode(body))) as unknown) : undefined;
}

/** The headers of every request: no more than these. */
export const HEADERS: Readonly<Record<string, string>> = {
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': 'orchestrate-vlm',
};
