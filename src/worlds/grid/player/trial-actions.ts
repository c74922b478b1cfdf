/**
 * How the scripted controller uses things whose effect only a try shows: levers, work and the like. It can't
 * see their purpose, so it tries each fixed thing once when there is nothing better to do, and continues if a
 * try had an effect.
 */
import { isAdvised } from './lookalikes.js';
import type { SeenThingFact, ScriptedSituation } from './situation.js';
import { isInReach, nameOf, reachable } from './situation.js';
import type { CandidateAction } from '../../../agent/controllers/scripted-player.js';

/** Work that a try has begun is continued; if bare hands had no effect, each tool is tried in turn. */
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

/** Fixed things without an inscription: only a try shows whether they do something. */
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

/** The thing that it walked up to, before anything else is considered. */
export function toOperate(situation: ScriptedSituation): readonly CandidateAction[] {
  const came = situation.notebook.last?.command;
  return situation.facts.things
    .filter((thing) => came === `GO TO ${nameOf(thing)}` && isInReach(situation, thing))
    .filter((thing) => isPuzzling(situation, thing) && wornBy(situation, thing) < PASSES)
    .map((thing) => operation(situation, thing));
}

/** Passes over the levers of a place before it gives them up. */
const PASSES = 4;

/**
 * Several things in another order may have an effect: continue with the least used one. A single one has
 * already had its effect.
 */
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
