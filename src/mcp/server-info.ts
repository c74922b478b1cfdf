/** What every MCP server of this program says of itself. */
import { PROGRAM_VERSION } from '../assembly/version.js';

export const SERVER_INFO = { name: 'orchestrate', version: PROGRAM_VERSION };
export const CAPABILITIES = { tools: {}, resources: {}, prompts: {} };
