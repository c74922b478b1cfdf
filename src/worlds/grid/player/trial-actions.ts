/**
 * How the scripted controller uses things whose effect only a trial shows, such as levers and work. It can't
 * see their purpose, so it tries each fixed thing once when there is nothing better to do, and continues if
 * the trial had an effect.
 */
import { isRecommended } from './lookalikes.js';
import type { SeenThingFact, ScriptedSituation } from './situation.js';
import { isInReach, nameOf, reachable } from './situation.js';
import type { CandidateAction } from '../../../agent/controllers/scripted-player.js';

/** Work that a try has begun is continued; if bare hands had no effect, each tool is tried in turn. */
export function toWork(situation: ScriptedSituation): readonly CandidateAction[] {
  const { facts, notebook } = situation;
  const { last } = notebook;
  const isUnfinished =
    last?.command.startsWith('USE ') === true && facts.lastOk && facts.last.includes('It takes ');
  const continuation = isUnfinished ? [{ command: last.command, why: 'It is not done yet.' }] : [];
  const byTool = reachable(situation)
    .filter((thing) => notebook.takesTool.includes(thing.id))
    .flatMap((thing) =>
      facts.self.holds.map((tool) => ({
        command: `USE ${nameOf(tool)} ON ${nameOf(thing)}`,
        why: `The ${tool.name} may do something to the ${thing.name}.`,
      })),
    );
  return [...continuation, ...byTool];
}

/** Fixed things without an inscription: only a try shows whether they do something. */
function isPuzzling(situation: ScriptedSituation, thing: SeenThingFact): boolean {
  const isFixed = !thing.portable && !thing.pushable && !thing.readable && thing.lid === null;
  return isFixed && isRecommended(situation, thing);
}

/** Tries each puzzling thing once. */
export function toTryOut(situation: ScriptedSituation): readonly CandidateAction[] {
  return situation.facts.things
    .filter((thing) => isPuzzling(situation, thing) && useCount(situation, thing) === 0)
    .map((thing) => useOrApproach(situation, thing));
}

/** The thing that it walked up to, before anything else is considered. */
export function toOperate(situation: ScriptedSituation): readonly CandidateAction[] {
  const lastCommand = situation.notebook.last?.command;
  return situation.facts.things
    .filter((thing) => lastCommand === `GO TO ${nameOf(thing)}` && isInReach(situation, thing))
    .filter((thing) => isPuzzling(situation, thing) && useCount(situation, thing) < PASSES)
    .map((thing) => useOrApproach(situation, thing));
}

/** How often it uses each thing before it gives up. */
const PASSES = 4;

/**
 * Uses things again, the least used first, because several of them may have an effect in another order; a
 * single one has already had its effect.
 */
export function toOperateAgain(situation: ScriptedSituation): readonly CandidateAction[] {
  const { facts, notebook } = situation;
  const effective = facts.things.filter((thing) => {
    const worn = useCount(situation, thing);
    const didSomething = worn > 0 && notebook.failed[useCommand(thing)] === undefined;
    return didSomething && worn < PASSES && isRecommended(situation, thing);
  });
  if (effective.length < 2) return [];
  return effective
    .toSorted((a, b) => useCount(situation, a) - useCount(situation, b))
    .map((thing) => useOrApproach(situation, thing));
}

/** Uses a thing, or goes to it first if it is out of reach. */
function useOrApproach(situation: ScriptedSituation, thing: SeenThingFact): CandidateAction {
  const command = useCommand(thing);
  return isInReach(situation, thing)
    ? { command, why: `I wonder what the ${thing.name} does.`, note: { worn: command } }
    : { command: `GO TO ${nameOf(thing)}`, why: `The ${thing.name} may do something.` };
}

function useCommand(thing: { id: string }): string {
  return `USE ${nameOf(thing)}`;
}

function useCount({ notebook }: ScriptedSituation, thing: SeenThingFact): number {
  return notebook.worn[useCommand(thing)] ?? 0;
}
