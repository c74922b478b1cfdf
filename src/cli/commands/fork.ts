/**
 * `fork <log> --at N`: a new run in the same file that shares the steps 1 … N−1 of another run and continues
 * from there with something changed. The past is not copied.
 */
import { meantOf } from '../../base/nearest.js';
import { UsageError } from '../../base/errors.js';
import { WORLD_ID } from '../../base/ids.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import type { OpenedScenario } from '../../assembly/opened-scenario.js';
import { spokenReply } from '../../assembly/spoken-reply.js';
import { command } from '../options/command-line.js';
import { FORK } from '../options/fork-options.js';
import { LOG } from '../options/shared-options.js';
import { addressOf, continueRun } from '../play/resume-run.js';
import type { OpenedLog } from '../play/resume-run.js';
import { forkPlan } from '../play/fork-plan.js';
import type { ForkCommandOptions, FirstAnswers } from '../play/fork-plan.js';
import { MODULES } from '../options/modules.js';
import { playerOptions, PLAYERS } from '../options/player-options.js';
import { CHANGES, FILES, OUTSIDE } from '../options/run-options.js';
import { chooseRun } from '../logs/run-address.js';
import { shellWord } from '../../base/shell-words.js';

const OPTIONS = {
  ...PLAYERS,
  ...OUTSIDE,
  ...CHANGES,
  ...FILES,
  ...MODULES,
  ...FORK,
};

export function forkCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 fork run.sqlite --at 12 --reply "ACTION: GO NORTH"', 'try another answer'],
      ['$0 fork run.sqlite --at 12 --say wizard:"The key is in the well."', 'try another utterance'],
      ['$0 fork run.sqlite --at 12 --model Qwen/Qwen2.5-VL-7B-Instruct', 'another model from here on'],
      ['$0 fork run.sqlite --at 31 --set turns.max=60', 'more turns for a finished run'],
    ],
    arguments: LOG,
    options: OPTIONS,
    run: async (typedOptions, io) => {
      const changes = { maxTurns: typedOptions['max-turns'], set: typedOptions.set ?? [] };
      const options = { ...typedOptions, ...playerOptions(typedOptions), ...changes };
      const context = { options, io, modules };
      if (options.reply !== undefined && options.say !== undefined)
        throw new UsageError('--reply and --say are mutually exclusive', ['use only one of them']);
      if (options.agent !== undefined && options.reply === undefined)
        throw new UsageError('--agent needs --reply: it names the agent that gives the answer');
      const { runId } = addressOf(context);
      const firstAnswers: FirstAnswers = (openedLog, opened) => chosenReplies(openedLog, opened, options);
      return continueRun(
        context,
        (reader) => chooseRun(reader.runs(), runId, options.log),
        forkPlan(context, firstAnswers),
      );
    },
  });
}

/** By agent, its answer in its first step of the fork. */
function chosenReplies(
  openedLog: OpenedLog,
  opened: OpenedScenario,
  options: ForkCommandOptions,
): Readonly<Record<string, string>> {
  const { reply, say } = options;
  if (reply !== undefined)
    return { [knownAgent(options.agent ?? agentAt(openedLog, options.at), opened)]: reply };
  if (say === undefined) return {};
  const colon = say.indexOf(':');
  if (colon < 1) {
    const first = opened.scenario.agents[0]?.id ?? 'agent';
    throw new UsageError(`--say takes agent:"words", not ${say}`, [
      `--say ${shellWord(`${first}:"${say}"`)} makes ${first} say it`,
    ]);
  }
  const agent = knownAgent(say.slice(0, colon).trim(), opened);
  const utterance = say.slice(colon + 1).trim();
  return { [agent]: spokenReply(opened, agent, /^"(.*)"$/s.exec(utterance)?.[1] ?? utterance) };
}

function agentAt({ reader, run }: OpenedLog, at: number): string {
  const agent = reader.step(run.runId, at)?.agent;
  if (agent !== undefined && agent !== WORLD_ID) return agent;
  const reason = agent === undefined ? 'is not in the log' : 'belongs to the world';
  throw new UsageError(`step ${at} ${reason}, so --reply needs an agent`, ['choose one with --agent']);
}

function knownAgent(agent: string, { scenario }: OpenedScenario): string {
  const ids = scenario.agents.map(({ id }) => id);
  if (ids.includes(agent)) return agent;
  throw new UsageError(`the run has no agent "${agent}"`, [meantOf(agent, ids, 'its agents')]);
}
