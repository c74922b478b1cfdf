/**
 * The Model Context Protocol on the port of a served world, at `/mcp/ENTITY`: any agent harness plays an entity
 * with tools. The protocol's library is loaded at the first request.
 */
import type { ApiOptions, RequestHandler } from '../serve/services/api-options.js';
import { McpSeats } from './seats.js';

export interface McpDoor {
  /** Answers a request to `/mcp` or below. */
  answer: RequestHandler;
  /** Resolves once every client knows that its run is over, or after a limited time. */
  untilTold: () => Promise<void>;
}

export function openMcpDoor(options: ApiOptions & { onError: (error: unknown) => void }): McpDoor {
  const seats = new McpSeats(options);
  const loading = async () => (await import('./handler.js')).mcpHandler(seats, options);
  let handler: ReturnType<typeof loading> | null = null;
  return {
    answer: async (request, response) => (await (handler ??= loading()))(request, response),
    untilTold: () => seats.untilTold(),
  };
}
