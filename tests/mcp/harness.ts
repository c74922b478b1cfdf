/** Clients of the Model Context Protocol as harnesses are: the official client, and what a tool gave it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult, FetchLike, Transport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';

/** Two who can do as they like. */
export const ROOM = `
title: A room
map: |
  ########
  #a....b#
  #......#
  ########
legend: { a: { agent: ann }, b: { agent: bob } }
agents: [{ id: ann, sprite: knight }, { id: bob, sprite: wizard }]
rules: { movement: tile }
turns: { max: 4, order: simultaneous, attempts: 2 }
`;

/** The protocol of 2026, where each request stands alone, or that of 2025, which begins with a handshake. */
export type Era = '2026' | '2025';

export interface Harness {
  client: Client;
  /** Calls a tool; the texts of the result, one below the other. */
  use: (tool: string, args?: Record<string, unknown>) => Promise<string>;
  call: (tool: string, args?: Record<string, unknown>) => Promise<CallToolResult>;
}

export interface HarnessOptions {
  name?: string;
  era?: Era;
  token?: string;
  /** How it sends its requests. */
  fetch?: FetchLike;
}

export async function harness(
  address: string,
  place: string,
  { name = 'test-harness', era = '2026', token, fetch = globalThis.fetch }: HarnessOptions = {},
): Promise<Harness> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(`/mcp/${place}`, address), {
    requestInit: { headers },
    fetch,
  });
  return connected(transport, { name, era });
}

export async function connected(
  transport: Transport,
  { name = 'test-harness', era = '2026' }: HarnessOptions = {},
): Promise<Harness> {
  const mode = era === '2026' ? { pin: '2026-07-28' } : 'legacy';
  const client = new Client({ name, version: '1.2' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = (tool: string, args: Record<string, unknown> = {}): Promise<CallToolResult> =>
    client.callTool({ name: tool, arguments: args });
  return { client, call, use: async (tool, args) => textOf(await call(tool, args)) };
}

export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}

/** Calls the tools that `decide` names, one after another, until the run is over; the last text. */
export async function playOut(
  { use }: Harness,
  decide: (text: string) => readonly [tool: string, args?: Record<string, unknown>],
): Promise<string> {
  let text = await use('observe');
  while (!text.includes('The run is over')) text = await use(...decide(text));
  return text;
}

/** Looks again and again, as a harness does, until it sees what it waits for. */
export async function observeUntil({ use }: Harness, seen: RegExp): Promise<string> {
  let text = await use('observe');
  while (!seen.test(text)) text = await use('observe');
  return text;
}
