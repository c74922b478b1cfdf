/**
 * Which actions an agent has, by scenario, agent and state, is the same in everything that it meets: the prompt, the list of what may be
 * done now, native tools, the guided form, the parser's reading, and the refusal. In each of the four protocols.
 */
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/base/canonical.js';
import { PROTOCOL_NAMES } from '../../src/scenario/scenario.js';
import type { ProtocolName } from '../../src/scenario/scenario.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { interpret } from '../../src/binding/interpret.js';
import { corridor } from '../orchestrator/two-agents.js';
import { partsFor } from '../support/play.js';

const SCOPED = corridor().replace(
  '{ id: ann, sprite: figure/knight }',
  '{ id: ann, sprite: figure/knight, actions: [GO, LOOK, TAKE] }',
);

async function setting(name: ProtocolName) {
  const set = [`agents.ann.protocol=${name}`, `agents.bob.protocol=${name}`];
  const { environment, seats } = await partsFor(SCOPED, new MemorySink(), { set });
  const state = environment.create('1');
  const of = (agent: string) => {
    const seat = seats.find(({ spec }) => spec.id === agent);
    if (seat === undefined) throw new Error(`no seat for ${agent}`);
    const observation = environment.observe(state, agent);
    const form = seat.composer.form(observation);
    const reading = (action: string) => {
      const command = { action, args: {} };
      const content = seat.protocol.replyText({
        ok: true,
        command,
        rung: 'whole line',
        span: null,
        words: action,
      });
      const reply = { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
      return interpret(reply, seat.protocol, environment.actions.list(), environment.actions, observation);
    };
    return {
      system: seat.composer.system,
      turn: seat.composer.turnText(observation, null),
      form: canonicalJson({ tools: form.tools, guided: form.guided }),
      reading,
      told: (content: string) => {
        const reply = { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
        const { actions } = environment;
        return interpret(reply, seat.protocol, actions.list(), actions, observation).problem?.message ?? '';
      },
      refusal: (action: string) => environment.check(state, { agent, action, args: {} }),
    };
  };
  return { ann: of('ann'), bob: of('bob') };
}

describe.each(PROTOCOL_NAMES)('in %s', (name) => {
  it('an action outside the scope is told nowhere, and refused as what it is', async () => {
    const { ann, bob } = await setting(name);
    for (const [verb, isHers] of [
      ['DONE', false],
      ['LOOK', true],
      ['WAIT', true],
    ] as const) {
      for (const text of [ann.turn, ann.form, ...(name === 'tools' ? [] : [ann.system])])
        expect(new RegExp(`\\b${verb}\\b`).test(text), `${verb} in ${text.slice(0, 80)}`).toBe(isHers);
      expect(bob.turn).toMatch(new RegExp(`\\b${verb}\\b`));
      expect(bob.form).toMatch(new RegExp(`\\b${verb}\\b`));
    }
    // Read all the same, so that "illegal" is never mistaken for "unreadable".
    expect(ann.reading('DONE')).toMatchObject({ reading: { ok: true }, problem: { code: 'not-offered' } });
    expect(bob.reading('DONE').intent).toMatchObject({ action: 'DONE' });
    expect(ann.refusal('DONE')).toMatchObject({ code: 'not-offered' });
    expect(bob.refusal('DONE')).toBeUndefined();
  });

  it('an action that the state does not allow is in the prompt, and in nothing that is offered now', async () => {
    const { bob } = await setting(name);
    // Bob holds nothing that he could drop.
    if (name !== 'tools') expect(bob.system).toMatch(/\bDROP\b/);
    expect(bob.turn).not.toMatch(/\bDROP\b/);
    expect(bob.form).not.toMatch(/\bDROP\b/);
  });

  it('what is told of an unreadable answer names no action outside the scope', async () => {
    const { ann, bob } = await setting(name);
    const [unknown, malformed] = WRONG[name];
    expect(ann.told(unknown)).toMatch(/\bLOOK\b/);
    expect(bob.told(unknown)).toMatch(/\bDROP\b/);
    for (const content of [unknown, malformed]) {
      expect(ann.told(content)).not.toBe('');
      expect(ann.told(content)).not.toMatch(/\b(?:DROP|PUSH|SPEAK)\b(?! is|")|Write \{/);
    }
  });
});

/** A verb that nobody has, and a call of DROP that lacks its parameter. */
const WRONG: Readonly<Record<ProtocolName, readonly [string, string]>> = {
  command: ['ACTION: FLY', 'ACTION: DROP'],
  json: ['{"name": "FLY", "parameters": {}}', '{"name": "DROP", "parameters": {}}'],
  react: ['Action: FLY\nAction Input: {}', 'Action: DROP\nAction Input: {}'],
  tools: [
    '<tool_call>{"name": "FLY", "arguments": {}}</tool_call>',
    '<tool_call>{"name": "DROP", "arguments": {}}</tool_call>',
  ],
};
