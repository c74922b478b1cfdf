/**
 * `run <scenario…>`: plays scenarios, one after the other, each into its own log unless `--out` names one log
 * for all. In: scenarios and options; out: logs, an exit code, and what the terminal shows meanwhile.
 */
import type { ExitCode } from '../../base/errors.js';
import { UsageError } from '../../base/errors.js';
import type { GuidedMode, ProtocolName, Scenario } from '../../scenario/scenario.js';
import { command, once } from '../options/command-line.js';
import { withFiles, withRunOptions } from '../options/run-options.js';
import { printError } from '../text/error-text.js';
import { picturesFor, runOne } from '../play/game.js';
import type { GameOptions, RunResult } from '../play/game.js';
import type { Io } from '../terminal/io.js';
import { LineInput } from '../terminal/line-input.js';
import { loadOwnParts, withModules } from '../options/modules.js';
import { openForCommand } from '../play/open.js';
import type { OpenedScenario } from '../../assembly/open.js';
import { withOverrides } from '../options/overrides.js';
import { goalError, withGoal } from '../options/own-goal.js';
import { seatsFromModules } from '../options/own-seats.js';
import { playerOptions, withPlayers } from '../options/player-options.js';
import { jsonText } from '../terminal/style.js';
import type { OwnParts } from '../../assembly/own-modules.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';

interface RunCommandOptions extends Omit<GameOptions, 'isOneOfMany'> {
  readonly scenario: readonly string[];
  readonly model: string | undefined;
  readonly seed: string | undefined;
  readonly maxTurns: number | undefined;
  readonly protocol: ProtocolName | undefined;
  readonly controller: 'model' | 'scripted' | 'random' | 'oracle' | 'human' | undefined;
  /** Agents that the person at the terminal decides for. */
  readonly human: readonly string[];
  readonly guided: GuidedMode | undefined;
  readonly set: readonly string[];
  readonly env: readonly string[] | undefined;
  readonly goal: string | undefined;
  readonly modules: readonly string[] | undefined;
  readonly root: string | undefined;
}

export function runCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 run scenarios/crypt.yaml', 'no server needed: the agents are scripted'],
      ['$0 run crypt.yaml --base-url http://localhost:8000/v1', "with the server's model"],
      [
        '$0 run crypt.yaml --seed 3 --max-turns 20 --out run.sqlite --frames frames',
        'keep every picture as a file',
      ],
      ['$0 run crypt.yaml --human knight', 'play one of the agents yourself'],
      ['$0 run crypt.yaml --process knight="python3 agent.py"', 'your own program plays'],
      ['$0 run crypt.yaml --set render.channel=text', 'change any key of the scenario'],
      ['$0 run react.yaml --goal "What is 3 * 14?"', 'ask your own question'],
    ],
    options: (parser) =>
      withModules(withFiles(withRunOptions(withPlayers(parser))))
        .positional('scenario', {
          type: 'string',
          array: true,
          demandOption: true,
          describe: 'Scenario files (YAML)',
        })
        .option('out', {
          type: 'string',
          describe: 'Path of the log (runs/… by default)',
          coerce: once('out'),
        }),
    run: (options, io) =>
      runAll(
        {
          ...options,
          ...playerOptions(options),
          maxTurns: options['max-turns'],
          set: options.set ?? [],
        },
        io,
        modules,
      ),
  });
}

/** The worst exit code of all. A run that was interrupted, or whose log or server failed, ends the list. */
async function runAll(
  options: RunCommandOptions,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<ExitCode> {
  if (options.step && io.stdin.isTTY !== true) {
    throw new UsageError('--step waits for a key, but standard input is not a terminal', [
      'leave --step out',
    ]);
  }
  const parts = await loadOwnParts(options.modules, io, modules);
  const openedScenarios = await openAll(options, io, parts);
  if (typeof openedScenarios === 'number') return openedScenarios;
  const results: RunResult[] = [];
  const game = { ...options, isOneOfMany: options.scenario.length > 1 };
  // Shared by all runs, because input that was read in advance during one run belongs to the next.
  const lines = new LineInput(io.stdin);
  const pictures = picturesFor(io, options);
  try {
    for (const opened of openedScenarios) {
      const seats = seatsFromModules(parts.seats, options);
      const result = await runOne({ opened, options: game, io, lines, pictures, seats });
      results.push(result);
      if (result.code > 2) break;
    }
  } finally {
    if (options.json) printDocuments(results, io);
  }
  return results.reduce<ExitCode>((worst, { code }) => (code > worst ? code : worst), 0);
}

/** Opens every scenario before the first is played; reports all mistakes, and returns the exit code. */
async function openAll(
  options: RunCommandOptions,
  io: Io,
  parts: OwnParts,
): Promise<readonly OpenedScenario[] | ExitCode> {
  const opened: OpenedScenario[] = [];
  let errorCode: ExitCode = 0;
  const { goal, root, env } = options;
  const set = withGoal(options.set, goal);
  for (const path of options.scenario) {
    try {
      const process = options.programs.map(({ agent }) => agent);
      const change = (one: Scenario): Scenario => withOverrides(one, { ...options, process });
      opened.push(await openForCommand(path, { io, parts, set, env, seed: options.seed, root, change }));
    } catch (error) {
      errorCode = printError(goal === undefined ? error : goalError(error, path), io);
    }
  }
  return errorCode === 0 ? opened : errorCode;
}

function printDocuments(results: readonly RunResult[], io: Io): void {
  const documents = results.flatMap(({ document: one }) => (one === null ? [] : [one]));
  if (documents.length === 0) return;
  io.out.write(`${jsonText(documents.length === 1 ? documents[0] : documents)}\n`);
}
