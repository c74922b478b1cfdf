/**
 * What help and offers tell of forms that few moments need: help keeps them back where the offers of a turn tell them, an offer tells them once
 * something fits, and a number goes no farther than with the names beside it.
 */
import { describe, expect, it } from 'vitest';
import { composer } from '../../src/agent/prompt.js';
import { vocabularyOf } from '../../src/assembly/seats.js';
import { at, known } from '../../src/base/assert.js';
import type { Environment } from '../../src/environment/environment.js';
import { openGrid } from '../../src/worlds/grid/grid.js';
import { interpret } from '../../src/binding/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';
import type { Scenario } from '../../src/scenario/scenario.js';
import { chance } from '../promises/chance.js';
import { gridPair } from '../promises/hidden-grid.js';
import { BASE, load } from '../scenario/support.js';
import { agent, chest, thing, tinyDefinition } from '../worlds/grid/tiny-world.js';

const MAP = `
  #######
  #.....#
  #.aC..#
  #######`;

function heap(id: string, amount: number) {
  return thing(id, { stack: { kind: id, amount }, place: { at: 'held', by: 'ada' } });
}

/** Ada holds 3 gold coins, 5 silver coins and a rope; beside her stands a chest. */
function treasury(lid: 'open' | 'closed') {
  const sprites = { open: 'o', closed: 'c', locked: 'l' };
  return openGrid(
    tinyDefinition(
      MAP,
      {
        a: agent('ada', { carryMax: 9 }),
        C: chest('chest', { container: { state: lid, key: null, sprites } }),
      },
      {
        more: [
          heap('gold-coin', 3),
          heap('silver-coin', 5),
          thing('rope', { place: { at: 'held', by: 'ada' } }),
        ],
      },
    ),
  ) as Environment<unknown>;
}

function prompt(
  environment: Environment<unknown>,
  protocol: 'command' | 'json' | 'react' | 'tools',
  change: Partial<Scenario['prompt']> = {},
) {
  const { scenario } = load(BASE);
  return composer({
    scenario: { ...scenario, prompt: { ...scenario.prompt, ...change } },
    agent: at(scenario.agents, 0),
    protocol: protocolOf(protocol),
    vocabulary: vocabularyOf(environment, 'ada'),
    hasPicture: true,
  });
}

function offersOf(lid: 'open' | 'closed', protocol: 'command' | 'json') {
  const environment = treasury(lid);
  const observation = environment.observe(environment.create('1'), 'ada');
  const text = prompt(environment, protocol).turnText(observation, null);
  return known(/^DROP.*$/m.exec(text)?.[0], 'what DROP is offered with');
}

describe('help in the system message', () => {
  const rare = ['<amount>', '<container>'];

  it('leaves amounts and containers to the offers', () => {
    const { system } = prompt(treasury('open'), 'command');
    expect(system).toContain('- DROP <thing>: ');
    expect(system).toContain('- GIVE <thing> TO <receiver>: ');
    for (const slot of rare) expect(system).not.toContain(slot);
    expect(prompt(treasury('open'), 'json').system).not.toMatch(/"amount"|"container"/);
  });

  it.each([
    ['the scenario keeps offers back', { offers: false }],
    [
      "the scenario keeps offers back from its own turn's place for them",
      { offers: false, templates: { turn: 'Turn {{turn}}. {{sections}} {{actions}}' } },
    ],
    ["a scenario's own turn has no place for them", { templates: { turn: 'Turn {{turn}}. {{sections}}' } }],
  ])('tells all forms where %s', (_why, change) => {
    const { system } = prompt(treasury('open'), 'command', change);
    for (const slot of rare) expect(system).toContain(slot);
  });

  it('says what a free action is, and marks each', () => {
    const { system } = prompt(treasury('open'), 'command');
    expect(system).toContain('free actions cost no turn');
    expect(system).toMatch(/^- READ .* Free action\.$/m);
    expect(system).not.toMatch(/^- TAKE .* Free action\.$/m);
  });
});

describe('an offer', () => {
  it('tells each range of numbers with the names that it goes with alone', () => {
    expect(offersOf('closed', 'command')).toBe(
      'DROP <gold coin | silver coin | rope> or DROP <amount: 1 to 3> gold coin or DROP <amount: 1 to 5> silver coin',
    );
    expect(offersOf('closed', 'json')).toBe(
      'DROP {"thing": "gold coin" | "silver coin" | "rope"} or {"amount": <1 to 3>, "thing": "gold coin"} or {"amount": <1 to 5>, "thing": "silver coin"}',
    );
  });

  it('tells of a container once one can be reached into, and once whatever word it takes', () => {
    expect(offersOf('closed', 'command')).not.toMatch(/ IN(TO)? /);
    expect(offersOf('open', 'command')).toContain('DROP <gold coin | silver coin | rope> IN chest');
    expect(offersOf('open', 'command')).not.toContain(' INTO ');
  });
});

/** `DROP <amount: 1 to 3> <gold coin | rope>` as lines of answers with its first and its last number, one for each name. */
function saidOf(form: string): readonly string[] {
  const [, verb = '', least = '', most = '', first = '', rest = ''] =
    /^([A-Z]+) <amount: (\d+) to (\d+)> (<[^>]*>|.+?)( IN .*| TO .*)?$/.exec(form) ?? [];
  if (verb === '') return [];
  const names = first.replace(/^<|>$/g, '').split(' | ');
  const after = rest.replace(/<([^|>]*)[^>]*>/, (_whole, only: string) => only.trim());
  return names.flatMap((name) => [least, most].map((amount) => `ACTION: ${verb} ${amount} ${name}${after}`));
}

describe('over random worlds', () => {
  it('every amount that an offer tells is accepted with every name beside it', { tags: ['long'] }, () => {
    let said = 0;
    for (let seed = 0; seed < 300; seed++) {
      const { sides, agent: ada } = gridPair(seed);
      const { environment } = sides[chance(`side ${seed}`)(2) === 0 ? 0 : 1];
      const state = environment.create('1');
      const observation = environment.observe(state, ada);
      const lines = prompt(environment, 'command').turnText(observation, null).split('\n');
      for (const content of lines.flatMap((line) => line.split(' or ')).flatMap(saidOf)) {
        said += 1;
        const { intent } = interpret(
          { content, toolCalls: [], finishReason: 'stop', reasoning: null },
          protocolOf('command'),
          environment.actions.list(),
          environment.actions,
          observation,
        );
        expect([content, intent && environment.check(state, intent)]).toEqual([content, undefined]);
      }
    }
    expect(said).toBeGreaterThan(50);
  });
});
