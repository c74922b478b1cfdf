/**
 * What a condition asks of an agent, whatever it takes to get there: the acts that make it true. From them follows
 * also what one agent can tell another: the words in which the alternatives of their goal differ.
 */
import { saysPhrase } from '../conditions.js';
import type { GridCondition, GridDefinition, Trigger } from '../definition.js';
import { ANY_AGENT, EVERY_AGENT } from '../definition.js';
import type { Belief } from './belief.js';
import { countOf, truthOf } from './belief.js';

/** `object`: the id of what it is done to, or the words of SPEAK. */
export interface Act {
  verb: string;
  object: string;
}

export interface Asked {
  definition: GridDefinition;
  agent: string;
  /** Which of several alternatives count; `about`: what they have in common. */
  choose: <T>(alternatives: readonly T[], about: string) => readonly T[];
}

/** Each once, DONE last. */
export function actsFor(asked: Asked, condition: GridCondition | null): readonly Act[] {
  const acts = condition === null ? [] : actsIn(asked, condition, []);
  const once = [...new Map(acts.map((act) => [`${act.verb} ${act.object}`, act])).values()];
  return once.toSorted((a, b) => Number(a.verb === 'DONE') - Number(b.verb === 'DONE'));
}

function actsIn(asked: Asked, condition: GridCondition, within: readonly string[]): readonly Act[] {
  const { definition, agent, choose } = asked;
  if ('agent' in condition && ![agent, ANY_AGENT, EVERY_AGENT].includes(condition.agent)) return [];
  switch (condition.kind) {
    case 'all':
      return condition.of.flatMap((each) => actsIn(asked, each, within));
    case 'any':
      return choose(condition.of, within.join(' ')).flatMap((each) => actsIn(asked, each, within));
    case 'holds':
      return [{ verb: 'TAKE', object: condition.thing }];
    case 'thing-in-room':
    case 'thing-inside': {
      const { thing } = condition;
      const isPortable = definition.things.some(({ id, portable }) => id === thing && portable);
      return isPortable ? ['TAKE', 'DROP'].map((verb) => ({ verb, object: thing })) : [];
    }
    case 'read':
      return [{ verb: 'READ', object: condition.thing }];
    case 'work-done':
      return [{ verb: 'USE', object: condition.thing }];
    case 'door-is':
      return [{ verb: 'OPEN', object: condition.door }];
    case 'container-is':
      return [{ verb: 'OPEN', object: condition.thing }];
    case 'heard':
      return [{ verb: 'SPEAK', object: condition.phrase }];
    case 'done':
      return [{ verb: 'DONE', object: '' }];
    case 'count': {
      const counting = triggersCounting(definition, condition).filter(({ id, when }) => {
        const isMine = when === null || !('agent' in when) || [agent, ANY_AGENT].includes(when.agent);
        return isMine && !within.includes(id);
      });
      return choose(counting, condition.counter).flatMap(({ id, when, condition: inner }) => {
        if (when?.kind === 'said') return [{ verb: 'SPEAK', object: when.phrase }];
        if (when?.kind === 'used') return [{ verb: 'USE', object: when.thing }];
        return inner === null ? [] : actsIn(asked, inner, [...within, id]);
      });
    }
    default:
      return [];
  }
}

/** The triggers that bring a counter within its bounds, or count it on the way there. */
function triggersCounting(
  { triggers = [] }: GridDefinition,
  { counter, min, max }: Extract<GridCondition, { kind: 'count' }>,
): readonly Trigger[] {
  const reaches = (by: number | 'amount'): boolean =>
    by === 'amount' || max === null || (by <= max && by >= (min ?? by));
  return triggers.filter(({ effects }) =>
    effects.some((one) => one.kind === 'count' && one.counter === counter && reaches(one.by)),
  );
}

/**
 * The alternatives of the goal of several players: the facts that none of them makes true, and the words for what
 * these agents have to do about it.
 */
function alternativesIn(definition: GridDefinition, players: readonly string[], agents: readonly string[]) {
  const choicesIn = (condition: GridCondition): readonly GridCondition[] =>
    condition.kind === 'any' ? condition.of : condition.kind === 'all' ? condition.of.flatMap(choicesIn) : [];
  const choose = <T>(alternatives: readonly T[]): readonly T[] => alternatives;
  const wordOf = ({ object }: Act): string =>
    definition.things.find(({ id }) => id === object)?.name ?? object;
  return (definition.success === null ? [] : choicesIn(definition.success)).map((condition) => {
    const parts = condition.kind === 'all' ? condition.of : [condition];
    const actsOf = (agent: string, part: GridCondition) => actsFor({ definition, agent, choose }, part);
    return {
      facts: parts.filter((part) => players.every((agent) => actsOf(agent, part).length === 0)),
      words: agents.flatMap((agent) => parts.flatMap((part) => actsOf(agent, part).map(wordOf))),
    };
  });
}

/** What the others need to be told: the words for their part of the only alternative whose facts are true. */
export function hintsFor(belief: Belief, others: readonly string[]): readonly string[] {
  const alternatives = alternativesIn(belief.definition, [belief.me, ...others], others);
  const known = alternatives.filter(({ facts }) => facts.every((fact) => truthOf(belief, fact) === true));
  const [only] = known;
  if (only === undefined || only.facts.length === 0 || known.length > 1 || alternatives.length < 2) return [];
  return [...new Set(only.words)].filter((word) => word !== '');
}

/** The triggers that must have fired if what another player said means one alternative of the goal. */
export function triggersMeant(belief: Belief, others: readonly string[], text: string): readonly Trigger[] {
  const { definition, me } = belief;
  const alternatives = alternativesIn(definition, [me, ...others], [me]);
  const meant = alternatives.filter(({ words }) =>
    words.some((word) => word !== '' && saysPhrase(text, word)),
  );
  if (meant.length !== 1) return [];
  return (meant[0]?.facts ?? []).flatMap((fact) => {
    if (fact.kind !== 'count' || countOf(belief, fact.counter) >= (fact.min ?? 0)) return [];
    const counting = triggersCounting(definition, fact);
    return counting.length === 1 ? counting : [];
  });
}
