/**
 * The scripted player of any spatial world, which uses only its observation. It takes the most urgent
 * candidate action (`candidate-actions.ts`) that has not failed under the same circumstances; its notebook is
 * its memory. It is a general policy and contains no scenario's solution.
 */
import { lookUp } from '../../../base/look-up.js';
import type { ControllerInput } from '../../../agent/controller.js';
import { NOTHING_TO_DO } from '../../../agent/controllers/scripted-player.js';
import type { CandidateAction, ScriptedPlayer } from '../../../agent/controllers/scripted-player.js';
import { candidatesIn } from './candidate-actions.js';
import { closeNotebook, openNotebook } from './notebook.js';
import type { Notebook } from './notebook.js';
import { circumstancesOf, people, situationOf } from './situation.js';
import type { ScriptedSituation } from './situation.js';

/**
 * A command that failed is tried again after this many turns, even under the same circumstances: others act
 * too.
 */
const PATIENCE_TURNS = 8;

/** The next action and the new memory; null if the observation has no facts of this kind. */
export const explorerPlayer: ScriptedPlayer = explorerWith(candidatesIn);

/** A player that takes the first of the proposed actions that is worth trying. */
export function explorerWith(
  propose: (situation: ScriptedSituation) => readonly CandidateAction[],
): ScriptedPlayer {
  return (input) => {
    const situation = situationOf(input.observation, openNotebook(input.memory));
    if (situation === null) return null;
    const notebook = learnFrom(input, situation);
    const updated = { ...situation, notebook };
    const wish = propose(updated).find((candidate) => isWorthTrying(candidate, updated)) ?? NOTHING_TO_DO;
    return { wish, memory: closeNotebook(updateNotebook(notebook, wish, updated)) };
  };
}

/**
 * Its last command failed if it is asked again in the same turn, if the world reports so, or if it has not
 * moved after GO.
 */
function learnFrom({ turn, attempt }: ControllerInput, situation: ScriptedSituation): Notebook {
  const { notebook, facts } = situation;
  const { last } = notebook;
  if (last === null) return notebook;
  const isRefused = attempt > 1 && last.turn === turn && !last.isFree;
  const isFailed = last.turn < turn && !facts.lastOk;
  const didNotMove =
    last.turn < turn && last.at === circumstancesOf(situation) && last.command.startsWith('GO ');
  if (!isRefused && !isFailed && !didNotMove) return notebook;
  const failure = { when: last.at, turn };
  const isForTools = isFailed && facts.last.includes('it takes a tool');
  const takesTool = isForTools
    ? [...notebook.takesTool, last.command.split(' ', 2)[1] ?? '']
    : notebook.takesTool;
  return { ...notebook, takesTool, failed: { ...notebook.failed, [last.command]: failure } };
}

function isWorthTrying(wish: CandidateAction, situation: ScriptedSituation): boolean {
  const verb = wish.command.split(' ', 1)[0] ?? '';
  if (!situation.offered.has(verb)) return false;
  const failure = lookUp(situation.notebook.failed, wish.command);
  if (failure === undefined) return true;
  if (failure.turn === situation.facts.turn) return false;
  return failure.when !== circumstancesOf(situation) || situation.facts.turn - failure.turn > PATIENCE_TURNS;
}

function updateNotebook(notebook: Notebook, wish: CandidateAction, situation: ScriptedSituation): Notebook {
  const { read, seenUp, told, worn, looked } = wish.note ?? {};
  const heardBy = (sentence: string): readonly string[] => [
    ...(lookUp(notebook.told, sentence) ?? []),
    ...people(situation).map(({ id }) => id),
  ];
  return {
    ...notebook,
    ...(read === undefined ? {} : { read: [...notebook.read, read] }),
    ...(seenUp === undefined ? {} : { seenUp: [...notebook.seenUp, seenUp] }),
    ...(told === undefined ? {} : { told: { ...notebook.told, [told]: [...new Set(heardBy(told))].sort() } }),
    ...(worn === undefined
      ? {}
      : { worn: { ...notebook.worn, [worn]: (lookUp(notebook.worn, worn) ?? 0) + 1 } }),
    ...(looked === undefined ? {} : { looked }),
    last: {
      command: wish.command,
      turn: situation.facts.turn,
      at: circumstancesOf(situation),
      isFree: wish.isFree === true,
    },
  };
}
