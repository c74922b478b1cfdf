/** The options of the commands that play that set who decides for the agents, instead of the scenario's settings. */
import { UsageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { controllerKinds } from '../../scenario/controllers.js';
import { repeatedAs, whole } from './option.js';
import type { Chosen } from './option.js';
import { programOption } from './programs.js';
import { controllerOption } from './recordings.js';

/** For programs; `who` is the word before their equals sign. */
export const programs = (who: string) => ({
  process: repeatedAs(`${who}="program args…": your own program decides (may be repeated)`, programOption),
  'process-timeout': whole(
    'Time limit for each reply of a --process program, in seconds (120 by default)',
    1,
    LIMITS.programReplyMs / 1000,
  ),
});

export const PLAYERS = {
  controller: () => ({
    type: 'string' as const,
    describe: `Controller of the agents: ${controllerKinds('line').join(', ')}, or recorded:<log>`,
    coerce: controllerOption,
  }),
  human: repeatedAs('Agent that you play yourself (may be repeated)', (name) => {
    if (name !== '') return name;
    throw new UsageError('--human takes the id of the agent that you play yourself');
  }),
  ...programs('agent'),
};

export type PlayerOptions = ReturnType<typeof playerOptions>;

/** The values of these options and the address of a model, under the program's own names. */
export function playerOptions(options: Chosen<typeof PLAYERS> & { 'base-url': string | undefined }) {
  return {
    controller: options.controller?.controller,
    recording: options.controller?.recording,
    human: options.human ?? [],
    programs: options.process ?? [],
    programSeconds: options['process-timeout'],
    baseUrl: options['base-url'],
  };
}
