/** The protocols by name: one line each. */
import { commandProtocol } from './command.js';
import type { Protocol } from './protocol.js';

/** Raised whenever the same reply would be read differently. */
export const PARSER_VERSION = 1;

const PROTOCOLS = { command: commandProtocol } as const;

export type ProtocolName = keyof typeof PROTOCOLS;

export function protocolOf(name: ProtocolName): Protocol {
  return PROTOCOLS[name];
}
