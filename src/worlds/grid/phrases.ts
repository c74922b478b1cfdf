/**
 * The phrases that conditions wait for, and texts that tell look-alikes apart, by who could say them: what is written somewhere says only who has read it or was told;
 * anything else comes to mind by itself. For whoever searches for a way to win; the rules let everybody say everything.
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
