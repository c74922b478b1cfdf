/** `check <scenario>`: every mistake of a scenario at once, or that there is none. */
import { ScenarioError } from '../base/errors.js';
import type { Diagnostic } from '../base/errors.js';
import { command, settings } from './command-line.js';
import { printError } from './error-text.js';
import type { Io } from './io.js';
import { openScenario } from './open.js';
import { block, count, fit, jsonText, painter } from './style.js';
import type { EnvironmentModule } from '../assembly/environments.js';

export function checkCommand(modules: readonly EnvironmentModule[]) {
  return command({
    words: 'check <scenario..>',
    summary: 'Find every mistake in a scenario',
    examples: [['$0 check scenarios/crypt.yaml', 'each mistake with its line and a suggestion']],
    options: (parser) =>
      parser
        .positional('scenario', {
          type: 'string',
          array: true,
          demandOption: true,
          describe: 'Scenario files (YAML)',
        })
        .option('set', {
          type: 'string',
          describe: 'key=value for any key of the scenario',
          coerce: settings,
        })
        .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' }),
    run: async (options, io) => {
      const found: Checked[] = [];
      for (const path of options.scenario) {
        found.push(await check(path, { set: options.set ?? [], json: options.json }, io, modules));
      }
      if (options.json) io.out.write(`${jsonText(found.length === 1 ? found[0] : found)}\n`);
      return found.every(({ ok }) => ok) ? 0 : 2;
    },
  });
}

/** What `check --json` prints of a scenario. */
interface Checked {
  readonly file: string;
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

interface CheckOptions {
  readonly set: readonly string[];
  readonly json: boolean;
}

/** One scenario; its mistakes are told, and the next one is looked at all the same. */
async function check(
  path: string,
  options: CheckOptions,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<Checked> {
  try {
    const { scenario, warnings } = await openScenario(path, { io, modules, set: options.set });
    if (!options.json) {
      const ok = painter(io, io.out)('green', 'ok');
      const facts = [
        count(scenario.agents.length, 'agent'),
        `at most ${count(scenario.turns.max, 'turn')}`,
        ...(warnings.length > 0 ? [count(warnings.length, 'warning')] : []),
      ];
      io.out.write(`${ok} ${block(path)}: ${fit(scenario.title, 200)} (${facts.join(', ')})\n`);
    }
    return { file: path, ok: true, diagnostics: warnings };
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    if (!options.json) printError(error, io);
    return { file: path, ok: false, diagnostics: error.diagnostics };
  }
}
