/**
 * The options of `run` (and for programs, of `batch`) that set who decides for the agents, instead of the
 * scenario's settings.
 */
import type { Argv } from 'yargs';
import { UsageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { repeatedOption, wholeNumber } from './command-line.js';
import { programOption } from './programs.js';
import type { AgentProgram } from './programs.js';
import { controllerOption } from './recordings.js';
import type { ControllerChoice } from './recordings.js';

/** The parser, with the options. */
export function withPlayers<T>(parser: Argv<T>) {
  const chosen = parser
    .option('controller', {
      type: 'string',
      describe: 'Controller of the agents: model, scripted, random, oracle, human, or recorded:<log>',
      coerce: controllerOption,
    })
    .option('human', {
      type: 'string',
      describe: 'Agent that you play yourself (may be repeated)',
      coerce: agentNames,
    });
  return withProcess(chosen, 'agent');
}

/** The parser for a user's programs; `who` is the word before their equals sign. */
export function withProcess<T>(parser: Argv<T>, who: string) {
  return parser
    .option('process', {
      type: 'string',
      describe: `${who}="program args…": your own program decides (may be repeated)`,
      coerce: (value: unknown) => repeatedOption(value).map(programOption),
    })
    .option('process-timeout', {
      type: 'string',
      describe: 'Time limit for each reply of a --process program, in seconds (120 by default)',
      coerce: wholeNumber('process-timeout', { min: 1, max: LIMITS.programReplyMs / 1000 }),
    });
}

/** The values of these options and the address of a model, under the program's own names. */
export function playerOptions(options: {
  readonly controller: ControllerChoice | undefined;
  readonly human: readonly string[] | undefined;
  readonly process: readonly AgentProgram[] | undefined;
  readonly 'process-timeout': number | undefined;
  readonly 'base-url': string | undefined;
}) {
  return {
    controller: options.controller?.controller,
    recording: options.controller?.recording,
    human: options.human ?? [],
    programs: options.process ?? [],
    programSeconds: options['process-timeout'],
    baseUrl: options['base-url'],
  };
}

function agentNames(value: unknown): readonly string[] {
  const names = repeatedOption(value);
  if (names.includes('')) throw new UsageError('--human takes the id of the agent that you play yourself');
  return names;
}
