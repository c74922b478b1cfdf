/** Loads a runner file, or throws every mistake at once, each with its position. */
import type { Diagnostic } from '../base/errors.js';
import type { ScenarioFile } from './files.js';
import { parseRemovingMistakes } from './error-recovery.js';
import { childOf } from './records.js';
import { findingsFor } from './report.js';
import type { MistakeReport } from './report.js';
import type { RunnerProgram, RunnerSpec } from './runner.js';
import { runnerSchema } from './schema-runner.js';
import type { RunnerInput } from './schema-runner.js';
import { explainForeignKeys } from './foreign-runner-keys.js';
import { reportSecrets } from './secrets.js';
import { scenarioError, sourceOf } from './source.js';
import { parseTree } from './tree.js';

/** Throws ScenarioError with every mistake of the file. */
export function loadRunner(file: ScenarioFile): RunnerSpec {
  const source = sourceOf(file.path, file.content);
  const earlyFindings: Diagnostic[] = [];
  const tree = parseTree(source, earlyFindings);
  const findings = findingsFor(() => tree, [], earlyFindings);
  reportSecrets(tree.value, findings);
  const otherKind = recogniseOtherFile(tree.value, file.path);
  if (otherKind !== null) {
    findings.error([otherKind.key], `this is a ${otherKind.is}, not a runner file`, otherKind.hint);
    throw scenarioError(findings.list);
  }
  explainForeignKeys(tree.value, findings);
  if (findings.failed()) throw scenarioError(findings.list);
  const { value: input } = parseRemovingMistakes(runnerSchema, tree.value, {
    report: findings,
    failedPaths: [],
  });
  if (input !== null && Object.keys(input.agents).length === 0)
    findings.error(
      ['agents'],
      'no programs are defined',
      'write, for example: agents: { eater: { tags: [npc], program: ./eater.py } }',
    );
  for (const [name, agent] of Object.entries(input?.agents ?? {}))
    requireOneProgram(['agents', name], agent, findings);
  if (input?.fallback !== undefined) requireOneProgram(['fallback'], input.fallback, findings);
  if (input !== null && input.restarts.longest_ms < input.restarts.first_ms) {
    const { first_ms: first, longest_ms: longest } = input.restarts;
    const isGiven = childOf(childOf(tree.value, 'restarts'), 'longest_ms') !== undefined;
    findings.error(
      ['restarts', isGiven ? 'longest_ms' : 'first_ms'],
      `the longest wait (longest_ms: ${longest}) is shorter than the first (first_ms: ${first})`,
      'write, for example: restarts: { first_ms: 250, longest_ms: 5000 }',
    );
  }
  findings.throwIfFailed();
  if (input === null) throw scenarioError(findings.list);
  const { world, token_env: tokenEnv, agents, fallback, restarts, logs, ...tls } = input;
  return {
    world,
    tokenEnv: tokenEnv ?? null,
    certificates: { ca: tls.tls_ca ?? null, cert: tls.tls_cert ?? null, key: tls.tls_key ?? null },
    programs: Object.entries(agents).map(([name, agent]) => programSpec(name, agent.tags, agent)),
    fallback: fallback === undefined ? null : programSpec('fallback', [], fallback),
    restarts: {
      firstWaitMs: restarts.first_ms,
      longestWaitMs: restarts.longest_ms,
      max: restarts.max,
      windowMs: restarts.window_s * 1000,
    },
    logs,
  };
}

function requireOneProgram(
  path: readonly string[],
  { program, cmd }: NonNullable<RunnerInput['fallback']>,
  findings: MistakeReport,
): void {
  if ((program === undefined) !== (cmd === undefined)) return;
  findings.error(
    [...path],
    program === undefined ? 'no program is named' : "'program' and 'cmd' exclude each other",
    'write program: ./eater.py, or with arguments cmd: [python3, -m, eater]',
  );
}

/**
 * Recognises a batch or a scenario (whose `agents` are a list) that was passed as a runner file; else null.
 */
function recogniseOtherFile(value: unknown, path: string) {
  if (childOf(value, 'scenarios') !== undefined)
    return { key: 'scenarios', is: 'batch', hint: `orchestrate batch ${path} plays it` };
  const agents = childOf(value, 'agents');
  // A list of programs is explained with the other keys of other runners.
  return Array.isArray(agents) && agents.some((agent) => childOf(agent, 'id') !== undefined)
    ? { key: 'agents', is: 'scenario', hint: `orchestrate serve ${path} serves it` }
    : null;
}

function programSpec(
  name: string,
  tags: readonly string[],
  { program, cmd, env, pass_env: passEnv, config }: NonNullable<RunnerInput['fallback']>,
): RunnerProgram {
  const [file = '', ...args] = cmd ?? [program ?? ''];
  const configFile = typeof config === 'string' ? config : null;
  const content = JSON.stringify(configFile === null ? (config ?? {}) : {});
  return { name, tags, program: file, args, env, passEnv, config: content, configFile };
}
