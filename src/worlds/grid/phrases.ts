/**
 * What an agent could usefully say, for the search for solutions: phrases that conditions and triggers wait
 * for, and texts that distinguish lookalikes. A phrase that is written somewhere counts only for agents that
 * have read or heard it; others need no source. The rules themselves let every agent say everything.
 */
import { heardPhrases, readMark, saysPhrase } from './conditions.js';
import type { ThingDefinition } from './definition.js';
import type { GridState } from './state.js';
import type { GridWorld } from './world.js';
import { distinguishingTexts } from './indistinguishable-worlds.js';
import { mindOf } from './world.js';

/** Things on which a phrase is written, in the definition's order. */
export function writtenSources({ definition }: GridWorld, phrase: string): readonly ThingDefinition[] {
  return definition.things.filter(({ text }) => text !== null && saysPhrase(text, phrase));
}

/**
 * The phrases that an agent could say, each once: of conditions, then triggers, then distinguishing texts.
 */
export function knownPhrases(world: GridWorld, state: GridState, agent: string): readonly string[] {
  const phrases = new Set([
    ...heardPhrases(world.definition).map(({ phrase }) => phrase),
    ...(world.definition.triggers ?? []).flatMap(({ when }) => (when?.kind === 'said' ? [when.phrase] : [])),
    ...distinguishingTexts(world.definition),
  ]);
  const { read } = mindOf(state, agent);
  return [...phrases].filter((phrase) => {
    const sources = writtenSources(world, phrase);
    const hasRead = sources.some(({ id }) => Object.hasOwn(state.marks, readMark(id, agent)));
    return sources.length === 0 || hasRead || read.some((line) => saysPhrase(line, phrase));
  });
}
