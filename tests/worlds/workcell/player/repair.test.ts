/** The scripted controller mends any car, from any seed, alone or in two roles, in both orders: a policy, not a list of answers. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Controller } from '../../../../src/agent/controller.js';
import { scriptedController } from '../../../../src/worlds/scripted-controller.js';
import { at, known } from '../../../../src/base/assert.js';
import type { Json } from '../../../../src/base/json.js';
import type { Intent } from '../../../../src/environment/action.js';
import type { DefinedState } from '../../../../src/environment/environment-spec.js';
import type { Environment, Outcome } from '../../../../src/environment/environment.js';
import { FREE_FORM } from '../../../../src/model/chat.js';
import { interpret } from '../../../../src/binding/interpret.js';
import { protocolOf } from '../../../../src/parse/protocols.js';
import { loadScenario } from '../../../../src/scenario/load.js';
import type { WorkcellState } from '../../../../src/worlds/workcell/state.js';
import { workcell } from '../../../../src/worlds/workcell/workcell.js';
import { READERS } from '../../../../src/worlds/registry.js';

interface Played {
  outcome: Outcome;
  turns: number;
  faulty: readonly string[];
}

interface Seated {
  controller: Controller;
  memory: Json;
}

const never = new AbortController().signal;

async function mend(text: string, seed: number, order: string): Promise<Played> {
  const file = { path: 'test.yaml', content: text, readFile: () => new Uint8Array() };
  const { scenario } = loadScenario(file, () => undefined, { worlds: READERS });
  const environment = workcell.open(scenario.definition);
  const seats = new Map<string, Seated>(
    environment.agents.map((id) => [id, { controller: scriptedController(), memory: null }]),
  );
  let state = environment.create(String(seed));
  const faulty = Object.values(state.world.items).flatMap(({ id, fault }) => (fault === null ? [] : [id]));
  while (environment.outcome(state).status === 'running' && state.turn <= 120) {
    const groups = order === 'simultaneous' ? [environment.agents] : environment.agents.map((id) => [id]);
    for (const group of groups) {
      const intents: Intent[] = [];
      for (const id of group) intents.push(await decide(environment, state, id, known(seats.get(id), id)));
      state = environment.advance(state, intents).state;
    }
    state = environment.endTurn(state).state;
  }
  return { outcome: environment.outcome(state), turns: state.turn, faulty };
}

/** Asked once: nothing that it says may be misread or refused. */
async function decide(
  environment: Environment<DefinedState<WorkcellState>>,
  state: DefinedState<WorkcellState>,
  agent: string,
  seat: Seated,
): Promise<Intent> {
  const observation = environment.observe(state, agent);
  const { turn } = state;
  const input = { agent, turn, attempt: 1, observation, messages: [], form: FREE_FORM, memory: seat.memory };
  const { reply, memory } = await seat.controller.decide(input, never);
  seat.memory = memory;
  const { intent, problem } = interpret(
    reply,
    protocolOf('command'),
    environment.actions.list(),
    environment.actions,
    observation,
  );
  expect(problem).toBeNull();
  const checked = known(intent, 'intent');
  expect(environment.check(state, checked)).toBeUndefined();
  return checked;
}

const ALONE = `title: T
environment: workcell
car: { kind: any }
rules: { burning_sound: fails }
agents: [{ id: ann }]
`;

const seeds = Array.from({ length: 24 }, (_, i) => i + 1);

describe('the scripted controller', () => {
  it('mends any car from any seed, and the seeds differ', { tags: ['long'] }, async () => {
    const runs = await Promise.all(seeds.map((seed) => mend(ALONE, seed, 'sequential')));
    expect(runs.filter(({ outcome }) => outcome.status !== 'succeeded')).toEqual([]);
    expect(new Set(runs.map(({ faulty }) => at(faulty, 0))).size).toBeGreaterThan(6);
  });

  it(
    'mends what is wrong on the side that the scenario names, and several faults at once',
    { tags: ['long'] },
    async () => {
      const text = `${ALONE}faults: [{ side: 180 }, { side: 270, fault: worn }, {}]\nspares: 6\n`;
      const runs = await Promise.all(seeds.slice(0, 8).map((seed) => mend(text, seed, 'sequential')));
      expect(runs.filter(({ outcome }) => outcome.status !== 'succeeded')).toEqual([]);
      for (const { faulty } of runs) expect(faulty.some((id) => /right-tyre/.test(id))).toBe(true);
      for (const { faulty } of runs) expect(faulty.length).toBe(3);
    },
  );

  it('mends at sight where no scan is needed', async () => {
    const { outcome } = await mend(ALONE.replace('burning_sound: fails', 'sight: eyes'), 3, 'sequential');
    expect(outcome.status).toBe('succeeded');
  });

  it.each(['sequential', 'simultaneous'])(
    'shares the work between two robots in %s order, from any seed',
    { tags: ['long'] },
    async (order) => {
      const text = readFileSync('scenarios/two-robots.yaml', 'utf8');
      const runs = await Promise.all(seeds.slice(0, 12).map((seed) => mend(text, seed, order)));
      expect(runs.filter(({ outcome }) => outcome.status !== 'succeeded')).toEqual([]);
    },
  );

  it.each(['rivet', 'pallet'])(
    'does not win where only %s may act: it takes both',
    { tags: ['long'] },
    async (id) => {
      const whole = readFileSync('scenarios/two-robots.yaml', 'utf8');
      const others = whole.replace(
        new RegExp(`(id: (?!${id}).*\\n(?:.*\\n)*?    actions: )\\[.*\\]`),
        '$1[]',
      );
      expect(others).not.toBe(whole);
      const { outcome } = await mend(others, 6, 'simultaneous');
      expect(outcome.status).toBe('running');
    },
  );
});
