/** What is refused may come with a hint: it names no action that the agent doesn't have, whatever the scenario leaves out. */
import { expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import type { Intent } from '../../src/environment/action.js';
import { formsOf } from '../../src/environment/legal-action.js';
import type { Environment } from '../../src/environment/environment.js';
import type { Slot } from '../../src/environment/grammar.js';
import { CARDINALS } from '../../src/environment/space.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { partsFor } from '../support/play.js';
import { SIZED, someOf } from '../support/sizes.js';
import type { Below } from './chance.js';
import { chance, oneOf, shuffled } from './chance.js';

const PATHS = [
  'lost-ring',
  'car-repair',
  'two-robots',
  'crypt',
  'door-puzzle',
  'react',
  'berries',
  'watchman',
];
const TURNS = 12;
const TRIES = 10;

/** Something that an agent might ask for, sensible or not. */
function tryOf(
  environment: Environment<unknown>,
  agent: string,
  ids: readonly string[],
  below: Below,
): Intent {
  const name = oneOf(below, environment.scope(agent));
  const forms = formsOf(known(environment.actions.get(name), name).grammar).wholeForms;
  const value = (slot: Slot): string | number => {
    if (slot.kind === 'word') return slot.word;
    if (slot.kind === 'integer') return below(9);
    if (slot.kind === 'direction') return oneOf(below, CARDINALS);
    return slot.kind === 'name' && ids.length > 0 ? oneOf(below, ids) : 'hello';
  };
  const args = Object.fromEntries(oneOf(below, forms).map((slot) => [slot.slot, value(slot)]));
  return { agent, action: name, args };
}

/** Verbs in a text that the agent doesn't have: in the program's sentences, only verbs are written in capitals. */
function foreignVerbs(environment: Environment<unknown>, agent: string, text: string): readonly string[] {
  const isStepOnly = !JSON.stringify(environment.actions.get('GO')?.grammar ?? 'TO').includes('TO');
  const verbs = (text.match(/\b[A-Z][A-Z_]+\b/g) ?? []).filter(
    (word) => environment.actions.get(word)?.name === word && !environment.scope(agent).includes(word),
  );
  return isStepOnly && text.includes('GO TO') ? [...verbs, 'GO TO'] : verbs;
}

async function hintsIn(path: string, below: Below) {
  const { environment, scenario } = await partsFor(`scenarios/${path}.yaml`, new MemorySink());
  const all = environment.actions.list().map(({ name }) => name);
  const set = scenario.agents.map(
    ({ id }) =>
      `agents.${id}.actions=${JSON.stringify(['GO', ...shuffled(below, all).slice(0, 3 + below(3))].filter((one) => all.includes(one)))}`,
  );
  const isGrid = environment.kind === 'grid';
  const less = await partsFor(`scenarios/${path}.yaml`, new MemorySink(), {
    set: [
      ...(environment.kind === 'toolbox' ? [] : set),
      ...(isGrid ? ['rules.go_to=false', 'rules.movement=tile'] : []),
    ],
  });
  const world = less.environment;
  const found: string[] = [];
  let refusals = 0;
  let state = world.create('1');
  for (let turn = 0; turn < TURNS; turn++) {
    for (const agent of world.active(state)) {
      const ids = (world.everyNoun?.() ?? world.observe(state, agent).nouns).map(({ id }) => id);
      const tries = Array.from({ length: TRIES }, () => tryOf(world, agent, ids, below));
      for (const intent of tries) {
        const message = world.check(state, intent)?.message;
        if (message === undefined) continue;
        refusals += 1;
        for (const verb of foreignVerbs(world, agent, message))
          found.push(`${path}, ${agent}, ${verb}: ${message}`);
      }
      const open = tries.find(
        (intent) => intent.action !== 'DONE' && world.check(state, intent) === undefined,
      );
      if (open === undefined) continue;
      const { state: next, results } = world.advance(state, [open]);
      state = next;
      for (const result of results)
        if (!result.ok)
          for (const verb of foreignVerbs(world, agent, result.problem.message))
            found.push(`${path}, ${verb}: ${result.problem.message}`);
    }
    ({ state } = world.endTurn(state));
  }
  return { found, refusals };
}

it('hints name only actions that the agent has', SIZED, async () => {
  const below = chance('hints');
  let total = 0;
  for (const path of someOf(PATHS, 'scenarios')) {
    const { found, refusals } = await hintsIn(path, below);
    expect(found).toEqual([]);
    total += refusals;
  }
  expect(total).toBeGreaterThan(100);
});
