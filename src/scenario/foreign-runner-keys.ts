/**
 * Explains keys that other runners of agent programs use, where this one has another: a file that was written for
 * one of them is refused with what to write instead. docs/how-to/serve-a-world.md lists them.
 */
import { isRecord } from '../base/json.js';
import type { MistakeReport } from './report.js';

/** What to write instead of a key, by the part of the file that it stands in. */
const INSTEAD = {
  file: {
    world_addr: 'world: 127.0.0.1:50051',
    address: 'world: 127.0.0.1:50051',
    programs: 'agents: { eater: { tags: [npc], cmd: [python3, -m, eater] } }',
    mapping: 'agents: { eater: { tags: [npc], cmd: [python3, -m, eater] } }',
    mappings: 'agents: { eater: { tags: [npc], cmd: [python3, -m, eater] } }',
    restart: 'restarts: { first_ms: 250, longest_ms: 5000, max: 10, window_s: 600 }',
    backoff: 'restarts: { first_ms: 250, longest_ms: 5000, max: 10, window_s: 600 }',
    max_restarts: 'restarts: { max: 10 }',
  },
  agent: {
    command: 'cmd: [python3, -m, eater]',
    args: 'cmd: [python3, -m, eater]',
    match: 'tags: [npc]',
    tag: 'tags: [npc]',
    environment: 'env: { MODE: calm }',
    config_path: 'config: ./eater.yaml',
    config_file: 'config: ./eater.yaml',
    restart: 'restarts, beside agents, for all programs',
    restarts: 'restarts, beside agents, for all programs',
    backoff: 'restarts, beside agents, for all programs',
    max_restarts: 'restarts, beside agents, for all programs',
    fallback: 'fallback, beside agents, for all entities',
  },
  restarts: {
    initial_ms: 'first_ms: 250',
    min_ms: 'first_ms: 250',
    backoff_min_ms: 'first_ms: 250',
    max_ms: 'longest_ms: 5000',
    backoff_max_ms: 'longest_ms: 5000',
    max_restarts: 'max: 10',
    window_ms: 'window_s: 600',
    window_min: 'window_s: 600',
  },
} as const;

/** Reports each of these keys, a list of programs, and a command that is one text. */
export function explainForeignKeys(value: unknown, report: MistakeReport): void {
  if (!isRecord(value)) return;
  const explain = (part: unknown, path: readonly (string | number)[], kind: keyof typeof INSTEAD): void => {
    if (!isRecord(part)) return;
    for (const [key, instead] of Object.entries(INSTEAD[kind]))
      if (Object.hasOwn(part, key))
        report.error({ key: [...path, key] }, `a runner file has no '${key}' here`, `write ${instead}`);
    if (typeof part['cmd'] === 'string')
      report.error(
        [...path, 'cmd'],
        'there is no shell that could divide a text into words',
        `write ${COMMAND}`,
      );
  };
  const { agents, restarts, fallback } = value;
  explain(value, [], 'file');
  explain(restarts, ['restarts'], 'restarts');
  explain(fallback, ['fallback'], 'agent');
  if (Array.isArray(agents)) {
    report.error(
      ['agents'],
      'the programs have no names',
      `write agents: { eater: { tags: [npc], ${COMMAND} } }`,
    );
    agents.forEach((agent, index) => explain(agent, ['agents', index], 'agent'));
  } else if (isRecord(agents))
    for (const [name, agent] of Object.entries(agents)) explain(agent, ['agents', name], 'agent');
}

const COMMAND = INSTEAD.agent.command;
