/** What a guided form lets through the rules accept: in every shipped scenario, played at random, with whatever the forms combine. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nextBelow, pick, stream } from '../../src/base/rng.js';
import type { Args, Intent } from '../../src/environment/action.js';
import type { Environment } from '../../src/environment/environment.js';
import type { Observation } from '../../src/environment/observation.js';
import { openScenario } from '../../src/assembly/open.js';
import { scenarioFile } from '../../src/scenario/folder.js';
import type { GrammarLeaf } from '../../src/forms/layouts.js';
import type { SlotChoices } from '../../src/forms/layouts.js';
import { interpret } from '../../src/binding/interpret.js';
import { formsNow } from '../../src/forms/offered-forms.js';
import { protocolOf } from '../../src/parse/protocols.js';

function valuesOf(leaf: GrammarLeaf, choices: SlotChoices): readonly (string | number)[] {
  if (leaf.kind === 'integer') return [leaf.min, Math.min(leaf.max, leaf.min + 1), leaf.max];
  if (leaf.kind === 'text') return ['hello'];
  return leaf.kind === 'word' ? [leaf.word] : (choices[leaf.slot] ?? []);
}

/** All that the forms of the offers say, as objects. */
function sayings(environment: Environment<unknown>, { offered }: Observation): readonly string[] {
  return offered.flatMap((offer) => {
    const grammar = environment.actions.get(offer.action)?.grammar ?? null;
    return formsNow(grammar, offer, false).flatMap(({ leaves, choices }) => {
      const ways = leaves.reduce<readonly Args[]>(
        (all, leaf) => {
          const { slot } = leaf;
          if (slot === undefined) return all;
          return all.flatMap((args) => valuesOf(leaf, choices).map((value) => ({ ...args, [slot]: value })));
        },
        [{}],
      );
      return ways.map((parameters) => JSON.stringify({ name: offer.action, parameters }));
    });
  });
}

/** Two ranges of numbers can't leave out the one tile that the agent stands on. */
const OWN_TILE = /^You are already at x \d+, y \d+\.$/;

/** The intents that are accepted; what is not read or refused is noted in `amiss`. */
function accepted(
  environment: Environment<unknown>,
  state: unknown,
  agent: string,
  amiss: string[],
): readonly Intent[] {
  const observation = environment.observe(state, agent);
  const vocabulary = environment.actions.list();
  return sayings(environment, observation).flatMap((content) => {
    const reply = { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
    const { intent, problem } = interpret(
      reply,
      protocolOf('json'),
      vocabulary,
      environment.actions,
      observation,
    );
    const refusal = intent === null ? problem : (environment.check(state, intent) ?? null);
    if (refusal !== null && !OWN_TILE.test(refusal.message)) amiss.push(`${content}: ${refusal.message}`);
    return intent === null || refusal !== null ? [] : [intent];
  });
}

const files = readdirSync('scenarios').filter((name) => name.endsWith('.yaml'));

it.each(files)('%s', async (name) => {
  const { environment } = await openScenario(scenarioFile(`scenarios/${name}`));
  const amiss: string[] = [];
  let said = 0;
  for (const seed of ['1', '2']) {
    let state = environment.create(seed);
    let rng = stream(seed, 'guided-offers');
    for (let turn = 0; turn < 12 && environment.outcome(state).status === 'running'; turn++) {
      for (const agent of environment.active(state)) {
        const options = accepted(environment, state, agent, amiss);
        said += options.length;
        const inside = options.filter(({ action }) => environment.actions.get(action)?.outside === undefined);
        if (inside.length === 0 || environment.outcome(state).status !== 'running') continue;
        const verb = pick(rng, [...new Set(inside.map(({ action }) => action))]);
        const ways = inside.filter(({ action }) => action === verb.value);
        const draw = nextBelow(verb.state, ways.length);
        rng = draw.state;
        ({ state } = environment.advance(state, ways.slice(draw.value, draw.value + 1)));
      }
      ({ state } = environment.endTurn(state));
    }
  }
  expect(amiss).toEqual([]);
  expect(said).toBeGreaterThan(10);
});
