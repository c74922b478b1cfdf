/** `run <scenario…>`: plays scenarios, one after the other, each into its own log unless `--out` names one for all. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { ExitCode } from '../base/errors.js';
import { OrchestrateError, UsageError } from '../base/errors.js';
import type { GuidedMode, ProtocolName, Scenario } from '../scenario/scenario.js';
import { PROTOCOL_NAMES } from '../scenario/scenario.js';
import type { RunEnd, RunRecord } from '../log/records.js';
import { LogWriter } from '../log/writer.js';
import type { RunParts } from '../orchestrator/parts.js';
import { command, GUIDED_OPTION, once, settings, wholeNumber } from './command-line.js';
import { makeFramesFolder, withFrames } from './frames-folder.js';
import { printError, printWarning } from './error-text.js';
import { listenForInterrupts } from './interrupt.js';
import type { Interrupts } from './interrupt.js';
import type { Io, Sheet } from './io.js';
import { openScenario } from './open.js';
import type { Opened } from '../assembly/open.js';
import { withNotices } from './notices.js';
import { override } from './overrides.js';
import { fromCwd } from './paths.js';
import { RunView } from './run-view.js';
import { displayNames, jsonText, painter } from './style.js';
import { UsageCount } from './usage-count.js';
import { memoryFiles } from '../assembly/memory-files.js';
import { prepare } from '../assembly/play.js';
import { variablesOf } from './variables.js';
import type { EnvironmentModule } from '../assembly/environments.js';

export interface RunOptions {
  readonly scenario: readonly string[];
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly seed: string | undefined;
  readonly maxTurns: number | undefined;
  readonly protocol: ProtocolName | undefined;
  readonly controller: 'model' | 'scripted' | 'random' | undefined;
  readonly guided: GuidedMode | undefined;
  readonly out: string | undefined;
  readonly frames: string | undefined;
  readonly memories: string | undefined;
  readonly step: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly set: readonly string[];
}

export function runCommand(modules: readonly EnvironmentModule[]) {
  return command({
    words: 'run <scenario..>',
    summary: 'Play a scenario',
    examples: [
      ['$0 run scenarios/crypt.yaml', 'no server needed: the agents are scripted'],
      ['$0 run crypt.yaml --base-url http://localhost:8000/v1', "on the server's model"],
      [
        '$0 run crypt.yaml --seed 3 --max-turns 20 --out run.sqlite --frames frames',
        'keep every picture as a file',
      ],
      ['$0 run crypt.yaml --set render.channel=text', 'change any key of the scenario'],
    ],
    options: (parser) =>
      parser
        .positional('scenario', {
          type: 'string',
          array: true,
          demandOption: true,
          describe: 'Scenario files (YAML)',
        })
        .option('model', { type: 'string', describe: 'Put the agents on this model', coerce: once('model') })
        .option('base-url', {
          type: 'string',
          describe: 'Address of the model server',
          coerce: once('base-url'),
        })
        .option('controller', {
          choices: ['model', 'scripted', 'random'] as const,
          describe: "Who decides for the agents: the scenario's models, or an embedded player",
        })
        .option('seed', { type: 'string', describe: "Instead of the scenario's", coerce: once('seed') })
        .option('max-turns', {
          type: 'string',
          describe: "Instead of the scenario's",
          coerce: wholeNumber('max-turns', { min: 1, max: 100_000 }),
        })
        .option('protocol', { choices: PROTOCOL_NAMES, describe: 'Reply format for every agent' })
        .option('guided', GUIDED_OPTION)
        .option('out', {
          type: 'string',
          describe: 'Path of the log (runs/… by default)',
          coerce: once('out'),
        })
        .option('frames', {
          type: 'string',
          describe: "Write each step's frame here as a PNG",
          coerce: once('frames'),
        })
        .option('memories', {
          type: 'string',
          describe: 'Folder of the memories that last over runs (memories by default)',
          coerce: once('memories'),
        })
        .option('step', { type: 'boolean', default: false, describe: 'Wait for Enter before each step' })
        .option('set', {
          type: 'string',
          describe: 'key=value for any key of the scenario',
          coerce: settings,
        })
        .option('quiet', { type: 'boolean', default: false, describe: 'Print the summary only' })
        .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document on stdout' }),
    run: (options, io) =>
      runAll(
        { ...options, baseUrl: options['base-url'], maxTurns: options['max-turns'], set: options.set ?? [] },
        io,
        modules,
      ),
  });
}

/** The worst exit code of all. A run that was interrupted, or that log or server failed, ends the list. */
async function runAll(options: RunOptions, io: Io, modules: readonly EnvironmentModule[]): Promise<ExitCode> {
  if (options.step && io.stdin.isTTY !== true) {
    throw new UsageError('--step waits for a key, but standard input is no terminal', ['leave --step out']);
  }
  const all = await openAll(options, io, modules);
  if (typeof all === 'number') return all;
  const results: RunResult[] = [];
  try {
    for (const opened of all) {
      const result = await runOne(opened, options, io);
      results.push(result);
      if (result.code > 2) break;
    }
  } finally {
    if (options.json) printDocuments(results, io);
  }
  return results.reduce<ExitCode>((worst, { code }) => (code > worst ? code : worst), 0);
}

