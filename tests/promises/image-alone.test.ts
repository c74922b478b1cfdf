/**
 * With `render.channel: image` the picture alone tells what is seen and remembered: over random worlds no word of a name of it stands in what a turn
 * sends, in no protocol, nor in its tools and guided forms. `render.names: true` keeps names in offers.
 */
import { describe, expect, it } from 'vitest';
import { composer } from '../../src/agent/prompt.js';
import { vocabularyOf } from '../../src/assembly/seats.js';
import { at, known } from '../../src/base/assert.js';
import type { Environment } from '../../src/environment/environment.js';
import type { Observation } from '../../src/environment/observation.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { BASE, load } from '../scenario/support.js';
import { chance, oneOf } from './chance.js';
import { gridPair } from './hidden-grid.js';
import { LONG_SIZED, SIZED, sizeOf } from '../support/sizes.js';

const PROTOCOLS = ['command', 'json', 'react', 'tools'] as const;
const WORLDS = sizeOf('imageWorlds');
const TURNS = 3;

/** All that a request says of this turn: its text, and what the server is asked besides. */
function sent(
  environment: Environment<unknown>,
  observation: Observation,
  { names, offers }: { names: boolean; offers: boolean },
): string {
  const { scenario } = load(`${BASE}\nrender: { channel: image, names: ${names} }\n`);
  return PROTOCOLS.map((protocol) => {
    const made = composer({
      scenario: { ...scenario, prompt: { ...scenario.prompt, offers } },
      agent: at(scenario.agents, 0),
      protocol: protocolOf(protocol),
      vocabulary: vocabularyOf(environment, observation.agent),
      hasPicture: true,
    });
    const { tools, guided } = made.form(observation);
    const asked = tools.map((tool) => [tool.parameters, tool.guidedParameters]);
    return `${made.turnText(observation, null)}\n${JSON.stringify([asked, guided])}`;
  }).join('\n');
}

/** Words of names of what is seen or remembered, but for what the agent holds, which is told, and for words that the forms have anyway. */
function wordsSeen(environment: Environment<unknown>, { nouns, agent }: Observation): readonly string[] {
  const wordsOf = (texts: readonly string[]) => texts.flatMap((text) => text.toLowerCase().split(/[^a-z]+/));
  const held = nouns.filter(({ kinds, id }) => kinds.includes('held') || id === agent);
  const forms = environment.actions
    .list()
    .flatMap(({ description, examples, grammar }) => [description, ...examples, JSON.stringify(grammar)]);
  const told = new Set(wordsOf([...held.flatMap(({ name, id }) => [name, id]), ...forms]));
  const names = wordsOf(nouns.flatMap(({ name, aliases, id }) => [name, id, ...aliases]));
  return [...new Set(names)].filter((word) => word.length > 2 && !told.has(word));
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![a-z])${word}(?![a-z])`, 'i').test(text);
}

/** Random worlds at some moments of an agent that walks about, which makes it remember things. */
function* moments() {
  for (let seed = 0; seed < WORLDS; seed++) {
    const { sides, agent } = gridPair(seed);
    const { environment } = sides[0];
    const below = chance(`walk ${seed}`);
    let state = environment.create('1');
    for (let turn = 0; turn < TURNS && environment.active(state).includes(agent); turn++) {
      const observation = environment.observe(state, agent);
      yield { environment, observation };
      const ways = observation.offered.find(({ action }) => action === 'GO')?.slots['direction'] ?? [];
      const intent =
        ways.length === 0
          ? { agent, action: 'WAIT', args: {} }
          : { agent, action: 'GO', args: { direction: oneOf(below, ways) } };
      ({ state } = environment.endTurn(environment.advance(state, [intent]).state));
    }
  }
}

describe('where only the picture is sent', () => {
  it('no word of what is seen or remembered stands beside it, with and without offers', SIZED, () => {
    let words = 0;
    for (const { environment, observation } of moments()) {
      for (const offers of [true, false]) {
        const text = sent(environment, observation, { names: false, offers });
        const seen = wordsSeen(environment, observation);
        words += seen.length;
        expect(seen.filter((word) => hasWord(text, word))).toEqual([]);
      }
    }
    expect(words).toBeGreaterThan(5 * WORLDS);
  });

  it('names stand in offers where they are asked for', LONG_SIZED, () => {
    let found = 0;
    for (const { environment, observation } of moments()) {
      const text = sent(environment, observation, { names: true, offers: true });
      found += wordsSeen(environment, observation).filter((word) => hasWord(text, word)).length;
    }
    expect(found).toBeGreaterThan(5 * WORLDS);
  });

  it('what may be done is told all the same, and its directions', () => {
    const { environment, observation } = known(
      [...moments()].find(({ observation: { offered } }) => {
        const go = offered.find(({ action }) => action === 'GO')?.slots;
        return (go?.['direction']?.length ?? 0) > 1 && (go?.['target']?.length ?? 0) > 0;
      }),
      'a moment with ways to go',
    );
    const text = sent(environment, observation, { names: false, offers: true });
    for (const { action } of observation.offered) expect(text).toContain(action);
    expect(text).toMatch(/^GO <\w[\w-]*( \| \w[\w-]*)+> or GO TO <target>/m);
  });
});
