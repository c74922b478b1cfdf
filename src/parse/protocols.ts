/** The protocols by name: one line each. */
import { commandProtocol } from './command.js';
import { jsonProtocol } from './json.js';
import type { Protocol } from './protocol.js';
import { reactProtocol } from './react.js';
import { toolsProtocol } from './tools.js';

/** Raised whenever the same reply would be parsed differently. */
export const PARSER_VERSION = 3;

const PROTOCOLS = {
  command: commandProtocol,
  json: jsonProtocol,
  react: reactProtocol,
  tools: toolsProtocol,
} as const;

type BuiltInProtocol = keyof typeof PROTOCOLS;

/** A built-in protocol by its name: `command`, `json`, `react` or `tools`. */
export function protocolOf(name: BuiltInProtocol): Protocol {
  return PROTOCOLS[name];
}

/** The same for any name; null if the protocol is not a built-in one. */
export function protocolNamed(name: string): Protocol | null {
  const protocols: Readonly<Record<string, Protocol>> = PROTOCOLS;
  return Object.hasOwn(protocols, name) ? (protocols[name] ?? null) : null;
}
