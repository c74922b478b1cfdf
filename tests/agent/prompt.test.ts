/** Prompts: what others wrote can't fill a place, the system text never changes, and a picture's words are left to the picture. */
import { describe, expect, it } from 'vitest';
import { composer } from '../../src/agent/prompt.js';
import type { Composer } from '../../src/agent/prompt.js';
import { at } from '../../src/base/assert.js';
import type { Observation } from '../../src/environment/observation.js';
import type { RenderSpec, Scenario } from '../../src/scenario/scenario.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { BASE, load } from '../scenario/support.js';

const OBSERVATION: Observation = {
  agent: 'ann',
  turn: 3,
  sections: [
    { id: 'see', lines: ['You see:', '- a sign'], isPictured: true },
    { id: 'heard', lines: ['Bob said: "{{persona}} {{problem}} $& {{nonsense}}"'] },
    { id: 'last', lines: [] },
  ],
  scope: [],
  offered: [{ action: 'WAIT', slots: {} }],
  nouns: [],
  facts: {},
  scene: null,
};
const VOCABULARY = [
  { name: 'WAIT', aliases: [], description: 'Wait.', grammar: null, cost: 'turn', examples: [''] },
] as const;

function compose(
  options: {
    hasPicture?: boolean;
    channel?: RenderSpec['channel'];
    templates?: Scenario['prompt']['templates'];
    offers?: boolean;
  } = {},
): Composer {
  const loaded = load(`${BASE}    persona: You collect {{goals}} and lamps.\n    goals: [Leave.]\n`).scenario;
  const { hasPicture = true, channel = 'both', templates = {}, offers = true } = options;
  const prompt = { rules: '', templates, offers, snapshot: false };
  const scenario = { ...loaded, render: { ...loaded.render, channel }, prompt };
  const agent = at(scenario.agents, 0);
  return composer({
    scenario,
    agent,
    protocol: protocolOf(agent.protocol),
    vocabulary: VOCABULARY,
    hasPicture,
  });
}

describe('a prompt', () => {
  it('prints what was said as it was said: places in it are no places', () => {
    expect(compose().turnText(OBSERVATION, 'Say it again.')).toContain(
      'Bob said: "{{persona}} {{problem}} $& {{nonsense}}"',
    );
    expect(compose().system).toContain('You collect {{goals}} and lamps.');
  });

  it('lists what may be done now unless the scenario keeps that back', () => {
    const [told, kept] = [compose(), compose({ offers: false })];
    expect(told.turnText(OBSERVATION, null)).toContain('You may now:');
    expect(kept.turnText(OBSERVATION, null)).not.toContain('You may now:');
    for (const action of OBSERVATION.offered)
      expect(kept.turnText(OBSERVATION, null)).not.toContain(action.action);
    expect(kept.system).toBe(told.system);
    const nothing = { ...OBSERVATION, offered: [] };
    expect(kept.form(OBSERVATION)).toEqual(kept.form(nothing));
  });

  it('has a system text without the answer format for what is no action', () => {
    const { system, plainSystem } = compose();
    expect(system).toContain('ACTION:');
    expect(plainSystem).not.toContain('ACTION:');
    expect(plainSystem).toContain('You collect {{goals}} and lamps.');
  });

  it('puts the system text first, then the past, this turn, and the picture last', () => {
    const made = compose();
    const past = [{ role: 'user', parts: [{ kind: 'text', text: 'before' }] }] as const;
    const picture = { png: new Uint8Array([1]), hash: 'h' };
    expect(made.messages(past, 'now', picture)).toEqual([
      { role: 'system', parts: [{ kind: 'text', text: made.system }] },
      ...past,
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'now' },
          { kind: 'image', png: picture.png, frameHash: 'h' },
        ],
      },
    ]);
    expect(made.messages([], 'now', null).at(-1)?.parts).toEqual([{ kind: 'text', text: 'now' }]);
  });

  it('keeps its system text whatever happens in a turn', () => {
    const one = compose();
    const before = one.messages([], one.turnText(OBSERVATION, null), null)[0];
    const after = one.messages([], one.turnText({ ...OBSERVATION, turn: 9, sections: [] }, 'No.'), null)[0];
    expect(after).toEqual(before);
    expect(one.system).not.toMatch(/Bob said|No\.|Turn \d/);
  });

  it('leaves out what is pictured only where nothing but a picture is sent', () => {
    const seen = (options: Parameters<typeof compose>[0]) =>
      compose(options).turnText(OBSERVATION, null).includes('a sign');
    expect(seen({ channel: 'image' })).toBe(false);
    expect(seen({ channel: 'both' })).toBe(true);
    expect(seen({ channel: 'image', hasPicture: false })).toBe(true);
  });

  it('fills a scenario’s own templates, each section by its id', () => {
    const made = compose({
      templates: {
        system: 'I am {{name}}.\n{{goals}}',
        turn: '{{turn}}|{{see}}|{{last}}|{{actions}}|{{problem}}',
      },
    });
    expect(made.system).toBe('I am Ann.\nYour goals, most important first:\n1. Leave.');
    expect(made.turnText(OBSERVATION, 'No.')).toMatch(/^3\|You see:\n- a sign\|\|.*WAIT.*\|No\.$/);
  });
});
