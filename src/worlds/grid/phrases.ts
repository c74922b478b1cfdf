/**
 * The phrases that conditions wait for, and texts that distinguish look-alikes, by who could say them: a
 * phrase that is written somewhere can be said only by agents that have read or heard it; anything else needs
 * no source. For a search for a solution; the rules let every agent say everything.
 */
import { heardPhrases, readMark, saysPhrase } from './conditions.js';
import type { ThingDefinition } from './definition.js';
import type { GridState } from './state.js';
import type { GridWorld } from './world.js';
import { tellingTexts } from './indistinguishable-worlds.js';
import { mindOf } from './world.js';

/** Things on which a phrase is written, in the definition's order. */
export function sourcesOf({ definition }: GridWorld, phrase: string): readonly ThingDefinition[] {
  return definition.things.filter(({ text }) => text !== null && saysPhrase(text, phrase));
}

/** The phrases that an agent could say, each once, in the order of the conditions. */
export function phrasesKnown(world: GridWorld, state: GridState, agent: string): readonly string[] {
  const phrases = new Set([
    ...heardPhrases(world.definition).map(({ phrase }) => phrase),
    ...passwords(world),
    ...tellingTexts(world.definition),
  ]);
  const { read } = mindOf(state, agent);
  return [...phrases].filter((phrase) => {
    const sources = sourcesOf(world, phrase);
    const hasRead = sources.some(({ id }) => Object.hasOwn(state.marks, readMark(id, agent)));
    return sources.length === 0 || hasRead || read.some((line) => saysPhrase(line, phrase));
  });
}

/** The phrases that set something off. */
function passwords({ definition }: GridWorld): readonly string[] {
  return (definition.triggers ?? []).flatMap(({ when }) => (when?.kind === 'said' ? [when.phrase] : []));
}