/** Every scenario, before the first is played; where some are wrong, all of them are told, and the exit code given. */
async function openAll(
  options: RunOptions,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<readonly Opened[] | ExitCode> {
  const opened: Opened[] = [];
  let failed: ExitCode = 0;
  for (const path of options.scenario) {
    try {
      const change = (one: Scenario): Scenario => override(one, options);
      opened.push(await openScenario(path, { io, modules, set: options.set, change }));
    } catch (error) {
      failed = printError(error, io);
    }
  }
  return failed === 0 ? opened : failed;
}

function printDocuments(results: readonly RunResult[], io: Io): void {
  const documents = results.flatMap(({ document: one }) => (one === null ? [] : [one]));
  if (documents.length === 0) return;
  io.out.write(`${jsonText(documents.length === 1 ? documents[0] : documents)}\n`);
}

interface RunResult {
  readonly code: ExitCode;
  /** Null where it was stopped before it began. */
  readonly document: object | null;
}

async function runOne(opened: Opened, options: RunOptions, io: Io): Promise<RunResult> {
  const sheet = options.json ? io.err : io.out;
  const interrupts = listenForInterrupts(io, (words) => sheet.write(`\n${words}\n`));
  try {
    return await playOne({ opened, options, io, sheet, interrupts });
  } catch (error) {
    if (!interrupts.stop.soft.aborted || error instanceof OrchestrateError) throw error;
    sheet.write('stopped before the run began\n');
    return { code: 130, document: null };
  } finally {
    interrupts.close();
  }
}

interface Table {
  readonly opened: Opened;
  readonly options: RunOptions;
  readonly io: Io;
  /** Where human words go. */
  readonly sheet: Sheet;
  readonly interrupts: Interrupts;
}

async function playOne(table: Table): Promise<RunResult> {
  const { opened, options, io, sheet, interrupts } = table;
  const prepared = await prepare(opened, {
    variables: variablesOf(io),
    stop: interrupts.stop,
    memories: memoryFiles(fromCwd(io, options.memories ?? 'memories'), opened.scenario.name),
    ...(options.step ? { beforeStep: keyPress(io, sheet, interrupts) } : {}),
  });
  const { run } = prepared;
  const frames = options.frames === undefined ? null : framesFolder(options.frames, options, run, io);
  if (frames !== null) makeFramesFolder(frames);
  const log = logPath(options, run, io);
  // A file that was there before holds other runs too, so this one must be named.
  const address = existsSync(log) ? `${shown(log, io)}#${run.runId}` : shown(log, io);
  const view = runView({ opened, address, options, sheet, io });
  const writer = new LogWriter(log);
  const usage = new UsageCount();
  try {
    const kept = frames === null ? writer : withFrames(writer, frames);
    const sink = usage.counting(withNotices(kept, (words) => view.aside(() => printWarning(words, io))));
    const failure = await prepared.play(sink, view).then(() => null, asFailure);
    if (view.end === null) throw failure?.error;
    const code = failure === null ? exitCode(view.end) : printError(failure.error, io);
    return { code, document: document(run, shown(log, io), view.end, usage) };
  } finally {
    view.close();
    writer.close();
  }
}

function asFailure(error: unknown): { readonly error: unknown } {
  return { error };
}

/** Several runs' frames would overwrite one another: then each has a folder of its own. */
function framesFolder(folder: string, options: RunOptions, run: RunRecord, io: Io): string {
  return options.scenario.length > 1 ? resolve(io.cwd, folder, run.runId) : resolve(io.cwd, folder);
}

function logPath(options: RunOptions, run: RunRecord, io: Io): string {
  if (options.out !== undefined) return resolve(io.cwd, options.out);
  return join(io.cwd, 'runs', `${run.runId}.sqlite`);
}

/** A path as the user would type it. */
function shown(path: string, io: Io): string {
  const near = relative(io.cwd, path);
  return near.startsWith('..') ? path : near;
}

function runView(from: {
  readonly opened: Opened;
  readonly address: string;
  readonly options: RunOptions;
  readonly sheet: Sheet;
  readonly io: Io;
}): RunView {
  const { opened, address, options, sheet, io } = from;
  return new RunView({
    sheet,
    paint: painter(io, sheet),
    quiet: options.quiet,
    names: displayNames(opened.scenario.agents),
    title: opened.scenario.title,
    address,
    program: io.program,
    now: () => performance.now(),
  });
}

/** Waits for Enter before each step; Ctrl-C, and the end of input, stop the run instead. */
function keyPress(
  io: Io,
  sheet: Sheet,
  interrupts: Interrupts,
): NonNullable<RunParts<unknown>['beforeStep']> {
  const { soft } = interrupts.stop;
  return (agents, turn) =>
    new Promise((proceed) => {
      const keys = createInterface({ input: io.stdin });
      sheet.write(`      turn ${turn}: Enter lets ${agents.join(', ')} act `);
      const go = (): void => {
        keys.off('close', end);
        soft.removeEventListener('abort', go);
        keys.close();
        proceed();
      };
      const end = (): void => {
        sheet.write('\n');
        interrupts.stopSoftly();
      };
      keys.once('line', go);
      keys.once('close', end);
      soft.addEventListener('abort', go, { once: true });
      if (soft.aborted) go();
    });
}

function exitCode(end: RunEnd): ExitCode {
  if (end.status === 'interrupted') return 130;
  return end.status === 'succeeded' || end.status === 'ended' ? 0 : 1;
}

/** What `run --json` prints; its shape is documented in docs/CLI.md and kept. */
function document(run: RunRecord, log: string, end: RunEnd, usage: UsageCount): object {
  return {
    run_id: run.runId,
    log,
    status: end.status,
    reason: end.reason,
    turns: end.turns,
    steps: end.steps,
    state_hash: end.stateHash,
    chain_hash: end.chain,
    usage: usage.document(),
  };
}
