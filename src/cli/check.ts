/** `check <scenario>`: every mistake of a scenario at once, or that there is none. */
import type { ExitCode } from '../base/errors.js';
import { ScenarioError } from '../base/errors.js';
import { command, settings } from './command-line.js';
import type { Io } from './io.js';
import { openScenario } from './open.js';
import { count, painter } from './style.js';
import type { EnvironmentModule } from './wire.js';

export function checkCommand(modules: readonly EnvironmentModule[]) {
  return command({
    words: 'check <scenario..>',
    summary: 'Find every mistake in a scenario',
    examples: [['$0 check scenarios/crypt.yaml', 'each mistake with its line and a suggestion']],
    options: (parser) =>
      parser
        .positional('scenario', { type: 'string', array: true, demandOption: true, describe: 'Scenario files (YAML)' })
        .option('set', { type: 'string', describe: 'key=value for any key of the scenario', coerce: settings })
        .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' }),
    run: async (options, io) => {
      let worst: ExitCode = 0;
      for (const path of options.scenario) {
        const code = await checkOne(path, { ...options, set: options.set ?? [] }, io, modules);
        worst = code > worst ? code : worst;
      }
      return worst;
    },
  });
}

interface CheckOptions {
  readonly set: readonly string[];
  readonly json: boolean;
}

async function checkOne(
  path: string,
  options: CheckOptions,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<ExitCode> {
  try {
    const { scenario, warnings } = await openScenario(path, { io, modules, set: options.set });
    if (options.json) io.out.write(`${JSON.stringify({ file: path, ok: true, diagnostics: warnings })}\n`);
    else {
      const ok = painter(io, io.out)('green', 'ok');
      const facts = `${count(scenario.agents.length, 'agent')}, at most ${count(scenario.turns.max, 'turn')}`;
      io.out.write(`${ok} ${path}: ${scenario.title} (${facts}${warnings.length > 0 ? `, ${count(warnings.length, 'warning')}` : ''})\n`);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof ScenarioError) || !options.json) throw error;
    io.out.write(`${JSON.stringify({ file: path, ok: false, diagnostics: error.diagnostics })}\n`);
    return error.exitCode;
  }
}
