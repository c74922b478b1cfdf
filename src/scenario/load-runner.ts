/**
 * From a runner's file to plain data. In: the file; out: a `RunnerSpec`, or every mistake at once, each with
 * its position.
 */
import type { ScenarioFile } from './files.js';
import { parseHealed } from './error-recovery.js';
import { prescan } from './prescan.js';
import { childOf } from './records.js';
import { findingsFor } from './report.js';
import type { RunnerProgram, RunnerSpec } from './runner.js';
import { runnerSchema } from './schema-runner.js';
import type { RunnerInput } from './schema-runner.js';
import { tellSecrets } from './secrets.js';
import { diagnostic, scenarioError, sourceOf } from './source.js';
import { parseTree } from './tree.js';

/** Throws ScenarioError with every mistake of the file. */
export function loadRunner(file: ScenarioFile): RunnerSpec {
  const source = sourceOf(file.path, file.content);
  const early = [...prescan(source)];
  const tree = parseTree(source, (at, finding) => early.push(diagnostic(source, at, finding)));
  const findings = findingsFor(() => tree, [], early);
  tellSecrets(tree.value, findings);
  const other = otherFile(tree.value, file.path);
  if (other !== null) {
    findings.error([other.key], `this is a ${other.is}, not a runner file`, other.hint);
    throw scenarioError(findings.list);
  }
  const { value: input } = parseHealed(runnerSchema, tree.value, { report: findings, wrong: [] });
  if (input !== null && Object.keys(input.agents).length === 0)
    findings.error(
      ['agents'],
      'no programs are defined',
      'agents: { eater: { tags: [npc], program: ./eater.py } }',
    );
  findings.throwIfFailed();
  if (input === null) throw scenarioError(findings.list);
  return specOf(input);
}

/** What the file is, if it clearly is not a runner's: a scenario's agents are a list. */
function otherFile(value: unknown, path: string) {
  if (childOf(value, 'scenarios') !== undefined)
    return { key: 'scenarios', is: 'batch', hint: `orchestrate batch ${path} plays it` };
  return Array.isArray(childOf(value, 'agents'))
    ? { key: 'agents', is: 'scenario', hint: `orchestrate serve ${path} serves it` }
    : null;
}

function specOf({ world, token_env: tokenEnv, agents, fallback, logs, ...tls }: RunnerInput): RunnerSpec {
  return {
    world,
    tokenEnv: tokenEnv ?? null,
    certificates: { ca: tls.tls_ca ?? null, cert: tls.tls_cert ?? null, key: tls.tls_key ?? null },
    programs: Object.entries(agents).map(([name, one]) => programOf(name, one.tags, one)),
    fallback: fallback === undefined ? null : programOf('fallback', [], fallback),
    logs,
  };
}

function programOf(
  name: string,
  tags: readonly string[],
  { program, env, pass_env: passEnv, config }: NonNullable<RunnerInput['fallback']>,
): RunnerProgram {
  return { name, tags, program, env, passEnv, config: JSON.stringify(config ?? {}) };
}
