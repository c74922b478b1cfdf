/** `runner <file>`: keeps programs running that play the entities of a served world, selected by tags. */
import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { counted } from '../../base/counted.js';
import { UsageError } from '../../base/errors.js';
import { oneLine } from '../../base/text.js';
import { Runner } from '../../runner/runner.js';
import type { RunnerEvent } from '../../runner/runner.js';
import { programFor } from '../../runner/policy.js';
import { fileFault, programPath } from '../../runner/program-file.js';
import type { WorldEvent } from '../../runner/world-gate.js';
import { systemClock } from '../../model/dependencies.js';
import { openScenarioFile } from '../../scenario/folder.js';
import { loadRunner } from '../../scenario/load-runner.js';
import type { RunnerSpec } from '../../scenario/runner.js';
import { WorldClient, usageError } from '../../serve/client/world-client.js';
import type { RefusalHints } from '../../serve/client/world-client.js';
import { Control } from '../../serve/gen/orchestrate/world/v1/world_pb.js';
import type { Entity } from '../../serve/gen/orchestrate/world/v1/world_pb.js';
import { command } from '../options/command-line.js';
import { argument, flag, anyTextOr } from '../options/option.js';
import { fromCwd, readBytes } from '../options/paths.js';
import { certificatesIn, tokenIn } from '../options/world-options.js';
import { WorldWatch, entityState } from '../play/world-watch.js';
import { listenForInterrupts } from '../terminal/interrupt.js';
import type { Io } from '../terminal/io.js';

const ARGUMENTS = { file: argument('Runner file (YAML)') };
const OPTIONS = {
  run: anyTextOr('', 'Id of the run on the server (default: the newest)'),
  'dry-run': flag('Print which program would play which entity, without starting any'),
  json: flag('Print each event as a line of JSON'),
};

export const runnerCommand = command({
  examples: [
    ['$0 runner runner.yaml', 'start the programs of all entities that have one'],
    ['$0 runner runner.yaml --dry-run', 'only print which program would play which entity'],
  ],
  arguments: ARGUMENTS,
  options: OPTIONS,
  run: async (options, io) => {
    const path = fromCwd(io, options.file);
    const spec = loadRunner({ ...openScenarioFile(path, 'runner file'), path: options.file });
    requireVariables(spec, io);
    requireFiles(spec, dirname(path), io);
    const client = new WorldClient({
      address: spec.world,
      token: tokenIn(spec.tokenEnv, io),
      certificates: certificatesIn(spec.certificates, (file) => readBytes(resolve(dirname(path), file), io)),
    });
    const interrupts = listenForInterrupts(io, () => undefined);
    const signal = interrupts.stop.soft;
    try {
      const { run } = await client.world(options.run, signal);
      if (options['dry-run']) {
        for (const entity of await client.listEntities(run, signal))
          io.out.write(`${oneLine(planLine(entity, spec))}\n`);
        return 0;
      }
      const printEvent = (event: RunnerEvent | WorldEvent): void =>
        io.out.write(`${options.json ? JSON.stringify(event) : eventLine(event, io)}\n`);
      const watch = new WorldWatch({ client, run, clock: systemClock, onEvent: printEvent, signal });
      const runner = new Runner({
        spec,
        folder: dirname(path),
        env: io.env,
        now: () => performance.now(),
        world: watch.gate,
        onEvent: printEvent,
      });
      const removeExitListener = io.beforeExit(() => void runner.close());
      try {
        await watch.follow(runner);
        if (!signal.aborted) await runner.runEnded();
      } finally {
        await runner.close();
        removeExitListener();
      }
      return 0;
    } catch (error) {
      if (signal.aborted) return 0;
      throw usageError(error, KEY_HINTS);
    } finally {
      interrupts.close();
    }
  },
});

/** The runner has no options for settings that are in its file. */
const KEY_HINTS: RefusalHints = {
  unreachable: "start one with orchestrate serve SCENARIO and name its address in the runner's file (world:)",
  secured:
    "for a server with TLS, set tls_ca in the runner's file to the certificate of its authority; if it requires client certificates, also set tls_cert and tls_key",
  tokenMissing: "set WORLD_TOKEN, or choose another variable in the runner's file (token_env:)",
};

/**
 * Throws UsageError, with the name of each program, if a program has no executable file, no interpreter or not
 * the configuration file that it names.
 */
function requireFiles({ programs, fallback }: RunnerSpec, folder: string, { env }: Io): void {
  const faults = [...programs, ...(fallback === null ? [] : [fallback])].flatMap(
    ({ program, configFile, env: programEnv }) => {
      const searched = programEnv['PATH'] ?? env['PATH'] ?? '';
      const fault = fileFault(program, programPath(folder, program), searched);
      const lacksConfig = configFile !== null && !existsSync(resolve(folder, configFile));
      return [
        ...(fault === null ? [] : [fault]),
        ...(lacksConfig ? [`${oneLine(configFile)}: no such file (config)`] : []),
      ];
    },
  );
  if (faults.length > 0)
    throw new UsageError(`programs can't be started: ${[...new Set(faults)].join('; ')}`);
}

/** Throws UsageError if a program is supposed to get a variable that is not set. */
function requireVariables({ programs, fallback }: RunnerSpec, { env }: Io): void {
  for (const { name, passEnv } of [...programs, ...(fallback === null ? [] : [fallback])]) {
    const missing = passEnv.find((variable) => (env[variable] ?? '') === '');
    if (missing !== undefined)
      throw new UsageError(`the variable ${missing} is not set, but the program ${name} needs it (pass_env)`);
  }
}

function planLine(entity: Entity, { programs }: RunnerSpec): string {
  const { id, tags, isControllable } = entityState(entity);
  if (!isControllable)
    return `${id}: ${entity.control === Control.SERVER ? 'the server plays it' : 'out of play'}`;
  const program = programFor(tags, programs);
  return `${id}: ${program === null ? 'no program' : `${program.name} (${program.program})`}`;
}

/**
 * A program's path and an entity's name come from files and from the server, so they are printed on one line.
 */
function eventLine(event: RunnerEvent | WorldEvent, { cwd }: Io): string {
  if (event.kind === 'world-gone')
    return `the served world can't be reached; waiting up to ${event.waitMs / 1000} s for it`;
  if (event.kind === 'world-back') return 'the served world can be reached again';
  const subject = `${event.entity} (${event.program})`;
  if (event.kind === 'started') return oneLine(`${subject}: started`);
  if (event.kind === 'given-up')
    return oneLine(`${subject}: gave up after ${counted(event.restarts, 'restart')}`);
  const restart = event.restartMs === null ? '' : `, restarting in ${event.restartMs} ms`;
  const outputFile = event.log === null ? '' : `; its output: ${relative(cwd, event.log)}`;
  return oneLine(`${subject}: ${event.how}${restart}${outputFile}`);
}
