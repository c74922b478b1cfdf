/**
 * `run --step`: waits before each step (each tick, if all act at once). Enter continues; `take <agent>` and
 * `back <agent>` set who decides from here. Ctrl-C and the end of input stop the run instead.
 */
import { nearest } from '../../base/nearest.js';
import type { RunContext } from '../../orchestrator/run-context.js';
import type { TerminalPlayer } from './terminal-player.js';
import type { Interrupts } from '../terminal/interrupt.js';
import type { TextOutput } from '../terminal/text-output.js';
import { fit } from '../terminal/style.js';

export interface StepPromptOptions {
  player: TerminalPlayer;
  output: TextOutput;
  interrupts: Interrupts;
  /** Ids of all agents of the run. */
  agents: readonly string[];
}

export function stepPrompt(options: StepPromptOptions): NonNullable<RunContext<unknown>['beforeStep']> {
  const { player, output, interrupts } = options;
  const { soft } = interrupts.stop;
  return async (agents, turn) => {
    const prompt = `      turn ${turn}: Enter lets ${agents.join(', ')} act (? for more) `;
    for (;;) {
      const line = await player.line(prompt, soft).catch(() => '');
      if (soft.aborted || line === '') return;
      if (line === null) return interrupts.stopSoftly();
      if (line.trim() === '') return;
      output.write(`      ${runPromptCommand(line.trim(), options)}\n`);
    }
  };
}

/** The answer to the person. */
function runPromptCommand(line: string, { player, agents }: StepPromptOptions): string {
  const [verb = '', agent = ''] = line.split(/\s+/);
  if (verb !== 'take' && verb !== 'back')
    return 'Enter continues; `take <agent>` lets you decide for an agent, `back <agent>` hands it back; Ctrl-C stops the run';
  if (!agents.includes(agent)) {
    const nearestName = nearest(agent, agents);
    const hint =
      nearestName === undefined ? `the agents are ${agents.join(', ')}` : `did you mean ${nearestName}?`;
    return `there is no agent "${fit(agent, 40)}"; ${hint}`;
  }
  if (verb === 'back') player.giveBack(agent);
  else player.take(agent);
  return verb === 'take' ? `you decide for ${agent} from its next step` : `${agent} decides for itself again`;
}
