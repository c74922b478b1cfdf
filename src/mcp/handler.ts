/** One HTTP request of an MCP client: who sends it, for which entity, and the server that answers it. */
import { createMcpHandler, CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { LIMITS } from '../base/limits.js';
import { oneLine } from '../base/text.js';
import { ServeError } from '../serve/serve-error.js';
import type { ServeReason } from '../serve/serve-error.js';
import { harnessController } from '../trajectory/player-names.js';
import type { ApiOptions, RequestHandler } from '../serve/services/api-options.js';
import { seatServer } from './seat-server.js';
import type { McpCaller, McpSeats } from './seats.js';

/** As large as any other request of the API. */
const REQUEST_BYTES = 64 * 1024;
const METHODS: readonly string[] = ['POST', 'GET', 'DELETE'];

export function mcpHandler(
  seats: McpSeats,
  { identity, onError }: ApiOptions & { onError: (error: unknown) => void },
): RequestHandler {
  const answer = async (request: Request): Promise<Response> => {
    const principal = identity.authenticate(request.headers);
    const { pathname, searchParams } = new URL(request.url);
    const named = {
      entity: decodeURIComponent(pathname.replace(/^\/mcp\/?|\/$/g, '')).slice(0, LIMITS.nameCharacters),
      run: searchParams.get('run') ?? '',
    };
    const place = seats.placeOf(principal, named);
    const body: unknown =
      request.method === 'POST'
        ? await request
            .clone()
            .json()
            .catch(() => null)
        : null;
    const { method, params } = Object(body) as { method?: unknown; params?: unknown };
    const model = shortened(searchParams.get('model') ?? '', LIMITS.nameCharacters) || null;
    const clientCharacters = LIMITS.controllerNameCharacters - harnessController('', model).length;
    const given = clientOf(params, clientCharacters);
    const session = request.headers.get(SESSION);
    const client =
      given ??
      (session === null
        ? 'unknown'
        : shortened(Buffer.from(session, 'base64url').toString(), clientCharacters));
    const caller: McpCaller = {
      ...place,
      principal: principal.name,
      client,
      model,
      isReply: searchParams.has('reply'),
    };
    if (method === 'notifications/cancelled')
      seats.cancel(caller, (Object(params ?? null) as { requestId?: unknown }).requestId);
    const handler = createMcpHandler(() => seatServer(caller, seats), { maxRequestBodySize: REQUEST_BYTES });
    const response = await handler.fetch(request);
    if (given !== null) response.headers.set(SESSION, Buffer.from(given).toString('base64url'));
    return response;
  };
  const handler = toNodeHandler(
    { fetch: (request) => answer(request).catch((error: unknown) => refusal(error)) },
    {
      maxRequestBodySize: REQUEST_BYTES,
      // A client that leaves in the middle of a request is no fault of ours.
      onerror: (error) => {
        if (!('code' in error && error.code === 'ECONNRESET')) onError(error);
      },
    },
  );
  return async (request, response) => {
    if (!METHODS.includes(request.method ?? '')) {
      response.writeHead(405, { allow: METHODS.join(', ') });
      response.end();
      return;
    }
    await handler(request as NodeIncomingMessageLike, response);
  };
}

/** Clients of the earlier protocol introduce themselves once, and repeat what they are answered in this header. */
const SESSION = 'mcp-session-id';

const STATUS: Partial<Record<ServeReason, number>> = {
  TOKEN_MISSING: 401,
  TOKEN_UNKNOWN: 401,
  ROLE_MISSING: 403,
  RUN_NOT_FOUND: 404,
  ENTITY_NOT_FOUND: 404,
};

function refusal(error: unknown): Response {
  if (error instanceof URIError) return new Response("the path can't be read\n", { status: 400 });
  if (!(error instanceof ServeError)) throw error;
  const status = STATUS[error.reason] ?? 409;
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return new Response(`${error.message}\n`, { status, headers });
}

/** As the client of a request calls itself, `NAME/VERSION`; null if the request doesn't say. */
function clientOf(params: unknown, characters: number): string | null {
  const { clientInfo, _meta: meta } = Object(params ?? null) as { clientInfo?: unknown; _meta?: unknown };
  const info: unknown = clientInfo ?? (Object(meta ?? null) as Record<string, unknown>)[CLIENT_INFO_META_KEY];
  const { name, version } = Object(info ?? null) as { name?: unknown; version?: unknown };
  if (typeof name !== 'string') return null;
  return shortened(typeof version === 'string' ? `${name}/${version}` : name, characters) || null;
}

/** One line that a log can hold. */
function shortened(text: string, characters: number): string {
  return Array.from(oneLine(text).toWellFormed()).slice(0, characters).join('');
}
