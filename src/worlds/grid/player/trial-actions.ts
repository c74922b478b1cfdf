/**
 * What the scripted controller does with things of which only a try shows whether anything comes of it: work, levers and the like. It can't
 * see what they are for, so it tries what stands fixed, each once, when there is nothing better to do, and goes on where a try did something.
 */
import { isAdvised } from './lookalikes.js';
import type { SeenThingFact, ScriptedSituation } from './situation.js';
import { isInReach, nameOf, reachable } from './situation.js';
import type { CandidateAction } from '../../../agent/controllers/scripted-player.js';

/** Work that a try has begun goes on; where bare hands did nothing, one tool after the other. */
export function toWork(situation: ScriptedSituation): readonly CandidateAction[] {
  const { facts, notebook } = situation;
  const { last } = notebook;
  const goesOn =
    last?.command.startsWith('USE ') === true && facts.lastOk && facts.last.includes('It takes ');
  const more = goesOn ? [{ command: last.command, why: 'It is not done yet.' }] : [];
  const byTool = reachable(situation)
    .filter((thing) => notebook.takesTool.includes(thing.id))
    .flatMap((thing) =>
      facts.self.holds.map((tool) => ({
        command: `USE ${nameOf(tool)} ON ${nameOf(thing)}`,
        why: `The ${tool.name} may do something to the ${thing.name}.`,
      })),
    );
  return [...more, ...byTool];
}

/** What stands fixed, with nothing written on it: only a try shows whether something can be done with it. */
function isPuzzling(situation: ScriptedSituation, thing: SeenThingFact): boolean {
  const isFixed = !thing.portable && !thing.pushable && !thing.readable && thing.lid === null;
  return isFixed && isAdvised(situation, thing);
}

/** Each once. */
export function toTryOut(situation: ScriptedSituation): readonly CandidateAction[] {
  return situation.facts.things
    .filter((thing) => isPuzzling(situation, thing) && wornBy(situation, thing) === 0)
    .map((thing) => operation(situation, thing));
}

/** What it went up to, before anything else calls it away. */
export function toOperate(situation: ScriptedSituation): readonly CandidateAction[] {
  const came = situation.notebook.last?.command;
  return situation.facts.things
    .filter((thing) => came === `GO TO ${nameOf(thing)}` && isInReach(situation, thing))
    .filter((thing) => isPuzzling(situation, thing) && wornBy(situation, thing) < PASSES)
    .map((thing) => operation(situation, thing));
}

/** Passes over the levers of a place before it gives them up. */
const PASSES = 4;

/** Several in another order may do something: on to the one that was used the least. A lone one has done what it does. */
export function toOperateAgain(situation: ScriptedSituation): readonly CandidateAction[] {
  const { facts, notebook } = situation;
  const known = facts.things.filter((thing) => {
    const worn = wornBy(situation, thing);
    const didSomething = worn > 0 && notebook.failed[useOf(thing)] === undefined;
    return didSomething && worn < PASSES && isAdvised(situation, thing);
  });
  if (known.length < 2) return [];
  return known
    .toSorted((a, b) => wornBy(situation, a) - wornBy(situation, b))
    .map((thing) => operation(situation, thing));
}

/** From where it is within reach. */
function operation(situation: ScriptedSituation, thing: SeenThingFact): CandidateAction {
  const command = useOf(thing);
  return isInReach(situation, thing)
    ? { command, why: `I wonder what the ${thing.name} does.`, note: { worn: command } }
    : { command: `GO TO ${nameOf(thing)}`, why: `The ${thing.name} may do something.` };
}

function useOf(thing: { readonly id: string }): string {
  return `USE ${nameOf(thing)}`;
}

function wornBy({ notebook }: ScriptedSituation, thing: SeenThingFact): number {
  return notebook.worn[useOf(thing)] ?? 0;
}
