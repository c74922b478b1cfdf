/** `runner <file>`: keeps programs running that play a served world's entities, each found by its tags. */
import { dirname, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { oneLine } from '../../base/text.js';
import { Runner } from '../../runner/runner.js';
import type { RunnerEvent } from '../../runner/runner.js';
import { programFor } from '../../runner/policy.js';
import { openScenarioFile } from '../../scenario/folder.js';
import { loadRunner } from '../../scenario/load-runner.js';
import type { RunnerSpec } from '../../scenario/runner.js';
import { WorldClient, mayMend, usageError } from '../../serve/client/world-client.js';
import { Control } from '../../serve/gen/orchestrate/world/v1/world_pb.js';
import type { Entity } from '../../serve/gen/orchestrate/world/v1/world_pb.js';
import { command } from '../options/command-line.js';
import { fromCwd, readBytes } from '../options/paths.js';
import { certificatesIn, tokenIn } from '../options/world-options.js';
import { listenForInterrupts } from '../terminal/interrupt.js';
import type { Io } from '../terminal/io.js';

interface RunnerCommandOptions {
  readonly file: string;
  readonly run: string;
  readonly 'dry-run': boolean;
  readonly json: boolean;
}

export const runnerCommand = command({
  examples: [
    ['$0 runner runner.yaml', 'start the programs of all entities that have one'],
    ['$0 runner runner.yaml --dry-run', 'only print which program would play which entity'],
  ],
  options: (parser) =>
    parser
      .positional('file', { type: 'string', demandOption: true, describe: 'Runner file (YAML)' })
      .option('run', {
        type: 'string',
        default: '',
        describe: 'Id of the run on the server (default: the newest)',
      })
      .option('dry-run', { type: 'boolean', default: false, describe: 'Start nothing' })
      .option('json', { type: 'boolean', default: false, describe: 'Print each event as a line of JSON' }),
  run: (options: RunnerCommandOptions, io) => runPrograms(options, io),
});

async function runPrograms(options: RunnerCommandOptions, io: Io): Promise<ExitCode> {
  const path = fromCwd(io, options.file);
  const spec = loadRunner(openScenarioFile(path));
  requireVariables(spec, io);
  const client = new WorldClient({
    address: spec.world,
    token: tokenIn(spec.tokenEnv, io),
    certificates: certificatesIn(spec.certificates, (file) => readBytes(resolve(dirname(path), file), io)),
  });
  const interrupts = listenForInterrupts(io, () => undefined);
  const signal = interrupts.stop.soft;
  try {
    const { run } = await client.world(options.run, signal);
    if (options['dry-run']) return await printPlan(spec, client, run, io);
    const tell = (event: RunnerEvent): void =>
      io.out.write(`${options.json ? JSON.stringify(event) : eventLine(event, io)}\n`);
    const runner = new Runner({
      spec,
      folder: dirname(path),
      env: io.env,
      now: () => performance.now(),
      happened: tell,
    });
    const exits = io.beforeExit(() => void runner.close());
    try {
      await follow(client, run, runner, signal);
      if (!signal.aborted) await runner.runEnded();
    } finally {
      await runner.close();
      exits();
    }
    return 0;
  } catch (error) {
    if (signal.aborted) return 0;
    throw error;
  } finally {
    interrupts.close();
  }
}

/** Throws UsageError where a program is to get a variable that is not set. */
function requireVariables({ programs, fallback }: RunnerSpec, { env }: Io): void {
  for (const { name, passEnv } of [...programs, ...(fallback === null ? [] : [fallback])]) {
    const missing = passEnv.find((variable) => (env[variable] ?? '') === '');
    if (missing !== undefined)
      throw new UsageError(`the variable ${missing} is not set, and pass_env gives it to ${name}`);
  }
}

/** Until the run is over. A server that is gone for a moment is waited for; its entities' programs go on by themselves. */
async function follow(client: WorldClient, run: string, runner: Runner, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      for await (const { entity } of client.entities(run, signal))
        if (entity !== undefined) runner.see(seen(entity));
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!mayMend(error)) throw usageError(error);
      await untilReached(client, run, signal);
    }
  }
}

/** A server that was killed may come back (`serve LOG --resume`). Throws what was wrong last where it does not in time, or can't. */
async function untilReached(client: WorldClient, run: string, signal: AbortSignal): Promise<void> {
  const givenUp = performance.now() + GIVEN_UP_MS;
  for (;;) {
    await wait(RECONNECT_MS, undefined, { signal });
    try {
      await client.world(run, signal);
      return;
    } catch (error) {
      if (signal.aborted || !mayMend(error) || performance.now() > givenUp) throw error;
    }
  }
}

const RECONNECT_MS = 500;
/** How long a server may be gone. */
const GIVEN_UP_MS = 60_000;

function seen({ entity, tags, control }: Entity) {
  return { id: entity, tags, isControllable: control === Control.FREE || control === Control.HELD };
}

async function printPlan(spec: RunnerSpec, client: WorldClient, run: string, io: Io): Promise<ExitCode> {
  const entities = await client.listEntities(run);
  for (const { entity, tags } of entities) {
    const program = programFor(tags, spec.programs);
    io.out.write(
      oneLine(`${entity}: ${program === null ? 'no program' : `${program.name} (${program.program})`}`) +
        '\n',
    );
  }
  return 0;
}

/** A program's path and an entity's name come from files and from the server: written on one line. */
function eventLine(event: RunnerEvent, { cwd }: Io): string {
  const who = `${event.entity} (${event.program})`;
  if (event.kind === 'started') return oneLine(`${who}: started`);
  if (event.kind === 'given-up') return oneLine(`${who}: gave up after ${event.restarts} restarts`);
  const again = event.restartMs === null ? '' : `, restarting in ${event.restartMs} ms`;
  const printed = event.log === null ? '' : `; its output: ${relative(cwd, event.log)}`;
  return oneLine(`${who}: ${event.how}${again}${printed}`);
}
