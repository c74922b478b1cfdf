/**
 * `run <scenario…>`: plays scenarios, one after the other, each into its own log unless `--out` names one log
 * for all.
 */
import type { ExitCode } from '../../base/errors.js';
import { UsageError } from '../../base/errors.js';
import type { Scenario } from '../../scenario/scenario.js';
import { command } from '../options/command-line.js';
import { single } from '../options/option.js';
import { CHANGES, FILES, OUTSIDE } from '../options/run-options.js';
import { SCENARIOS, SEED } from '../options/shared-options.js';
import { printError } from '../text/error-text.js';
import { picturesFor, runOne } from '../play/game.js';
import type { RunResult } from '../play/game.js';
import { LineInput } from '../terminal/line-input.js';
import { loadOwnParts, MODULES } from '../options/modules.js';
import { openForCommand } from '../play/open.js';
import type { OpenedScenario } from '../../assembly/opened-scenario.js';
import { withOverrides } from '../options/overrides.js';
import { goalError, withGoal } from '../options/own-goal.js';
import { seatsFromModules } from '../options/own-seats.js';
import { playerOptions, PLAYERS } from '../options/player-options.js';
import { jsonText } from '../terminal/style.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';

const OPTIONS = {
  ...PLAYERS,
  ...OUTSIDE,
  ...CHANGES,
  ...SEED,
  goal: single('Your own question, if the scenario asks a question'),
  ...FILES,
  ...MODULES,
  out: single('Path of the log (runs/… by default)'),
};

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
    arguments: SCENARIOS,
    options: OPTIONS,
    run: async (typedOptions, io) => {
      // The worst exit code of all. A run that was interrupted, or whose log or server failed, ends the list.
      const { step, json, goal, seed, root, env, 'max-turns': maxTurns } = typedOptions;
      if (step && io.stdin.isTTY !== true)
        throw new UsageError('--step waits for a key, but standard input is not a terminal', [
          'leave --step out',
        ]);
      const isOneOfMany = typedOptions.scenario.length > 1;
      const options = { ...typedOptions, ...playerOptions(typedOptions), maxTurns, isOneOfMany };
      const process = options.programs.map(({ agent }) => agent);
      const change = (one: Scenario): Scenario => withOverrides(one, { ...options, process });
      const set = withGoal(options.set ?? [], goal);
      const parts = await loadOwnParts(options.modules, io, modules);
      // All are opened, and their mistakes reported, before the first is played.
      const openedScenarios: OpenedScenario[] = [];
      let errorCode: ExitCode = 0;
      for (const path of options.scenario) {
        try {
          openedScenarios.push(await openForCommand(path, { io, parts, set, env, seed, root, change }));
        } catch (error) {
          errorCode = printError(goal === undefined ? error : goalError(error, path), io);
        }
      }
      if (errorCode !== 0) return errorCode;
      const results: RunResult[] = [];
      // Shared by all runs, because input that was read in advance during one run belongs to the next.
      const lines = new LineInput(io.stdin);
      const pictures = picturesFor(io, options);
      try {
        for (const opened of openedScenarios) {
          const seats = seatsFromModules(parts.seats, options);
          const result = await runOne({ opened, options, io, lines, pictures, seats });
          results.push(result);
          if (result.code > 2) break;
        }
      } finally {
        const documents = results.flatMap(({ document: one }) => (one === null ? [] : [one]));
        if (json && documents.length > 0)
          io.out.write(`${jsonText(documents.length === 1 ? documents[0] : documents)}\n`);
      }
      return results.reduce<ExitCode>((worst, { code }) => (code > worst ? code : worst), 0);
    },
  });
}
